"""Find a missing or duplicated node: all indexes past it are shifted, and this is their one cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate, takewhile

from irlint.findings import Candidate, Fix, Problem, Severity
from irlint.formats.nnvm.keys.missing import ARGUMENTS, role_of
from irlint.formats.nnvm.passes.wording import label
from irlint.formats.nnvm.reading.graph import LazyGraph
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.rules import R
from irlint.formats.nnvm.state import state_of
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Document, Place, Span
from irlint.text.json.document import JsonDocument

SIGNS = (
    R.undefined_reference,
    R.self_reference,
    R.cycle,
    R.index_out_of_range,
    R.output_out_of_range,
    R.arg_nodes,
)  # wrong positions
_HARD, _NAMED, _MILD = 8, 3, 1  # weight of evidence against a position: a contradiction, a name, an oddity
_LEAST = 2 * _HARD  # least evidence against the nodes as they are
_INDEXES = "`arg_nodes`, `heads` and `inputs` are consistent"
_SHOWN = 3  # equally likely positions
_FEW = 8  # consecutive nodes that are examined one by one

Repair = Callable[[Document], Fix]


class Shift(NamedTuple):
    """`by` nodes are missing before node `at`; if negative, as many are surplus from there on."""

    at: int
    by: int
    others: tuple[int, ...]  # positions that are equally likely


def problems(model: Model) -> Iterator[Problem]:
    """Report a shift; it is as severe as what follows from it (`causes`)."""
    document, graph = model.document, model.graph
    if not isinstance(document, JsonDocument) or not isinstance(graph, LazyGraph):
        return
    if (shift := _shift_in(model, graph.view)) is not None:
        names = graph.view.names
        doubled = set(names[shift.at : shift.at - shift.by])
        problem = _missing(document, graph.view, shift) if shift.by > 0 else _surplus(graph.view, shift)
        problem.explains = tuple([graph.view.node_path(k) for k, name in enumerate(names) if name in doubled])
        yield problem


def candidates(model: Model) -> Iterator[Candidate]:
    """Return variables that may be missing; the name of one that is known only by its position is a guess."""
    document, graph = model.document, model.graph
    assert isinstance(document, JsonDocument)
    assert isinstance(graph, LazyGraph)
    shift = _shift_in(model, graph.view)
    if shift is None or shift.by != 1 or len(shift.others) > _SHOWN:
        return
    for at in (shift.at, *shift.others):
        if (repair := _inserted(graph.view, at)) is not None:
            fix = repair(document)
            yield Candidate(fix.title, fix.edits, 0, is_guess=True)


def _shift_in(model: Model, view: GraphView) -> Shift | None:
    if view.broken or not view.nodes:
        return None
    seen = state_of(model).sweep
    return shift_of(view, seen.totals if seen is not None else [])


def shift_of(view: GraphView, totals: list[int | None]) -> Shift | None:
    """Return the one shift that resolves nearly all contradictions."""
    evidence = _Evidence(view, totals)
    unshifted = list(accumulate((evidence.against(i, 0) for i in range(len(view.nodes))), initial=0))
    before = unshifted[-1] + evidence.astray(0)
    if before < _LEAST:
        return None
    found = []
    for by in evidence.amounts:
        last = len(view.nodes) + min(by, 0)
        shifted = (evidence.against(at - min(by, 0), by) for at in range(last - 1, -1, -1))
        # from the end, as far as what is shifted fits
        rests = takewhile(lambda rest: 4 * rest <= before, accumulate(shifted, initial=evidence.astray(by)))
        for at, rest in zip(range(last, -1, -1), rests, strict=False):
            found.append((unshifted[at] + rest + evidence.of_ends(at, by), abs(by), -at, by))
    least, size, at, by = min(found, default=(before, 0, 0, 0))
    if 4 * least > before:
        return None
    return Shift(-at, by, tuple(-row[2] for row in found if row[:2] == (least, size) and row[2] != at))


class _Evidence:
    """Evidence against the original positions of nodes."""

    def __init__(self, view: GraphView, totals: list[int | None]) -> None:
        self.view, self.totals = view, totals
        self.listed = set(view.arg_nodes)
        self.rows = view.row_ptr or []
        self.sources = [{entry[0] for entry in entries} for entries in view.inputs]
        self.used = {entry[0] for entry in (*view.entries, *view.heads)}
        self.owners = _owners(view)
        self.roles = _roles(view)
        self.counts = Counter(view.names)

    @property
    def amounts(self) -> tuple[int, ...]:
        """How many nodes may be missing: as the rows tell, or one."""
        told = len(self.rows) - 1 - len(self.view.nodes) if self.rows else 0
        return tuple(dict.fromkeys(by for by in (told, 1, -1) if by and -by < len(self.view.nodes)))

    def of_ends(self, at: int, by: int) -> int:
        """Return the evidence against the nodes themselves: a lost one has no users, or a surplus one is the only one of its name."""
        lost, surplus = range(at, at + min(by, _FEW)), self.view.names[at : at + max(min(-by, _FEW), 0)]
        unread = sum(position not in self.used for position in lost)
        return _HARD * unread + _NAMED * sum(self.counts[name] == 1 for name in surplus)

    def astray(self, by: int) -> int:
        """Return the evidence against the number of nodes."""
        count = len(self.view.nodes) + by
        beyond = sum(not 0 <= position < count for position in self.used | self.listed)
        return _HARD * (beyond + (len(self.rows) not in (0, count + 1)))

    def against(self, index: int, by: int) -> int:
        """Return the evidence against a node, where it is shifted."""
        position = index + by
        view, is_variable = self.view, self.view.ops[index] == "null"
        is_unlisted = bool(self.listed) and is_variable != (position in self.listed)
        is_early = not is_variable and any(source >= position for source in self.sources[index])
        owner = self.owners.get(index)
        is_lost = owner is not None and not self._reads(owner, position, view.names[index])
        is_strange = position not in self.used or not self._is_named_for_readers(index, position)
        is_of_other_width = len(self.rows) == len(view.nodes) + by + 1 and self._is_of_other_width(index, position)
        return _HARD * (is_unlisted + is_early) + _NAMED * is_lost + _MILD * (is_strange + is_of_other_width)

    def _reads(self, owner: int, position: int, variable: str) -> bool:
        """Whether an operator reads a position as what a variable is named for."""
        arguments, entries = ARGUMENTS.get(self.view.ops[owner], ()), self.view.inputs[owner]
        k = next((k for k, argument in enumerate(arguments) if variable.endswith(f"_{argument}")), len(entries))
        return entries[k][0] == position if k < len(entries) else position in self.sources[owner]

    def _is_named_for_readers(self, index: int, position: int) -> bool:
        """Whether what is read as a weight or a bias is a variable that is named so."""
        role = self.roles.get(position)
        return role is None or (self.view.ops[index] == "null" and self.view.names[index].endswith(f"_{role}"))

    def _is_of_other_width(self, index: int, position: int) -> bool:
        total = self.totals[index] if index < len(self.totals) else None
        if total is None or not 0 <= position < len(self.rows) - 1:
            return False
        return self.rows[position + 1] - self.rows[position] != total


def _owners(view: GraphView) -> dict[int, int]:
    """The operators that variables are named for: conv0_weight for conv0, or conv0_fwd."""
    calls = {name: i for i, name in enumerate(view.names) if name and view.ops[i] != "null"}
    found = {}
    for i, name in enumerate(view.names):
        longer = name.rpartition("_")[0]
        shorter = longer.rpartition("_")[0]
        likely = (longer, f"{longer}_fwd", shorter, f"{shorter}_fwd")
        owners = [calls[call] for call in likely if call in calls]
        if owners and view.ops[i] == "null":
            found[i] = owners[0]
    return found


def _roles(view: GraphView) -> dict[int, str]:
    """What the nodes at positions are read as, but for data."""
    return {
        entry[0]: argument
        for op, entries in zip(view.ops, view.inputs, strict=True)
        for argument, entry in list(zip(ARGUMENTS.get(op, ()), entries, strict=False))[1:]
    }


def _missing(document: JsonDocument, view: GraphView, shift: Shift) -> Problem:
    at, by, others = shift
    what, more = ("missing node", "one") if by == 1 else (f"{by} missing nodes", str(by))
    where: Place | Span
    if at < len(view.nodes):
        where, side, beside = view.place(at, "name"), "before", at
    else:
        end = document.span(Place(view.node_path(at - 1))).end
        where, side, beside = Span(max(end - 1, 0), end), "after", at - 1
    readers = [i for i, entries in enumerate(view.inputs) if any(entry[0] == at for entry in entries)]
    related = [("used here", view.place(reader, "inputs")) for reader in readers[:1]]
    is_sure = by == 1 and not others and _name(view, at) != f"data{at}"
    message = f"{what} {side} {_shown(view, beside)}; {_INDEXES} with {more} more here"
    return _problem(view, shift, where, message, _inserted(view, at) if is_sure else None, related)


def _surplus(view: GraphView, shift: Shift) -> Problem:
    at, by, _ = shift
    what, them = ("surplus node", "it") if by == -1 else (f"{-by} surplus nodes from here on", "them")
    message = f"{what}: {_shown(view, at)}; {_INDEXES} without {them}"
    return _problem(view, shift, view.place(at, "name"), message, _removed(view, at) if by == -1 else None, [])


def _problem(
    view: GraphView,
    shift: Shift,
    where: Place | Span,
    message: str,
    fix: Repair | None,
    related: list[tuple[str, Place]],
) -> Problem:
    places = [view.place(other, "name") for other in filter(view.has, shift.others[-_SHOWN:])]
    notes = [*related, *(("equally likely position", place) for place in places)]
    name = view.names[min(shift.at, len(view.nodes) - 1)]
    return Problem(R.shifted_nodes, where, message, name, fix, notes, Severity.PEDANTIC)


def _shown(view: GraphView, index: int) -> str:
    return f"{label(view.ops[index], view.names[index])} (node {index})"


def _name(view: GraphView, at: int) -> str:
    """Return the name of a missing variable, after the node that uses it."""
    return role_of([*view.nodes[:at], {"op": "null"}, *view.nodes[at:]], at)


def _inserted(view: GraphView, at: int) -> Repair | None:
    """Return the fix that inserts the missing variable, named after the node that uses it."""
    if at not in view.arg_nodes or (name := _name(view, at)) in view.names:
        return None

    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        text = document.dump({"op": "null", "name": name, "inputs": []})
        return Fix(f"Insert variable {name!r}", document.insert_item((*view.path, "nodes"), at, text), "unsafe")

    return fix


def _removed(view: GraphView, at: int) -> Repair:
    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        return Fix(f"Remove node {at}", document.remove(view.node_path(at)), "unsafe")

    return fix
