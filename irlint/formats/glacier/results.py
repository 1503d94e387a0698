"""Calls of a listing that nobody reads, besides the last."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.glacier.codes import R
from irlint.formats.glacier.sessions import state_of
from irlint.rules.base import Model
from irlint.text.base import Place


def problems(model: Model) -> Iterator[Problem]:
    """Report unused calls: a model with one output has one, the last.

    A second one often shows an input further down with a wrong id. If there are more, the model has several outputs.
    """
    state = state_of(model)
    if model.dialect != "listing" or state.faulty:
        return
    graph, nodes = model.graph, model.graph.nodes
    explained = state.quoted  # ids that are used according to another finding
    unread = [index for index in state.sinks if graph.nodes[index].name not in explained]
    sinks = _unexplained(unread, state.lacking)
    for index in sinks[:-1]:
        node, last = graph.nodes[index], graph.nodes[sinks[-1]]
        message = f"unused node {node.name} ({node.op}); the result is node {last.name} ({last.op})"
        below = next(nodes[k] for k in range(index + 1, len(nodes)) if nodes[k].kind == "call")
        related = [("the next call does not use it", Place((*below.path, "inputs")))]
        severity = Severity.WARNING if len(sinks) == 2 else Severity.INFO
        yield Problem(
            R.unused_output, graph.place(node, "name"), message, node.name, related=related, severity=severity
        )


def _unexplained(unread: list[int], lacking: list[int]) -> list[int]:
    """Return unused calls without those that may be the missing input of a later call."""
    found: list[int] = []
    for index, is_unread in sorted([(index, True) for index in unread] + [(index, False) for index in lacking]):
        if is_unread:
            found.append(index)
        elif found:
            found.pop()
    return found
