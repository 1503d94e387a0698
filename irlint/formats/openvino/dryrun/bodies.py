"""Port maps and back edges of If, Loop and TensorIterator as the dry run represents them."""

from __future__ import annotations

from irlint.dryrun.errors import Undecided
from irlint.dryrun.ops.openvino.control import BodyInput, BodyOutput, LoopBody, Slicing
from irlint.formats.openvino.bodies.port_maps import MAPS, MapEntry, port_map
from irlint.formats.openvino.reading.layers import IrLayer, LayerPorts, dtype_of, edge_of
from irlint.formats.openvino.reading.reader import IrSection
from irlint.graph import Node


def bodies_of(layer: IrLayer, node: Node, sections: dict[int, IrSection]) -> list[LoopBody]:
    """Return the bodies of a node, `then` before `else`; raise Undecided if they cannot be read."""
    inner = {sections[id(graph)].element.tag: sections[id(graph)] for graph in node.graphs}
    found = [_body(inner[tag], port_map(layer, MAPS[tag]), layer) for tag in MAPS if tag in inner]
    if layer.element is None or (node.op != "If" and len(found) != 1):
        raise Undecided
    return found


def _body(section: IrSection, entries: list[MapEntry], layer: IrLayer) -> LoopBody:
    inputs, outputs = [], []
    for entry in entries:
        inside = section.by_id.get(entry.internal)
        if inside is None:
            raise Undecided
        purpose, slicing = entry.purpose, _slicing(entry)
        if entry.side == "input":
            is_counter, kind = purpose == "current_iteration", _kind(section, inside)
            inputs.append(BodyInput(_port(entry, layer.inputs), inside, slicing, is_counter, kind))
        else:
            outputs.append(BodyOutput(inside, _port(entry, layer.outputs), slicing, purpose == "execution_condition"))
    edges = [edge_of(edge) for _, parent in layer.parts.steps("back_edges")[:1] for edge in parent.elements("edge")]
    back = [section.ends(edge) for edge in edges]
    return LoopBody(section.graph, inputs, outputs, [(a, b) for a, b in back if a is not None and b is not None])


def _kind(section: IrSection, inside: int) -> str | None:
    """Return the element type that a Parameter of the body declares; OpenVINO converts its input to it."""
    return dtype_of(section.graph.nodes[inside].attrs.get("element_type", "").strip().lower())


def _port(entry: MapEntry, ports: LayerPorts) -> int:
    """Return the position of the port that an entry names; -1 if it names none."""
    return ports.index.get(entry.external, -1)


def _slicing(entry: MapEntry) -> Slicing | None:
    """Return how an entry slices its value; None if it does not."""
    if entry.axis is None:
        return None
    axis, start, end, stride, size = (entry.number(name) for name in ("axis", "start", "end", "stride", "part_size"))
    if axis is None or start is None or end is None or stride is None or size is None:
        raise Undecided
    return Slicing(axis, start, end, stride, size)
