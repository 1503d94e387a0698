"""How calls are put together from a node: its attributes with their defaults, its opset, which inputs and outputs it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.mapping import Call, FromAttr, Keys
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor, constant, scalar
from irlint.formats.onnx.wire.messages import DTYPES
from irlint.graph import Node

Make = Callable[["Attrs"], Call]

AUTO_PAD = {
    "NOTSET": "explicit",
    "": "explicit",
    "VALID": "valid",
    "SAME_UPPER": "same_upper",
    "SAME_LOWER": "same_lower",
}
WINDOW_KEYS = {"kernel": "kernel_shape", "pads_begin": "pads", "pads_end": "pads", "groups": "group"}


class Attrs:
    """The attributes of a node; those of another type than their default are for other rules: the node is not checked."""

    def __init__(self, node: Node, opset: int) -> None:
        self.values: Mapping[str, Any] = node.attrs
        self.opset = opset
        self.given = tuple([source[0] >= 0 for source in node.inputs])
        self.inputs = len(node.inputs)
        self.outputs = len(node.outputs)

    def has(self, place: int) -> bool:
        """Return whether the node has an input."""
        return place < len(self.given) and self.given[place]

    def at(self, place: int) -> int | None:
        """Return the place of an input as an origin of an operand; None if it is left out."""
        return place if self.has(place) else None

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def get(self, name: str, default: Any) -> Any:
        value = self.values.get(name)
        if value is None:
            return default
        if isinstance(default, bool):
            return bool(_kept(value, int))
        if isinstance(default, tuple):
            return _kept(value, tuple)
        if default is None:
            return value
        return _kept(value, (int, float) if isinstance(default, float) else type(default))

    def need(self, name: str, kind: type) -> Any:
        """Return an attribute without a default."""
        return _kept(self.values.get(name), kind)

    def dtype(self, name: str, default: str | None = None) -> str | None:
        """Return the element type that an attribute names by its number; runtimes refuse 0 where it is not the default."""
        return self.wanted_dtype(name) if name in self else default

    def wanted_dtype(self, name: str) -> str:
        """Return the element type that an attribute names, which the node must have."""
        number = self.need(name, int)
        if number not in DTYPES:
            message = f"expected the number of an element type for `{name}`, got {number}"
            raise ShapeError(R.value_not_in_enum, message, f"attr:{name}")
        return DTYPES[number]

    def word(self, name: str, default: str, words: Mapping[str, str]) -> str:
        """Return the shared operator's word for that of an attribute."""
        found = words.get(self.get(name, default))
        if found is None:
            raise Undecided
        return found

    def listed(self, name: str) -> FromAttr | None:
        """Return a list of integers as an operand; None if it is absent."""
        if name not in self:
            return None
        return FromAttr(name, constant(self.need(name, tuple)))

    def number(self, name: str, default: Any, dtype: str | None = "float32") -> FromAttr:
        """Return a number as an operand."""
        return FromAttr(name, Tensor(dtype, (), (self.get(name, default),)))

    def windows(self) -> dict[str, Any]:
        """Return what convolution and pooling have in common."""
        pads = self.get("pads", ())
        half = len(pads) // 2
        return {
            "strides": self.get("strides", ()),
            "dilations": self.get("dilations", ()),
            "pads_begin": pads[:half],
            "pads_end": pads[half:],
            "auto_pad": self.word("auto_pad", "NOTSET", AUTO_PAD),
        }


def _kept(value: Any, kind: Any) -> Any:
    if not isinstance(value, kind):
        raise Undecided
    return value


def fixed(value: int, dtype: str = "int64") -> FromAttr:
    """Return a number that no attribute says as an operand."""
    return FromAttr("", scalar(value, dtype))


def taking(word: str, keys: Keys | None = None, **defaults: Any) -> Make:
    """An operator whose attributes have the same names; each with its default."""

    def make(attrs: Attrs) -> Call:
        return Call(operator(word), {name: attrs.get(name, value) for name, value in defaults.items()}, None, keys)

    return make


def having(word: str, **attributes: Any) -> Make:
    """An operator with fixed attributes."""
    return lambda attrs: Call(operator(word), attributes)


def with_axes(word: str, since: int, name: str = "axes", **attributes: Any) -> Make:
    """An operator with a second operand that was an attribute before the opset `since`."""

    def make(attrs: Attrs) -> Call:
        if attrs.opset >= since:
            return Call(operator(word), attributes)
        return Call(operator(word), attributes, [0, attrs.listed(name)])

    return make


def origins(attrs: Attrs, *places: int | FromAttr | None) -> Sequence[int | FromAttr | None]:
    """Return the origins of operands, without the inputs that the node leaves out."""
    return [attrs.at(place) if isinstance(place, int) else place for place in places]


def by_domain(known: Mapping[str, int]) -> dict[str, int]:
    """Return opsets by the domain as nodes name it."""
    return {"" if domain == "ai.onnx" else domain: opset for domain, opset in known.items()}
