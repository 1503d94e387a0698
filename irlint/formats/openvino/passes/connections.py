"""Edges, ids and ports: undefined references, inputs with two edges, inputs without an edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.checks.fault import writing
from irlint.checks.problems import duplicate_definition
from irlint.findings import Problem, Severity
from irlint.formats.openvino.passes.dangling import Dangling, is_copy, removing
from irlint.formats.openvino.passes.missing_parts import MissingParts
from irlint.formats.openvino.passes.unfed_inputs import UnfedInputs, carries, dispensable
from irlint.formats.openvino.reading.layers import IrEdge
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R, error_if
from irlint.graph import NOWHERE, label
from irlint.text.base import Place, Span


def connection_problems(
    section: IrSection, version: int, broken: bool, odd: set[int], faulty: Sequence[IrEdge] = (), strangers: int = 0
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
        unfed.account_for_named(edge)
    doubled = {index for pair in section.double if not is_copy(section, *pair) for index in pair}
    twice = [one for one in section.twice if one[1] not in doubled]  # which is why the others have two
    refused = any(section.live[user] for _, user, _ in section.twice if user in doubled)
    for k, user, place in twice:
        # OpenVINO 2026.4.1: MaxPool layer p with id: 1 has incorrect input with index 1!
        problem, victim = _twice(section, k, user, place, unfed)
        yield problem
        unfed.account_for(victim)
        odd.add(user)  # which of the two it gets is not known
    dangling = Dangling(section, unfed, odd, strangers)
    yield from dangling.problems(version)
    yield from _doubles(section, refused or dangling.refused)
    for edge in faulty:
        unfed.account_for_guessed(edge)
    yield from _without_edge(section, dangling, doubled, version)


def _without_edge(section: IrSection, dangling: Dangling, doubled: set[int], version: int) -> Iterator[Problem]:
    """Report inputs without an edge, and record which layers lack one."""
    unfed = dangling.unfed
    section.torn = bool(unfed.inputs or section.dangling or section.twice)
    section.starved |= unfed.accounted
    if not section.edges:  # which is a finding of its own
        section.starved.update(range(len(section.layers)))
        return
    left = {index: places for index, places in unfed.left.items() if index not in doubled | section.shadowed}
    yield from _unfed(dangling.gaps, left, unfed, version)


def _doubles(section: IrSection, refused: bool) -> Iterator[Problem]:
    """Report ids that two layers have: an error if an edge is then left dangling, or leads to an input that has one."""
    graph = section.graph
    free = _free_id(section) if section.double else ""
    for first, second in section.double:
        number = section.layers[second].id
        if _is_wrong(section, first, second, free):
            first, second = second, first
        a, b = graph.nodes[first], graph.nodes[second]
        at, other = graph.place(second, "id"), graph.place(first, "id")
        if is_copy(section, first, second):
            message = f"duplicate definition of {label(b)}, layer {number}"
            yield duplicate_definition(at, message, other, b.name, severity=Severity.WARNING)
            continue
        # OpenVINO 2026.4.1: a ReLU became the Sigmoid of the same id; it fails only if an edge then names an id that is gone
        message = (
            f"duplicate layer id {number} for {label(b)} and {label(a)};"
            " OpenVINO silently ignores all but the last layer with this id"
        )
        fix = writing(at, free, f"Set `id` to `{free}`")
        yield duplicate_definition(at, message, other, b.name, fix, error_if(refused))


def _free_id(section: IrSection) -> str:
    """Return the only undefined id that edges use, else the next free one."""
    undefined = [(k, attribute) for k, attribute in section.dangling if attribute.endswith("-layer")]
    wanted = {section.edges[k].id_at(attribute) for k, attribute in undefined}
    return wanted.pop() if len(wanted) == 1 else section.next_id


def _is_wrong(section: IrSection, index: int, other: int, free: str) -> bool:
    """Return whether of two layers with one id it is this one whose id is out of step, or both are but only this one's would be
    in step with the free one."""
    number = section.layers[index].id
    steps, mended = (tuple(section.is_in_step(k, id_) for k in (index, other)) for id_ in (number, free))
    if steps[0] is False and steps[1] is False:
        return mended == (True, False)
    return steps[0] is False


def _twice(section: IrSection, edge: int, user: int, place: int, unfed: UnfedInputs) -> tuple[Problem, int | None]:
    """Report two edges into one input, at the less likely one; also return the node that this edge was meant for."""
    node, port = section.graph.nodes[user], section.layers[user].inputs.ports[place]
    first = section.edge_into[section.layers[user].id, port.id]
    are_equal = section.edges[first][1:] == section.edges[edge][1:]
    if are_equal:
        victim = unfed.victim(section.edges[first])
        is_first = _belongs(section, first, victim)
    else:
        is_first, victim = _less_likely(section, first, edge, port.dims, unfed)
    wrong, right = (first, edge) if is_first else (edge, first)
    is_same = are_equal and victim is None
    this, other = section.edge_place(wrong), section.edge_place(right)
    message = "duplicate edge" if is_same else "second edge"
    message += f" into input port {port.id} of {label(node)}; OpenVINO refuses the file"
    related = [("first defined here" if is_same else "also connected here", other)]
    fix = removing([this], "safe" if is_same else "unsafe")
    return Problem(R.input_fed_twice, this, message, node.name, fix, related), victim


def _less_likely(
    section: IrSection, first: int, second: int, dims: tuple[int, ...] | None, unfed: UnfedInputs
) -> tuple[bool, int | None]:
    """Return whether the first of two edges into an input is the wrong one, and the node that the wrong one was meant for."""
    edges = [section.edges[first], section.edges[second]]
    fits = [carries(section, edge) == dims for edge in edges]
    victims = [unfed.victim(edge, not all(fits)) for edge in edges]
    is_only_victim = victims[0] is not None and victims[1] is None
    is_elsewhere = _belongs(section, first, victims[0]) or _steps_back(section, second)
    is_first = fits[1] if fits[0] != fits[1] else is_only_victim or is_elsewhere
    return is_first, victims[0 if is_first else 1]


def _steps_back(section: IrSection, edge: int) -> bool:
    """Return whether an earlier input of the node is unconnected: writers write edges in order."""
    _, user = section.ends(section.edges[edge])
    assert user is not None
    place = section.layers[user].inputs.index.get(section.edges[edge].to_port, 0)
    return any(source is NOWHERE for source in section.graph.nodes[user].inputs[:place])


def _belongs(section: IrSection, edge: int, victim: int | None) -> bool:
    """Return whether the edge is where the edge into the unconnected node is expected, in a sorted list."""
    if victim is None or not 0 < edge < len(section.edges) - 1:
        return False
    before, after = (int(section.edges[k].to_layer or -1) for k in (edge - 1, edge + 1))
    return before <= int(section.layers[victim].id or -1) < after


def _unfed(gaps: MissingParts, left: dict[int, list[int]], unfed: UnfedInputs, version: int) -> Iterator[Problem]:
    """Report inputs without an edge that no other finding explains."""
    section = gaps.section
    for index, k in ((index, k) for index, places in left.items() for k in places):
        node, port = section.graph.nodes[index], section.layers[index].inputs.ports[k]
        message = f"no edge leads to input port {port.id} of {label(node)}"
        severity = error_if(not dispensable(node, unfed.inputs[index], k, version))
        related = _same_port(section, index, k) or gaps.edge(index, k)
        at = section.graph.place(index, f"input:{k}")
        yield Problem(R.unconnected_input, at, message, node.name, related=related, severity=severity)


def _same_port(section: IrSection, index: int, place: int) -> list[tuple[str, Place | Span]]:
    """Return another input port with the same id, which takes its edge."""
    ports = section.layers[index].inputs
    other = ports.index.get(ports.ports[place].id, place)
    return [] if other == place else [("also declared here", section.graph.place(index, f"input:{other}"))]
