"""Edges, ids and ports: undefined references, inputs with two edges, inputs without an edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.checks.problems import duplicate_definition
from irlint.findings import Fix, Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.passes.belongs import MissingParts
from irlint.formats.openvino.passes.dangling import Dangling, is_copy
from irlint.formats.openvino.passes.unfed_inputs import UnfedInputs, carries, dispensable, removal
from irlint.formats.openvino.reading.layers import Edge
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import NOWHERE, label
from irlint.text.base import Document, Edit, Place, Span


def connection_problems(
    section: Section, version: int, broken: bool, odd: set[int], faulty: Sequence[Edge] = (), strangers: int = 0
) -> Iterator[Problem]:
    """Report problems with edges and ids.

    `odd` holds nodes whose structure has findings, and more are added; `broken`: parts of the text may be missing.
    `faulty` are edges with findings about their structure, and elements meant as edges; `strangers` counts elements meant as layers.
    """
    if broken:
        yield from _doubles(section, True)
        return
    unfed = UnfedInputs(section, odd)
    for edge in faulty:
        unfed.known(edge)
    refused = False
    doubled = {index for pair in section.double if not is_copy(section, *pair) for index in pair}
    for k, user, place in section.twice:
        if user in doubled:  # which is why there are two
            refused |= bool(section.live[user])
            continue
        # OpenVINO 2026.4.1: MaxPool layer p with id: 1 has incorrect input with index 1!
        problem, victim = _twice(section, k, user, place, unfed)
        yield problem
        unfed.account_for(victim)
        odd.add(user)  # which of the two it gets is not known
    dangling = Dangling(section, unfed, odd, strangers)
    yield from dangling.problems(version)
    yield from _doubles(section, refused or dangling.refused)
    for edge in faulty:
        unfed.guessed(edge)
    section.torn = bool(unfed.inputs or section.dangling or section.twice)
    section.starved |= unfed.accounted
    if not section.edges:  # which is a finding of its own
        section.starved.update(range(len(section.layers)))
    if section.edges:
        shadowed = {first for first, _ in section.double}
        for index, places in unfed.left.items():
            if places and index not in doubled and index not in shadowed:
                yield from _unfed(dangling.gaps, index, places, unfed.inputs[index], version)


def _doubles(section: Section, refused: bool) -> Iterator[Problem]:
    """Report ids that two layers have: an error if an edge is then left dangling, or leads to an input that has one."""
    graph = section.graph
    free = _free_id(section) if section.double else ""
    for first, second in section.double:
        number = section.layers[second].id
        if _out_of_step(section, first) and not _out_of_step(section, second):
            first, second = second, first
        a, b = graph.nodes[first], graph.nodes[second]
        at = graph.place(second, "id")
        if is_copy(section, first, second):
            message = f"duplicate definition of {label(b)}, layer {number}"
            yield duplicate_definition(at, message, graph.place(first, "id"), b.name, severity=Severity.WARNING)
            continue

        def fix(document: Document, at: Place = at) -> Fix:
            return Fix(f"Set `id` to `{free}`", document.write(at, free), "unsafe")

        # OpenVINO 2026.4.1: a ReLU became the Sigmoid of the same id; it fails only if an edge then names an id that is gone
        message = (
            f"duplicate layer id {number} for {label(b)} and {label(a)};"
            " OpenVINO silently ignores all but the last layer with this id"
        )
        severity = None if refused else Severity.WARNING
        yield duplicate_definition(at, message, graph.place(first, "id"), b.name, fix, severity)


def _free_id(section: Section) -> str:
    """Return the only undefined id that edges use, else the next free one."""
    ends = ((section.edges[k], attribute) for k, attribute in section.dangling if attribute.endswith("-layer"))
    wanted = {(edge.from_layer if attribute == "from-layer" else edge.to_layer) or "" for edge, attribute in ends}
    return wanted.pop() if len(wanted) == 1 else str(max((int(k) for k in section.by_id), default=0) + 1)


def _out_of_step(section: Section, index: int) -> bool:
    """Return whether a layer's id is not between those of its neighbors, if theirs are ascending."""
    numbers = [int(layer.id or -1) for layer in section.layers[max(index - 1, 0) : index + 2]]
    at = min(index, 1)
    before = numbers[at - 1] if at else -1
    after = numbers[at + 1] if at + 1 < len(numbers) else 1 << 63
    return before < after and not before < numbers[at] < after


