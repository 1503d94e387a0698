"""Names that are given twice, or not at all."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.sweep import Sweep
from irlint.formats.nnvm.view import View
from irlint.free_names import FreeNames
from irlint.rules.hygiene.duplicate_name import DuplicateName
from irlint.rules.hygiene.empty_name import EmptyName
from irlint.rules.references.duplicate_definition import DuplicateDefinition
from irlint.text.base import Document


def check(view: View, seen: Sweep) -> Iterator[Problem]:
    """Two variables of one name cannot be bound; operators of one name only confuse people."""
    reachable = seen.reachable
    taken = FreeNames(view.names)
    variables: dict[str, int] = {}
    others: dict[str, int] = {}
    for i, (op, name) in enumerate(zip(view.ops, view.names, strict=True)):
        if i in view.broken or not isinstance(view.originals[i].get("name"), str):
            continue
        if not name:
            what = "variable" if op == "null" else op
            message = (
                f"this {what} has an empty name; it can neither be fed nor found, and no message can tell it apart"
            )
            yield Problem(EmptyName, view.place(i, "name"), message, name)
        if op == "null" and i in reachable:
            if name in variables:
                yield _variable(view, i, variables[name], taken)
            else:
                variables[name] = i
        elif op != "null" and name:
            if name in others:
                message = f"two operators are called {name!r}; it loads, but outputs and messages cannot be told apart"
                related = [("the other one", view.place(others[name], "name"))]
                fix = _renaming(view, i, taken)
                yield Problem(DuplicateName, view.place(i, "name"), message, name, fix, related)
            else:
                others[name] = i


def _variable(view: View, index: int, first: int, taken: FreeNames) -> Problem:
    name = view.names[index]
    message = f"two variables are called {name!r}; they load, but cannot be bound"
    place = view.place(index, "name")
    problem = DuplicateDefinition.problem(
        place, message, view.place(first, "name"), name, _renaming(view, index, taken)
    )
    if view.path:
        problem.severity = Severity.WARNING  # inputs of a subgraph go by position
        problem.message = f"two variables of this subgraph are called {name!r}"
    return problem


def _renaming(view: View, index: int, taken: FreeNames):  # type: ignore[no-untyped-def]
    def fix(document: Document) -> Fix:
        name = view.names[index]
        new = taken.like(name)
        return Fix(f"Call it {new!r}", document.write(view.place(index, "name"), new), "unsafe")

    return fix
