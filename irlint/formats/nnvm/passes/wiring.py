"""What a list of inputs was meant to be, as far as names show: fc1_weight is the weight of fc1, however it was lost or duplicated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from irlint.findings import Fix, Problem, Safety
from irlint.formats.nnvm.passes.variables import ROLES
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.rules import R
from irlint.records import NamedTuple, replace
from irlint.text.base import Document, Edit, Path, Place
from irlint.text.json.document import JsonDocument

Repair = Callable[[Document], Fix]

_MOST = 64  # inputs that are looked at by name
_OWNERS = 8  # parts of a node's name that may be the name of what it was made of


NodeOutput = tuple[int, int]


class MeantInputs(NamedTuple):
    """A node's inputs as they were probably meant; `surely` if every changed input follows from its name."""

    title: str
    entries: tuple[NodeOutput, ...]
    surely: bool


def is_named_for(variable: str, operator: str, argument: str) -> bool:
    """As all front ends name variables: conv0_weight is the weight of conv0, and of conv0_fwd."""
    owner = variable.removesuffix(f"_{argument}")
    return owner != variable and (operator == owner or operator.startswith(f"{owner}_"))


def unread_for(view: GraphView, reader: int, argument: str) -> int | None:
    """Return the unused variable whose name says that it is this input of the node."""
    owner = view.names[reader]
    for _ in range(_OWNERS):
        if (found := view.unread_variables.get(f"{owner}_{argument}")) is not None:
            return found
        owner = owner.rpartition("_")[0]
    return None


def unread_before(view: GraphView, reader: int | None) -> int | None:
    """Return the one node before the reader whose value is unused."""
    return next((k for k in view.unread_end if reader is None or k < reader), None)


def meant_node(view: GraphView, reader: int | None, argument: str | None) -> tuple[int, Safety] | None:
    """Return the node that an entry with a wrong reference was meant to name."""
    if reader is not None and argument and (variable := unread_for(view, reader, argument)) is not None:
        return variable, "safe"
    end = unread_before(view, reader)
    return None if end is None or not _may_be(view, end, argument) else (end, "unsafe")


def redirected(
    view: GraphView, reader: int | None, argument: str | None, place: Place, at_most: Safety = "safe"
) -> Repair | None:
    """Return a repair of the entry at `place`: use the node that was meant."""
    if (found := meant_node(view, reader, argument)) is None:
        return None
    node, safety = found

    def fix(document: Document) -> Fix:
        edits = document.write(Place((*place.path, 0)), node)
        return Fix(f"Replace with {view.names[node]!r}", edits, safety if at_most == "safe" else at_most)

    return fix


def redirected_problem(seen: Sweep, problem: Problem) -> Problem:
    """Return a problem with the repair that names suggest for an entry that refers to the operator itself, is part of a cycle or
    has a wrong shape.
    """
    entry = _entry_of(problem)
    if problem.fix is not None or entry is None:
        return problem
    index, k, path = entry
    if k >= len(seen.view.inputs[index]) or index in seen.view.broken:
        return problem
    argument = argument_of(seen, index, k)
    if problem.rule not in (R.self_reference, R.cycle) and not is_strange(seen.view, index, k, argument):
        return problem
    at_most: Safety = "safe" if problem.rule == R.self_reference else "unsafe"
    return replace(problem, fix=redirected(seen.view, index, argument, Place(path), at_most))


def _entry_of(problem: Problem) -> tuple[int, int, Path] | None:
    """Return which input of which node a problem is at, if it is one of the outermost graph."""
    match problem.at.path[:4] if isinstance(problem.at, Place) else ():
        case ("nodes", int(index), "inputs", int(k)) as path:
            return index, k, path
    return None


def argument_of(seen: Sweep, index: int, k: int) -> str | None:
    """Return the name of an input of a node that has the inputs that its operator takes."""
    examined = seen.examined[index]
    names = () if examined is None else examined.arguments
    return names[k] if k < len(names) == len(seen.view.inputs[index]) else None


def is_strange(view: GraphView, index: int, k: int, argument: str | None) -> bool:
    """Return whether an input has not the name that it should have, and a variable that nobody reads has it."""
    if not argument or _role(view, index, view.inputs[index][k][0], (argument,)) is not None:
        return False
    return unread_for(view, index, argument) is not None


