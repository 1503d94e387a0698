"""The number of floating-point operations of one call, by a rule for each family of operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from math import isqrt, prod
from typing import cast

from irlint.dryrun.dims import is_known
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.mapping import Call, FromAttr
from irlint.dryrun.operator import Operator, operator
from irlint.dryrun.ops.shared.attention import Einsum
from irlint.dryrun.tensor import Tensor


class Counted:
    """One call: its operands by name, and its outputs, whose shapes are known."""

    def __init__(self, call: Call, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        self.call, self.inputs, self.outputs = call, inputs, outputs
        inner = call.attrs.get("inner")  # of an operator around another one
        self.operator = operator(inner) if isinstance(inner, str) else call.operator
        self.names: Sequence[str] = call.attrs.get("names") or self.operator.names
        self.first = size_of(inputs[0]) if inputs else ()  # the shape of the first operand; () if it is unknown
        self.made = prod(size_of(outputs[0]))
        self.width = (size_of(outputs[0]) or (1,))[-1]

    def shape(self, *names: str) -> tuple[int, ...]:
        """Return the shape of the first of these operands that is known; () if none is."""
        for name, tensor in zip_longest(self.names, self.inputs[: len(self.names)]):
            if name in names and tensor is not None and (found := size_of(tensor)):
                return found
        return ()

    def count(self, *names: str) -> int:
        """Return the number of elements of these operands."""
        return sum(prod(shape) for shape in map(self.shape, names) if shape)

    @property
    def rows(self) -> int:
        return prod(self.first[:-1])


def size_of(tensor: Tensor) -> tuple[int, ...]:
    """Return the shape of a tensor; () if it is unknown."""
    return cast("tuple[int, ...]", tensor.shape) if tensor.shape is not None and is_known(tensor.shape) else ()


def flops(call: Call, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> int | None:
    """Return the number of operations of one call whose output shapes are known."""
    counted = Counted(call, inputs, outputs)
    return rule_of(counted.operator)(counted)


def rule_of(each: Operator) -> Rule:
    """Return the rule of an operator: its own, that of its family, or that of a class from which it is derived."""
    for base in type(each).__mro__:
        family = base.__module__.removeprefix("irlint.dryrun.ops.")
        found = RULES.get(f"{family}.{base.__name__}") or RULES.get(family)
        if found is not None:
            return found
    return _elements


def is_heavy(call: Call) -> bool:
    """Return whether an operator is of the kinds that take most of the time of nearly every network."""
    return rule_of(Counted(call, (), (Tensor(),)).operator) not in (_free, _elements, _all_elements, _pool)


def _free(of: Counted) -> int:
    return 0


def _elements(of: Counted) -> int:
    return of.made


def _all_elements(of: Counted) -> int:
    return max(of.made, prod(of.first))


def _pool(of: Counted) -> int:
    kernel = of.call.attrs.get("kernel")
    return of.made * prod(kernel) if kernel else _all_elements(of)


def _convolution(of: Counted) -> int | None:
    """Every output element uses one filter; transposed, every input element does."""
    filters = of.shape("filters", "weight", "w")
    kind = type(of.operator).__name__
    if len(filters) < 3 or of.outputs[0].shape is None:
        return None
    one = filters[2:] if len(filters) > len(of.outputs[0].shape) else filters[1:]
    if any(word in kind for word in ("Back", "Transposed", "Deconvolution")):
        return 2 * prod(of.first) * prod(one)
    return 2 * of.made * prod(one)


def _product(of: Counted) -> int | None:
    """Each output element is the sum of as many products as the second matrix has elements in one column."""
    second = of.shape("b", "B", "weight", "rhs", "mat_b")
    if len(second) > 2 and of.call.attrs.get("rows_first_b"):
        second = (second[0], second[-1])
    if len(second) > 1:
        return 2 * of.made * prod(second[-2:]) // of.width if of.width else 0
    return 2 * of.made * second[0] if second else _rows(of)


def _rows(of: Counted) -> int | None:
    """Return the operations of a product with rows: of weights that are packed, or of any data."""
    return 2 * of.made * of.first[-1] if of.first else None


def _dense(of: Counted) -> int | None:
    weight = of.shape("weight")
    return 2 * of.made * weight[1] if len(weight) == 2 else _rows(of)


def _whole_axes(of: Counted) -> int:
    """Return the operations of a product that has no axis of both operands: the length of what they share is known by that."""
    both = [prod(size_of(tensor)) for tensor in of.inputs[:2]]
    return 2 * of.made * isqrt(prod(both) // of.made) if of.made else 0


def _einsum(of: Counted) -> int | None:
    """Return the operations of one loop over all letters."""
    equation = of.call.attrs.get("equation") or of.call.attrs.get("subscripts")
    if not isinstance(equation, str) or len(of.inputs) < 2:
        return _all_elements(of)
    try:
        terms, _result = Einsum.parse(equation, len(of.inputs))
    except ShapeError:
        return None
    lengths: dict[str, int] = {}
    for term, tensor in zip(terms, of.inputs, strict=True):
        left, _dots, right = term.partition("...")
        shape = size_of(tensor)
        letters = [*left, *(f".{k}" for k in range(len(shape) - len(left) - len(right), 0, -1)), *right]
        if len(letters) != len(shape):
            return None
        for letter, length in zip(letters, shape, strict=True):
            lengths[letter] = max(lengths.get(letter, 1), length)
    return len(of.inputs) * prod(lengths.values())


def _recurrent(of: Counted) -> int | None:
    """Every weight is used once for each step of each sequence."""
    weights = of.count("W", "R", "parameters")
    return 2 * of.rows * weights if weights else None


def _attention(of: Counted) -> int:
    """Every element of the queries and of the output meets each of the keys once."""
    key = of.shape("key", "K")
    if len(key) < 2:  # packed with the queries
        own, length = of.made, (*of.first, 1, 1)[1]
    else:
        own = prod(of.first)
        length = key[1] if len(key) == 5 else key[-2]
    past = of.shape("past_key") or of.shape("past")
    return 2 * (length + (past[-2] if len(past) > 1 else 0)) * (own + of.made)


def _projected(of: Counted) -> int:
    return 2 * of.rows * of.count("weights") + _attention(of)


def _steps_of_states(of: Counted) -> int:
    """Each step multiplies its state twice: by what it adds, and for what it outputs."""
    state = size_of(of.outputs[1]) if len(of.outputs) > 1 else ()
    return 4 * (*of.first, 1, 1)[1] * prod(state) if state else of.made


def _scores(of: Counted) -> int:
    """Each row of the queries meets each of the keys; the packed operand holds queries, keys and values."""
    return 2 * of.width * prod(of.first) // (3 if of.names[0] == "queries_keys_values" else 1)


def _weighted(of: Counted) -> int:
    return 2 * of.made * (*of.shape("attention"), 1)[-1]


def _of_sample(of: Counted) -> int | None:
    """Return the operations of one sample: its own weights are all used once per place; transposed, of the input."""
    kind = type(of.operator).__name__
    operands = [k.tensor for k in of.call.inputs or () if isinstance(k, FromAttr)]
    weights = sum(prod(size_of(tensor)) for tensor in operands if len(tensor.shape or ()) > 1)
    if not weights or not of.inputs or of.outputs[0].shape is None:
        return _rows(of) if len(of.inputs) > 1 else _pool(of)
    shape = of.first if kind == "Deconvolution" else size_of(of.outputs[0])
    places = shape[1:] if "onvolution" in kind else shape[:-1]
    return 2 * weights * prod(places)


Rule = Callable[[Counted], int | None]

# By the modules of irlint/dryrun/ops/, or by single classes in them
RULES: dict[str, Rule] = {
    **dict.fromkeys(
        (
            "moving.blocks", "moving.creation", "moving.diagonals", "moving.flipping", "moving.gathering",
            "moving.inserting.CacheUpdate", "moving.joining", "moving.padding", "moving.reshaping", "moving.slicing",
            "moving.splitting", "moving.tiling", "mxnet.cropping", "mxnet.indexing", "mxnet.layout", "mxnet.stacking",
            "openvino.control", "sample.layout", "sample.linear.Embed", "shared.broadcasting", "shared.dense.Embedding",
        ),
        _free,
    ),
    **dict.fromkeys(("openvino.normalisation", "shared.reduction"), _all_elements),
    **dict.fromkeys(("sample.attention", "sample.images.SampleDeformableConvolution", "sample.linear", "sample.recurrent",
                     "sample.windows"), _of_sample),
    **dict.fromkeys(("mxnet.biased", "onnx.filters", "onnx.scales.ScaledFilter", "openvino.convolution"), _convolution),
    **dict.fromkeys(("mxnet.fused_rnn", "onnx.gated_rnn", "openvino.recurrent"), _recurrent),
    **dict.fromkeys(("onnx.scaled.ScaledGemm", "onnx.scaled.WholeProduct", "shared.matrix", "shared.products.Matmul",
                     "onnx.scales.ProductOfIntegers", "onnx.scales.ScaledProduct", "shared.dense"), _product),
    **dict.fromkeys(("shared.products.DotProduct", "shared.products.TensorDot", "shared.dense.Dot"), _whole_axes),
    **dict.fromkeys(("shared.attention.Einsum", "shared.products.EinsumOfSubscripts"), _einsum),
    **dict.fromkeys(("shared.attention", "onnx.cached_attention.CachedAttention", "onnx.packed_attention.HeadAttention",
                     "onnx.packed_attention.GroupedAttention", "sample.attention.DotProductAttention"), _attention),
    "mxnet.interleaved.CrossScores": _scores,
    "mxnet.interleaved.CrossValues": _weighted,
    "mxnet.interleaved.SelfScores": _scores,
    "mxnet.interleaved.SelfValues": _weighted,
    "onnx.cached_attention.LinearAttention": _steps_of_states,
    "onnx.fused.BlockProduct": _rows,
    "onnx.packed_attention.ProjectedAttention": _projected,
    "shared.dense.Dense": _dense,
    "shared.dense.KhatriRao": _elements,
    "shared.pooling": _pool,
}  # fmt: skip
