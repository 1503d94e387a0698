"""How calls are put together from a node's attributes: the small language of the tables of operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from irlint.dryrun.mapping import Call, Complete, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape

if TYPE_CHECKING:
    from irlint.formats.nnvm.dryrun.attrs import Attrs

Make = Callable[["Attrs"], Call]
Known = dict[int, Shape]


def plain(word: str, complete: Complete | None = None, **fixed: Any) -> Make:
    """All attributes by their own names."""
    return lambda attrs: Call(operator(word), {**attrs.all(), **fixed}, complete=complete)


def bare(word: str, **fixed: Any) -> Make:
    """An operator that reads no attributes."""
    return lambda attrs: Call(operator(word), dict(fixed))


def function(name: str) -> Make:
    """A function of NumPy, element by element."""
    return lambda attrs: Call(operator("unary.Mapped"), {"function": name})


def formula(name: str) -> Make:
    """A function that NumPy lacks, element by element."""
    return lambda attrs: Call(operator("unary.Formula"), {"function": name, **attrs.all()})


def same(word: str) -> Make:
    """Two operands of one shape; truth is 1 and 0."""
    return lambda attrs: Call(operator(word), {"auto_broadcast": "never", "as_number": True}, complete=alike)


def stretched(word: str) -> Make:
    """Two operands that broadcast; truth is 1 and 0."""
    return lambda attrs: Call(operator(word), {"as_number": True})


def with_number(word: str, name: str = "scalar", turned: bool = False, integral: bool = False) -> Make:
    """One operand, and a number from an attribute; `turned` puts the number first, `integral` drops its fraction."""

    def make(attrs: Attrs) -> Call:
        number = FromAttr(name, Tensor(None, (), (int(attrs[name]) if integral else attrs[name],)))
        whole = attrs["is_int"] if "is_int" in attrs.operator.attributes else True
        return Call(operator(word), {"as_number": True, "whole": whole}, [number, 0] if turned else [0, number])

    return make


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


def dtype_of(name: str | None) -> str | None:
    """An element type by NumPy's name; "None" is the usual one."""
    if name is None or name == "None":
        return "float32"
    return {"float": "float32", "double": "float64", "half": "float16"}.get(name, name)


def windows(attrs: Attrs) -> dict[str, Any]:
    """The numbers per axis of the kernel; more of them than the kernel has nobody reads."""
    count = len(attrs["kernel"])
    pad = tuple(attrs["pad"] or ())[:count]
    return {
        "strides": tuple(attrs["stride"] or ())[:count],
        "dilations": tuple(attrs["dilate"] or ())[:count],
        "pads_begin": pad,
        "pads_end": pad,
        "groups": attrs["num_group"],
    }
