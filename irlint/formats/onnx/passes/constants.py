"""Values of constants that no network means: scales of zero, negative variances, weights that are NaN or overflowed.

Only what operators compute with is looked at, and only so much of it that a lint stays fast; W006 selected by name reads all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from irlint.checks.weight_numbers import not_finite
from irlint.codes import R, RuleRow, Severity
from irlint.dryrun.dtypes import INTEGERS
from irlint.findings import Problem
from irlint.formats.onnx.opsets import DEFAULT, domain_of, opset_of
from irlint.formats.onnx.read import source_of
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.trees import names_of
from irlint.graph import Graph, Node, label
from irlint.rules.base import Model
from irlint.text.prototext.messages import Tree

_MOST = 1 << 27  # bytes of one file that are read for it
_OUTPUT_SCALE = 6
_OVERRIDDEN = 4  # the IR version since which callers may replace initializers that are inputs, too
_INDEXED = 11  # the opset since which indices of OneHot may be negative
# Inputs that are scales, and those that are weights
_SCALES = {
    "QuantizeLinear": (1,), "DequantizeLinear": (1,), "QLinearConv": (1, 4, 6), "QLinearMatMul": (1, 4, 6),
}  # fmt: skip
_WEIGHTS = {
    "Conv": (1, 2), "ConvTranspose": (1, 2), "Gemm": (1, 2), "MatMul": (0, 1), "BatchNormalization": (1, 2, 3, 4),
    "InstanceNormalization": (1, 2), "LayerNormalization": (1, 2), "LSTM": (1, 2, 3), "GRU": (1, 2, 3), "RNN": (1, 2, 3),
    "Gather": (0,),
}  # fmt: skip
_MASKED = ("Gather",)  # which choose rows of embeddings, and of masks, in which -infinity means that nothing is there
_VARIANCE = ("BatchNormalization", 4)
_SCALARS = {"Range": ("start", "limit", "delta"), "DFT": ("", "dft_length", "axis")}


Wrong = tuple[RuleRow, str, Severity]


def constant_problems(model: Model, tree: Tree, known: Mapping[str, int]) -> Iterator[Problem]:
    """Yield problems of constants; `known` are the opsets that the model imports."""
    check = _ConstantCheck(tree, opset_of(DEFAULT, known) or _INDEXED)
    checks: dict[str, Callable[[Graph, Node], Iterator[Problem]]] = dict.fromkeys((*_SCALES, *_WEIGHTS), check.weights)
    checks |= {"Div": check.divisor, "Mod": check.divisor, "OneHot": check.indices, "Range": _scalars, "DFT": _scalars}
    for graph in model.graph.walk():
        for node in graph.nodes:
            if node.op in checks and domain_of(node.version or "") == DEFAULT:
                yield from checks[node.op](graph, node)


def _scalars(graph: Graph, node: Node) -> Iterator[Problem]:
    """Report the first constant that is a list of one number, where onnx's inference and onnxruntime 1.32 want scalars: of a Range if all
    three operands are constants, of a DFT each."""
    from irlint.formats.onnx.constant import constant_type

    names = _SCALARS[node.op]
    makers = [_constant(graph, node, k) for k in range(len(names))]
    if node.op == "Range" and None in makers:
        return
    for k, maker in enumerate(makers):
        if names[k] and maker is not None and constant_type(maker).shape == (1,):
            message = f"{label(node)}: expected a scalar for `{names[k]}`, got [1]"
            yield Problem(R.wrong_rank, graph.place(node, f"input:{k}"), message, node.name)
            return


def _constant(graph: Graph, node: Node, k: int) -> Node | None:
    """Return the constant that an input comes from."""
    maker = source_of(graph, node, k)
    return maker if maker is not None and maker.kind == "const" else None


class _ConstantCheck:
    """The check of one model's constants, each of which is read once."""

    def __init__(self, tree: Tree, opset: int) -> None:
        self.opset, self.left, self.seen = opset, _MOST, set[tuple[int, int]]()
        inputs = names_of(tree.get("graph", {}).get("input", ()))
        self.open_names = frozenset(inputs) if tree.get("ir_version", 0) >= _OVERRIDDEN else frozenset()

    def divisor(self, graph: Graph, node: Node) -> Iterator[Problem]:
        """Report integer divisors with a 0: onnxruntime 1.32 refuses to load them, even of a node that nothing uses. Callers may pass
        other values for those that are inputs."""
        maker = _constant(graph, node, 1)
        if maker is None or maker.name in self.open_names:
            return
        from irlint.formats.onnx.constant import constant_entries, constant_type

        if constant_type(maker).dtype in INTEGERS and 0 in (constant_entries(maker) or ()):
            yield _misused(graph, node, 1, maker, "expected no zeros in an integer divisor")

    def indices(self, graph: Graph, node: Node) -> Iterator[Problem]:
        """Report indices below 0, which onnx's inference refuses before opset 11."""
        from irlint.formats.onnx.constant import constant_entries

        maker = _constant(graph, node, 0) if self.opset < _INDEXED else None
        entries = constant_entries(maker) if maker is not None else None
        low = next((number for number in entries or () if number < 0), None)
        if maker is not None and low is not None:
            message = f"expected `indices` of at least 0 before opset {_INDEXED}, got {low}"
            yield _misused(graph, node, 0, maker, message)

    def weights(self, graph: Graph, node: Node) -> Iterator[Problem]:
        """Report scales, variances and weights that are wrong, as long as there is room to read them."""
        for k in _WEIGHTS.get(node.op, ()) or _SCALES[node.op]:
            maker = _constant(graph, node, k)
            data = maker.attrs.get("value") if maker is not None else None
            if maker is None or not isinstance(data, TensorData) or (id(graph), maker.index) in self.seen:
                continue
            self.seen.add((id(graph), maker.index))
            size = data.raw_size
            if size is not None and size <= self.left:
                self.left -= size
                yield from _of_numbers(graph, node, k, maker, data)


