"""The quick look at the shapes of a symbol of which an edit changed few nodes."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import TYPE_CHECKING

from irlint.formats.nnvm.shape_gate import Calls, Gate, GateVerdict, Known, Passage

if TYPE_CHECKING:
    from irlint.formats.nnvm.sweep import Sweep
    from irlint.formats.nnvm.view import Entry
    from irlint.rules.pass_cache import PassCache
    from irlint.text.base import Step

REWIRED = 4  # ... of which it has to be searched for what they read


def judged_again(
    calls: Calls, seen: Sweep, broken: Collection[Step], verdict: GateVerdict, memory: PassCache
) -> GateVerdict | None:
    """What a look at the whole graph tells, from how one before got through; None where they are too unlike."""
    if (before := verdict.nearest(broken)) is None:
        return None
    old, new = before.seen.view.nodes, seen.view.nodes
    indices = memory.changed(old, new)
    if indices is None or any((old[i]["op"] == "null") != (new[i]["op"] == "null") for i in indices):
        return None
    rewired = {i for i in indices if old[i]["inputs"] != new[i]["inputs"]}
    rewired |= {i for i in {*broken} ^ {*before.broken} if isinstance(i, int) and 0 <= i < len(new)}
    if len(rewired) > REWIRED:
        return None
    touched = sorted({*indices, *rewired})
    passage = _Again(Gate(calls, seen, broken, before), before).pass_through(touched) if touched else before
    if passage is None:
        return GateVerdict(False, verdict.passage, verdict.clean)
    return GateVerdict(True, passage, verdict.clean if broken else passage)


class _Again:
    """Looks at nodes that changed, and at those that read what is of another type than it was."""

    def __init__(self, gate: Gate, before: Passage) -> None:
        self.gate, self.before = gate, before
        self.ops, self.inputs, self.examined = gate.view.ops, gate.view.inputs, gate.seen.examined
        self.known = before.known.copy()
        self.variables: dict[int, int] = {}  # types of variables that are now of another one than they were here
        self.others: set[int] = set()  # these, and other nodes that do not give what they gave
        self._memo: dict[tuple[int, ...], Known | None] = {}  # by how a node was examined, and the types that it reads
        self._compared: dict[tuple[int, int], bool] = {}  # by id() of what nodes gave and give

    def pass_through(self, touched: list[int]) -> Passage | None:
        inputs, others = self.inputs, self.others
        for start, end in pairwise([*touched, len(self.known)]):
            if not self._look(start):
                return None
            for index in range(start + 1, end) if others else ():
                for entry in inputs[index]:
                    if entry[0] in others:
                        if not self._look(index):
                            return None
                        break
                if not others:
                    break
        return self.gate.passage(self.known)

    def _look(self, index: int) -> bool:
        """Whether there is nothing to be said of a node."""
        gate, old = self.gate, self.before.known[index]
        if self.ops[index] == "null":
            leaf = self.known[index] = gate.leaf(index)
            if gate.given(old, 0) != leaf.first:
                self.variables[index] = leaf.first
                self.others.add(index)
            return True
        new = None
        if index not in gate.broken:
            new = self._worked_out(index)
            if new is None:
                return False
        self.known[index] = new
        if (old is not None and old.learnt) or (new is not None and new.learnt):
            self._learn(index, old, new)
        if old is not new and self._differ(old, new):
            self.others.add(index)
        return True

    def _differ(self, old: Known | None, new: Known | None) -> bool:
        """Whether those that read a node see other types than before."""
        key = id(old), id(new)
        if key not in self._compared:
            given, width = self.gate.given, max(len(known.rest) if known is not None else 0 for known in (old, new))
            self._compared[key] = any(given(old, k) != given(new, k) for k in range(width + 1))
        return self._compared[key]

    def _worked_out(self, index: int) -> Known | None:
        """What a node gives; None if there is something to be said of it."""
        examined = self.examined[index]
        numbers = self._numbers(index) if examined is not None else None
        if numbers is None:
            return None
        key = (id(examined), *numbers)
        try:
            return self._memo[key]
        except KeyError:
            found = self._memo[key] = self.gate.work_out(index, numbers)
            return found

    def _numbers(self, index: int) -> tuple[int, ...] | None:
        """Types of a node's inputs; None if it reads what comes later."""
        found, ops, known, unknown = [], self.ops, self.known, self.gate.unknown
        read: dict[int, int] | None = None
        for entry in self.inputs[index]:
            source, output = entry[0], entry[1]
            if not 0 <= source < index or output < 0:
                return None
            if output:
                found.append(self.gate.given(known[source], output))
            elif ops[source] == "null":
                if source in self.variables:
                    found.append(self.variables[source])
                    continue
                if read is None:
                    read = self._read_then(index)
                found.append(read[source] if source in read else self._then(source, index))
            else:
                found.append(unknown if (giver := known[source]) is None else giver[1])
        return tuple(found)

    def _read_then(self, index: int) -> dict[int, int]:
        """The types with which a node read variables when the graph was passed the last time."""
        reader, found = self.before.known[index], dict[int, int]()
        for k, entry in enumerate(self.before.seen.view.inputs[index] if reader is not None else ()):
            if reader is not None and entry[1] == 0:
                found.setdefault(entry[0], reader.inputs[k])
        return found

    def _then(self, variable: int, index: int) -> int:
        """The type that a variable that the node did not read had before it, when the graph was passed the last time."""
        inputs = self.before.seen.view.inputs
        number = self.gate.given(self.before.known[variable], 0)
        for k in range(variable + 1, index):
            known = self.before.known[k]
            if known is not None and known.learnt:
                number = self._learnt(known, inputs[k]).get(variable, number)
        return number

    def _learnt(self, known: Known | None, entries: list[Entry]) -> dict[int, int]:
        """The types that variables take on by being read."""
        ops = self.ops
        learnt = known.learnt if known is not None else ()
        return {entries[k][0]: number for k, number in learnt if ops[entries[k][0]] == "null" and not entries[k][1]}

    def _learn(self, index: int, old: Known | None, new: Known | None) -> None:
        were = self._learnt(old, self.before.seen.view.inputs[index])
        are = self._learnt(new, self.inputs[index])
        for variable in {**were, **are}:
            then = self._then(variable, index)
            was, now = were.get(variable, then), are.get(variable, self.variables.get(variable, then))
            if was == now:
                self.variables.pop(variable, None)
                self.others.discard(variable)
            else:
                self.variables[variable] = now
                self.others.add(variable)
