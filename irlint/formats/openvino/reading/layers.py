"""Layers, ports and edges as plain data, read either by a regular expression or from the element tree."""

from __future__ import annotations

import re
from functools import lru_cache

from irlint.graph import Type, Value
from irlint.records import NamedTuple
from irlint.text.numbers import integer
from irlint.text.xml.tree import Element

_UNSIGNED = re.compile(r"[ \t\n\v\f\r]*(?:\+?0*|-0*(?=0\Z))(\d{1,19})", re.ASCII)
_DIM = re.compile(r"[ \t\n\v\f\r]*([+-]?\d+)", re.ASCII)

MOST_AXES = 1000  # of a tensor whose shape is followed

# precision of a port -> dtype as NumPy names it; the spellings that the loader takes
PRECISIONS = {
    "FP32": "float32", "FP16": "float16", "BF16": "bfloat16", "FP64": "float64",
    "I4": "int4", "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64",
    "U1": "uint1", "U2": "uint2", "U3": "uint3", "U4": "uint4", "U6": "uint6",
    "U8": "uint8", "U16": "uint16", "U32": "uint32", "U64": "uint64",
    "BIN": "uint1", "BOOL": "bool", "STRING": "string", "NF4": "nf4",
    "F8E4M3": "float8_e4m3fn", "F8E5M2": "float8_e5m2", "F8E8M0": "float8_e8m0fnu", "F4E2M1": "float4_e2m1fn",
    "UNSPECIFIED": None,
}  # fmt: skip
ELEMENT_TYPES = {
    "f32": "float32", "f16": "float16", "bf16": "bfloat16", "f64": "float64",
    "i4": "int4", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "u1": "uint1", "u2": "uint2", "u3": "uint3", "u4": "uint4", "u6": "uint6",
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
    "boolean": "bool", "string": "string", "nf4": "nf4",
    "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "f8e8m0": "float8_e8m0fnu", "f4e2m1": "float4_e2m1fn",
    "dynamic": None, "undefined": None,
}  # fmt: skip

PRECISION_OF = {dtype: precision for precision, dtype in reversed(PRECISIONS.items()) if dtype is not None}
TYPE_OF = {dtype: name for name, dtype in reversed(ELEMENT_TYPES.items()) if dtype is not None}


class LayerPort(NamedTuple):
    """One `<port>`. `dims` is None if a dimension cannot be read; -1 is an unknown one."""

    id: str | None
    precision: str | None
    dims: tuple[int, ...] | None

    @property
    def rank(self) -> int:
        return len(self.dims or ())


def _value(precision: str | None, dims: tuple[int, ...] | None) -> Value:
    """Return the value that a port declares."""
    shape = None if dims is None else tuple(None if d < 0 else d for d in dims)
    return Value(None, Type(dtype_of(precision), shape))


_known_value = lru_cache(maxsize=1 << 12)(_value)  # so that equal ones are mostly one
_USUAL = 10  # axes


def dtype_of(precision: str | None) -> str | None:
    return None if precision is None else PRECISIONS.get(precision, ELEMENT_TYPES.get(precision))


class LayerPorts:
    """The ports of one side of a layer; layers with the same text share an instance."""

    __slots__ = ("index", "ports", "runtime", "values")

    def __init__(self, ports: tuple[LayerPort, ...], runtime: bool = False) -> None:
        self.ports = ports
        self.runtime = runtime  # whether any of them has an <rt_info>
        self.index: dict[str | None, int] = {}  # the first port of each id; None is not one
        for k, port in enumerate(ports):
            if port.id is not None:
                self.index.setdefault(port.id, k)
        self.values = tuple(
            [_known_value(*port[1:]) if len(port.dims or ()) < _USUAL else _value(*port[1:]) for port in ports]
        )

    def __len__(self) -> int:
        return len(self.ports)

    @property
    def listed(self) -> str:
        """Return the ids of the ports as messages list them."""
        return ", ".join(port.id or "?" for port in self.ports)


NO_PORTS = LayerPorts(())
_NO_PARTS = Element("layer", (), 0, 0)


class IrLayer(NamedTuple):
    """One `<layer>`. `id` is a decimal number without leading zeros, None if it cannot be read."""

    offset: int
    id: str | None
    name: str
    type: str
    version: str
    data: dict[str, str] | None  # attributes of <data>; None where there is no <data>
    inputs: LayerPorts
    outputs: LayerPorts
    names: tuple[str | None, ...] | None = None  # tensor names of the outputs
    rt: str = ""  # what stands inside its <rt_info>
    element: Element | None = None  # where the layer is not laid out as the writer lays it out
    result: str | None = None  # tensor names of a Result's own: OpenVINO 2026.4.1 prefers them to those of the port

    @property
    def attributes(self) -> dict[str, str]:
        return self.data or {}

    @property
    def parts(self) -> Element:
        """Return the element of an irregular layer; an empty one for others, which have only `<data>` and ports."""
        return self.element or _NO_PARTS

    def side(self, name: str) -> LayerPorts:
        """Return the ports of "input" or "output"."""
        return self.inputs if name == "input" else self.outputs


class IrEdge(NamedTuple):
    """One `<edge>`, with ids as in IrLayer and Port."""

    offset: int
    from_layer: str | None
    from_port: str | None
    to_layer: str | None
    to_port: str | None

    def end(self, side: str) -> tuple[str | None, str | None]:
        """Return the layer and the port at the end that is at an "input" or "output"."""
        return (self.to_layer, self.to_port) if side == "input" else (self.from_layer, self.from_port)

    def id_at(self, attribute: str) -> str:
        """Return what is written in from-layer, from-port, to-layer or to-port."""
        return str(getattr(self, attribute.replace("-", "_")))


def unsigned(text: str | None) -> str | None:
    """Return a number as the loader reads ids and offsets, in canonical form; None if it refuses the text."""
    if text is None:
        return None
    found = _UNSIGNED.fullmatch(text)
    return str(int(found[1])) if found and int(found[1]) < 1 << 63 else None


def dimension(text: str) -> int | None:
    """Return a `<dim>` as the loader reads it: the number that the text starts with, at least -1."""
    found = _DIM.match(text)
    return number if found and -1 <= (number := integer(found[1])) < 1 << 63 else None


def layer_of(element: Element) -> IrLayer:
    data = element.child("data")
    outputs, names = _ports_of(element.child("output"))
    return IrLayer(
        element.start,
        unsigned(element.get("id")),
        element.get("name") or "",
        element.get("type") or "",
        element.get("version") or "",
        None if data is None else {a.name: a.value for a in reversed(data.attributes)},
        _ports_of(element.child("input"))[0],
        outputs,
        names,
        "",
        element,
        element.get("output_names"),
    )


def _ports_of(element: Element | None) -> tuple[LayerPorts, tuple[str | None, ...] | None]:
    if element is None:
        return NO_PORTS, None
    ports, names = [], []
    for child in element.elements("port"):
        dims = [dimension(d.text) for d in child.elements("dim")]
        ports.append(
            LayerPort(unsigned(child.get("id")), child.get("precision"), None if None in dims else tuple(dims))  # type: ignore[arg-type]
        )
        names.append(child.get("names"))
    return LayerPorts(tuple(ports)), tuple(names) if any(n is not None for n in names) else None


def edge_of(element: Element) -> IrEdge:
    return IrEdge(
        element.start,
        unsigned(element.get("from-layer")),
        unsigned(element.get("from-port")),
        unsigned(element.get("to-layer")),
        unsigned(element.get("to-port")),
    )
