"""Check the storage slots of a TVM graph over time: no value may overwrite another that is still needed."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.reading.view import Entry, GraphView
from irlint.formats.nnvm.rules import R
from irlint.formats.nnvm.tvm.lists import Lists
from irlint.text.base import Place

_FOREVER = 1 << 60
_REFUSES_GAPS = (0, 10)  # since TVM 0.10, every slot needs a type: "dtype.lanes >= 1"


def storage_problems(view: GraphView, lists: Lists, target: str | None) -> Iterator[Problem]:
    """Report values of sound lists whose lifetimes overlap in one slot, slots on two devices, results that are never written, and
    slots that no value uses. `target`: the TVM release that the graph is for.
    """
    slots = lists.slots
    if not slots:
        return
    memory = _Storage(view, lists.rows or [], slots)
    yield from memory.unwritten()
    if len(set(slots)) < len(slots):
        yield from _devices(lists, slots)
        yield from memory.races()
    if not lists.is_far(max(slots)):
        yield from _gap(slots, target)


def _gap(slots: list[int], target: str | None) -> Iterator[Problem]:
    from irlint.formats.nnvm.passes.releases import release_of

    used, release = set(slots), release_of(target)
    unused = max(used) + 1 - len(used)
    if not unused or (release is not None and release < _REFUSES_GAPS):
        return
    gap = next(slot for slot in range(max(used)) if slot not in used)
    following = min(slot for slot in used if slot > gap)
    which = f"slot {gap}" if unused == 1 else f"slot {gap} (and {unused - 1} more)"
    message = f"unused {which} in `storage_id`; TVM 0.10 and later refuse the file"
    severity = None if release is None else Severity.ERROR
    yield Problem(R.storage_gap, _slot(slots.index(following)), message, severity=severity)


def _slot(value: int) -> Place:
    return Place(("attrs", "storage_id", 1, value))


def _devices(lists: Lists, slots: list[int]) -> Iterator[Problem]:
    devices = lists.values.get("device_index", [])
    first: dict[int, int] = {}
    for value, slot in enumerate(slots if len(devices) == len(slots) else ()):
        other = first.setdefault(slot, value)
        if devices[other] != devices[value]:
            message = f"expected device {devices[other]} for slot {slot}, as before, got {devices[value]}"
            related = [("first declared here", Place(("attrs", "device_index", 1, other)))]
            yield Problem(R.shared_storage, Place(("attrs", "device_index", 1, value)), message, related=related)


class _Storage:
    """Values in their slots; `rows` are the first values of the nodes."""

    def __init__(self, view: GraphView, rows: list[int], slots: list[int]) -> None:
        self.view, self.rows, self.slots = view, rows, slots
        self.owner = [i for i in range(len(view.nodes)) for _ in range(rows[i + 1] - rows[i])]  # of each value
        # __nop writes nothing: its results are in the memory of its inputs
        self.copies = [i for i, entries in view.calls if view.attrs[i].get("func_name") == "__nop" and entries]

    def value(self, entry: Entry) -> int:
        return self.rows[entry[0]] + entry[1]

    def given(self, node: int) -> set[int]:
        """Return the slots of a node's inputs."""
        return {self.slots[self.value(entry)] for entry in self.view.inputs[node]}

    def unwritten(self) -> Iterator[Problem]:
        """Report results of __nop that do not share the slot of an input."""
        for i in self.copies:
            given, name = self.given(i), self.view.names[i]
            for slot in self.slots[self.rows[i] : self.rows[i + 1]]:
                if slot not in given:
                    message = (
                        f"`__nop` {name!r} has `storage_id` {slot}, but none of its inputs does; it copies nothing"
                    )
                    yield Problem(R.shared_storage, self.view.place(i, "attr:func_name"), message, name)

    def lives(self) -> list[int]:
        """Return the last node that uses each value; outputs of the graph are needed until the end."""
        last = list(self.owner)
        for i, entries in self.view.calls:
            for value in map(self.value, entries):
                last[value] = max(last[value], i)
        for entry in self.view.heads:
            last[self.value(entry)] = _FOREVER
        for i in reversed(self.copies):
            source = self.value(self.view.inputs[i][0])
            last[source] = max(last[source], last[self.rows[i]])
        return last

    def races(self) -> Iterator[Problem]:
        """Report values that overwrite others that are still needed, and inputs that are lost after a run."""
        last, owner, ops = self.lives(), self.owner, self.view.ops
        born = [-1 if ops[node] == "null" else node for node in owner]  # inputs are set before anything runs
        held: dict[int, int] = {}  # slot -> the value in it that is needed longest
        for value in sorted(range(len(self.slots)), key=lambda v: (born[v], v)):
            slot, node = self.slots[value], owner[value]
            before = held.setdefault(slot, value)
            is_copy = self.view.attrs[node].get("func_name") == "__nop" and slot in self.given(node)
            if before != value and not is_copy:
                if born[before] == born[value] or last[before] > node:
                    yield self._race(value, before, last[before])
                elif born[before] < 0:
                    yield self._lost(value, before)
            if last[value] >= last[before]:
                held[slot] = value

    def _race(self, value: int, before: int, until: int) -> Problem:
        first, second, node = self._named(before), self._named(value), self.owner[value]
        if node == self.owner[before]:
            why = "one call writes both"
        elif self.view.ops[node] == "null":
            why = "both are set before the run"
        elif until == _FOREVER:
            why = f"{first} is an output of the graph"
        else:
            why = f"{self.view.names[until]!r} still uses {first}"
        message = f"{second} overwrites {first} (both have `storage_id` {self.slots[value]}); {why}"
        related = [(f"slot of {first}", _slot(before))]
        return Problem(R.shared_storage, _slot(value), message, self.view.names[node], related=related)

    def _lost(self, value: int, before: int) -> Problem:
        old, name = self.view.names[self.owner[before]], self.view.names[self.owner[value]]
        both = f"(both have `storage_id` {self.slots[value]})"
        message = f"{self._named(value)} overwrites input {old!r} {both}; callers have to set it before every run"
        return Problem(R.shared_storage, _slot(value), message, name, severity=Severity.WARNING)

    def _named(self, value: int) -> str:
        node = self.owner[value]
        name, first, end = repr(self.view.names[node]), self.rows[node], self.rows[node + 1]
        return name if end - first == 1 else f"output {value - first} of {name}"
