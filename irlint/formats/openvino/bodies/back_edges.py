"""Back edges of Loop and TensorIterator: what goes from one iteration to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irlint.findings import Problem, Severity
from irlint.formats.openvino.bodies.port_maps import MapEntry, PortMap
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES, dtype_of, edge_of
from irlint.formats.openvino.rules import error_if
from irlint.records import NamedTuple
from irlint.text.base import Path, Place


class _BackEdge(NamedTuple):
    path: Path
    source: str | None  # the id of a Result
    target: str | None  # the id of a Parameter

    def place(self, part: str = "tag") -> Place:
        return Place(self.path, part)


def back_edges(mapped: PortMap) -> Iterator[Problem]:
    """Report back edges that do not lead from a Result to a Parameter, missing ones, and Results that nothing uses."""
    used = {entry.internal for entry in mapped.outputs} | {None}
    entries = {entry.internal: entry for entry in mapped.inputs}
    edges = _edges(mapped)
    if edges is None:
        yield from _missing(mapped)
    for edge in edges or ():
        used.add(edge.source)
        yield from _edge(mapped, edge, entries)
    body = mapped.body
    for number in (layer.id for node, layer in body.pairs if node.op == "Result" and layer.id not in used):
        node = body.graph.nodes[body.by_id[number]]
        message = f"unused Result {node.name!r} in the body of {mapped.who}"
        yield mapped.problem(mapped.inner_place(node), message, severity=Severity.WARNING)


def _edges(mapped: PortMap) -> list[_BackEdge] | None:
    """Return the back edges; None if the layer has no element for them."""
    for step, parent in mapped.layer.parts.steps("back_edges"):
        ends = [(k, edge_of(edge)) for k, edge in parent.steps("edge")]
        return [_BackEdge((*mapped.node.path, step, k), edge.from_layer, edge.to_layer) for k, edge in ends]
    return None


def _is_plain(entry: MapEntry) -> bool:
    return entry.axis is None and entry.purpose is None


def _missing(mapped: PortMap) -> Iterator[Problem]:
    """Report a loop without back edges, unless what it does in each iteration differs."""
    last = [entry for entry in mapped.outputs if entry.external != "-1" and _is_plain(entry)]
    if last or all(map(_is_plain, mapped.inputs)):
        message = f"missing `<back_edges>` in {mapped.who}; every iteration starts with the same values"
        yield mapped.problem(Place(mapped.node.path, "tag"), message, severity=Severity.WARNING)


def _edge(mapped: PortMap, edge: _BackEdge, entries: Mapping[str | None, MapEntry]) -> Iterator[Problem]:
    ends = [None if node is None else node.op for node in map(mapped.inner, (edge.source, edge.target))]
    if ends == ["Parameter", "Result"]:
        message = f"reversed back edge in {mapped.who}, from a Parameter to a Result; OpenVINO ignores it"
        yield mapped.problem(edge.place(), message, severity=Severity.WARNING)
        return
    is_read = edge.target is None or ends[1] == "Parameter"  # else the reader does not look where it comes from
    is_right = None not in (edge.source, edge.target) and ends == ["Result", "Parameter"]
    for number, kind, op, part in (
        (edge.source, "Result", ends[0], "@from-layer"),
        (edge.target, "Parameter", ends[1], "@to-layer"),
    ):
        if number is not None and op != kind and not mapped.is_reported(number):
            message = mapped.misfit(number, kind, f"in a back edge of {mapped.who}")
            yield mapped.problem(edge.place(part), message, severity=error_if(is_read))
    if is_right:
        yield from _of_parameter(mapped, edge, entries.get(edge.target))


def _of_parameter(mapped: PortMap, edge: _BackEdge, entry: MapEntry | None) -> Iterator[Problem]:
    """Report what the entry of a Parameter with a back edge has too much or too little."""
    if entry is not None and entry.axis is not None:
        message = f"layer {edge.target} in the body of {mapped.who} has both a sliced input and a back edge"
        related = [("back edge", edge.place())]
        # OpenVINO 2026.4.1 runs it
        yield mapped.problem(entry.place("@axis"), message, related=related, severity=Severity.WARNING)
    elif entry is not None and entry.external == "-1":
        message = f"layer {edge.target} in the body of {mapped.who} has a back edge but no initial value"
        yield mapped.problem(edge.place("@to-layer"), message)
    else:
        yield from _carried(mapped, edge)


def _carried(mapped: PortMap, edge: _BackEdge) -> Iterator[Problem]:
    """Report a back edge whose declared type differs from that of the Parameter it leads to."""
    body = mapped.body
    given, target = body.layers[body.by_id[edge.source]].inputs.ports, body.graph.nodes[body.by_id[edge.target]]
    type_ = str(target.attrs.get("element_type", "")).lower()  # what ports declare of a Parameter is not looked at
    dtype = dtype_of(given[0].precision) if given else None
    if dtype is not None and ELEMENT_TYPES.get(type_) not in (None, dtype):
        message = (
            f"back edge of {mapped.who} connects {given[0].precision} to a Parameter of type `{type_}`;"
            " OpenVINO converts the value in every iteration"
        )
        yield mapped.problem(edge.place("@from-layer"), message, severity=Severity.WARNING)
