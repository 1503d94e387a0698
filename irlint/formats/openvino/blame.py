"""Find the cause of a shape error: an IR declares most types two or three times, and the inconsistent one is wrong.

The type of a value is declared at the output port and at each input port that uses it, and it is inferred from its producer. If both
ports agree against the inferred type, the producer is wrong; if the output port and the inferred type agree against the input port,
the edge between them is wrong.
"""

from __future__ import annotations

from irlint.dryrun.check import fits
from irlint.dryrun.dims import show
from irlint.dryrun.infer import Inference
from irlint.formats.openvino.bodies.slices import entry_into, fed_by
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Type, label
from irlint.records import NamedTuple
from irlint.text.base import Path, Place

_FAR = 10_000  # layers that are gone back through


class Culprit(NamedTuple):
    place: Place
    words: str
    section: Section
    node: int
    edge: bool = False


def agrees(declared: Type, real: Type) -> bool:
    """Return whether a value can have a declared type."""
    if declared.dtype is not None and real.dtype is not None and declared.dtype != real.dtype:
        return False
    return fits(declared.shape, real.shape)


class Blame:
    """The causes of one file's shape errors."""

    def __init__(self, found: Inference, sections: list[Section]) -> None:
        self.found = found
        # where the layer is that a graph is the body of, by id() of its node
        self.homes = {
            id(node): (section, node.index)
            for section in sections
            if len(sections) > 1
            for node in section.graph.nodes
            if node.graphs
        }

    def real(self, section: Section, node: int, output: int) -> Type | None:
        types = self.found.types.get(id(section.graph))
        outputs = types[node] if types else ()
        return outputs[output].type if output < len(outputs) else None

    def culprit(self, section: Section, index: int) -> Culprit | None:
        """Return the cause of an error at a layer, if it is not the layer itself."""
        wrong_edge: Culprit | None = None
        for place, (maker, output) in enumerate(section.graph.nodes[index].inputs):
            if maker < 0:
                continue
            real = self.real(section, maker, output)
            given, taken = (
                section.graph.nodes[maker].outputs[output].type,
                section.layers[index].inputs.values[place].type,
            )
            if real is None:
                continue
            if not agrees(given, real):
                if agrees(taken, given):
                    return self._maker(section, maker, output)
            elif not agrees(taken, real) and wrong_edge is None:
                wrong_edge = self._edge(section, index, place, given, taken)
        return wrong_edge

    def _wrong_edge(self, section: Section, index: int) -> Culprit | None:
        """Return an edge whose source declares the right type, but not the type that the layer declares for its input."""
        for place, (maker, output) in enumerate(section.graph.nodes[index].inputs):
            real = self.real(section, maker, output) if maker >= 0 else None
            if real is None:
                continue
            given = section.graph.nodes[maker].outputs[output].type
            taken = section.layers[index].inputs.values[place].type
            if agrees(given, real) and not agrees(taken, real):
                return self._edge(section, index, place, given, taken)
        return None

    def entry_of(self, section: Section, index: int) -> Path | None:
        """Return the port map entry that feeds a Parameter of a body."""
        home = self.homes.get(id(section.graph.parent))
        if home is None:
            return None
        return entry_into(
            home[0].layers[home[1]], home[0].graph.nodes[home[1]].path, section.element, section.layers[index].id
        )

    def _outside(self, section: Section, index: int) -> Culprit | None:
        """Return what feeds a Parameter of a body with another type than it declares."""
        node = section.graph.nodes[index]
        home = self.homes.get(id(section.graph.parent)) if node.kind == "var" else None
        if home is None:
            return None
        outer, where = home
        external = fed_by(outer.layers[where], section.element, section.layers[index].id)
        place = outer.layers[where].inputs.index.get(external or "")
        if place is None:
            return None
        maker, output = outer.graph.nodes[where].inputs[place]
        real = self.real(outer, maker, output) if maker >= 0 else None
        given = outer.graph.nodes[maker].outputs[output].type if maker >= 0 else None
        if real is None or given is None:
            return None
        if not agrees(given, real):
            return self._maker(outer, maker, output)
        taken = outer.layers[where].inputs.values[place].type
        return None if agrees(taken, real) else self._edge(outer, where, place, given, taken)

    def _edge(self, section: Section, index: int, place: int, given: Type, taken: Type) -> Culprit | None:
        layer, node = section.layers[index], section.graph.nodes[index]
        edge = section.edge_into.get((layer.id, layer.inputs.ports[place].id))
        if edge is None:
            return None
        maker = section.graph.nodes[node.inputs[place][0]]
        words = (
            f"expected {shown(taken)} for input port {layer.inputs.ports[place].id} of {label(node)},"
            f" got {shown(given)} from {label(maker)}"
        )
        return Culprit(Place(section.edge_path(edge), "tag"), words, section, index, True)

    def _maker(self, section: Section, maker: int, output: int) -> Culprit:
        """Follow wrong declarations back to the first layer that is wrong although its inputs are right."""
        nodes = section.graph.nodes
        for _ in range(_FAR):
            for source, other in nodes[maker].inputs:
                real = self.real(section, source, other) if source >= 0 else None
                if real is not None and not agrees(nodes[source].outputs[other].type, real):
                    maker, output = source, other
                    break
            else:
                break
        if (edge := self._wrong_edge(section, maker)) is not None:
            return edge
        if (outside := self._outside(section, maker)) is not None:
            return outside
        node, real = nodes[maker], self.real(section, maker, output)
        assert real is not None
        declared = node.outputs[output].type
        part = "attrs" if node.attrs else "node"
        if node.kind in ("var", "const"):
            part = "attr:element_type" if fits(declared.shape, real.shape) else "attr:shape"
        words = f"declared type {shown(declared)} of {label(node)} does not match inferred type {shown(real)}"
        return Culprit(section.graph.place(maker, part), words, section, maker)


def shown(type_: Type) -> str:
    return f"{type_.dtype or 'unknown type'} {show(type_.shape)}"
