"""Other declarations for a port: the type at the other end of its edge, or the inferred type."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import SURE, Candidate
from irlint.formats.openvino.candidates.site import said
from irlint.formats.openvino.candidates.tags import with_attribute
from irlint.formats.openvino.reading.layers import PRECISIONS, dimension, dtype_of
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Type
from irlint.text.base import Edit, Path, Span
from irlint.text.numbers import decimal
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

PRECISION_OF = {dtype: precision for precision, dtype in reversed(PRECISIONS.items()) if dtype is not None}


def port_candidates(document: XmlDocument, section: Section, index: int, path: Path, part: str) -> Iterator[Candidate]:
    """Yield other ids, precisions and dimensions for the port at a path."""
    depth = len(section.graph.nodes[index].path)
    if len(path) < depth + 2:
        return
    side = document.element(path[: depth + 1])
    port = document.element(path[: depth + 2])
    if port.tag != "port":
        return
    place = [id(child) for child in side.elements("port")].index(id(port))
    if part.startswith("@id") or port.attribute("id") is None:
        yield from (with_attribute(port, "id", number, k) for number, k in _ids(section, index, side.tag))
    types = list(_types(section, index, side.tag, place))
    for k, type_ in enumerate(types):
        if type_.dtype in PRECISION_OF:
            is_sure = k == 0 and dtype_of(port.get("precision")) is None
            yield with_attribute(port, "precision", PRECISION_OF[type_.dtype], SURE if is_sure else 0)
    dims = port.elements("dim")
    at = next((k for k, dim in enumerate(dims) if dim is _at(document, path, depth)), None)
    for k, type_ in enumerate(types):
        if type_.shape is not None and len(type_.shape) == len(dims):
            yield from _dims(dims, type_, at, k == 0)
    if at is not None:
        yield from (_dim(dims[at], text, 2) for text in _readings(dims[at].text))


def _at(document: XmlDocument, path: Path, depth: int) -> Element | None:
    return document.element(path[: depth + 3]) if len(path) >= depth + 3 else None


def _ids(section: Section, index: int, side: str) -> Iterator[tuple[str, int]]:
    """Yield ids that edges use and no port of the layer has, then the next free one."""
    layer = section.layers[index]
    own: set[str | None] = {port.id for port in (*layer.inputs.ports, *layer.outputs.ports)}
    if side == "input":
        named = {e.to_port for e in section.edges if e.to_layer == layer.id}
    else:
        named = {e.from_port for e in section.edges if e.from_layer == layer.id}
    strays = sorted(number for number in named - own if number is not None)
    idle = [p for p in (layer.inputs if side == "input" else layer.outputs).ports if p.id not in named]
    yield from ((number, SURE if len(strays) == len(idle) == 1 else 0) for number in strays)
    yield str(max((int(number) for number in own if number is not None), default=-1) + 1), 1


def _types(section: Section, index: int, side: str, place: int) -> Iterator[Type]:
    """Yield the types that the port may have."""
    graph, layer = section.graph, section.layers[index]
    if side == "input":
        sources = graph.nodes[index].inputs
        if place < len(sources) and (source := sources[place]).node >= 0:
            outputs = section.layers[source.node].outputs.values
            if source.output < len(outputs):
                yield outputs[source.output].type
        return
    data = layer.data or {}
    shape = data.get("shape")
    dims = None if shape is None else _shape(shape)
    dtype = dtype_of(data.get("element_type") or data.get("destination_type"))
    if dims is not None or dtype is not None:
        yield Type(dtype if dtype is not None else None, dims)
    yield from said(section, index, place, own=False)
    yield from (value.type for value in layer.inputs.values)


def _shape(text: str) -> tuple[int | None, ...] | None:
    pieces = [piece.strip() for piece in text.split(",")] if text.strip() else []
    if not all(piece in ("?", "-1") or decimal(piece) is not None for piece in pieces) or len(pieces) > 20:
        return None
    return tuple(map(decimal, pieces))


def _dims(dims: list[Element], type_: Type, at: int | None, is_nearest: bool) -> Iterator[Candidate]:
    assert type_.shape is not None
    for k, (dim, real) in enumerate(zip(dims, type_.shape, strict=True)):
        if at is None or k == at:
            is_sure = is_nearest and dimension(dim.text) is None
            yield _dim(dim, "-1" if real is None else str(real), SURE if is_sure else 0)


def _dim(dim: Element, text: str, likelihood: int) -> Candidate:
    return Candidate(f"Set the dimension to `{text}`", (Edit(Span(dim.tag_end, dim.close), text),), likelihood)


def _readings(text: str) -> Iterator[str]:
    """Yield dimensions for one that cannot be read."""
    digits = "".join(c for c in text if c in "0123456789")
    if digits:
        yield str(int(digits[:18]))
    yield "-1"
