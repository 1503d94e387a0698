"""What a list of inputs was meant to be, as far as names tell: fc1_weight is the weight of fc1, whoever lost or doubled it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from irlint.findings import Fix, Problem, Safety
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.roles import ROLES
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import Entry, GraphView
from irlint.records import NamedTuple, replace
from irlint.text.base import Document, Edit, Path, Place
from irlint.text.json.document import JsonDocument

Repair = Callable[[Document], Fix]

_MOST = 64  # inputs that are looked at by name
_OWNERS = 8  # parts of a node's name that may be the name of what it was made of


class Wiring(NamedTuple):
    """A node's inputs as they were probably meant; `surely` if every changed input follows from its name."""

    title: str
    entries: tuple[tuple[int, int], ...]  # node and output
    surely: bool


def is_named_for(variable: str, operator: str, argument: str) -> bool:
    """As all front ends name variables: conv0_weight is the weight of conv0, and of conv0_fwd."""
    owner = variable.removesuffix(f"_{argument}")
    return owner != variable and (operator == owner or operator.startswith(f"{owner}_"))


def unread_for(view: GraphView, reader: int, argument: str) -> int | None:
    """Return the variable that nobody reads and whose name says that it is this input of the node."""
    owner = view.names[reader]
    for _ in range(_OWNERS):
        if (found := view.unread_variables.get(f"{owner}_{argument}")) is not None:
            return found
        owner = owner.rpartition("_")[0]
    return None


def unread_before(view: GraphView, reader: int | None) -> int | None:
    """Return the one node before the reader whose value nobody reads."""
    return next((k for k in view.unread_end if reader is None or k < reader), None)


def meant(view: GraphView, reader: int | None, argument: str | None) -> tuple[int, Safety] | None:
    """Return the node that an entry that leads astray was meant to name."""
    if reader is not None and argument and (variable := unread_for(view, reader, argument)) is not None:
        return variable, "safe"
    end = unread_before(view, reader)
    if end is None or (argument in ROLES and view.ops[end] != "null"):
        return None
    return end, "unsafe"


def redirected(
    view: GraphView, reader: int | None, argument: str | None, place: Place, at_most: Safety = "safe"
) -> Repair | None:
    """Return a repair of the entry at `place`: use the node that was meant."""
    if (found := meant(view, reader, argument)) is None:
        return None
    node, safety = found

    def fix(document: Document) -> Fix:
        title, edits = f"Replace with {view.names[node]!r}", document.write(Place((*place.path, 0)), node)
        return Fix(title, edits, safety if at_most == "safe" else at_most)

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
    argument = _argument(seen, index, k)
    if problem.rule not in (R.self_reference, R.cycle) and not (
        argument and _is_strange(seen.view, index, k, argument)
    ):
        return problem
    at_most: Safety = "safe" if problem.rule == R.self_reference else "unsafe"
    return replace(problem, fix=redirected(seen.view, index, argument, Place(path), at_most))


def _entry_of(problem: Problem) -> tuple[int, int, Path] | None:
    """Which input of which node a problem is at, if it is one of the outermost graph."""
    path = problem.at.path if isinstance(problem.at, Place) else ()
    if len(path) < 4 or path[0] != "nodes" or path[2] != "inputs":
        return None
    index, k = path[1], path[3]
    return (index, k, path[:4]) if isinstance(index, int) and isinstance(k, int) else None


def _argument(seen: Sweep, index: int, k: int) -> str | None:
    examined = seen.examined[index]
    names = examined.inputs.names if examined is not None and examined.inputs is not None else ()
    return names[k] if k < len(names) == len(seen.view.inputs[index]) else None


def _is_strange(view: GraphView, index: int, k: int, argument: str) -> bool:
    """Whether an input has not the name that it should have, and a variable that nobody reads has it."""
    return (
        _role(view, index, view.inputs[index][k][0], (argument,)) is None
        and unread_for(view, index, argument) is not None
    )


def rewired(view: GraphView, index: int, arguments: Sequence[str]) -> Wiring | None:
    """Return the inputs of a node that has too few or too many, if there is one way to have all of them."""
    entries = [(entry[0], entry[1]) for entry in view.inputs[index]]
    if len(entries) + len(arguments) > _MOST:
        return None
    roles: dict[str, tuple[int, int]] = {}
    rest: list[tuple[int, int]] = []
    for entry in entries:
        role = _role(view, index, entry[0], arguments)
        if role is None:
            rest.append(entry)
        else:
            roles.setdefault(role, entry)
    for argument in arguments:
        if argument not in roles and (variable := unread_for(view, index, argument)) is not None:
            roles[argument] = variable, 0
    free = [argument for argument in arguments if argument not in roles]
    surely = len(rest) == len(free) and (len(free) < 2 or len(entries) > len(arguments))
    if len(rest) > len(free):
        rest = list(dict.fromkeys(rest))
    elif len(rest) + 1 == len(free) and (end := unread_before(view, index)) is not None and _may(view, end, free[-1]):
        rest = sorted([*rest, (end, 0)]) if rest == sorted(rest) else [*rest, (end, 0)]
    if len(rest) != len(free):
        return None
    roles.update(zip(free, rest, strict=True))
    found = tuple(roles[argument] for argument in arguments)
    return None if list(found) == entries else Wiring(_title(view, entries, found), found, surely)


def _may(view: GraphView, end: int, argument: str) -> bool:
    return view.ops[end] == "null" or argument not in ROLES


def _role(view: GraphView, index: int, source: int, arguments: Sequence[str]) -> str | None:
    if not 0 <= source < len(view.names) or view.ops[source] != "null":
        return None
    return next((a for a in arguments if is_named_for(view.names[source], view.names[index], a)), None)


def _title(view: GraphView, entries: list[tuple[int, int]], found: tuple[tuple[int, int], ...]) -> str:
    added = [repr(view.names[node]) for node, output in found if (node, output) not in entries]
    if added:
        return f"Add {' and '.join(added)} to the inputs"
    return "Remove duplicate input" if len(found) < len(entries) else "Move the inputs into the order of the operator"


def fix(view: GraphView, index: int, wiring: Wiring, safety: Safety) -> Repair:
    """A repair that changes as few entries as possible."""
    place = view.place(index, "inputs")
    old = [tuple(entry[:2]) for entry in view.inputs[index]]

    def write(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        return Fix(wiring.title, _edits(document, place, old, wiring.entries, view.inputs[index]), safety)

    return write


def _edits(
    document: JsonDocument,
    place: Place,
    old: list[tuple[int, ...]],
    new: Sequence[tuple[int, int]],
    entries: list[Entry],
) -> tuple[Edit, ...]:
    start = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    if len(new) == len(old) + 1 and old[start:] == list(new[start + 1 :]):
        return document.insert_item(place.path, start, document.dump(_written(new[start], entries)))
    if len(new) == len(old) - 1 and old[start + 1 :] == list(new[start:]):
        return document.remove((*place.path, start))
    return document.write(place, [_written(entry, entries) for entry in new])


def _written(entry: tuple[int, int], entries: list[Entry]) -> list[int]:
    """An entry in the form of the others: two numbers before MXNet 0.9, three since."""
    return [*entry, 0][: len(entries[0]) if entries else 3]
