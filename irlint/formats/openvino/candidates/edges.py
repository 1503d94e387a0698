"""Other ends for edges, and missing edges."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import SURE, Candidate
from irlint.formats.openvino.blame import agrees
from irlint.formats.openvino.candidates.tags import attribute_edit
from irlint.formats.openvino.candidates.whole import added_port
from irlint.formats.openvino.reading.layers import Edge, LayerPort
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Type, Value
from irlint.records import NamedTuple
from irlint.text.base import Edit, Span
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

_ENDS = ("from-layer", "from-port", "to-layer", "to-port")
_MOST = 24  # ends of one kind that are tried


class End(NamedTuple):
    """One port of a layer, by the ids that edges use."""

    layer: str
    port: str
    type: Type
    node: int
    place: int


def edge_candidates(document: XmlDocument, section: Section, index: int, part: str) -> Iterator[Candidate]:
    """Yield other ends for an edge; `part` is the attribute that a finding points to."""
    edge, element = section.edges[index], _element(document, section, index)
    if element is None:
        return
    source, target = _source(section, edge), _target(section, edge)
    yield from _only_ports(section, element, edge, source, target)
    yield from _turned(document, section, element, edge)
    yield from _port_added(document, section, edge, source, target)
    for end in _free_targets(section, index, source):
        yield _moved(element, edge, None, end, _distance(edge[3:], (end.layer, end.port)))
    for likelihood, end in _likely_sources(section, index, target):
        yield _moved(element, edge, end, None, likelihood + _distance(edge[1:3], (end.layer, end.port)))
    yield from _exchanged(document, section, index)


def input_candidates(document: XmlDocument, section: Section, index: int) -> Iterator[Candidate]:
    """Yield other sources for the edges into a layer, and missing edges."""
    layer = section.layers[index]
    for place in section.unfed_places(index) if index in section.unfed else ():
        port = layer.inputs.ports[place] if place < len(layer.inputs) else None
        if port is not None and port.id is not None and layer.id is not None:
            target = End(layer.id, port.id, layer.inputs.values[place].type, index, place)
            yield from _added(document, section, target)
    edges = section.edges_into.get(layer.id, [])
    for k in edges[:4]:
        yield from _exchanged(document, section, k)
    for k in edges[:4]:
        yield from edge_candidates(document, section, k, "")


def _turned(document: XmlDocument, section: Section, element: Element, edge: Edge) -> Iterator[Candidate]:
    """Yield the reversed edge."""
    if _end(section, edge.to_layer, edge.to_port, "outputs") and _end(
        section, edge.from_layer, edge.from_port, "inputs"
    ):
        turned = dict(zip(_ENDS, (edge.to_layer, edge.to_port, edge.from_layer, edge.from_port), strict=True))
        edits = _written(element, {name: number for name, number in turned.items() if number is not None})
        yield Candidate("Reverse the edge", edits, 0)


def _only_ports(
    section: Section, element: Element, edge: Edge, source: End | None, target: End | None
) -> Iterator[Candidate]:
    """Yield the only free port of a layer for an edge that names an undefined port."""
    if source is None and (index := section.by_id.get(edge.from_layer or "")) is not None:
        ends = list(_ends(section, index, "outputs"))
        others = [e for e in section.edges if e.from_layer == edge.from_layer and _source(section, e) is None]
        named = {e.from_port for e in section.edges if e.from_layer == edge.from_layer}
        left = ends if len(ends) == 1 else [end for end in ends if end.port not in named]
        if len(left) == 1 and (len(others) == 1 or len(ends) == 1):
            yield _moved(element, edge, left[0], None, SURE)
    if target is None and (index := section.by_id.get(edge.to_layer or "")) is not None:
        named = {e.to_port for e in section.edges if e.to_layer == edge.to_layer}
        strays = [e for e in section.edges if e.to_layer == edge.to_layer and _target(section, e) is None]
        left = [end for end in _ends(section, index, "inputs") if end.port not in named]
        if len(left) == len(strays) == 1:
            yield _moved(element, edge, None, left[0], SURE)


def _port_added(
    document: XmlDocument, section: Section, edge: Edge, source: End | None, target: End | None
) -> Iterator[Candidate]:
    """Yield the missing port that an edge names, with the type at the other end."""
    if (source is None) == (target is None):
        return
    number, port, side = (
        (edge.to_layer, edge.to_port, "input") if target is None else (edge.from_layer, edge.from_port, "output")
    )
    index = section.by_id.get(number or "")
    other = source if target is None else target
    if index is not None and port is not None and other is not None:
        yield from added_port(document, section, index, side, port, other.type)


def _element(document: XmlDocument, section: Section, index: int) -> Element | None:
    try:
        return document.element(section.edge_path(index))
    except LookupError:
        return None


def _source(section: Section, edge: Edge) -> End | None:
    return _end(section, edge.from_layer, edge.from_port, "outputs")


def _target(section: Section, edge: Edge) -> End | None:
    return _end(section, edge.to_layer, edge.to_port, "inputs")


def _end(section: Section, number: str | None, port: str | None, side: str) -> End | None:
    node = section.by_id.get(number or "")
    if node is None or number is None or port is None:
        return None
    ports = getattr(section.layers[node], side)
    place = ports.index.get(port)
    return None if place is None else End(number, port, ports.values[place].type, node, place)


def _ends(section: Section, node: int, side: str) -> Iterator[End]:
    layer = section.layers[node]
    if layer.id is None:
        return
    ports = layer.outputs if side == "outputs" else layer.inputs
    pairs: zip[tuple[LayerPort, Value]] = zip(ports.ports, ports.values, strict=True)
    for place, (port, value) in enumerate(pairs):
        if port.id is not None:
            yield End(layer.id, port.id, value.type, node, place)


def _free_targets(section: Section, index: int, source: End | None) -> Iterator[End]:
    """Yield unconnected inputs that declare the type of an edge's source, the nearest first."""
    edge = section.edges[index]
    free = [
        end
        for node in section.unfed
        for end in _ends(section, node, "inputs")
        if end.place in section.unfed_places(node) and (source is None or agrees(end.type, source.type))
    ]
    free.sort(key=lambda end: _distance(edge[3:], (end.layer, end.port)))
    yield from free[:_MOST]


