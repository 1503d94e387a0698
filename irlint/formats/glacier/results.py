"""Which calls of a listing are results, told from its order alone: a listing does not name its outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.findings import Problem, Severity
from irlint.formats.glacier.rules import R
from irlint.formats.glacier.sessions import state_of
from irlint.graph import Graph
from irlint.rules.base import Model
from irlint.text.base import Place


def roots(graph: Graph) -> list[int]:
    """Return the calls that, as outputs in file order, make the depth-first post-order the file's own: all that nobody reads, and
    those whose place shows that the walk must have begun there.
    """
    calls = [node for node in graph.nodes if node.kind == "call"]
    number = {node.index: n for n, node in enumerate(calls)}
    first: list[int] = []
    for n, call in enumerate(calls):
        first.append(_earliest(n, [number.get(source[0], -1) for source in call.inputs], first))
    found: list[int] = []
    n = len(calls) - 1
    while n >= 0:
        found.append(calls[n].index)
        n = first[n] - 1
    return found[::-1]


def _earliest(n: int, inputs: Sequence[int], first: Sequence[int]) -> int:
    """Return the earliest call from which the walk that begins at the n-th call lists everything up to the n-th in the file's order,
    if all before was listed already (then so does every start between). `first` are those of the calls before.

    The walk goes from input to input and lists something new at those that lie further on than all inputs before them: the last of
    these must be the call right before, and each must reach back to the one before it.
    """
    leads: list[int] = []
    highest = -1
    for below in inputs:
        if highest < below < n:
            leads.append(below)
            highest = below
    if not leads or highest != n - 1:
        return n
    at = len(leads) - 1
    while at and first[leads[at]] <= leads[at - 1] + 1:
        at -= 1
    return first[leads[at]]


def problems(model: Model) -> Iterator[Problem]:
    """Report unused calls: a model with one output has one, the last.

    A second one often shows an input further down with a wrong id. If there are more, the model has several outputs.
    """
    state = state_of(model)
    if model.dialect != "listing" or state.faulty:
        return
    graph, nodes = model.graph, model.graph.nodes
    # not the ids that are used according to another finding
    unread = [index for index in state.sinks if nodes[index].name not in state.quoted]
    sinks = _unexplained(unread, state.lacking)
    for index in sinks[:-1]:
        node, last = nodes[index], nodes[sinks[-1]]
        message = f"unused node {node.name} ({node.op}); the result is node {last.name} ({last.op})"
        below = next(nodes[k] for k in range(index + 1, len(nodes)) if nodes[k].kind == "call")
        related = [("the next call does not use it", Place((*below.path, "inputs")))]
        at, severity = graph.place(node, "name"), Severity.WARNING if len(sinks) == 2 else Severity.INFO
        yield Problem(R.unused_output, at, message, node.name, related=related, severity=severity)


def _unexplained(unread: list[int], lacking: list[int]) -> list[int]:
    """Return unused calls without those that may be the missing input of a later call."""
    found: list[int] = []
    for index, is_unread in sorted([*((index, True) for index in unread), *((index, False) for index in lacking)]):
        if is_unread:
            found.append(index)
        elif found:
            found.pop()
    return found
