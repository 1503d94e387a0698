"""What the tables of operators say with: attributes as a node's operator reads them, rows that many operators have, values of keywords, and
shapes of operands that follow from others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from irlint.dryrun.dims import is_known, product
from irlint.dryrun.entries import Entry, Of, Row, Spec, call_of, plain, whole
from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Complete, FromAttr
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.reading.values import BadValue, read
from irlint.graph import Dim, Graph, Shape
from irlint.operators import Operator

_NEEDLESS = {"workspace", "cudnn_tune", "cudnn_off", "ctx", "num_args", "forward_stype", "is_int"}


class SymbolAttrs(dict[str, Any]):
    """The attributes of one node as its operator reads them, each once."""

    def __init__(self, operator: Operator, texts: dict[str, str], count: int, graphs: Sequence[Graph] = ()) -> None:
        self.operator = operator
        self.texts = texts
        self.count = count  # of inputs
        self.graphs = graphs  # inside

    def __missing__(self, name: str) -> Any:
        attribute = self.operator.attributes[name]
        text = self.texts.get(name, attribute.default)
        if text is None:
            if attribute.required:
                raise Undecided
            return None
        try:
            value = self[name] = read(attribute, str(text))
        except BadValue:
            raise Undecided from None
        return value

    def get(self, name: str, default: Any = None) -> Any:
        """Return an attribute that not every operator of the kind has."""
        return self[name] if name in self.operator.attributes else default

    def operand(self, name: str) -> FromAttr:
        """Return a number as an operand."""
        return FromAttr(name, Tensor(None, (), (self[name],)))

    def all(self) -> dict[str, Any]:
        return {name: self[name] for name in self.operator.attributes if name not in _NEEDLESS}


Known = dict[int, Shape]
Completion = Callable[[SymbolAttrs], Complete]


# Rows


def function(name: str) -> Entry:
    """A function of NumPy, element by element."""
    return plain("shared/unary.Formula", function=name)


def formula(name: str) -> Entry:
    """A function with all attributes of the node, element by element."""
    return whole("shared/unary.Formula", function=name)


def same(word: str) -> Entry:
    """Two operands of one shape; truth is 1 and 0."""
    return Entry(f"shared/elementwise.{word}", fixed={"auto_broadcast": "never", "as_number": True}, complete=alike)


def stretched(word: str) -> Entry:
    """Two operands that broadcast; truth is 1 and 0."""
    return plain(f"shared/elementwise.{word}", as_number=True)


def with_number(word: str, turned: bool = False, **fixed: Any) -> Entry:
    """One operand, and a number from an attribute; `turned` puts the number first. Truth is 1 and 0."""
    row = Entry(word, {"whole": optional("is_int", True)}, operands=("scalar", 0) if turned else (0, "scalar"))
    return row.having(as_number=True, **fixed)


def typed(word: str, **fixed: Any) -> Entry:
    """All attributes by their own names, the element type by NumPy's."""
    return whole(word, **fixed).having(TYPE)


def either(test: Callable[[SymbolAttrs], bool], one: Row, other: Row) -> Row:
    """The first of two rows for attributes that pass a test, else the other one."""
    return lambda attrs: call_of(one if test(attrs) else other, attrs)


# Values of keywords


def optional(name: str, default: Any = None) -> Spec:
    """An attribute that not every operator of the kind has."""
    return lambda attrs: attrs.get(name, default)


def unless_empty(name: str, other: Any = None) -> Spec:
    """A tuple, or another value if it has no elements."""
    return Of(name, lambda found: found or other)


_NUMPY = {"None": "float32", "float": "float32", "double": "float64", "half": "float16"}


def numpy_type(attrs: SymbolAttrs) -> str:
    """The element type by NumPy's name; "None" is the usual one."""
    name = str(attrs.get("dtype"))
    return _NUMPY.get(name, name)


TYPE: dict[str, Spec] = {"dtype": numpy_type}


# Shapes of operands that follow from others


def alike(_: SymbolAttrs) -> Complete:
    """All operands have the shape of those that are known."""
    return _alike


def _alike(tensors: Sequence[Tensor]) -> Known:
    shape = next((tensor.shape for tensor in tensors if is_known(tensor.shape)), None)
    return {} if shape is None else {k: shape for k, tensor in enumerate(tensors) if tensor.shape is None}


def known(shapes: Mapping[int, Shape]) -> Known:
    """Those of some shapes of which all lengths are known."""
    return {place: shape for place, shape in shapes.items() if is_known(shape)}


def length_of(tensor: Tensor, axis: int = 1) -> Dim:
    """The length of an axis, if it is known."""
    shape = tensor.shape
    return shape[axis] if shape is not None and -len(shape) <= axis < len(shape) else None


def per_channel(*places: int) -> Completion:
    """At these places, vectors with a number for each channel of the data."""

    def completion(attrs: SymbolAttrs) -> Complete:
        axis = attrs.get("axis", 1)
        return lambda tensors: known(dict.fromkeys(places, (length_of(tensors[0], axis),)))

    return completion


def dense(label: str) -> Completion:
    """The weight and the bias of a dense layer; with `flatten`, all axes of the data but the first count as one."""

    def completion(attrs: SymbolAttrs) -> Complete:
        units, is_flat = attrs[label], attrs.get("flatten", False)

        def complete(tensors: Sequence[Tensor]) -> Known:
            data = tensors[0].shape
            width: Dim = None if not data else product(data[1:]) if is_flat else data[-1]
            return known({1: (units, width), 2: (units,)})

        return complete

    return completion


def kernels(
    kernel: Shape, units: int, groups: int, at: int = 1, *, is_last: bool = False, is_transposed: bool = False
) -> Complete:
    """The weight, at place `at`, and the bias behind it of a convolution with such windows; `is_last`: channels come last."""

    def complete(tensors: Sequence[Tensor]) -> Known:
        found: Known = {at + 1: (units,)}
        depth = length_of(tensors[0], -1 if is_last else 1)
        if isinstance(depth, int) and groups > 0 and (is_transposed or depth % groups == 0):
            first, second = (depth, units // groups) if is_transposed else (units, depth // groups)
            found[at] = (first, *kernel, second) if is_last else (first, second, *kernel)
        return found

    return complete


# Rows that both dialects have

_FUNCTIONS = ("abs", "ceil", "exp", "floor", "log", "negative", "sqrt", "tanh", "trunc")
COMMON: dict[str, Row] = {
    **{name: function(name) for name in _FUNCTIONS},
    **{name: formula(name) for name in ("logical_not", "relu", "sigmoid")},
    **{name: whole("shared/reduction.SoftmaxWithin", kind=name) for name in ("softmax", "log_softmax")},
    "round": plain("shared/unary.Formula", function="round_away"),
    "zeros_like": plain("shared/unary.FullLike", fill=0),
    "ones_like": plain("shared/unary.FullLike", fill=1),
    "transpose": Entry("mxnet/layout.Permute", {"axes": unless_empty("axes")}),
    "expand_dims": whole("mxnet/layout.ExpandDims"),
    "take": whole("mxnet/indexing.Take"),
    "gather_nd": plain("mxnet/indexing.GatherNDFirst"),
    "where": plain("mxnet/indexing.Where"),
}
