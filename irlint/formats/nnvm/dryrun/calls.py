"""How calls are put together from a node's attributes: the small language of the tables of operators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from irlint.dryrun.dims import product
from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call, Complete, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.reading.values import BadValue, read
from irlint.graph import Dim, Shape
from irlint.operators import Operator

_NEEDLESS = {"workspace", "cudnn_tune", "cudnn_off", "ctx", "num_args", "forward_stype", "is_int"}


class SymbolAttrs:
    """The attributes of one node as its operator reads them."""

    def __init__(self, operator: Operator, texts: dict[str, str], count: int) -> None:
        self.operator = operator
        self.texts = texts
        self.count = count  # of inputs

    def __getitem__(self, name: str) -> Any:
        attribute = self.operator.attributes[name]
        text = self.texts.get(name, attribute.default)
        if text is None:
            if attribute.required:
                raise Undecided
            return None
        try:
            return read(attribute, str(text))
        except BadValue:
            raise Undecided from None

    def get(self, name: str, default: Any = None) -> Any:
        """Return an attribute that not every operator of the kind has."""
        return self[name] if name in self.operator.attributes else default

    def all(self) -> dict[str, Any]:
        return {name: self[name] for name in self.operator.attributes if name not in _NEEDLESS}


Make = Callable[[SymbolAttrs], Call]
Spec = str | Callable[[SymbolAttrs], Any]  # an attribute, or what computes a value from all of them
Operands = list[int | FromAttr | None]
Known = dict[int, Shape]


# Rows of the tables


def plain(word: str, complete: Complete | None = None, **fixed: Any) -> Make:
    """All attributes by their own names."""
    return lambda attrs: Call(operator(word), {**attrs.all(), **fixed}, complete=complete)


def bare(word: str, inputs: Sequence[int] | None = None, **fixed: Any) -> Make:
    """An operator that reads no attributes."""
    return lambda attrs: Call(operator(word), dict(fixed), inputs)


def mapped(word: str, specs: Mapping[str, Spec], inputs: Sequence[int] | None = None, **fixed: Any) -> Make:
    """These attributes, by what the operator calls them."""
    keys = {keyword: spec for keyword, spec in specs.items() if isinstance(spec, str) and spec != keyword}

    def make(attrs: SymbolAttrs) -> Call:
        given = {keyword: attrs[spec] if isinstance(spec, str) else spec(attrs) for keyword, spec in specs.items()}
        return Call(operator(word), {**given, **fixed}, inputs, keys)

    return make


def typed(word: str, **fixed: Any) -> Make:
    """All attributes by their own names, the element type by NumPy's."""
    return lambda attrs: Call(operator(word), {**attrs.all(), "dtype": numpy_type(attrs), **fixed})


def function(name: str) -> Make:
    """A function of NumPy, element by element."""
    return bare("shared/unary.Mapped", function=name)


def formula(name: str) -> Make:
    """A function that NumPy lacks, element by element."""
    return plain("shared/unary.Formula", function=name)


def same(word: str) -> Make:
    """Two operands of one shape; truth is 1 and 0."""
    return lambda attrs: Call(operator(word), {"auto_broadcast": "never", "as_number": True}, complete=alike)


def stretched(word: str) -> Make:
    """Two operands that broadcast; truth is 1 and 0."""
    return bare(word, as_number=True)


def number(name: str, is_integral: bool = False) -> Callable[[SymbolAttrs], FromAttr]:
    """An operand that is a number of an attribute, perhaps without its fraction."""
    return lambda attrs: FromAttr(name, Tensor(None, (), (int(attrs[name]) if is_integral else attrs[name],)))


def with_number(word: str, turned: bool = False, integral: bool = False, **fixed: Any) -> Make:
    """One operand, and a number from an attribute; `turned` puts the number first, `integral` drops its fraction. Unless the
    operator reads something else, truth is 1 and 0.
    """
    scalar = number("scalar", integral)

    def make(attrs: SymbolAttrs) -> Call:
        operands: Operands = [scalar(attrs), 0] if turned else [0, scalar(attrs)]
        return Call(operator(word), {"whole": attrs.get("is_int", True), **(fixed or {"as_number": True})}, operands)

    return make


# Values of keywords


def own(*names: str) -> dict[str, Spec]:
    """Attributes by their own names."""
    return {name: name for name in names}


def unless_empty(name: str, other: Any = None) -> Spec:
    """A tuple, or another value if it has no elements."""
    return lambda attrs: attrs[name] or other


def numpy_type(attrs: SymbolAttrs) -> str | None:
    """The element type by NumPy's name."""
    return dtype_of(attrs.get("dtype"))


def dtype_of(name: str | None) -> str | None:
    """An element type by NumPy's name; "None" is the usual one."""
    if name is None or name == "None":
        return "float32"
    return {"float": "float32", "double": "float64", "half": "float16"}.get(name, name)


def windows(attrs: SymbolAttrs) -> dict[str, Any]:
    """The numbers per axis of the kernel; more of them than the kernel has nobody reads."""
    kernel = tuple(attrs["kernel"])
    strides, dilations, pads = (tuple(attrs[name] or ())[: len(kernel)] for name in ("stride", "dilate", "pad"))
    return {
        "kernel": kernel, "units": attrs["num_filter"], "groups": attrs["num_group"], "strides": strides,
        "dilations": dilations, "pads_begin": pads, "pads_end": pads,
    }  # fmt: skip


# Shapes of operands that follow from others


def alike(tensors: Sequence[Tensor]) -> Known:
    """All operands have the shape of those that are known."""
    shape = next((t.shape for t in tensors if t.shape is not None and all(type(d) is int for d in t.shape)), None)
    return {} if shape is None else {k: shape for k, t in enumerate(tensors) if t.shape is None}


def channels(tensor: Tensor, axis: int = 1) -> Dim:
    """The length of an axis, if it is known."""
    shape = tensor.shape
    return shape[axis] if shape is not None and -len(shape) <= axis < len(shape) else None


def vectors(length: Dim, *places: int) -> Known:
    """Vectors of that length at these places."""
    return dict.fromkeys(places, (length,)) if isinstance(length, int) else {}


def dense(units: int, flatten: bool = False) -> Complete:
    """The weight and the bias of a dense layer; `flatten`: all axes of the data but the first count as one."""

    def complete(tensors: Sequence[Tensor]) -> Known:
        found = vectors(units, 2) if len(tensors) > 2 else {}
        data = tensors[0].shape
        width: Dim = None if not data else product(data[1:]) if flatten else data[-1]
        return {**found, 1: (units, width)} if isinstance(width, int) else found

    return complete


def kernels(given: Mapping[str, Any], at: int = 1, *, is_last: bool = False, is_transposed: bool = False) -> Complete:
    """The weight, at place `at`, and the bias behind it of a convolution with such windows; `is_last`: channels come last."""
    kernel, units, groups = given["kernel"], given["units"], given["groups"]

    def complete(tensors: Sequence[Tensor]) -> Known:
        found = vectors(units, at + 1) if len(tensors) > at + 1 else {}
        depth = channels(tensors[0], -1 if is_last else 1)
        if isinstance(depth, int) and groups > 0 and (is_transposed or depth % groups == 0):
            first, second = (depth, units // groups) if is_transposed else (units, depth // groups)
            found[at] = (first, *kernel, second) if is_last else (first, second, *kernel)
        return found

    return complete