def _twice(section: Section, edge: int, user: int, place: int, unfed: UnfedInputs) -> tuple[Problem, int | None]:
    """Report two edges into one input, at the less likely one; also return the node that this edge was meant for."""
    graph = section.graph
    node, port = graph.nodes[user], section.layers[user].inputs.ports[place]
    first = section.edge_into[section.layers[user].id, port.id]
    same = section.edges[first][1:] == section.edges[edge][1:]
    victim: int | None = None
    wrong, right = edge, first
    if same:
        victim = unfed.victim(section.edges[first])
        same = victim is None
        if _belongs(section, first, victim):
            wrong, right = first, edge
    else:
        fits = [carries(section, section.edges[k]) == port.dims for k in (first, edge)]
        victims = [unfed.victim(section.edges[k], fits != [True, True]) for k in (first, edge)]
        if (
            fits == [False, True]
            or (fits[0] == fits[1] and victims[0] is not None and victims[1] is None)
            or (fits[0] == fits[1] and (_belongs(section, first, victims[0]) or _steps_back(section, edge)))
        ):
            wrong, right = first, edge
        victim = victims[0 if wrong == first else 1]
    this = Place(section.edge_path(wrong), "tag")

    def fix(document: Document) -> Fix:
        return Fix("Remove this edge", (Edit(removal(document, this), ""),), "safe" if same else "unsafe")

    message = "duplicate edge" if same else "second edge"
    message += f" into input port {port.id} of {label(node)}; OpenVINO refuses the file"
    related = [("first defined here" if same else "also connected here", Place(section.edge_path(right), "tag"))]
    return Problem(R.input_fed_twice, this, message, node.name, fix, related), victim


def _steps_back(section: Section, edge: int) -> bool:
    """Return whether an earlier input of the node is unconnected: writers write edges in order."""
    user = section.by_id.get(section.edges[edge].to_layer or "")
    if user is None:
        return False
    place = section.layers[user].inputs.index.get(section.edges[edge].to_port or "", 0)
    return any(s is NOWHERE for s in section.graph.nodes[user].inputs[:place])


def _belongs(section: Section, edge: int, victim: int | None) -> bool:
    """Return whether the edge is where the edge into the unconnected node is expected, in a sorted list."""
    if victim is None or not 0 < edge < len(section.edges) - 1:
        return False
    before, after = (int(section.edges[k].to_layer or -1) for k in (edge - 1, edge + 1))
    return before <= int(section.layers[victim].id or -1) < after


def _unfed(gaps: MissingParts, index: int, places: list[int], unfed: list[int], version: int) -> Iterator[Problem]:
    section = gaps.section
    graph, layer = section.graph, section.layers[index]
    node = graph.nodes[index]
    for k in places:
        message = f"no edge leads to input port {layer.inputs.ports[k].id} of {label(node)}"
        severity = Severity.WARNING if dispensable(node, unfed, k, version) else None
        related = _same_port(section, index, k) or gaps.edge(index, k)
        yield Problem(
            R.unconnected_input,
            graph.place(index, f"input:{k}"),
            message,
            node.name,
            related=related,
            severity=severity,
        )


def _same_port(section: Section, index: int, place: int) -> list[tuple[str, Place | Span]]:
    """Return another input port with the same id, which takes its edge."""
    ports = section.layers[index].inputs
    other = ports.index.get(ports.ports[place].id or "", place)
    return [] if other == place else [("also declared here", section.graph.place(index, f"input:{other}"))]