def _misused(graph: Graph, node: Node, k: int, maker: Node, message: str) -> Problem:
    at, related = graph.place(node, f"input:{k}"), [("defined here", graph.place(maker))]
    return Problem(R.value_out_of_range, at, f"{label(node)}: {message}", node.name, None, related)


def _of_numbers(graph: Graph, user: Node, k: int, constant: Node, data: TensorData) -> Iterator[Problem]:
    """Report the numbers of a constant that its user cannot compute with."""
    is_limited = user.op in _SCALES or (user.op, k) == _VARIANCE
    numbers = data.floats() if is_limited or not data.is_finite() else None
    if not numbers:
        return
    what = f"initializer {constant.name!r}" if constant.op == "Initializer" else label(constant)
    message = not_finite(numbers, data.dtype, what, only_nan=user.op in _MASKED)
    found: Wrong | None = (R.nan_weights, message, Severity.WARNING) if message else None
    if found is None and is_limited:
        found = _out_of_limits(numbers, user, k, what)
    if found is not None:
        rule, message, severity = found
        related = [(f"used here by {label(user)}", graph.place(user, f"input:{k}"))]
        yield Problem(rule, graph.place(constant, "name"), message, constant.name, None, related, severity)


def _out_of_limits(numbers: Sequence[float], user: Node, k: int, what: str) -> Wrong | None:
    if user.op not in _SCALES:
        message = f"expected variances of at least 0 in {what}, got {min(numbers):g}"
        return (R.value_out_of_range, message, Severity.WARNING) if min(numbers) < 0 else None
    wrong = next((number for number in numbers if number <= 0), None)
    if wrong is None:
        return None
    severity = Severity.ERROR if k == _OUTPUT_SCALE and wrong == 0 else Severity.WARNING
    if (
        user.op == "DequantizeLinear" and 0 not in numbers
    ):  # a product, whatever its sign: onnxruntime's symmetric quantizer of 4 bits writes such
        severity = Severity.PEDANTIC
    return R.value_out_of_range, f"expected scales above 0 in {what}, got {wrong:g}", severity
