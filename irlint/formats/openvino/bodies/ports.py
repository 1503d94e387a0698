"""Check the ports of If, Loop and TensorIterator against the entries of their port maps."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from irlint.findings import Problem, Severity
from irlint.formats.openvino.bodies.slices import MapEntry
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.layers import Layer
from irlint.graph import Graph, Node, label
from irlint.text.base import Place


def input_ports(
    graph: Graph, node: Node, layer: Layer, entries: list[MapEntry], elsewhere: Collection[str | None] = ()
) -> Iterator[Problem]:
    """Check input entries; `elsewhere` are the ports that this branch of an If need not take, as the other one does."""
    inputs = [e for e in entries if e.side == "input"]
    ports = layer.inputs
    first = {"If": 1, "Loop": 2}.get(node.op, 0)
    named = {e.external for e in inputs}
    idle = [k for k, port in enumerate(ports.ports) if k >= first and port.id is not None and port.id not in named]
    have = ", ".join(p.id or "?" for p in ports.ports[first:])
    have = f"the body takes {have}" if have else "the layer has no ports for its body"
    for entry in inputs:
        at = Place(entry.path, "@external_port_id")
        external = entry.external
        if external is None:
            continue
        place = ports.index.get(external)
        if external == "-1" and entry.axis is not None:
            message = f"expected an input port for a sliced Parameter in the body of {label(node)}, got `-1`"
            yield Problem(R.body_mapping, Place(entry.path, "@axis"), message, node.name)
        elif external == "-1":
            if entry.purpose != "current_iteration":
                lost = bool(idle) and node.op != "If"
                message = f"expected an input port for a Parameter in the body of {label(node)}, got `-1`"
                yield Problem(R.body_mapping, at, message, node.name, severity=None if lost else Severity.WARNING)
                idle = idle[1:] if lost else idle
        elif place is None or (node.op == "If" and place < first) or (place < first and idle):
            message = f"undefined input port {external} of {label(node)}; {have}"
            if place is not None:
                message = f"input port {external} of {label(node)} is not passed to the body; {have}"
            # the condition itself: types show whether it will do, but of a constant one the compiler loses count (2026.4.1)
            taken = place is not None and node.op == "If" and graph.nodes[node.inputs[0][0]].kind != "const"
            yield Problem(R.body_mapping, at, message, node.name, severity=Severity.WARNING if taken else None)
            idle = idle[1:]
        elif entry.purpose == "current_iteration":
            message = f"expected `-1` for the port of the iteration counter of {label(node)}, got `{external}`"
            milder = Severity.WARNING if place >= first else None
            yield Problem(R.body_mapping, at, message, node.name, severity=milder)
    for one, two in _pairs(inputs):
        if idle:
            wrong = _misplaced(one, two, ports.ports[idle[0]].id)
            unmapped = ports.ports[idle[0]].id
            message = f"input port {wrong.external} of {label(node)} is mapped twice, port {unmapped} not at all"
            yield Problem(R.body_mapping, Place(wrong.path, "@external_port_id"), message, node.name,
                          severity=Severity.WARNING if node.op == "If" else None)  # fmt: skip
            idle = idle[1:]
    for k in idle:
        if ports.ports[k].id in elsewhere:
            continue
        severity = Severity.WARNING if node.op == "If" else None
        message = f"no port map entry uses input port {ports.ports[k].id} of {label(node)}"
        related = gap(entries, "input", ports.ports[k].id)
        yield Problem(
            R.body_mapping, graph.place(node, f"input:{k}"), message, node.name, related=related, severity=severity
        )


def gap(entries: list[MapEntry], side: str, number: str | None) -> list[tuple[str, Place]]:
    """Return where an entry for a port is expected: before that of the next port, or after the last of its side."""
    own = [e for e in entries if e.side == side]
    later = [e for e in own if number is not None and e.external not in (None, "-1") and int(e.external) > int(number)]
    if later:
        return [("expected an entry before this one", Place(later[0].path, "tag"))]
    last = own or [e for e in entries if e.side == "input"]
    return [("expected an entry after this one", Place(last[-1].path, "tag"))] if last else []


def _pairs(entries: list[MapEntry]) -> list[tuple[MapEntry, MapEntry]]:
    """Return pairs of entries that name one port for different layers of the body."""
    named: dict[str, MapEntry] = {}
    found = []
    for entry in entries:
        if entry.external is not None and entry.external != "-1":
            other = named.setdefault(entry.external, entry)
            if other is not entry and (other.internal, other.axis) != (entry.internal, entry.axis):
                found.append((other, entry))
    return found


def _misplaced(first: MapEntry, second: MapEntry, idle: str | None) -> MapEntry:
    """Return which of two entries for one port is meant for an unmapped port: writers write them in order."""
    return first if idle is not None and int(idle) < int(first.external or 0) else second


def output_ports(
    graph: Graph, node: Node, layer: Layer, entries: list[MapEntry], idle_branch: bool
) -> Iterator[Problem]:
    """Check output entries.

    The reader counts the outputs that the port map names and assigns them to the ports in order; it fails if one is
    missing.
    """
    outputs = [e for e in entries if e.side == "output"]
    ports = layer.outputs
    named = {e.external for e in outputs if e.external not in (None, "-1")}
    conditions = [e for e in outputs if e.purpose == "execution_condition"]
    idle = [k for k, port in enumerate(ports.ports) if port.id is not None and port.id not in named]
    short = len(named) < len(ports.ports)
    for first, second in _pairs(outputs):
        wrong = _misplaced(first, second, ports.ports[idle[0]].id if idle else None)
        message = f"output port {wrong.external} of {label(node)} is mapped twice"
        other = second if wrong is first else first
        yield Problem(R.body_mapping, Place(wrong.path, "@external_port_id"), message, node.name,
                      related=[("also mapped here", Place(other.path, "tag"))])  # fmt: skip
        idle = idle[1:]
    have = ", ".join(p.id or "?" for p in ports.ports)
    have = f"only {have}" if have else "no output ports"
    for entry in outputs:
        at = Place(entry.path, "@external_port_id")
        if entry.external == "-1" and entry.purpose != "execution_condition" and (node.op != "Loop" or conditions):
            message = f"expected an output port for a Result in the body of {label(node)}, got `-1`"
            yield Problem(R.body_mapping, at, message, node.name, severity=None if short and idle else Severity.WARNING)
            idle = idle[1:] if short else idle
        elif entry.external is not None and entry.external != "-1" and entry.external not in ports.index:
            message = f"undefined output port {entry.external} of {label(node)}, which has {have}"
            yield Problem(R.body_mapping, at, message, node.name, severity=Severity.WARNING)
            idle = idle[1:]
    severity = None if short and not idle_branch else Severity.WARNING
    for k in idle:
        number = ports.ports[k].id
        message, related = (
            f"no port map entry leads to output port {number} of {label(node)}",
            gap(entries, "output", number),
        )
        yield Problem(
            R.body_mapping, graph.place(node, f"output:{k}"), message, node.name, related=related, severity=severity
        )
    for k, port in enumerate(ports.ports):
        if port.id in named and (one := ports.index[port.id]) != k:
            message, related = (
                f"duplicate output port id {port.id} of {label(node)}",
                [("also declared here", graph.place(node, f"output:{one}"))],
            )
            yield Problem(
                R.body_mapping, graph.place(node, f"output:{k}"), message, node.name, related=related, severity=severity
            )
