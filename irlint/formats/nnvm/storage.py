"""Storage slots of a TVM graph over time: who writes into a slot while somebody still needs what is in it."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import RuleRow
from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.tvm_lists import Lists
from irlint.formats.nnvm.view import View
from irlint.text.base import Place

_FOREVER = 1 << 60


def storage_problems(view: View, lists: Lists) -> Iterator[Problem]:
    """Values that share a slot and whose lives overlap; one slot on two devices; results that are never written."""
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


_REFUSES_GAPS = (0, 10)  # the TVM release from which every slot needs a type of its own: "dtype.lanes >= 1"


def gap_problems(lists: Lists, target: str | None) -> Iterator[Problem]:
    """Slots below the highest one that no value uses. `target`: the TVM release that the graph is for."""
    slots = lists.values.get("storage_id", [])
    if any(not isinstance(slot, int) or slot < 0 for slot in slots) or not slots:
        return
    from irlint.formats.nnvm.releases import release_of

    used = set(slots)
    release = release_of(target)
    if len(used) > max(used) or (release is not None and release < _REFUSES_GAPS):
        return
    if max(used) > 1_000_000 and max(used) > 100 * len(slots):
        return  # reported at the slot itself

    gap = next(slot for slot in range(max(used)) if slot not in used)
    behind = min(slot for slot in used if slot > gap)
    unused = max(used) + 1 - len(used)
    which = f"slot {gap}" if unused == 1 else f"slot {gap} and {unused - 1} more"
    message = f"no value uses {which}; TVM 0.10 and later refuse a graph whose `storage_id` has gaps"
    place = Place(("attrs", "storage_id", 1, slots.index(behind)))
    yield Problem(R.storage_gap, place, message, severity=None if release is None else Severity.ERROR)


def _unwritten(view: View, rows: list[int], slots: list[int]) -> Iterator[Problem]:
    """Results of __nop, which writes nothing, in a slot of their own."""

    for i, attrs in enumerate(view.attrs):
        if attrs.get("func_name") == "__nop" and view.ops[i] == "tvm_op" and view.inputs[i]:
            given = {slots[rows[e[0]] + e[1]] for e in view.inputs[i]}
            for value in range(rows[i], rows[i + 1]):
                if slots[value] not in given:
                    message = f"{view.names[i]!r} is a __nop, which writes nothing, but slot {slots[value]} is none of its inputs'"
                    yield Problem(R.shared_storage, view.place(i, "attr:func_name"), message, view.names[i])


def _lives(view: View, rows: list[int], owner: list[int]) -> list[int]:
    """For each value the last node that reads it; a value that is handed out is needed to the end."""
    last = list(owner)
    for i, entries in enumerate(view.inputs):
        if view.ops[i] != "null":
            for entry in entries:
                value = rows[entry[0]] + entry[1]
                last[value] = max(last[value], i)
    for entry in view.heads:
        last[rows[entry[0]] + entry[1]] = _FOREVER
    for i in range(len(view.nodes) - 1, -1, -1):  # what __nop hands on is the same memory: it lives as long
        if view.attrs[i].get("func_name") == "__nop" and view.inputs[i] and view.ops[i] == "tvm_op":
            entry = view.inputs[i][0]
            source, result = rows[entry[0]] + entry[1], rows[i]
            last[source] = max(last[source], last[result])
    return last


def _races(view: View, rows: list[int], slots: list[int], owner: list[int]) -> Iterator[Problem]:

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
                message = (
                    f"{_named(view, rows, owner, value)} is written into slot {slot}, where input "
                    f"{view.names[owner[before]]!r} stands: it has to be set again before every run"
                )
                place = Place(("attrs", "storage_id", 1, value))
                yield Problem(R.shared_storage, place, message, view.names[node], severity=Severity.WARNING)
        if last[value] >= last[before]:
            held[slot] = value


def _hands_on(view: View, rows: list[int], node: int, before: int, slots: list[int]) -> bool:
    """Whether a node is a __nop on the very memory in question."""
    if view.attrs[node].get("func_name") != "__nop":
        return False
    return any(slots[rows[e[0]] + e[1]] == slots[before] for e in view.inputs[node])


def _race(
    rule: RuleRow, view: View, rows: list[int], owner: list[int], value: int, before: int, slot: int, until: int
) -> Problem:
    first, second = _named(view, rows, owner, before), _named(view, rows, owner, value)
    if owner[value] == owner[before]:
        why = "one function writes both at once"
    elif view.ops[owner[value]] == "null":
        why = "both are set before anything runs"
    elif until == _FOREVER:
        why = f"{first} is handed out at the end"
    else:
        why = f"{view.names[until]!r} still reads {first}"
    message = f"{second} is written into slot {slot}, which holds {first}; {why}"
    place = Place(("attrs", "storage_id", 1, value))
    related = [(f"slot of {first}", Place(("attrs", "storage_id", 1, before)))]
    return Problem(rule, place, message, view.names[owner[value]], related=related)


def _named(view: View, rows: list[int], owner: list[int], value: int) -> str:
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
            message = f"slot {slot} is on device {devices[other]} for one value and on {devices[value]} for another"
            related = [("the other device", Place(("attrs", "device_index", 1, other)))]
            yield Problem(R.shared_storage, Place(("attrs", "device_index", 1, value)), message, related=related)