def _likely_sources(section: Section, index: int | None, target: End | None) -> Iterator[tuple[int, End]]:
    """Yield outputs of the type that an input declares: unused ones first, then the nearest."""
    read = section.read_outputs
    user = section.graph.nodes[target.node].index if target is not None else -1
    found = []
    for node in range(len(section.layers)):
        for end in _ends(section, node, "outputs"):
            if target is not None and (node == user or not agrees(target.type, end.type)):
                continue
            found.append((int((node, end.place) in read), end))
    near = user if user >= 0 else 0
    found.sort(key=lambda pair: (pair[0], abs(pair[1].node - near)))
    yield from found[:_MOST]


def _distance(numbers: tuple[str | None, ...], others: tuple[str, str]) -> int:
    """Return how many of an edge's two ids would change."""
    return sum(a != b for a, b in zip(numbers, others, strict=True))


def _moved(element: Element, edge: Edge, source: End | None, target: End | None, likelihood: int) -> Candidate:
    new: dict[str, str] = {}
    if source is not None:
        new |= {"from-layer": source.layer, "from-port": source.port}
        title = f"Connect the edge to layer {source.layer}, port {source.port}"
    else:
        assert target is not None
        new |= {"to-layer": target.layer, "to-port": target.port}
        title = f"Connect the edge to layer {target.layer}, port {target.port}"
    return Candidate(title, _written(element, new), likelihood)


def _written(element: Element, values: dict[str, str]) -> tuple[Edit, ...]:
    """Return edits that set or add attributes."""
    return tuple(attribute_edit(element, name, value) for name, value in values.items() if element.get(name) != value)


def _exchanged(document: XmlDocument, section: Section, index: int) -> Iterator[Candidate]:
    """Yield a swap of the edge's source with that of another edge into the same layer."""
    edge, element = section.edges[index], _element(document, section, index)
    for k in section.edges_into.get(edge.to_layer, [])[:8]:
        other, second = section.edges[k], _element(document, section, k)
        if k == index or second is None or element is None or not (edge.to_port and other.to_port):
            continue
        edits = (
            *_written(element, {"to-port": other.to_port}),
            *_written(second, {"to-port": edge.to_port}),
        )
        title = f"Swap inputs {edge.to_port} and {other.to_port}"
        yield Candidate(title, edits, 1)


def _added(document: XmlDocument, section: Section, target: End) -> Iterator[Candidate]:
    if section.edges_element is None:
        return
    at, before = _where(document, section)
    if at < 0:
        return
    for likelihood, source in _likely_sources(section, None, target):
        numbers = (source.layer, source.port, target.layer, target.port)
        written = " ".join(f'{name}="{number}"' for name, number in zip(_ENDS, numbers, strict=True))
        edits = (Edit(Span(at, at), f"{before}<edge {written}/>"),)
        yield Candidate(
            f"Add an edge from layer {source.layer}, port {source.port}, to layer {target.layer}, port {target.port}",
            edits,
            likelihood,
        )


def _where(document: XmlDocument, section: Section) -> tuple[int, str]:
    """Return where an edge can be added, and the whitespace before it."""
    element = section.edges_element
    assert element is not None
    if section.edges:
        last = _element(document, section, len(section.edges) - 1)
        if last is None:
            return -1, ""
        head = document.text[: last.start]
        return last.end, head[len(head.rstrip()) :]
    return element.tag_end, "\n"
