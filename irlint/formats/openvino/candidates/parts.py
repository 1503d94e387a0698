"""Other numbers for what a layer with bodies says of them: port maps and back edges."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Candidate
from irlint.formats.openvino.layers import unsigned
from irlint.formats.openvino.reader import Section
from irlint.text.base import Edit, Path, Span
from irlint.text.xml import XmlDocument

_NUMBERS = 40


def part_candidates(document: XmlDocument, section: Section, index: int, path: Path) -> Iterator[Candidate]:
    """Other numbers for the attributes of an entry of a port map, or of a back edge."""
    element = document.element(path)
    parent = document.element(path[:-1])
    if parent.tag not in ("port_map", "back_edges"):
        return
    layer = section.layers[index]
    ids = list(_body_ids(document, section, index))
    ports = [port.id for port in (*layer.inputs.ports, *layer.outputs.ports) if port.id is not None]
    for attribute in element.attributes:
        name = attribute.name
        known = ids if "layer" in name else ports if "port" in name else ["0", "1", "-1", "2", "3"]
        used = {child.get(name) for child in parent.elements(element.tag)}
        for number in sorted({*known}, key=int)[:_NUMBERS]:
            span = Span(attribute.value_start, attribute.value_end)
            if number != attribute.value:
                yield Candidate(f'Write {name}="{number}"', (Edit(span, number),), int(number in used))


def _body_ids(document: XmlDocument, section: Section, index: int) -> Iterator[str]:
    """The ids of the Parameters and Results of a layer's bodies."""
    element = document.element(section.graph.nodes[index].path)
    for tag in ("body", "then_body", "else_body"):
        if (body := element.child(tag)) is not None and (layers := body.child("layers")) is not None:
            for layer in layers.elements("layer"):
                number = unsigned(layer.get("id"))
                if layer.get("type") in ("Parameter", "Result") and number is not None:
                    yield number
