"""Other ends for edges, and missing edges."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import SURE, Candidate
from irlint.formats.openvino.candidates.ends import SIDES, End, edges_at, end_of, ends_of
from irlint.formats.openvino.candidates.layers import added_port
from irlint.formats.openvino.candidates.writing import adding, attribute_edits, blank_before
from irlint.formats.openvino.inferred import agrees
from irlint.formats.openvino.reading.layers import IrEdge
from irlint.formats.openvino.reading.reader import IrSection
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

_ENDS = ("from-layer", "from-port", "to-layer", "to-port")
_MOST = 24  # ends of one kind that are tried
_OF_LAYER = 4  # edges into a layer whose ends are all tried
_SWAPPED = 8  # edges into a layer that one is swapped with


def edge_candidates(document: XmlDocument, section: IrSection, index: int) -> Iterator[Candidate]:
    """Yield other ends for an edge."""
    edge, element = section.edges[index], _element(document, section, index)
    source, target = end_of(section, edge, "output"), end_of(section, edge, "input")
    for side, end in (("output", source), ("input", target)):
        only = _only_port(section, edge, side) if end is None else None
        if only is not None:
            yield _moved(element, side, only, SURE if _is_the_layer(section, edge, side) else 0)
    if end_of(section, edge, "output", "input") and end_of(section, edge, "input", "output"):
        turned = dict(zip(_ENDS, (*edge.end("input"), *edge.end("output")), strict=True))
        yield Candidate("Reverse the edge", attribute_edits(element, turned), 0)
    if source is None and target is not None:
        yield from _with_port(document, section, edge, "output", target)
    elif source is not None and target is None:
        yield from _with_port(document, section, edge, "input", source)
    for end in _free_targets(section, edge, source):
        yield _moved(element, "input", end, _distance(edge, "input", end))
    for likelihood, end in _likely_sources(section, target):
        yield _moved(element, "output", end, likelihood + _distance(edge, "output", end))
    yield from _exchanged(document, section, index)


def input_candidates(document: XmlDocument, section: IrSection, index: int) -> Iterator[Candidate]:
    """Yield other sources for the edges into a layer, and missing edges."""
    places = section.unfed_places(index) if index in section.unfed else ()
    for end in ends_of(section, index, "input"):
        if end.place in places:
            yield from _added(document, section, end)
    edges = section.edges_into.get(section.layers[index].id, [])[:_OF_LAYER]
    for k in edges:
        yield from _exchanged(document, section, k)
    for k in edges:
        yield from edge_candidates(document, section, k)


def _element(document: XmlDocument, section: IrSection, index: int) -> Element:
    return document.element(section.edge_path(index))


def _only_port(section: IrSection, edge: IrEdge, side: str) -> End | None:
    """Return the only output of a layer, or its only free port, for an edge that names an undefined one."""
    number = edge.end(side)[0]
    index = section.by_id.get(number)
    ends = [] if index is None else list(ends_of(section, index, side))
    if side == "output" and len(ends) == 1:
        return ends[0]
    siblings = edges_at(section, number, side)
    named = {other.end(side)[1] for other in siblings}
    free = [end for end in ends if end.port not in named]
    is_only = len(free) == 1 == sum(end_of(section, other, side) is None for other in siblings)
    return free[0] if is_only else None


def _with_port(document: XmlDocument, section: IrSection, edge: IrEdge, side: str, other: End) -> Iterator[Candidate]:
    """Yield the missing port that an edge names, with the type at the other end."""
    layer, port = edge.end(side)
    index = section.by_id.get(layer)
    if index is not None and port is not None:
        yield from added_port(document, section, index, side, port, other.type)


def _free_targets(section: IrSection, edge: IrEdge, source: End | None) -> list[End]:
    """Return unconnected inputs that declare the type of an edge's source, the nearest first."""
    free = [
        end
        for node in section.unfed
        for end in ends_of(section, node, "input")
        if end.place in section.unfed_places(node) and (source is None or agrees(end.type, source.type))
    ]
    return sorted(free, key=lambda end: _distance(edge, "input", end))[:_MOST]


def _likely_sources(section: IrSection, target: End | None) -> list[tuple[int, End]]:
    """Return outputs of the type that an input declares: unused ones first, then the nearest."""
    user = -1 if target is None else target.node
    others = [node for node in range(len(section.layers)) if node != user]
    ends = [end for node in others for end in ends_of(section, node, "output")]
    fitting = [end for end in ends if target is None or agrees(target.type, end.type)]
    found = [(int((end.node, end.place) in section.read_outputs), end) for end in fitting]
    near = max(user, 0)
    return sorted(found, key=lambda pair: (pair[0], abs(pair[1].node - near)))[:_MOST]


def _distance(edge: IrEdge, side: str, end: End) -> int:
    """Return how many of an edge's two ids at one end would change."""
    return sum(a != b for a, b in zip(edge.end(side), (end.layer, end.port), strict=True))


def _is_the_layer(section: IrSection, edge: IrEdge, side: str) -> bool:
    """Return whether it is the port of an edge that is wrong, not its layer: no other layer has an idle output of that number."""
    number, port = edge.end(side)
    others = (
        k for k, layer in enumerate(section.layers) if layer.id != number and not edges_at(section, layer.id, side)
    )
    return side == "input" or all(end.port != port for k in others for end in ends_of(section, k, side))


def _moved(element: Element, side: str, end: End, likelihood: int) -> Candidate:
    new = {f"{SIDES[side]}-layer": end.layer, f"{SIDES[side]}-port": end.port}
    title = f"Connect the edge to layer {end.layer}, port {end.port}"
    return Candidate(title, attribute_edits(element, new), likelihood)


def _exchanged(document: XmlDocument, section: IrSection, index: int) -> Iterator[Candidate]:
    """Yield a swap of the edge's source with that of another edge into the same layer."""
    edge, element = section.edges[index], _element(document, section, index)
    for k in section.edges_into.get(edge.to_layer, [])[:_SWAPPED]:
        other, second = section.edges[k], _element(document, section, k)
        if k != index and edge.to_port and other.to_port:
            edits = [(element, other.to_port), (second, edge.to_port)]
            both = [edit for one, port in edits for edit in attribute_edits(one, {"to-port": port})]
            yield Candidate(f"Swap inputs {edge.to_port} and {other.to_port}", tuple(both), 1)


def _added(document: XmlDocument, section: IrSection, target: End) -> Iterator[Candidate]:
    holder = section.edges_element
    if holder is None:
        return
    last = _element(document, section, len(section.edges) - 1) if section.edges else None
    at, before = (holder.tag_end, "\n") if last is None else (last.end, blank_before(document, last.start))
    for likelihood, source in _likely_sources(section, target):
        numbers = (source.layer, source.port, target.layer, target.port)
        written = " ".join(f'{name}="{number}"' for name, number in zip(_ENDS, numbers, strict=True))
        title = (
            f"Add an edge from layer {source.layer}, port {source.port}, to layer {target.layer}, port {target.port}"
        )
        yield adding(title, at, f"{before}<edge {written}/>", likelihood)
