"""T401 id-as-text: a name that is, or looks like, a node id."""

from __future__ import annotations

from collections.abc import Iterator, Set

from irlint.checks.fault import Repair, writing
from irlint.findings import Problem, Severity
from irlint.formats.glacier.rules import R
from irlint.formats.glacier.sessions import quoted_calls, state_of
from irlint.graph import Node
from irlint.rules.base import Model, Rule
from irlint.text.base import Place
from irlint.text.numbers import integer


class IdAsText(Rule):
    """What it does
    Checks for quoted numbers in input lists, and for events whose nodeID is one. Without quotes, a number is the id
    of a call; in quotes, it is the name of a variable.

    Why is this bad
    The intended call loses a use, and the model seems to have one more input. It is an error if nothing else uses the
    call with that id, and otherwise a warning. Names that are numbers but cannot be ids, as some exporters write
    them, are only an info, once per file.

    Fix safety
    Unsafe: the fix changes which input is used.
    """

    row = R.id_as_text
    formats = ("glacier",)
    fixable = "unsafe"

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        sessions = state_of(model).sessions
        for session in sessions:
            for event in quoted_calls(session):
                got = f'got `"{event.node_id}"`; readers take it as the name of a variable'
                at, name = Place((*event.path, "nodeID")), str(event.node_id)
                yield Problem(R.id_as_text, at, f"quoted `nodeID` of a call, {got}", name, _unquoted(at, name))
        if len(sessions) < 2:  # ids of several models are ambiguous
            yield from _inputs(model)


def _inputs(model: Model) -> Iterator[Problem]:
    """Report inputs that are numbers in quotes."""
    graph, nodes = model.graph, model.graph.nodes
    numbers = {index for index in graph.inputs if nodes[index].name.isdecimal()}
    calls = {node.name: node for node in nodes if node.kind == "call"}
    found = [
        (node, position, calls.get(nodes[source[0]].name))
        for _, node in model.calls()
        for position, source in enumerate(node.inputs)
        if source[0] in numbers
    ]
    names = [(node, position) for node, position, meant in found if meant is None or meant.index >= node.index]
    if names:  # numbers are names in this file
        node, position = names[0]
        more = f" (and {len(numbers) - 1} more names do)" if len(numbers) > 1 else ""
        message = f"variable name '{nodes[node.inputs[position][0]].name}' looks like a node id{more}"
        at = graph.place(node, f"input:{position}")
        yield Problem(R.id_as_text, at, message, node.name, severity=Severity.INFO)
    else:
        unread = {nodes[index].name for index in state_of(model).sinks}
        for node, position, meant in found:
            at = graph.place(node, f"input:{position}")
            yield from _meant(at, node, meant, unread)


def _meant(at: Place, node: Node, meant: Node | None, unread: Set[str]) -> Iterator[Problem]:
    assert meant is not None
    unused, severity = "", Severity.WARNING
    if meant.name in unread:
        unused, severity = ", which is unused otherwise", Severity.ERROR
    number = f"the number of node {meant.name} ({meant.op}){unused}"
    message = f"the text '{meant.name}' refers to a variable; did you mean {number}?"
    yield Problem(R.id_as_text, at, message, node.name, _unquoted(at, meant.name), severity=severity)


def _unquoted(at: Place, name: str) -> Repair:
    return writing(at, integer(name), f"Replace with `{name}`")