def rewired(view: GraphView, index: int, arguments: Sequence[str]) -> MeantInputs | None:
    """Return the inputs of a node that has too few or too many, if there is one way to have all of them."""
    entries = [(entry[0], entry[1]) for entry in view.inputs[index]]
    if len(entries) + len(arguments) > _MOST:
        return None
    roles, rest = _by_role(view, index, entries, arguments)
    free = [argument for argument in arguments if argument not in roles]
    surely = len(rest) == len(free) and (len(free) < 2 or len(entries) > len(arguments))
    rest = _of_number(view, index, rest, free)
    if len(rest) != len(free):
        return None
    roles.update(zip(free, rest, strict=True))
    new = tuple(map(roles.__getitem__, arguments))
    return None if list(new) == entries else MeantInputs(_title(view, entries, new), new, surely)


def _by_role(
    view: GraphView, index: int, entries: list[NodeOutput], arguments: Sequence[str]
) -> tuple[dict[str, NodeOutput], list[NodeOutput]]:
    """Return what is named for an argument, also if nobody reads it, and the entries that are named for none."""
    roles: dict[str, NodeOutput] = {}
    rest = []
    for entry in entries:
        if (role := _role(view, index, entry[0], arguments)) is None:
            rest.append(entry)
        else:
            roles.setdefault(role, entry)
    for argument in arguments:
        if argument not in roles and (variable := unread_for(view, index, argument)) is not None:
            roles[argument] = variable, 0
    return roles, rest


def _of_number(view: GraphView, index: int, rest: list[NodeOutput], free: list[str]) -> list[NodeOutput]:
    """Return what is read without a name for it, each value once if it is too much, and with the unused one if one is missing."""
    if len(rest) > len(free):
        return list(dict.fromkeys(rest))
    end = unread_before(view, index)
    if len(rest) + 1 != len(free) or end is None or not _may_be(view, end, free[-1]):
        return rest
    return sorted([*rest, (end, 0)]) if rest == sorted(rest) else [*rest, (end, 0)]


def _may_be(view: GraphView, node: int, argument: str | None) -> bool:
    """Return whether a node may be an argument: parameters are variables."""
    return view.ops[node] == "null" or argument not in ROLES


def _role(view: GraphView, index: int, source: int, arguments: Sequence[str]) -> str | None:
    names = arguments if view.is_variable(source) else ()
    return next((name for name in names if is_named_for(view.names[source], view.names[index], name)), None)


def _title(view: GraphView, entries: list[NodeOutput], found: tuple[NodeOutput, ...]) -> str:
    added = [repr(view.names[node]) for node, output in found if (node, output) not in entries]
    if added:
        return f"Add {' and '.join(added)} to the inputs"
    return "Remove duplicate input" if len(found) < len(entries) else "Move the inputs into the order of the operator"


def fix(view: GraphView, index: int, meant: MeantInputs, safety: Safety) -> Repair:
    """Return a repair that changes as few entries as possible."""
    path, entries, new = view.place(index, "inputs").path, view.inputs[index], list(meant.entries)
    width = len(entries[0]) if entries else 3  # two numbers before MXNet 0.9, three since

    def write(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        old = [tuple(entry[:2]) for entry in entries]
        edits = one_entry_changed(document, path, old, new, lambda entry: document.dump([*entry, 0][:width]))
        if edits is None:
            edits = document.write(Place(path), [[*entry, 0][:width] for entry in new])
        return Fix(meant.title, edits, safety)

    return write


def one_entry_changed(
    document: JsonDocument, path: Path, old: Sequence[Any], new: Sequence[Any], dumped: Callable[[Any], str]
) -> tuple[Edit, ...] | None:
    """Return the edits after which a list has one entry more or less; None if it takes more than that."""
    k = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    if len(new) > len(old) and old[k:] == new[k + 1 :]:
        return document.insert_item(path, k, dumped(new[k]))
    if len(new) < len(old) and old[k + 1 :] == new[k:]:
        return document.remove((*path, k))
    return None
