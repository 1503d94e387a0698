"""Check the storage slots of a TVM graph over time: no value may overwrite another that is still needed."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import RuleRow
from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.tvm.lists import Lists
from irlint.text.base import Place

_FOREVER = 1 << 60


def storage_problems(view: GraphView, lists: Lists) -> Iterator[Problem]:
    """Report values whose lifetimes overlap in one slot, slots on two devices, and results that are never written."""
    rows, slots = lists.rows, lists.values.get("storage_id", [])
    assert rows is not None
    count = rows[-1]
    if any(not isinstance(slot, int) or slot < 0 for slot in slots) or len(slots) != count:
        return
    yield from _unwritten(view, rows, slots)
    if len(set(slots)) == count:
        return
    owner = [i for i in range(len(view.nodes)) for _ in range(rows[i + 1] - rows[i])]
    yield from _devices(lists, slots)
    yield from _races(view, rows, slots, owner)


_REFUSES_GAPS = (0, 10)  # since TVM 0.10, every slot needs a type: "dtype.lanes >= 1"


def gap_problems(lists: Lists, target: str | None) -> Iterator[Problem]:
    """Report slots below the highest one that no value uses. `target`: the TVM release that the graph is for."""
    slots = lists.values.get("storage_id", [])
    if any(not isinstance(slot, int) or slot < 0 for slot in slots) or not slots:
        return
    from irlint.formats.nnvm.passes.releases import release_of

    used = set(slots)
    release = release_of(target)
    if len(used) > max(used) or (release is not None and release < _REFUSES_GAPS):
        return
    if max(used) > 1_000_000 and max(used) > 100 * len(slots):
        return  # reported at the slot itself

    gap = next(slot for slot in range(max(used)) if slot not in used)
    following = min(slot for slot in used if slot > gap)
    unused = max(used) + 1 - len(used)
    which = f"slot {gap}" if unused == 1 else f"slot {gap} (and {unused - 1} more)"
    message = f"unused {which} in `storage_id`; TVM 0.10 and later refuse the file"
    place = Place(("attrs", "storage_id", 1, slots.index(following)))
    yield Problem(R.storage_gap, place, message, severity=None if release is None else Severity.ERROR)


def _unwritten(view: GraphView, rows: list[int], slots: list[int]) -> Iterator[Problem]:
    """Report results of __nop, which writes nothing, that do not share the slot of an input."""
    for i, attrs in enumerate(view.attrs):
        if attrs.get("func_name") == "__nop" and view.ops[i] == "tvm_op" and view.inputs[i]:
            given = {slots[rows[e[0]] + e[1]] for e in view.inputs[i]}
            for value in range(rows[i], rows[i + 1]):
                if slots[value] not in given:
                    message = f"`__nop` {view.names[i]!r} has `storage_id` {slots[value]}, but none of its inputs does; it copies nothing"
                    yield Problem(R.shared_storage, view.place(i, "attr:func_name"), message, view.names[i])


def _lives(view: GraphView, rows: list[int], owner: list[int]) -> list[int]:
    """Return the last node that uses each value; outputs of the graph are needed until the end."""
    last = list(owner)
    for i, entries in enumerate(view.inputs):
        if view.ops[i] != "null":
            for entry in entries:
                value = rows[entry[0]] + entry[1]
                last[value] = max(last[value], i)
    for entry in view.heads:
        last[rows[entry[0]] + entry[1]] = _FOREVER
    for i in range(len(view.nodes) - 1, -1, -1):  # __nop outputs the same memory, which lives as long
        if view.attrs[i].get("func_name") == "__nop" and view.inputs[i] and view.ops[i] == "tvm_op":
            entry = view.inputs[i][0]
            source, result = rows[entry[0]] + entry[1], rows[i]
            last[source] = max(last[source], last[result])
    return last


def _races(view: GraphView, rows: list[int], slots: list[int], owner: list[int]) -> Iterator[Problem]:

    last = _lives(view, rows, owner)
    born = [-1 if view.ops[node] == "null" else node for node in owner]  # inputs are set before anything runs
    held: dict[int, int] = {}  # slot -> the value in it that is needed longest
    for value in sorted(range(len(slots)), key=lambda v: (born[v], v)):
        slot, node = slots[value], owner[value]
        before = held.get(slot)
        if before is None:
            held[slot] = value
            continue
        if not _hands_on(view, rows, node, before, slots):
            if born[before] == born[value] or last[before] > node:
                yield _race(R.shared_storage, view, rows, owner, value, before, slot, last[before])
            elif born[before] < 0:
                written, old = _named(view, rows, owner, value), view.names[owner[before]]
                message = f"{written} overwrites input {old!r} (both have `storage_id` {slot}); callers have to set it before every run"
                place = Place(("attrs", "storage_id", 1, value))
                yield Problem(R.shared_storage, place, message, view.names[node], severity=Severity.WARNING)
        if last[value] >= last[before]:
            held[slot] = value


def _hands_on(view: GraphView, rows: list[int], node: int, before: int, slots: list[int]) -> bool:
    """Return whether a node is a __nop on the memory in question."""
    if view.attrs[node].get("func_name") != "__nop":
        return False
    return any(slots[rows[e[0]] + e[1]] == slots[before] for e in view.inputs[node])


def _race(
    rule: RuleRow, view: GraphView, rows: list[int], owner: list[int], value: int, before: int, slot: int, until: int
) -> Problem:
    first, second = _named(view, rows, owner, before), _named(view, rows, owner, value)
    if owner[value] == owner[before]:
        why = "one call writes both"
    elif view.ops[owner[value]] == "null":
        why = "both are set before the run"
    elif until == _FOREVER:
        why = f"{first} is an output of the graph"
    else:
        why = f"{view.names[until]!r} still uses {first}"
    message = f"{second} overwrites {first} (both have `storage_id` {slot}); {why}"
    place = Place(("attrs", "storage_id", 1, value))
    related = [(f"slot of {first}", Place(("attrs", "storage_id", 1, before)))]
    return Problem(rule, place, message, view.names[owner[value]], related=related)


def _named(view: GraphView, rows: list[int], owner: list[int], value: int) -> str:
    node = owner[value]
    if rows[node + 1] - rows[node] == 1:
        return repr(view.names[node])
    return f"output {value - rows[node]} of {view.names[node]!r}"


def _devices(lists: Lists, slots: list[int]) -> Iterator[Problem]:
    devices = lists.values.get("device_index")
    if devices is None or len(devices) != len(slots):
        return

    first: dict[int, int] = {}
    for value, slot in enumerate(slots):
        other = first.setdefault(slot, value)
        if devices[other] != devices[value]:
            message = f"expected device {devices[other]} for slot {slot}, as before, got {devices[value]}"
            related = [("first declared here", Place(("attrs", "device_index", 1, other)))]
            yield Problem(R.shared_storage, Place(("attrs", "device_index", 1, value)), message, related=related)
