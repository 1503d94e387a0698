"""The quick look at the shapes of a symbol of which an edit changed few nodes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection
from typing import TYPE_CHECKING

from irlint.formats.nnvm.shape_gate import Gate, Known, Passage, Verdict
from irlint.rules.memory import MOST, changed

if TYPE_CHECKING:
    from irlint.formats.nnvm.dryrun import NnvmMapping
    from irlint.formats.nnvm.sweep import Sweep
    from irlint.formats.nnvm.view import Entry
    from irlint.text.base import Step

REWIRED = 4  # ... of which it has to be searched for what they read


def judged_again(mapping: NnvmMapping, seen: Sweep, broken: Collection[Step], before: Passage) -> Verdict | None:
    """What a look at the whole graph tells, from how the last sound one got through; None where they are too unlike."""
    old, new = before.seen.view.nodes, seen.view.nodes
    indices = changed(old, new, MOST)
    if indices is None or any((old[i]["op"] == "null") != (new[i]["op"] == "null") for i in indices):
        return None
    rewired = {i for i in indices if old[i]["inputs"] != new[i]["inputs"]}
    rewired |= {i for i in {*broken} ^ {*before.broken} if isinstance(i, int) and 0 <= i < len(new)}
    if len(rewired) > REWIRED:
        return None
    touched = sorted({*indices, *rewired})
    passage = _Again(Gate(mapping, seen, broken, before), before).pass_through(touched) if touched else before
    return Verdict(passage is not None, passage or before)


class _Again:
    """Looks at nodes that changed, and at those that read what is of another type than it was."""

    def __init__(self, gate: Gate, before: Passage) -> None:
        self.gate, self.before = gate, before
        self.known = before.known.copy()
        self.variables: dict[int, int] = {}  # types of variables that are now of another one than they were here
        self.others: set[int] = set()  # these, and other nodes that do not give what they gave

    def pass_through(self, touched: list[int]) -> Passage | None:
        inputs, others = self.gate.view.inputs, self.others
        wanted, count = set(touched), len(self.known)
        index = touched[0]
        while index < count:
            if (index in wanted or not others.isdisjoint([entry[0] for entry in inputs[index]])) and not self._look(
                index
            ):
                return None
            index += 1
            if not others:
                at = bisect_left(touched, index)
                index = touched[at] if at < len(touched) else count
        return self.gate.passage(self.known)

    def _look(self, index: int) -> bool:
        """Whether there is nothing to be said of a node."""
        gate, old = self.gate, self.before.known[index]
        if gate.view.ops[index] == "null":
            leaf = self.known[index] = gate.leaf(index)
            if gate.given(old, 0) != leaf.first:
                self.variables[index] = leaf.first
                self.others.add(index)
            return True
        new = None
        if index not in gate.broken:
            numbers = self._numbers(index) if gate.seen.examined[index] is not None else None
            new = gate.work_out(index, numbers) if numbers is not None else None
            if new is None:
                return False
        self.known[index] = new
        self._learn(index, old, new)
        if old is None or new is None or old[1:3] != new[1:3]:
            self.others.add(index)
        return True

    def _numbers(self, index: int) -> tuple[int, ...] | None:
        """Types of a node's inputs; None if it reads what comes later."""
        found, ops = [], self.gate.view.ops
        for entry in self.gate.view.inputs[index]:
            source, output = entry[0], entry[1]
            if not 0 <= source < index or output < 0:
                return None
            if ops[source] == "null" and not output:
                found.append(self.variables[source] if source in self.variables else self._then(source, index))
            else:
                found.append(self.gate.given(self.known[source], output))
        return tuple(found)

    def _then(self, variable: int, index: int) -> int:
        """The type that a variable had before a node was looked at, when the graph was passed the last time."""
        inputs, reader = self.before.seen.view.inputs, self.before.known[index]
        if reader is not None and [variable, 0] in (entries := [entry[:2] for entry in inputs[index]]):
            return reader.inputs[entries.index([variable, 0])]
        number = self.gate.given(self.before.known[variable], 0)
        for k in range(variable + 1, index):
            known = self.before.known[k]
            if known is not None and known.learnt:
                number = self._learnt(known, inputs[k]).get(variable, number)
        return number

    def _learnt(self, known: Known | None, entries: list[Entry]) -> dict[int, int]:
        """The types that variables take on by being read."""
        ops = self.gate.view.ops
        learnt = known.learnt if known is not None else ()
        return {entries[k][0]: number for k, number in learnt if ops[entries[k][0]] == "null" and not entries[k][1]}

    def _learn(self, index: int, old: Known | None, new: Known | None) -> None:
        were = self._learnt(old, self.before.seen.view.inputs[index])
        are = self._learnt(new, self.gate.view.inputs[index])
        for variable in {**were, **are}:
            then = self._then(variable, index)
            was, now = were.get(variable, then), are.get(variable, self.variables.get(variable, then))
            if was == now:
                self.variables.pop(variable, None)
                self.others.discard(variable)
            else:
                self.variables[variable] = now
                self.others.add(variable)
