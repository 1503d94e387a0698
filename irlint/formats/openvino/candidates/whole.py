"""Parts that a layer lacks, as far as the rest of the file determines them: `<data>` of Parameters, ports."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import SURE, Candidate
from irlint.formats.openvino.candidates.ports import PRECISION_OF
from irlint.formats.openvino.candidates.site import TYPE_OF, said
from irlint.formats.openvino.reading.layers import unsigned
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Shape, Type
from irlint.text.base import Edit, Span
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element


def whole_candidates(document: XmlDocument, section: Section, index: int) -> Iterator[Candidate]:
    """Yield missing parts of a layer."""
    layer, element = section.layers[index], document.element(section.graph.nodes[index].path)
    at, gap = element.tag_end, _gap(document, element.start)
    if layer.type == "Parameter" and element.child("data") is None:
        for type_ in list(said(section, index))[:1]:
            if type_.shape is not None and type_.dtype in TYPE_OF:
                dims = ",".join("?" if dim is None else str(dim) for dim in type_.shape)
                text = f'{gap}<data shape="{dims}" element_type="{TYPE_OF[type_.dtype]}"/>'
                yield Candidate("Add `<data>`", (Edit(Span(at, at), text),), 0)
    if element.child("input") is None:
        taken = {e.to_port: _given(section, e.from_layer, e.from_port) for e in section.edges if e.to_layer == layer.id}
        if taken:
            yield Candidate("Add `<input>`", (Edit(Span(at, at), _ports("input", taken, gap)),), 0)
    if element.child("output") is None:
        ports = [e.from_port for e in section.edges if e.from_layer == layer.id]
        made = {port: _read(section, layer.id, port) for port in ports}
        if made:
            end = element.close
            head = document.text[:end]
            end = len(head.rstrip())
            yield Candidate("Add `<output>`", (Edit(Span(end, end), _ports("output", made, gap)),), 0)


def removed_ports(document: XmlDocument, section: Section, index: int) -> Iterator[Candidate]:
    """Yield the layer without a port that is a duplicate or unused by edges."""
    element, layer = document.element(section.graph.nodes[index].path), section.layers[index]
    given = {e.to_port for e in section.edges if e.to_layer == layer.id}
    taken = {e.from_port for e in section.edges if e.from_layer == layer.id}
    for side, named in (("input", given), ("output", taken)):
        parent = element.child(side)
        ports = parent.elements("port") if parent is not None else []
        numbers = [unsigned(port.get("id")) for port in ports]
        for k, port in enumerate(ports[:32]):
            twin = next((ports[n] for n in range(k) if numbers[n] == numbers[k]), None)
            if twin is not None or numbers[k] not in named:
                head = document.text[: port.start]
                same = twin is not None and _written(document, twin) == _written(document, port)
                edit = Edit(Span(len(head.rstrip()), port.end), "")
                yield Candidate(f"Remove port {port.get('id')}", (edit,), SURE if same else 1)


def _written(document: XmlDocument, element: Element) -> str:
    return document.text[element.start : element.end]


def added_port(
    document: XmlDocument, section: Section, index: int, side: str, port: str, type_: Type
) -> Iterator[Candidate]:
    """Yield another port for a side of a layer, after those with lower ids."""
    parent = document.element(section.graph.nodes[index].path).child(side)
    if parent is None:
        return
    ports = parent.elements("port")
    lower = [other for other in ports if (number := unsigned(other.get("id"))) is not None and int(number) < int(port)]
    at = lower[-1].end if lower else parent.tag_end
    gap = _gap(document, ports[0].start)[:-1] if ports else ""
    yield Candidate(f"Add port {port}", (Edit(Span(at, at), _port(port, type_, gap)),), 0)


def _gap(document: XmlDocument, start: int) -> str:
    """Return the line break and indentation before a part of a layer."""
    line = document.text.rfind("\n", 0, start) + 1
    indent = document.text[line:start]
    return f"\n{indent}\t" if not indent.strip() else ""


def _given(section: Section, layer: str | None, port: str | None) -> Type:
    node = section.by_id.get(layer or "")
    if node is None:
        return Type()
    outputs = section.layers[node].outputs
    place = outputs.index.get(port or "")
    return Type() if place is None else outputs.values[place].type


def _read(section: Section, layer: str | None, port: str | None) -> Type:
    """Return the type that the consumers of an output declare."""
    for edge in section.edges:
        if (edge.from_layer, edge.from_port) == (layer, port) and (
            node := section.by_id.get(edge.to_layer or "")
        ) is not None:
            inputs = section.layers[node].inputs
            if (place := inputs.index.get(edge.to_port or "")) is not None:
                return inputs.values[place].type
    return Type()


def _ports(tag: str, ports: dict[str | None, Type], gap: str) -> str:
    inner = gap and f"{gap}\t"
    written = [
        _port(number, type_, inner) for number, type_ in sorted(ports.items(), key=_by_number) if number is not None
    ]
    return f"{gap}<{tag}>{''.join(written)}{gap}</{tag}>"


def _by_number(port: tuple[str | None, Type]) -> int:
    return int(port[0] or 0)


def _port(number: str, type_: Type, gap: str) -> str:
    precision = PRECISION_OF.get(type_.dtype or "")
    written = f' precision="{precision}"' if precision else ""
    shape: Shape = type_.shape or ()
    dims = "".join(f"{gap and gap + chr(9)}<dim>{-1 if dim is None else dim}</dim>" for dim in shape)
    return f'{gap}<port id="{number}"{written}>{dims}{gap}</port>'
