"""How many bytes tensors take, and where in the .bin those of a constant are."""

from __future__ import annotations

from math import prod

from irlint.formats.openvino.passes.numbers import INTEGER
from irlint.formats.openvino.reading.layers import MOST_AXES
from irlint.graph import Graph, Node
from irlint.records import NamedTuple
from irlint.text.base import Place
from irlint.text.numbers import integer

BITS = {
    "f64": 64, "i64": 64, "u64": 64, "f32": 32, "i32": 32, "u32": 32, "f16": 16, "bf16": 16, "i16": 16, "u16": 16,
    "i8": 8, "u8": 8, "boolean": 8, "f8e4m3": 8, "f8e5m2": 8, "f8e8m0": 8, "u6": 6, "i4": 4, "u4": 4, "nf4": 4, "f4e2m1": 4,
    "u3": 3, "u2": 2, "u1": 1,
}  # fmt: skip
_SPLIT = ("u3", "u6")  # their bits lie apart in units of three bytes


class ConstantBytes(NamedTuple):
    """Where the bytes of a constant are."""

    start: int
    end: int
    graph: Graph
    node: Node

    def place(self, part: str = "offset") -> Place:
        return self.graph.place(self.node, f"attr:{part}")


def bytes_of(count: int, type_: str) -> int:
    """Return the number of bytes of a number of elements."""
    return (count * BITS[type_] + 7) >> 3 if type_ not in _SPLIT else (count * BITS[type_] + 23) // 24 * 3


def byte_count(type_: str, shape: str, limit: int | None = 1 << 48) -> int | None:
    """Return the number of bytes of a tensor; None if its type or shape cannot be read, or if a dimension reaches a limit."""
    count = _count(shape, limit) if type_ in BITS else None
    return None if count is None else bytes_of(count, type_)


def _count(text: str, limit: int | None = None) -> int | None:
    """Return the number of elements of a static shape; None if it cannot be read, or if a dimension reaches a limit."""
    if not text:
        return 1
    if text.count(",") >= MOST_AXES:
        return None
    dims = []
    for piece in text.split(","):
        found = INTEGER.fullmatch(piece.rstrip())
        if found is None or (number := integer(found[1])) < 0 or (limit is not None and number >= limit):
            return None
        dims.append(number)
    return prod(dims)
