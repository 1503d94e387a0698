"""Check the ports of If, Loop and TensorIterator against the entries of their port maps."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from irlint.findings import Problem, Severity
from irlint.formats.openvino.bodies.port_maps import MapEntry, PortMap
from irlint.formats.openvino.rules import error_if
from irlint.text.base import Place

_ID = "@external_port_id"
_NOT_OF_BODY = {"If": 1, "Loop": 2}  # as many inputs of a layer are not passed to its body


class _Ports:
    """The ports of one side of a layer. Each finding about an entry explains one of those without an entry."""

    def __init__(self, mapped: PortMap, side: str, first: int = 0) -> None:
        self.mapped, self.side, self.first = mapped, side, first
        self.entries = mapped.inputs if side == "input" else mapped.outputs
        self.ports = mapped.layer.side(side)
        self.named = {entry.external for entry in self.entries} - {None, "-1"}
        self.idle = [
            k
            for k, port in enumerate(self.ports.ports[first:], first)
            if port.id is not None and port.id not in self.named
        ]

    def explain(self) -> None:
        """Record that a finding explains the first port without an entry."""
        del self.idle[:1]

    def id_of(self, k: int) -> str | None:
        return self.ports.ports[k].id

    def place(self, k: int) -> Place:
        return self.mapped.owner.graph.place(self.mapped.node, f"{self.side}:{k}")

    def pairs(self) -> list[tuple[MapEntry, MapEntry]]:
        """Return pairs of entries that name one port for different layers of the body."""
        named: dict[str | None, MapEntry] = {}
        pairs = [
            (named.setdefault(entry.external, entry), entry) for entry in self.entries if entry.external in self.named
        ]
        return [(one, two) for one, two in pairs if (one.internal, one.axis) != (two.internal, two.axis)]

    def misplaced(self, first: MapEntry, second: MapEntry) -> MapEntry:
        """Return which of two entries for one port is meant for an unmapped port: writers write them in order."""
        is_before = bool(self.idle) and int(self.id_of(self.idle[0]) or 0) < int(first.external or 0)
        return first if is_before else second


def input_ports(mapped: PortMap, elsewhere: Collection[str | None] = ()) -> Iterator[Problem]:
    """Check input entries; `elsewhere` are the ports that this branch of an If need not take, as the other one does."""
    ports = _Ports(mapped, "input", _NOT_OF_BODY.get(mapped.node.op, 0))
    is_if, who = mapped.node.op == "If", mapped.who
    for entry in ports.entries:
        if entry.external == "-1":
            yield from _parameter_without_port(ports, entry)
        elif entry.external is not None:
            yield from _input_entry(ports, entry, ports.ports.index.get(entry.external))
    for one, two in ports.pairs():
        if ports.idle:
            wrong = ports.misplaced(one, two)
            message = (
                f"input port {wrong.external} of {who} is mapped twice, port {ports.id_of(ports.idle[0])} not at all"
            )
            yield mapped.problem(wrong.place(_ID), message, severity=error_if(not is_if))
            ports.explain()
    for k in ports.idle:
        if (number := ports.id_of(k)) not in elsewhere:
            message = f"no port map entry uses input port {number} of {who}"
            yield mapped.problem(
                ports.place(k), message, related=mapped.gap("input", number), severity=error_if(not is_if)
            )


def _parameter_without_port(ports: _Ports, entry: MapEntry) -> Iterator[Problem]:
    mapped = ports.mapped
    if entry.axis is not None:
        message = f"expected an input port for a sliced Parameter in the body of {mapped.who}, got `-1`"
        yield mapped.problem(entry.place("@axis"), message)
    elif entry.purpose != "current_iteration":
        is_lost = bool(ports.idle) and mapped.node.op != "If"
        message = f"expected an input port for a Parameter in the body of {mapped.who}, got `-1`"
        yield mapped.problem(entry.place(_ID), message, severity=error_if(is_lost))
        if is_lost:
            ports.explain()


def _input_entry(ports: _Ports, entry: MapEntry, place: int | None) -> Iterator[Problem]:
    mapped, external = ports.mapped, entry.external
    is_if = mapped.node.op == "If"
    is_of_layer = place is not None and place < ports.first
    if place is None or (is_of_layer and (is_if or ports.idle)):
        ids = ", ".join(port.id or "?" for port in ports.ports.ports[ports.first :])
        have = f"the body takes {ids}" if ids else "the layer has no ports for its body"
        message = f"undefined input port {external} of {mapped.who}; {have}"
        if is_of_layer:
            message = f"input port {external} of {mapped.who} is not passed to the body; {have}"
        # the condition itself: types show whether it will do, but of a constant one the compiler loses count (2026.4.1)
        is_condition = is_of_layer and is_if
        is_taken = is_condition and mapped.owner.graph.nodes[mapped.node.inputs[0][0]].kind != "const"
        yield mapped.problem(entry.place(_ID), message, severity=error_if(not is_taken))
        ports.explain()
    elif entry.purpose == "current_iteration":
        message = f"expected `-1` for the port of the iteration counter of {mapped.who}, got `{external}`"
        yield mapped.problem(entry.place(_ID), message, severity=error_if(is_of_layer))


def output_ports(mapped: PortMap, is_idle_branch: bool) -> Iterator[Problem]:
    """Check output entries.

    The reader counts the outputs that the port map names and assigns them to the ports in order; it fails if one is
    missing.
    """
    ports, who = _Ports(mapped, "output"), mapped.who
    is_short = len(ports.named) < len(ports.ports)
    for first, second in ports.pairs():
        wrong = ports.misplaced(first, second)
        related = [("also mapped here", (second if wrong is first else first).place())]
        message = f"output port {wrong.external} of {who} is mapped twice"
        yield mapped.problem(wrong.place(_ID), message, related=related)
        ports.explain()
    for entry in ports.entries:
        if entry.external == "-1":
            yield from _result_without_port(ports, entry, is_short)
        elif entry.external is not None and entry.external not in ports.ports.index:
            have = f"only {ports.ports.listed}" if ports.ports.ports else "no output ports"
            message = f"undefined output port {entry.external} of {who}, which has {have}"
            yield mapped.problem(entry.place(_ID), message, severity=Severity.WARNING)
            ports.explain()
    severity = error_if(is_short and not is_idle_branch)
    for k in ports.idle:
        number = ports.id_of(k)
        message = f"no port map entry leads to output port {number} of {who}"
        yield mapped.problem(ports.place(k), message, related=mapped.gap("output", number), severity=severity)
    for k, port in enumerate(ports.ports.ports):
        if port.id in ports.named and ports.ports.index[port.id] != k:
            related = [("also declared here", ports.place(ports.ports.index[port.id]))]
            message = f"duplicate output port id {port.id} of {who}"
            yield mapped.problem(ports.place(k), message, related=related, severity=severity)


def _result_without_port(ports: _Ports, entry: MapEntry, is_short: bool) -> Iterator[Problem]:
    mapped = ports.mapped
    has_condition = any(other.purpose == "execution_condition" for other in ports.entries)
    if entry.purpose == "execution_condition" or (mapped.node.op == "Loop" and not has_condition):
        return
    message = f"expected an output port for a Result in the body of {mapped.who}, got `-1`"
    yield mapped.problem(entry.place(_ID), message, severity=error_if(is_short and ports.idle))
    if is_short:
        ports.explain()
