"""Other declarations for a port: the type at the other end of its edge, or the inferred type."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import SURE, Candidate
from irlint.formats.openvino.candidates.ends import declared_types, ports_named
from irlint.formats.openvino.candidates.writing import with_attribute
from irlint.formats.openvino.reading.layers import PRECISION_OF, dimension, dtype_of
from irlint.formats.openvino.reading.reader import IrSection
from irlint.graph import Type
from irlint.text.base import Edit, Path, Span
from irlint.text.numbers import decimal
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

_MOST_AXES = 20  # of a shape that ports are compared with


def port_candidates(
    document: XmlDocument, section: IrSection, index: int, path: Path, part: str
) -> Iterator[Candidate]:
    """Yield other ids, precisions and dimensions for the port at a path."""
    depth = len(section.graph.nodes[index].path)
    side = document.element(path[: depth + 1])
    ports = [k for k, _ in side.steps("port")]
    if len(path) < depth + 2 or path[depth + 1] not in ports:
        return
    port, place = document.element(path[: depth + 2]), ports.index(int(path[depth + 1]))
    if part.startswith("@id") or port.attribute("id") is None:
        yield from (with_attribute(port, "id", number, k) for number, k in _ids(section, index, side.tag))
    types = list(_types(section, index, side.tag, place))
    yield from _of_precision(port, types)
    dims = port.steps("dim")
    pointed = [dim for step, dim in dims if (step,) == path[depth + 2 : depth + 3]]
    yield from _of_dims([dim for _, dim in dims], types, pointed)
    yield from (_with_dim(dim, text, 2) for dim in pointed for text in _readings(dim.text))


def _of_precision(port: Element, types: list[Type]) -> Iterator[Candidate]:
    is_read = dtype_of(port.get("precision")) is not None
    for k, type_ in enumerate(types):
        if type_.dtype in PRECISION_OF:
            yield with_attribute(port, "precision", PRECISION_OF[type_.dtype], 0 if k or is_read else SURE)


def _of_dims(dims: list[Element], types: list[Type], pointed: list[Element]) -> Iterator[Candidate]:
    """Yield other dimensions: for the one that an error is at, else for each."""
    for k, type_ in enumerate(types):
        real = type_.shape if type_.shape is not None and len(type_.shape) == len(dims) else ()
        for dim, size in zip(dims, real, strict=False):
            if dim in (pointed or dims):
                likelihood = 0 if k or dimension(dim.text) is not None else SURE
                yield _with_dim(dim, "-1" if size is None else str(size), likelihood)


def _ids(section: IrSection, index: int, side: str) -> Iterator[tuple[str, int]]:
    """Yield ids that edges use and no port of the layer has, then the next free one."""
    layer = section.layers[index]
    own = {port.id for port in (*layer.inputs.ports, *layer.outputs.ports)} | {None}
    named = ports_named(section, layer.id, side)
    strays = sorted(str(number) for number in named - own)
    idle = [port for port in layer.side(side).ports if port.id not in named]
    yield from ((number, SURE if len(strays) == len(idle) == 1 else 0) for number in strays)
    yield str(max((int(number) for number in own if number is not None), default=-1) + 1), 1


def _types(section: IrSection, index: int, side: str, place: int) -> Iterator[Type]:
    """Yield the types that the port may have."""
    layer = section.layers[index]
    if side == "input":
        maker, output = section.graph.nodes[index].inputs[place]
        if maker >= 0:
            yield section.layers[maker].outputs.values[output].type
        return
    data = layer.attributes
    dims = _shape(data["shape"]) if "shape" in data else None
    dtype = dtype_of(data.get("element_type") or data.get("destination_type"))
    if dims is not None or dtype is not None:
        yield Type(dtype, dims)
    yield from declared_types(section, index, place, own=False)
    yield from (value.type for value in layer.inputs.values)


def _shape(text: str) -> tuple[int | None, ...] | None:
    pieces = [piece.strip() for piece in text.split(",")] if text.strip() else []
    is_read = all(piece in ("?", "-1") or decimal(piece) is not None for piece in pieces)
    return tuple(map(decimal, pieces)) if is_read and len(pieces) <= _MOST_AXES else None


def _with_dim(dim: Element, text: str, likelihood: int) -> Candidate:
    return Candidate(f"Set the dimension to `{text}`", (Edit(Span(dim.tag_end, dim.close), text),), likelihood)


def _readings(text: str) -> Iterator[str]:
    """Yield dimensions for one that cannot be read."""
    digits = "".join(c for c in text if c in "0123456789")
    if digits:
        yield str(int(digits[:18]))
    yield "-1"
