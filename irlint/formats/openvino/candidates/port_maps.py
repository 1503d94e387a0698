"""Other ids and entries for port maps and back edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from irlint.findings import Candidate
from irlint.formats.openvino.candidates.writing import adding, blank_before, with_attribute
from irlint.formats.openvino.reading.layers import IrLayer, unsigned
from irlint.formats.openvino.state import LayerAt, LayerIndex
from irlint.text.base import Path
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

_NUMBERS = 24
_NUMBERED = ("axis", "start", "end", "stride", "part_size")
_ENTRIES = 12  # of one layer whose numbers are all tried
_LAYERS, _PORTS = 4, 6  # of a body and of a layer between which entries are added
_BODIES = {"port_map": "body", "then_port_map": "then_body", "else_port_map": "else_body", "back_edges": "body"}


def map_candidates(document: XmlDocument, layers: LayerIndex, at: LayerAt, path: Path = ()) -> Iterator[Candidate]:
    """Yield other ids for the entry at a path, missing entries, then other ids for the remaining entries."""
    own = at.node.path
    holder = document.element(own)
    maps = [_Map(document, child, at.layer, _ids(layers, own, holder, child)) for _, child in holder.steps(*_BODIES)]
    here = document.element(path[: len(own) + 2]) if path[: len(own)] == own else None
    for one in maps:
        for entry in (entry for entry in one.element.elements() if entry is here):
            yield from one.renumbered(entry)
        yield from one.with_entry()
    if sum(len(one.element.children) for one in maps) <= _ENTRIES:
        for one in maps:
            for entry in one.element.elements():
                yield from one.renumbered(entry)


def _ids(layers: LayerIndex, path: Path, holder: Element, parent: Element) -> dict[str, list[str]]:
    """Return the ids of the Parameters and Results of the body that a map belongs to, by type."""
    found: dict[str, list[str]] = {"Parameter": [], "Result": []}
    step = next((k for k, _ in holder.steps(_BODIES[parent.tag])), -1)
    section = next((section for at, section in layers.sections.items() if at[:-1] == (*path, step)), None)
    for layer in section.layers if section is not None else ():
        if layer.id is not None and layer.type in found:
            found[layer.type].append(layer.id)
    return found


class _Map:
    """A port map or the back edges of a layer; `ids` are those of the Parameters and Results of the body, by type."""

    def __init__(self, document: XmlDocument, element: Element, layer: IrLayer, ids: dict[str, list[str]]) -> None:
        self.document, self.element, self.layer, self.ids = document, element, layer, ids

    def renumbered(self, entry: Element) -> Iterator[Candidate]:
        for attribute in entry.attributes:
            name = attribute.name
            used = {child.get(name) for child in self.element.elements(entry.tag)}
            for number in list(dict.fromkeys(self._numbers(entry.tag, name)))[:_NUMBERS]:
                if number != attribute.value:
                    yield with_attribute(entry, name, number, int(number in used))

    def _ports(self, side: str) -> list[str]:
        return [port.id for port in self.layer.side(side).ports if port.id is not None]

    def _numbers(self, tag: str, name: str) -> Iterable[str]:
        """Return the numbers that an attribute of an entry may have."""
        is_result = name == "from-layer" or (name == "internal_layer_id" and tag == "output")
        if name in ("internal_layer_id", "from-layer", "to-layer"):
            return self.ids["Result" if is_result else "Parameter"]
        if name == "external_port_id":
            return (*self._ports(tag), "-1") if tag == "output" else self._ports(tag)
        return ("0", "1", "-1", "2", "3") if name in _NUMBERED else ()

    def with_entry(self) -> Iterator[Candidate]:
        entries = self.element.elements()
        if self.element.tag == "back_edges" or not entries:
            return
        gap, at = blank_before(self.document, entries[-1].start), entries[-1].end
        for tag, type_ in (("input", "Parameter"), ("output", "Result")):
            given, mapped = (
                {unsigned(entry.get(name)) for entry in self.element.elements(tag)}
                for name in ("external_port_id", "internal_layer_id")
            )
            free = [port for port in self._ports(tag) if port not in given]
            for number in [number for number in self.ids[type_] if number not in mapped][:_LAYERS]:
                for port in (free or self._ports(tag))[:_PORTS]:
                    text = f'{gap}<{tag} external_port_id="{port}" internal_layer_id="{number}"/>'
                    yield adding(f"Map {tag} port {port} to layer {number} of the body", at, text, int(not free))
