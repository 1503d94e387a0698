"""Find the cause of a shape error: an IR declares most types two or three times, and the inconsistent one is wrong.

The type of a value is declared at the output port and at each input port that uses it, and it is inferred from its producer. If both
ports agree against the inferred type, the producer is wrong; if the output port and the inferred type agree against the input port,
the edge between them is wrong.
"""

from __future__ import annotations

from irlint.dryrun.differing import fits
from irlint.dryrun.infer import Inference
from irlint.formats.openvino.bodies.port_maps import entry_into
from irlint.formats.openvino.inferred import Connection, InferredTypes, agrees, shown
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.state import LayerAt
from irlint.graph import Node, label
from irlint.records import NamedTuple
from irlint.text.base import Path, Place, Span

_FAR = 10_000  # layers that are gone back through
_MOST = 4  # other possible causes of one kind

Related = list[tuple[str, Place]]


class Culprit(NamedTuple):
    place: Place
    words: str
    at: LayerAt
    is_edge: bool = False


class Culprits(InferredTypes):
    """The causes of one file's shape errors."""

    def __init__(self, found: Inference, sections: list[IrSection]) -> None:
        super().__init__(found, sections)
        self._homes = {  # the layer that a graph is the body of, by id() of its node
            id(node): LayerAt(section, node.index)
            for section in sections
            if len(sections) > 1
            for node in section.graph.nodes
            if node.graphs
        }

    def culprit(self, at: LayerAt) -> Culprit | None:
        """Return the cause of an error at a layer, if it is not the layer itself."""
        for one in self.connections(*at):
            if one.is_wrong_at_source and agrees(one.taken, one.given):
                return self._source(at.section, one.maker, one.output)
        return self._wrong_edge(at)

    def _wrong_edge(self, at: LayerAt) -> Culprit | None:
        """Return an edge whose source declares the right type, but not the type that the layer declares for its input."""
        return next((_edge(at, one) for one in self.connections(*at) if one.is_wrong_at_input), None)

    def _source(self, section: IrSection, maker: int, output: int) -> Culprit:
        """Follow wrong declarations back to the first layer that is wrong although its inputs are right."""
        for _ in range(_FAR):
            wrong = next((one for one in self.connections(section, maker) if one.is_wrong_at_source), None)
            if wrong is None:
                break
            maker, output = wrong.maker, wrong.output
        at = LayerAt(section, maker)
        return self._wrong_edge(at) or self._outside(at) or self._layer(at, output)

    def _layer(self, at: LayerAt, output: int) -> Culprit:
        node, real = at.node, self.real(*at, output)
        declared = node.outputs[output].type
        part = "attrs" if node.attrs else "node"
        if node.kind in ("var", "const"):
            part = "attr:element_type" if fits(declared.shape, real.shape) else "attr:shape"
        words = f"declared type {shown(declared)} of {label(node)} does not match inferred type {shown(real)}"
        return Culprit(at.graph.place(node, part), words, at)

    def _outside(self, at: LayerAt) -> Culprit | None:
        """Return what feeds a Parameter of a body with another type than it declares."""
        home = self._homes.get(id(at.graph.parent)) if at.node.kind == "var" else None
        entry = None if home is None else entry_into(home, at)
        if home is None or entry is None:
            return None
        place = home.layer.inputs.index.get(entry.external)
        one = next((one for one in self.connections(*home) if one.place == place), None)
        if one is None:
            return None
        if one.is_wrong_at_source:
            return self._source(home.section, one.maker, one.output)
        return _edge(home, one) if one.is_wrong_at_input else None

    def entry_of(self, at: LayerAt) -> Path | None:
        """Return the port map entry that feeds a Parameter of a body."""
        home = self._homes.get(id(at.graph.parent))
        entry = None if home is None else entry_into(home, at)
        return None if entry is None else entry.path

    def others(self, culprit: Culprit) -> Related:
        """Return other possible causes: other edges into the layer, or constants that determine what it outputs."""
        at = culprit.at
        if not culprit.is_edge:
            found = [node for node in _makers(at) if is_integer(node)]
            return [("depends on this constant", at.graph.place(node, "attrs")) for node in found[:_MOST]]
        wrong = [
            one for one in self.connections(*at) if not agrees(one.taken, one.real)
        ]  # inputs may have been swapped
        edges = [_edge(at, one).place for one in wrong]
        return [("this edge does not match either", place) for place in edges if place != culprit.place][:_MOST]


def _edge(at: LayerAt, one: Connection) -> Culprit:
    edge = at.section.edge_at(at.index, one.place)
    assert edge is not None
    words = (
        f"expected {shown(one.taken)} for input port {at.layer.inputs.ports[one.place].id} of {label(at.node)},"
        f" got {shown(one.given)} from {label(at.graph.nodes[one.maker])}"
    )
    return Culprit(at.section.edge_place(edge), words, at, True)


def _makers(at: LayerAt) -> list[Node]:
    return [at.graph.nodes[maker] for maker, _ in at.node.inputs if maker >= 0]


def is_integer(node: Node) -> bool:
    """Return whether a node is a constant of integers, whose values determine shapes."""
    return node.kind == "const" and node.attrs.get("element_type", "")[:1] in ("i", "u")


def edge_to(at: LayerAt, place: Place) -> Place | None:
    """Return the edge into the input that a place is in."""
    port = place.path[: len(at.node.path) + 2]
    for k in range(len(at.layer.inputs)):
        edge = at.section.edge_at(at.index, k)
        if edge is not None and at.graph.place(at.index, f"input:{k}").path == port:
            return at.section.edge_place(edge)
    return None


def constant_at(at: LayerAt, place: Place | Span) -> Node | None:
    """Return the integer constant at the input that is at a place."""
    for k, (maker, _) in enumerate(at.node.inputs):
        if maker >= 0 and is_integer(at.graph.nodes[maker]) and at.graph.place(at.index, f"input:{k}") == place:
            return at.graph.nodes[maker]
    return None


def sharing(section: IrSection, constant: Node) -> Related:
    """Return other constants that are read from the same bytes."""
    alike = section.constants.get(constant.attrs.get("offset"), [])[: _MOST + 1]
    found = [k for k in alike if k != constant.index]
    return [("also used by this constant", section.graph.place(k, "attrs")) for k in found[:_MOST]]


def counted(at: LayerAt) -> Related:
    """Return other possible causes of a wrong number of ports: the opset, or a duplicate port."""
    outputs = at.layer.outputs
    twice = [port for k, port in enumerate(outputs.ports) if outputs.index.get(port.id, k) != k]
    also = [("also declared here", at.graph.place(at.index, f"output:{outputs.index[port.id]}")) for port in twice[:1]]
    return [("by its opset", at.graph.place(at.index, "version")), *also]
