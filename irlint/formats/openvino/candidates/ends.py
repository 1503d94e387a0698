"""The ends of edges: ports by the ids that edges use."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.formats.openvino.reading.layers import IrEdge
from irlint.formats.openvino.reading.reader import IrSection
from irlint.graph import Type
from irlint.records import NamedTuple

SIDES = {"output": "from", "input": "to"}  # which end of an edge is at a port of that side
_LOOKED_AT = 8  # consumers of a layer


class End(NamedTuple):
    """One port of a layer, by the ids that edges use."""

    layer: str
    port: str
    type: Type
    node: int
    place: int


def end_of(section: IrSection, edge: IrEdge, side: str, at: str | None = None) -> End | None:
    """Return the port of a side that an edge names, at the end that leads there or at another; None if there is none."""
    layer, port = edge.end(at or side)
    node = section.by_id.get(layer)
    place = None if node is None else section.layers[node].side(side).index.get(port)
    if node is None or place is None:
        return None
    return End(str(layer), str(port), section.layers[node].side(side).values[place].type, node, place)


def ends_of(section: IrSection, node: int, side: str) -> Iterator[End]:
    """Yield the ports of one side of a layer."""
    layer, ports = section.layers[node], section.layers[node].side(side)
    for place, (port, value) in enumerate(zip(ports.ports, ports.values, strict=True)):
        if layer.id is not None and port.id is not None:
            yield End(layer.id, port.id, value.type, node, place)


def edges_at(section: IrSection, layer: str | None, side: str) -> list[IrEdge]:
    """Return the edges that name a layer at the end of a side."""
    return [edge for edge in section.edges if edge.end(side)[0] == layer]


def ports_named(section: IrSection, layer: str | None, side: str) -> set[str | None]:
    """Return the ports of one side of a layer that edges name."""
    return {edge.end(side)[1] for edge in edges_at(section, layer, side)}


def declared_types(section: IrSection, index: int, output: int = 0, own: bool = True) -> Iterator[Type]:
    """Yield the declared types of an output: at its port and at the ports that use it."""
    outputs = section.layers[index].outputs.values
    if own and output < len(outputs):
        yield outputs[output].type
    for reader in section.readers[index][:_LOOKED_AT]:
        taken = section.layers[reader].inputs.values
        for place, source in enumerate(section.graph.nodes[reader].inputs):
            if source == (index, output):
                yield taken[place].type
