"""How OpenVINO's operations map to the dry run: names, versions, attributes as the runtime's reader takes them, constants."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping
from typing import Any

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call, Dialect
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Entries, Tensor, small
from irlint.formats.openvino.dryrun_table import OPERATORS
from irlint.graph import Dim, Graph, Node, Shape

DTYPES = {
    "f64": "float64",
    "f32": "float32",
    "f16": "float16",
    "bf16": "bfloat16",
    "f8e4m3": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2",
    "f8e8m0": "float8_e8m0fnu",
    "f4e2m1": "float4_e2m1fn",
    "nf4": "nf4",
    "i64": "int64",
    "i32": "int32",
    "i16": "int16",
    "i8": "int8",
    "i4": "int4",
    "u64": "uint64",
    "u32": "uint32",
    "u16": "uint16",
    "u8": "uint8",
    "u6": "uint6",
    "u4": "uint4",
    "u3": "uint3",
    "u2": "uint2",
    "u1": "uint1",
    "boolean": "bool",
    "string": "string",
    "fp64": "float64",
    "fp32": "float32",
    "fp16": "float16",
    "bool": "bool",
    "bin": "uint1",
}
_NO_DTYPE = ("dynamic", "undefined", "unspecified")

_INTEGER = re.compile(r"\s*([+-]?\d+)")
_FLOAT = re.compile(r"\s*([+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|nan))", re.IGNORECASE)
_LONG = 1 << 63


def _integer(text: str) -> int:
    match = _INTEGER.match(text)
    if match is None or not -_LONG <= (number := int(match[1])) < 2 * _LONG:
        raise Undecided
    return number


def _float(text: str) -> float:
    match = _FLOAT.match(text)
    if match is None:
        raise Undecided
    return float(match[1])


def _items(text: str) -> list[str]:
    return text.split(",") if text.strip() else []


def dtype_of(text: str) -> str | None:
    """The NumPy name of an element type as the file spells it; None for the dynamic type."""
    word = text.strip().lower()
    if word in _NO_DTYPE:
        return None
    if (name := DTYPES.get(word)) is None:
        raise Undecided
    return name


_RANGE = re.compile(r"\s*(-?\d+)\s*\.\.\s*(-?\d+)?\s*$")


def partial_shape(text: str) -> Shape | None:
    """A shape with ?, -1 and ranges; None for "..."."""
    text = text.strip().removeprefix("[").removesuffix("]").strip()
    if text == "...":
        return None
    return tuple(map(_dim, _items(text)))


def _dim(text: str) -> Dim:
    text = text.strip()
    if text in ("?", "-1"):
        return None
    if text.startswith(".."):
        text = "0" + text
    if (match := _RANGE.match(text)) is not None:
        low, high = int(match[1]), int(match[2]) if match[2] else None
        if high == -1:
            high = None
        if low < 0 or high is not None and high < low:
            return None
        return low if low == high else None if low == 0 and high is None else (low, high)
    return max(_integer(text), 0)


PARSERS: Mapping[str, Callable[[str], Any]] = {
    "int": _integer,
    "float": _float,
    "int[]": lambda text: tuple(map(_integer, _items(text))),
    "float[]": lambda text: tuple(map(_float, _items(text))),
    "string": str,
    "string[]": lambda text: tuple(word.strip() for word in _items(text)),
    "element_type": dtype_of,
    "partial_shape": partial_shape,
    "shape": partial_shape,
}


def parse(kind: str, text: str, default: Any, words: tuple[str, ...]) -> Any:
    """An attribute's value as the reader understands it; booleans that it does not know leave the default."""
    if kind == "boolean":
        return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), default)
    if kind == "enum":
        word = text.lower()
        if words and word not in (w.lower() for w in words):
            raise Undecided
        return word
    return PARSERS[kind](text)


Weights = Callable[[int, int], "bytes | memoryview | None"]

_FORMATS = {
    "float64": "d",
    "float32": "f",
    "float16": "e",
    "int64": "q",
    "int32": "i",
    "int16": "h",
    "int8": "b",
    "uint64": "Q",
    "uint32": "I",
    "uint16": "H",
    "uint8": "B",
    "bool": "?",
}


def elements(data: bytes | memoryview, dtype: str, count: int) -> Entries | None:
    """Numbers out of a constant's bytes; None for types that are not followed by value."""
    if (code := _FORMATS.get(dtype)) is not None:
        layout = struct.Struct(f"<{count}{code}")
        return layout.unpack_from(data) if len(data) >= layout.size else None
    if dtype == "bfloat16" and len(data) >= 2 * count:
        return struct.unpack(f"<{count}f", b"".join(b"\0\0" + bytes(data[2 * k : 2 * k + 2]) for k in range(count)))
    return None


class OpenVINO(Dialect):
    """`attributes` gives (name, kind, default, allowed words) of a versioned operation; `weights` reads bytes of the .bin."""

    counts_outputs = True

    def __init__(
        self,
        resolve: Callable[[str, str], str | None],
        attributes: Callable[[str], list[tuple[str, str, Any, tuple[str, ...]]]],
        weights: Weights = lambda offset, size: None,
    ) -> None:
        self.resolve = resolve
        self.attributes = attributes
        self.weights = weights

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        try:
            dtype, shape = dtype_of(node.attrs["element_type"]), partial_shape(node.attrs["shape"])
        except (KeyError, Undecided):
            return (Tensor(),)
        if node.kind != "const" or dtype is None or not small(shape):
            return (Tensor(dtype, shape),)
        return (Tensor(dtype, shape, None, (lambda: self._elements(node, dtype, shape), ())),)

    def _elements(self, node: Node, dtype: str, shape: Shape | None) -> Entries | None:
        count = 1
        for dim in shape or ():
            count *= dim  # type: ignore[operator]
        try:
            data = self.weights(int(node.attrs["offset"]), int(node.attrs["size"]))
        except (KeyError, ValueError):
            return None
        return None if data is None else elements(data, dtype, count)

    def call(self, graph: Graph, node: Node) -> Call | None:
        key = self.resolve(node.op, node.version or "")
        if key is None or (entry := OPERATORS.get(key)) is None:
            return None
        word, fixed = entry if isinstance(entry, tuple) else (entry, {})
        attrs: dict[str, Any] = {}
        keys: dict[str, str] = {}
        for name, kind, default, words in self.attributes(key):
            keyword = name.replace("-", "_")
            if keyword != name:
                keys[keyword] = name
            text = node.attrs.get(name)
            attrs[keyword] = default if text is None else parse(kind, text, default, words)
        return Call(operator(word), {**attrs, **fixed}, None, keys)
