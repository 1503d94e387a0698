"""Edges with undefined ends: whether the edge or a layer is wrong, and which input is left unconnected."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.fault import Repair, writing
from irlint.findings import Fix, Problem, Safety
from irlint.formats.openvino.passes.missing_parts import MissingParts
from irlint.formats.openvino.passes.unfed_inputs import UnfedInputs, dispensable
from irlint.formats.openvino.reading.layers import IrEdge
from irlint.formats.openvino.reading.locate import removal
from irlint.formats.openvino.reading.opsets import known_operator
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R, error_if
from irlint.graph import NOWHERE, label
from irlint.operators import bounds
from irlint.text.base import Document, Edit, Place
from irlint.text.words import count

_MOST = 1000  # edges that one fix removes
_SHOWN = 8  # edges that are shown with a finding about several
_SIDES = {"from-layer": "output", "from-port": "output", "to-layer": "input", "to-port": "input"}
_OTHER = {"output": "input", "input": "output"}
_TURNED = {"from-layer": "to-layer", "from-port": "to-port", "to-layer": "from-layer", "to-port": "from-port"}

End = tuple[int, str]  # an edge, and the attribute of it that names nothing
Related = list[tuple[str, Place]]


def is_copy(section: IrSection, first: int, second: int) -> bool:
    """Return whether one layer is a copy of the other, so that nothing is lost."""
    a, b, graph = section.layers[first], section.layers[second], section.graph
    one, two = graph.nodes[first], graph.nodes[second]
    return (
        (one.name, one.op, one.version, one.attrs) == (two.name, two.op, two.version, two.attrs)
        and (a.inputs.ports, a.outputs.ports) == (b.inputs.ports, b.outputs.ports)
        and not one.graphs
        and not two.graphs
    )


def removing(places: list[Place], safety: Safety = "unsafe") -> Repair:
    """Return a fix that removes edges; none if they are too many."""

    def fix(document: Document) -> Fix | None:
        title = "Remove this edge" if len(places) == 1 else f"Remove these {len(places)} edges"
        edits = (Edit(removal(document, at), "") for at in places)
        return None if len(places) > _MOST else Fix(title, tuple(edits), safety)

    return fix


class Dangling:
    """The problems of one section's dangling edges; `odd` gets the layers that cause some of them.

    `strangers` counts elements that are meant as layers.
    """

    def __init__(self, section: IrSection, unfed: UnfedInputs, odd: set[int], strangers: int = 0) -> None:
        self.section = section
        self.gaps = MissingParts(section)
        self.unfed = unfed
        self.odd = odd
        self.strangers = strangers
        self.double = [pair for pair in section.double if not is_copy(section, *pair)]  # a copy explains no edge
        self.done: set[int] = set()  # edges that are accounted for
        self.refused = False  # whether the reader refuses the file for edges that are another finding's consequence

    def problems(self, version: int) -> Iterator[Problem]:
        yield from self._turned(version)
        yield from self._layers()
        yield from self._ports()
        for edge, attribute in self.section.dangling:
            if edge not in self.done and attribute.endswith("-port"):
                self.done.add(edge)
                yield self._port(edge, attribute)

    def _node_at(self, edge: int, attribute: str) -> int:
        """Return the node at that end of an edge."""
        maker, user = self.section.ends(self.section.edges[edge])
        index = user if _SIDES[attribute] == "input" else maker
        assert index is not None
        return index

    def _is_live(self, index: int | None) -> bool:
        return index is not None and bool(self.section.live[index])

    def _account_for(self, edges: list[int]) -> None:
        for edge in (self.section.edges[k] for k in edges):
            self.unfed.account_for(self.section.ends(edge)[1], edge.to_port)

    def _used(self, ends: list[End]) -> Related:
        return [("used here", self.section.edge_place(k, f"@{attribute}")) for k, attribute in ends[:_SHOWN]]

    # Edges that lead from an unconnected input to an output

    def _turned(self, version: int) -> Iterator[Problem]:
        section = self.section
        nodes, layers = section.graph.nodes, section.layers
        for k in dict.fromkeys(k for k, _ in section.dangling):
            edge = section.edges[k]
            user, maker = section.ends(edge)
            if user not in self.unfed.inputs or maker is None:
                continue
            place, output = layers[user].inputs.index.get(edge.from_port), layers[maker].outputs.index.get(edge.to_port)
            if place is None or output is None or nodes[user].inputs[place] is not NOWHERE:
                continue
            self.done.add(k)
            self.unfed.account_for(user, edge.from_port)
            message = (
                f"reversed edge: it leads from input port {edge.from_port} of {label(nodes[user])}"
                f" to output port {edge.to_port} of {label(nodes[maker])}"
            )
            is_taken = dispensable(nodes[user], self.unfed.inputs[user], place, version)
            yield Problem(
                R.undefined_reference, section.edge_place(k), message, nodes[user].name, self._turning(k, edge),
                severity=error_if(section.live[user] and not is_taken),
            )  # fmt: skip

    def _turning(self, index: int, edge: IrEdge) -> Repair:
        def fix(document: Document) -> Fix:
            places = {name: self.section.edge_place(index, f"@{name}") for name in _TURNED}
            edits = [edit for name, at in places.items() for edit in document.write(at, edge.id_at(_TURNED[name]))]
            return Fix("Reverse the edge", tuple(edits), "unsafe")

        return fix

    # Undefined layers

    def _layers(self) -> Iterator[Problem]:
        """Report undefined layer ids, each once; ids of layers that lost theirs have been reported."""
        section = self.section
        named: dict[str, list[End]] = {}
        for k, attribute in section.dangling:
            if attribute.endswith("-layer") and k not in self.done:
                named.setdefault(section.edges[k].id_at(attribute), []).append((k, attribute))
        lost = sum(layer.id is None for layer in section.layers) + len(self.double) + self.strangers
        for number, ends in named.items():
            self.done.update(k for k, _ in ends)
            if lost > 0:
                lost -= 1
                section.lost.add(number)
                self.refused |= self._layer(number, ends).severity is None
            elif (index := self._renumbered(number, ends)) is not None:
                yield self._renumbering(number, ends, index)
            else:
                yield self._layer(number, ends)
            self._account_for([k for k, attribute in ends if attribute == "from-layer"])

    def _layer(self, number: str, ends: list[End]) -> Problem:
        section, is_live = self.section, False
        for k, attribute in ends:
            _, user = section.ends(section.edges[k])
            if attribute == "to-layer":  # OpenVINO 2026.4.1 skips such an edge; it matters where an input now has none
                user = self.unfed.victim(section.edges[k])
                self.unfed.account_for(user)
            is_live |= self._is_live(user)
        # OpenVINO 2026.4.1, for an edge from nowhere: Cannot create  layer  id:0 from unsupported opset:
        places = [section.edge_place(k, f"@{attribute}") for k, attribute in ends]
        message = f"undefined layer id {number}" + (f" in {count(len(ends), 'edge')}" if len(ends) > 1 else "")
        related = [*self.gaps.layer(number), *(("also used here", at) for at in places[1:_SHOWN])]
        return Problem(R.undefined_reference, places[0], message, None, removing(places), related, error_if(is_live))

    def _renumbered(self, number: str, ends: list[End]) -> int | None:
        """Return the layer at the position of a missing id, if no edge uses its own id and it has the ports."""
        section = self.section
        index = section.by_id.get(str(int(number) - 1), -1) + 1
        if (index == 0 and number != "0") or index >= len(section.layers):
            return None
        layer = section.layers[index]
        has_ports = all(
            section.edges[k].id_at(attribute.replace("layer", "port")) in layer.side(_SIDES[attribute]).index
            for k, attribute in ends
        )
        return index if has_ports and layer.id not in section.named else None

    def _renumbering(self, number: str, ends: list[End], index: int) -> Problem:
        section = self.section
        section.lost.add(number)
        node, at = section.graph.nodes[index], section.graph.place(index, "id")
        edges = [section.edges[k] for k, _ in ends]
        for k, attribute in ends:
            if attribute == "to-layer":
                self.unfed.account_for(index, section.edges[k].to_port)
        if is_live := section.live[index] or any(self._is_live(section.ends(edge)[1]) for edge in edges):
            section.live[index] = 1  # were it not for its number, the reader would get to it
        own = section.layers[index].id
        message = f"expected id {number} for {label(node)}, got {own}; edges use {number}, which no layer has"
        fix = writing(at, number, f"Set `id` to `{number}`")
        return Problem(R.undefined_reference, at, message, node.name, fix, self._used(ends), error_if(is_live))

    # Undefined ports

    def _ports(self) -> Iterator[Problem]:
        """Report ports that edges use and layers do not declare."""
        section = self.section
        named: dict[tuple[int, str], list[int]] = {}
        explained = self.odd | {index for pair in self.double for index in pair}  # by other findings
        for k, attribute in section.dangling:
            if k in self.done or not attribute.endswith("-port"):
                continue
            index = self._node_at(k, attribute)
            if index in explained:
                self.done.add(k)
                self.refused |= self._is_live(section.ends(section.edges[k])[1])
                self._account_for([k])
            else:
                named.setdefault((index, attribute), []).append(k)
        for (index, attribute), edges in named.items():
            problem = self._port_missing(index, attribute, edges) or self._port_renumbered(index, attribute, edges)
            if problem is not None:
                self.odd.add(index)
                self.done.update(edges)
                self._account_for(edges)
                yield problem

    def _wanted(self, attribute: str, edges: list[int]) -> list[str]:
        return sorted({self.section.edges[k].id_at(attribute) for k in edges})

    def _port_missing(self, index: int, attribute: str, edges: list[int]) -> Problem | None:
        """Report a side without ports, or with one missing although all others are connected."""
        node, graph, side = self.section.graph.nodes[index], self.section.graph, _SIDES[attribute]
        wanted, have = self._wanted(attribute, edges), self.section.layers[index].side(side).listed
        if not self._may_lack(index, side, wanted):
            return None
        what = f"{side} port{'' if len(wanted) == 1 else 's'} {', '.join(wanted)}"
        message, at = f"missing `<{side}>` for {label(node)}; edges use its {what}", graph.place(index, "node")
        if have:
            message = f"missing {what} for {label(node)}, which declares only {have}"
            at = Place(graph.place(index, f"{side}:0").path[:-1], "tag")
        related = [*self.gaps.port(index, side, wanted[0]), *self._used([(k, attribute) for k in edges])]
        severity = error_if(self.section.live[index])
        return Problem(R.missing_key, at, message, node.name, related=related, severity=severity)

    def _may_lack(self, index: int, side: str, wanted: list[str]) -> bool:
        """Return whether an operation may have ports of these ids that its layer does not declare."""
        node, ports = self.section.graph.nodes[index], self.section.layers[index].side(side)
        operator = known_operator(node.op, node.version)
        declared = operator.inputs if side == "input" else operator.outputs
        if not declared or not ports.ports:
            return bool(declared)
        most = bounds(declared)[1]
        if len(wanted) != 1 or self._idle(index, side) or (most is not None and len(ports) >= most):
            return False
        numbers = [int(port.id) for port in ports.ports if port.id is not None]
        return min(numbers, default=0) - 1 <= int(wanted[0]) <= max(numbers, default=0) + 1

    def _idle(self, index: int, side: str) -> set[int]:
        """Return the ports of a side without an edge."""
        if side == "input":
            return set(self.section.unfed_places(index))
        outputs = range(len(self.section.layers[index].outputs))
        return {k for k in outputs if (index, k) not in self.section.read_outputs}

    def _port_renumbered(self, index: int, attribute: str, edges: list[int]) -> Problem | None:
        """Report a single port with an unexpected id that no edge uses, where edges agree on another id."""
        section, side = self.section, _SIDES[attribute]
        wanted, ports = self._wanted(attribute, edges), section.layers[index].side(side)
        idle = self._idle(index, side)
        strangers = [k for k in range(len(ports)) if self._is_strange(index, side, k, idle)]
        if len(strangers) != 1 or len(wanted) != 1:
            return None
        port, node = strangers[0], section.graph.nodes[index]
        at = Place(section.graph.place(index, f"{side}:{port}").path, "@id")
        message = (
            f"expected id {wanted[0]} for an {side} port of {label(node)}, got {ports.ports[port].id or 'no valid id'}"
        )
        fix, related = writing(at, wanted[0], f"Set `id` to `{wanted[0]}`"), self._used([(k, attribute) for k in edges])
        severity = error_if(section.live[index])
        return Problem(R.undefined_reference, at, message, node.name, fix, related, severity=severity)

    def _is_strange(self, index: int, side: str, place: int, idle: set[int]) -> bool:
        """Return whether a port's id is out of sequence (inputs from 0, then outputs) and no edge uses it."""
        layer = self.section.layers[index]
        ports = layer.side(side)
        number = ports.ports[place].id
        if number is None:
            return True
        own = int(number) - (0 if side == "input" else len(layer.inputs))  # where a port of that number belongs
        if own == place:
            return False
        is_doubled = ports.index.get(number) != place or (0 <= own < len(ports) and ports.ports[own].id == number)
        return is_doubled or place in idle

    def _port(self, k: int, attribute: str) -> Problem:
        """Report an edge that refers to an undefined port."""
        section, side, index = self.section, _SIDES[attribute], self._node_at(k, attribute)
        edge, node, layer = section.edges[k], section.graph.nodes[index], section.layers[index]
        number, other, have = edge.id_at(attribute), _OTHER[side], layer.side(side).listed
        message = f"undefined {side} port {number} of {label(node)}, which has {f'only {have}' if have else f'no {side} ports'}"
        if number in layer.side(other).index:
            message += f"; {number} is an {other} port"
        _, user = section.ends(edge)
        victim = user if user in self.unfed.inputs else self.unfed.victim(edge)
        severity = error_if(self._is_live(user) or self._is_live(victim))
        self.unfed.account_for(victim, edge.to_port if victim == user else None)
        at, right = section.edge_place(k, f"@{attribute}"), self._right(index, side)
        fix = removing([at]) if right is None else writing(at, right, f"Replace `{number}` with `{right}`")
        return Problem(R.undefined_reference, at, message, node.name, fix, severity=severity)

    def _right(self, index: int, side: str) -> str | None:
        """Return the intended port: the only one, or the only unconnected one."""
        ports = self.section.layers[index].side(side).ports
        free = self.section.unfed_places(index) if side == "input" else []
        meant = ports if len(ports) == 1 else [ports[k] for k in free]
        return meant[0].id if len(meant) == 1 else None
