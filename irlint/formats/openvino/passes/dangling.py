"""Edges with undefined ends: whether the edge or a layer is wrong, and which input is left unconnected."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.passes.belongs import MissingParts
from irlint.formats.openvino.passes.unfed_inputs import UnfedInputs, dispensable, removal
from irlint.formats.openvino.reading.layers import Edge
from irlint.formats.openvino.reading.layers import LayerPorts as LayerPorts
from irlint.formats.openvino.reading.opsets import operator_of
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import NOWHERE, label
from irlint.text.base import Document, Edit, Place
from irlint.text.words import count

_MOST = 1000  # edges that one fix removes
_SHOWN = 8  # edges that are shown with a finding about several


def is_copy(section: Section, first: int, second: int) -> bool:
    """Return whether one layer is a copy of the other, so that nothing is lost."""
    a, b, graph = section.layers[first], section.layers[second], section.graph
    one, two = graph.nodes[first], graph.nodes[second]
    return (
        (one.name, one.op, one.version, one.attrs) == (two.name, two.op, two.version, two.attrs)
        and (a.inputs.ports, a.outputs.ports) == (b.inputs.ports, b.outputs.ports)
        and not one.graphs
        and not two.graphs
    )


class Dangling:
    """The problems of one section's dangling edges; `odd` gets the layers that cause some of them.

    `strangers` counts elements that are meant as layers.
    """

    def __init__(self, section: Section, unfed: UnfedInputs, odd: set[int], strangers: int = 0) -> None:
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
        yield from self._missing_layers()
        yield from self._ports()
        for edge, attribute in self.section.dangling:
            if edge not in self.done and attribute.endswith("-port"):
                self.done.add(edge)
                yield from self._port(edge, attribute)

    def _ends(self, edge: Edge) -> tuple[int | None, int | None]:
        find = self.section.by_id.get
        return find(edge.from_layer or ""), find(edge.to_layer or "")

    def _is_live(self, index: int | None) -> bool:
        return index is not None and bool(self.section.live[index])

    def _place(self, edge: int, part: str) -> Place:
        return Place(self.section.edge_path(edge), part)

    def _turned(self, version: int) -> Iterator[Problem]:
        """Report edges from an unconnected input to an output."""
        section = self.section
        nodes, layers = section.graph.nodes, section.layers
        for k in dict.fromkeys(k for k, _ in section.dangling):
            edge = section.edges[k]
            user, maker = self._ends(edge)
            if user is None or maker is None or user not in self.unfed.inputs:
                continue
            place, output = (
                layers[user].inputs.index.get(edge.from_port or ""),
                layers[maker].outputs.index.get(edge.to_port or ""),
            )
            if place is None or output is None or nodes[user].inputs[place] is not NOWHERE:
                continue
            self.done.add(k)
            self.unfed.account_for(user, edge.from_port)
            at = self._place(k, "tag")

            def turn(document: Document, at: Place = at, edge: Edge = edge) -> Fix:
                ends = (
                    ("from-layer", edge.to_layer),
                    ("from-port", edge.to_port),
                    ("to-layer", edge.from_layer),
                    ("to-port", edge.from_port),
                )
                edits = [e for name, value in ends for e in document.write(Place(at.path, f"@{name}"), value)]
                return Fix("Reverse the edge", tuple(edits), "unsafe")

            message = (
                f"reversed edge: it leads from input port {edge.from_port} of {label(nodes[user])}"
                f" to output port {edge.to_port} of {label(nodes[maker])}"
            )
            taken = not section.live[user] or dispensable(nodes[user], self.unfed.inputs[user], place, version)
            severity = Severity.WARNING if taken else None
            yield Problem(R.undefined_reference, at, message, nodes[user].name, turn, severity=severity)

    def _missing_layers(self) -> Iterator[Problem]:
        """Report undefined layer ids, each once; ids of layers that lost theirs have been reported."""
        section = self.section
        named: dict[str, list[tuple[int, str]]] = {}
        for k, attribute in section.dangling:
            if attribute.endswith("-layer") and k not in self.done:
                edge = section.edges[k]
                number = edge.from_layer if attribute == "from-layer" else edge.to_layer
                named.setdefault(number or "", []).append((k, attribute))
        lost = sum(layer.id is None for layer in section.layers) + len(self.double) + self.strangers
        for number, ends in named.items():
            self.done.update(k for k, _ in ends)
            fed = [section.edges[k] for k, attribute in ends if attribute == "from-layer"]
            users = [(self._ends(edge)[1], edge.to_port) for edge in fed]
            if lost > 0:
                lost -= 1
                section.lost.add(number)
                self.refused |= self._missing(number, ends).severity is None
            elif (index := self._renumbered(number, ends)) is not None:
                yield self._renumbering(number, ends, index)
            else:
                yield self._missing(number, ends)
            for user, port in users:
                self.unfed.account_for(user, port)

    def _missing(self, number: str, ends: list[tuple[int, str]]) -> Problem:
        severity: Severity | None = Severity.WARNING
        for k, attribute in ends:
            _, user = self._ends(self.section.edges[k])
            if attribute == "to-layer":  # OpenVINO 2026.4.1 skips such an edge; it matters where an input now has none
                user = self.unfed.victim(self.section.edges[k])
                self.unfed.account_for(user)
            if self._is_live(user):
                severity = None
        # OpenVINO 2026.4.1, for an edge from nowhere: Cannot create  layer  id:0 from unsupported opset:
        places = [self._place(k, f"@{attribute}") for k, attribute in ends]
        message = f"undefined layer id {number}" + (f" in {count(len(ends), 'edge')}" if len(ends) > 1 else "")

        def fix(document: Document) -> Fix | None:
            if len(places) > _MOST:
                return None
            title = "Remove this edge" if len(places) == 1 else f"Remove these {len(places)} edges"
            return Fix(title, tuple(Edit(removal(document, at), "") for at in places), "unsafe")

        related = [*self.gaps.layer(number), *(("also used here", at) for at in places[1:_SHOWN])]
        return Problem(R.undefined_reference, places[0], message, None, fix, related, severity=severity)

    def _renumbered(self, number: str, ends: list[tuple[int, str]]) -> int | None:
        """Return the layer at the position of a missing id, if no edge uses its own id and it has the ports."""
        section = self.section
        before = section.by_id.get(str(int(number) - 1), -1)
        index = before + 1
        if (before < 0 and number != "0") or index >= len(section.layers):
            return None
        layer = section.layers[index]
        if layer.id in section.named:
            return None
        for k, attribute in ends:
            edge = section.edges[k]
            ports, port = (layer.outputs, edge.from_port) if attribute == "from-layer" else (layer.inputs, edge.to_port)
            if port not in ports.index:
                return None
        return index

    def _renumbering(self, number: str, ends: list[tuple[int, str]], index: int) -> Problem:
        section = self.section
        section.lost.add(number)
        node, at = section.graph.nodes[index], section.graph.place(index, "id")
        for k, attribute in ends:
            if attribute == "to-layer":
                self.unfed.account_for(index, section.edges[k].to_port)
        if live := any(self._is_live(self._ends(section.edges[k])[1]) for k, _ in ends) or bool(section.live[index]):
            section.live[index] = 1  # were it not for its number, the reader would get to it

        def fix(document: Document) -> Fix:
            return Fix(f"Set `id` to `{number}`", document.write(at, number), "unsafe")

        own = section.layers[index].id
        message = f"expected id {number} for {label(node)}, got {own}; edges use {number}, which no layer has"
        related = [("used here", self._place(k, f"@{attribute}")) for k, attribute in ends[:_SHOWN]]
        return Problem(
            R.undefined_reference, at, message, node.name, fix, related, severity=None if live else Severity.WARNING
        )

    def _ports(self) -> Iterator[Problem]:
        """Report ports that edges use and layers do not declare."""
        section = self.section
        named: dict[tuple[int, str], list[int]] = {}
        doubled = {index for pair in self.double for index in pair}
        for k, attribute in section.dangling:
            if k in self.done or not attribute.endswith("-port"):
                continue
            maker, user = self._ends(section.edges[k])
            index = user if attribute == "to-port" else maker
            assert index is not None
            if index in self.odd or index in doubled:  # which has a finding
                self.done.add(k)
                self.refused |= self._is_live(user)
                self.unfed.account_for(user, section.edges[k].to_port)
            else:
                named.setdefault((index, attribute), []).append(k)
        for (index, attribute), edges in named.items():
            problem = self._port_missing(index, attribute, edges) or self._port_renumbered(index, attribute, edges)
            if problem is not None:
                self.odd.add(index)
                for k in edges:
                    self.done.add(k)
                    self.unfed.account_for(self._ends(section.edges[k])[1], section.edges[k].to_port)
                yield problem

    def _wanted(self, attribute: str, edges: list[int]) -> list[str]:
        field = attribute.replace("-", "_")
        return sorted({getattr(self.section.edges[k], field) or "" for k in edges})

    def _side(self, index: int, attribute: str) -> tuple[str, LayerPorts]:
        layer = self.section.layers[index]
        return ("input", layer.inputs) if attribute == "to-port" else ("output", layer.outputs)

    def _port_missing(self, index: int, attribute: str, edges: list[int]) -> Problem | None:
        """Report a side without ports, or with one missing although all others are connected."""
        section = self.section
        node, graph = section.graph.nodes[index], section.graph
        side, ports = self._side(index, attribute)
        wanted = self._wanted(attribute, edges)
        operator = operator_of(node.op, node.version or "")
        declared = () if operator is None else operator.inputs if side == "input" else operator.outputs
        if not declared:
            return None
        most = None if any(port.kind.startswith("variadic") for port in declared) else len(declared)
        if ports.ports:
            numbers = [int(port.id) for port in ports.ports if port.id is not None]
            if len(wanted) != 1 or self._idle(index, side) or (most is not None and len(ports) >= most):
                return None
            if not min(numbers, default=0) - 1 <= int(wanted[0] or -1) <= max(numbers, default=0) + 1:
                return None
        what = f"{side} port{'' if len(wanted) == 1 else 's'} {', '.join(wanted)}"
        have = ", ".join(port.id or "?" for port in ports.ports)
        message = f"missing `<{side}>` for {label(node)}; edges use its {what}"
        if have:
            message = f"missing {what} for {label(node)}, which declares only {have}"
        at = graph.place(index, f"{side}:0")
        at = Place(at.path[:-1], "tag") if ports.ports else graph.place(index, "node")
        named = [("used here", self._place(k, f"@{attribute}")) for k in edges[:_SHOWN]]
        related = [*self.gaps.port(index, side, wanted[0]), *named]
        severity = None if section.live[index] else Severity.WARNING
        return Problem(R.missing_key, at, message, node.name, related=related, severity=severity)

    def _idle(self, index: int, side: str) -> bool:
        """Return whether a side has ports without an edge."""
        node = self.section.graph.nodes[index]
        if side == "input":
            return bool(self.section.unfed_places(index))
        return any((index, k) not in self.section.read_outputs for k in range(len(node.outputs)))

    def _port_renumbered(self, index: int, attribute: str, edges: list[int]) -> Problem | None:
        """Report a single port with an unexpected id that no edge uses, where edges agree on another id."""
        section = self.section
        side, ports = self._side(index, attribute)
        wanted = self._wanted(attribute, edges)
        strangers = [k for k in range(len(ports)) if self._strange(index, side, k)]
        if len(strangers) != 1 or len(wanted) != 1:
            return None
        port, node = strangers[0], section.graph.nodes[index]
        at = Place(section.graph.place(index, f"{side}:{port}").path, "@id")

        def fix(document: Document) -> Fix:
            return Fix(f"Set `id` to `{wanted[0]}`", document.write(at, wanted[0]), "unsafe")

        number = ports.ports[port].id
        got = "no valid id" if number is None else number
        message = f"expected id {wanted[0]} for an {side} port of {label(node)}, got {got}"
        related = [("used here", self._place(k, f"@{attribute}")) for k in edges[:_SHOWN]]
        severity = None if section.live[index] else Severity.WARNING
        return Problem(R.undefined_reference, at, message, node.name, fix, related, severity=severity)

    def _strange(self, index: int, side: str, place: int) -> bool:
        """Return whether a port's id is out of sequence (inputs from 0, then outputs) and no edge uses it."""
        layer = self.section.layers[index]
        ports = layer.inputs if side == "input" else layer.outputs
        number = ports.ports[place].id
        base = 0 if side == "input" else len(layer.inputs.ports)
        if number is None:
            return True
        own = int(number) - base  # where a port of that number belongs
        if own == place:
            return False
        if (0 <= own < len(ports) and ports.ports[own].id == number) or ports.index.get(number) != place:
            return True
        if side == "input":
            return (
                self.section.graph.nodes[index].inputs[place] is NOWHERE and (index, place) not in self.section.mapped
            )
        return (index, place) not in self.section.read_outputs

    def _port(self, k: int, attribute: str) -> Iterator[Problem]:
        """Report an edge that refers to an undefined port."""
        section = self.section
        edge, nodes = section.edges[k], section.graph.nodes
        maker, user = self._ends(edge)
        index = user if attribute == "to-port" else maker
        assert index is not None
        node, (side, ports) = nodes[index], self._side(index, attribute)
        number = edge.to_port if attribute == "to-port" else edge.from_port
        have = ", ".join(port.id or "?" for port in ports.ports)
        have = f"only {have}" if have else f"no {side} ports"
        message = f"undefined {side} port {number} of {label(node)}, which has {have}"
        wrong, other = (
            ("output", section.layers[index].outputs) if side == "input" else ("input", section.layers[index].inputs)
        )
        if number in other.index:
            message += f"; {number} is an {wrong} port"
        victim = user if user in self.unfed.inputs else self.unfed.victim(edge)
        live = self._is_live(user) or self._is_live(victim)
        self.unfed.account_for(victim, edge.to_port if victim == user else None)
        at = self._place(k, f"@{attribute}")
        right = self._right(index, side, ports)

        def fix(document: Document) -> Fix:
            if right is not None:
                return Fix(f"Replace `{number}` with `{right}`", document.write(at, right), "unsafe")
            return Fix("Remove this edge", (Edit(removal(document, at), ""),), "unsafe")

        severity = None if live else Severity.WARNING
        yield Problem(R.undefined_reference, at, message, node.name, fix, severity=severity)

    def _right(self, index: int, side: str, ports: LayerPorts) -> str | None:
        """Return the intended port: the only one, or the only unconnected one."""
        if len(ports) == 1:
            return ports.ports[0].id or ""
        if side == "output":
            return None
        free = self.section.unfed_places(index)
        return ports.ports[free[0]].id if len(free) == 1 else None
