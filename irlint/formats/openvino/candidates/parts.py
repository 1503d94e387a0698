"""Other ids and entries for port maps and back edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from irlint.findings import Candidate
from irlint.formats.openvino.candidates.tags import with_attribute
from irlint.formats.openvino.reading.layer_index import LayerIndex
from irlint.formats.openvino.reading.layers import Layer, unsigned
from irlint.formats.openvino.reading.reader import Section
from irlint.text.base import Edit, Path, Span
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

_NUMBERS = 24
_NUMBERED = ("axis", "start", "end", "stride", "part_size")
_ENTRIES = 12  # of one layer whose numbers are all tried
_BODIES = {"port_map": "body", "then_port_map": "then_body", "else_port_map": "else_body", "back_edges": "body"}


def map_candidates(
    document: XmlDocument, layers: LayerIndex, section: Section, index: int, path: Path = ()
) -> Iterator[Candidate]:
    """Yield other ids for the entry at a path, missing entries, then other ids for the remaining entries."""
    node, layer = section.graph.nodes[index], section.layers[index]
    holder = document.element(node.path)
    maps = [child for child in holder.elements() if child.tag in _BODIES]
    for parent in maps:
        body = _body(layers, node.path, holder, parent)
        for entry in parent.elements():
            if path[: len(node.path)] == node.path and entry is document.element(path[: len(node.path) + 2]):
                yield from _renumbered(entry, parent, body, layer)
        yield from _added(document, parent, body, layer)
    for parent in maps if sum(len(parent.children) for parent in maps) <= _ENTRIES else ():
        body = _body(layers, node.path, holder, parent)
        for entry in parent.elements():
            yield from _renumbered(entry, parent, body, layer)


def _body(layers: LayerIndex, path: Path, holder: Element, parent: Element) -> dict[str, list[str]]:
    """Return the ids of the Parameters and Results of the body that a map belongs to, by type."""
    found: dict[str, list[str]] = {"Parameter": [], "Result": []}
    body = next(
        (k for k, c in enumerate(holder.children) if isinstance(c, Element) and c.tag == _BODIES[parent.tag]), -1
    )
    section = next((s for at, s in layers.sections.items() if at[:-1] == (*path, body)), None)
    for layer in section.layers if section is not None else ():
        if layer.id is not None and layer.type in found:
            found[layer.type].append(layer.id)
    return found


def _ports(layer: Layer, side: str) -> list[str]:
    ports = layer.inputs.ports if side == "input" else layer.outputs.ports
    return [port.id for port in ports if port.id is not None]


def _renumbered(entry: Element, parent: Element, body: dict[str, list[str]], layer: Layer) -> Iterator[Candidate]:
    for attribute in entry.attributes:
        name = attribute.name
        known = _known(entry.tag, name, body, layer)
        used = {child.get(name) for child in parent.elements(entry.tag)}
        for number in list(dict.fromkeys(known))[:_NUMBERS]:
            if number != attribute.value:
                yield with_attribute(entry, name, number, int(number in used))


def _known(tag: str, name: str, body: dict[str, list[str]], layer: Layer) -> Iterable[str]:
    """Return the ids that an attribute of an entry may have."""
    if name == "external_port_id":
        return (*_ports(layer, tag), "-1") if tag == "output" else _ports(layer, tag)
    if name in ("internal_layer_id", "from-layer", "to-layer"):
        is_result = name == "from-layer" or (name == "internal_layer_id" and tag == "output")
        return body["Result" if is_result else "Parameter"]
    return ("0", "1", "-1", "2", "3") if name in _NUMBERED else ()


def _added(document: XmlDocument, parent: Element, body: dict[str, list[str]], layer: Layer) -> Iterator[Candidate]:
    entries = parent.elements()
    if parent.tag == "back_edges" or not entries:
        return
    last = entries[-1]
    head = document.text[: last.start]
    gap = head[len(head.rstrip()) :]
    for tag, type_ in (("input", "Parameter"), ("output", "Result")):
        given = {unsigned(entry.get("external_port_id")) for entry in parent.elements(tag)}
        mapped = {unsigned(entry.get("internal_layer_id")) for entry in parent.elements(tag)}
        free = [port for port in _ports(layer, tag) if port not in given]
        for number in [n for n in body[type_] if n not in mapped][:4]:
            for port in (free or _ports(layer, tag))[:6]:
                text = f'{gap}<{tag} external_port_id="{port}" internal_layer_id="{number}"/>'
                at = last.end
                yield Candidate(
                    f"Map {tag} port {port} to layer {number} of the body", (Edit(Span(at, at), text),), int(not free)
                )
