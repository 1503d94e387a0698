"""Report duplicate and empty names."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.problems import duplicate_definition
from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import GraphView
from irlint.operators import OperatorTable
from irlint.text.base import Document
from irlint.tools.names import FreeNames


def check(view: GraphView, seen: Sweep, table: OperatorTable) -> Iterator[Problem]:
    """Yield what names get wrong; mxnet 1.9.1 was asked about each case.

    Two arguments, or two states, of one name cannot be bound. Operators of one name load and run, as do operators without a
    name: converters and unrolled loops write them by the hundred. Two outputs of one name cannot be told apart by name.
    """
    taken = FreeNames(view.names)
    seen_names: dict[tuple[str, bool], int] = {}  # of variables, by name and whether it is a state
    states: set[int] | None = None
    others: dict[str, int] = {}
    for i, (op, name) in enumerate(zip(view.ops, view.names, strict=True)):
        if i in view.broken or not isinstance(view.originals[i].get("name"), str):
            continue
        if op != "null":
            yield from _operator(view, i, others, taken)
        elif i in seen.reachable:
            is_first = (name, False) not in seen_names and (name, True) not in seen_names
            if not is_first and states is None:
                from irlint.formats.nnvm.passes.variable_roles import roles_of

                states = roles_of(table, view).states
                seen_names = {(view.names[k], k in states): k for k in seen_names.values()}
            if not name and is_first:
                message = "empty name for a variable; its value cannot be set or saved by name"
                yield Problem(R.empty_name, view.place(i, "name"), message, name)
            if not is_first:
                yield _variable(view, i, seen_names, i in (states or ()), taken)
            seen_names.setdefault((name, states is not None and i in states), i)
    yield from _outputs(view, taken)


def _operator(view: GraphView, index: int, others: dict[str, int], taken: FreeNames) -> Iterator[Problem]:
    name, op = view.names[index], view.ops[index]
    if not name:
        message = f"empty name for `{op}`; MXNet runs it, but messages and tools cannot refer to it"
        yield Problem(R.empty_name, view.place(index, "name"), message, name, severity=Severity.PEDANTIC)
    elif name in others:
        message = f"duplicate operator name {name!r}; MXNet runs both, but messages and tools cannot tell them apart"
        related = [("first defined here", view.place(others[name], "name"))]
        fix, place = _renaming(view, index, taken), view.place(index, "name")
        yield Problem(R.duplicate_name, place, message, name, fix, related, Severity.PEDANTIC)
    else:
        others[name] = index


def _variable(
    view: GraphView, index: int, earlier: dict[tuple[str, bool], int], is_state: bool, taken: FreeNames
) -> Problem:
    name, place = view.names[index], view.place(index, "name")
    first = earlier.get((name, is_state))
    other = earlier[name, not is_state] if first is None else first
    fix = _renaming(view, index, taken)
    severity = None
    rest = "; MXNet loads the graph but cannot bind it"
    if view.path:  # inputs of a subgraph go by position
        severity, rest = Severity.PEDANTIC, " in this subgraph; MXNet identifies the variables by position"
    elif first is None:
        severity = Severity.WARNING
        rest = " for an argument and a state; only the prefixes `arg:` and `aux:` in a parameter file distinguish them"
    message = f"duplicate variable name {name!r}{rest}"
    problem = duplicate_definition(place, message, view.place(other, "name"), name, fix)
    problem.severity = severity
    return problem


def _outputs(view: GraphView, taken: FreeNames) -> Iterator[Problem]:
    """Report outputs of the whole graph that have the same name."""
    first: dict[tuple[str, bool, int], int] = {}
    for entry in view.heads if not view.path else ():
        if not 0 <= entry[0] < len(view.names) or entry[0] in view.broken:
            continue
        key = view.names[entry[0]], view.ops[entry[0]] == "null", entry[1]
        other = first.setdefault(key, entry[0])
        if other == entry[0]:
            continue
        message = f"duplicate output name {key[0]!r}; two outputs of the graph cannot be told apart by name"
        related = [("first defined here", view.place(other, "name"))]
        place = view.place(entry[0], "name")
        yield Problem(R.duplicate_name, place, message, key[0], _renaming(view, entry[0], taken), related)


def _renaming(view: GraphView, index: int, taken: FreeNames):  # type: ignore[no-untyped-def]
    def fix(document: Document) -> Fix:
        name = view.names[index]
        new = taken.like(name)
        return Fix(f"Rename to `{new}`", document.write(view.place(index, "name"), new), "unsafe")

    return fix
