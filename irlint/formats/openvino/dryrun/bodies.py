"""Port maps and back edges of If, Loop and TensorIterator as the dry run represents them."""

from __future__ import annotations

from irlint.dryrun.errors import Undecided
from irlint.dryrun.ops.control import Body, BodyInput, BodyOutput, Slicing
from irlint.formats.openvino.reading.layers import Layer, LayerPorts, dtype_of, unsigned
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Node
from irlint.text.xml.tree import Element

_MAPS = {"then_body": "then_port_map", "else_body": "else_port_map", "body": "port_map"}


def bodies_of(layer: Layer, node: Node, sections: dict[int, Section]) -> list[Body]:
    """Return the bodies of a node, `then` before `else`; raise Undecided if they cannot be read."""
    element = layer.element
    if element is None:
        raise Undecided
    inner = {sections[id(graph)].element.tag: sections[id(graph)] for graph in node.graphs}
    found = []
    for tag, map_tag in _MAPS.items():
        section, port_map = inner.get(tag), element.child(map_tag)
        if section is not None:
            found.append(_body(section, port_map, element.child("back_edges"), layer))
    if node.op != "If" and len(found) != 1:
        raise Undecided
    return found


def _body(section: Section, port_map: Element | None, back_edges: Element | None, layer: Layer) -> Body:
    inputs, outputs = [], []
    for entry in port_map.elements() if port_map is not None else ():
        inside = section.by_id.get(unsigned(entry.get("internal_layer_id")))
        if inside is None:
            raise Undecided
        purpose = entry.get("purpose")
        if entry.tag == "input":
            inputs.append(
                BodyInput(
                    _port(entry, layer.inputs),
                    inside,
                    _slicing(entry),
                    purpose == "current_iteration",
                    _kind(section, inside),
                )
            )
        else:
            outputs.append(
                BodyOutput(inside, _port(entry, layer.outputs), _slicing(entry), purpose == "execution_condition")
            )
    back = []
    for edge in back_edges.elements("edge") if back_edges is not None else ():
        source = section.by_id.get(unsigned(edge.get("from-layer")))
        target = section.by_id.get(unsigned(edge.get("to-layer")))
        if source is not None and target is not None:
            back.append((source, target))
    return Body(section.graph, inputs, outputs, back)


def _kind(section: Section, inside: int) -> str | None:
    """Return the element type that a Parameter of the body declares; OpenVINO converts its input to it."""
    word = section.graph.nodes[inside].attrs.get("element_type")
    return None if word is None else dtype_of(word.strip().lower())


def _port(entry: Element, ports: LayerPorts) -> int:
    """Return the position of the port that an entry names; -1 if it names none."""
    number = unsigned(entry.get("external_port_id"))
    return -1 if number is None else ports.index.get(number, -1)


def _slicing(entry: Element) -> Slicing | None:
    """Return how an entry slices its value; None if it does not."""

    def number(name: str, default: int) -> int:
        text = entry.get(name)
        try:
            return default if text is None else int(text)
        except ValueError:
            raise Undecided from None

    if entry.get("axis") is None:
        return None
    return Slicing(
        number("axis", 0), number("start", 0), number("end", -1), number("stride", 1), number("part_size", 1)
    )
