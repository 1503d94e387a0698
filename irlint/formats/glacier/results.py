"""Calls of a listing that nobody reads, besides the last."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.glacier.codes import R
from irlint.rules.base import Model
from irlint.text.base import Place


def problems(model: Model) -> Iterator[Problem]:
    """A model with one output has one call that nobody reads, the last; a second one is often the trace of an input
    further down that names the wrong id. Where there are more, the model will have several outputs.
    """
    if model.dialect != "listing" or model.extra["faulty"]:
        return
    graph, nodes = model.graph, model.graph.nodes
    explained = model.extra["quoted"]  # ids of which another finding says that they are read
    unread = [index for index in model.extra["sinks"] if graph.nodes[index].name not in explained]
    sinks = _unexplained(unread, model.extra["lacking"])
    for index in sinks[:-1]:
        node, last = graph.nodes[index], graph.nodes[sinks[-1]]
        message = (
            f"nobody reads node {node.name} ({node.op}), although node {last.name} ({last.op}) is the last result: "
            "a second output, or an input below names another id by mistake"
        )
        below = next(nodes[k] for k in range(index + 1, len(nodes)) if nodes[k].kind == "call")
        related = [("the next line reads something else", Place((*below.path, "inputs")))]
        severity = Severity.WARNING if len(sinks) == 2 else Severity.INFO
        yield Problem(
            R.unused_output, graph.place(node, "name"), message, node.name, related=related, severity=severity
        )


def _unexplained(unread: list[int], lacking: list[int]) -> list[int]:
    """Without those that a call further down, of which it is said that it lacks an input, may have to read."""
    found: list[int] = []
    for index, is_unread in sorted([(index, True) for index in unread] + [(index, False) for index in lacking]):
        if is_unread:
            found.append(index)
        elif found:
            found.pop()
    return found
