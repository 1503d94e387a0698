"""The inside of a group in rows: each box below what it reads, in an order with few crossings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from irlint.records import NamedTuple
from irlint.view import ENTRY, EXIT, WAYPOINT, BoxLayout

FAR, MANY = 12, 3  # of a value with so many edges that are longer than so many rows
NEAR = 2  # only those are drawn that are no longer than this
LONGEST = 60  # rows: no edge is longer
SWEEPS = 8
_TOP, _BOTTOM = -1, -2  # an edge from or to the outside of the group


class RankEdge(NamedTuple):
    """A value on its way from one box of a group to another; -1 and -2 are the group's own top and bottom."""

    value: int
    source: int
    target: int


def from_above(value: int, target: int) -> RankEdge:
    return RankEdge(value, _TOP, target)


def to_below(value: int, source: int) -> RankEdge:
    return RankEdge(value, source, _BOTTOM)


def ranks(count: int, edges: Sequence[RankEdge]) -> list[int]:
    """Return the row of each box: the longest way to it; what reads nothing is just above its first reader."""
    readers: list[list[int]] = [[] for _ in range(count)]
    waits = [0] * count
    for _, source, target in edges:
        if source >= 0 and target >= 0:
            readers[source].append(target)
            waits[target] += 1
    reads = list(waits)
    order, rows = _longest_ways(readers, waits)
    loose = _loose(order, readers, reads)
    for box in reversed(order):
        if readers[box] and (loose[box] or reads[box] < len(readers[box])):
            nearest = min(rows[reader] for reader in readers[box]) - 1
            rows[box] = max(rows[box], nearest)
    return rows


def _longest_ways(readers: Sequence[Sequence[int]], waits: list[int]) -> tuple[list[int], list[int]]:
    """Return the boxes in an order in which each comes after what it reads, and the longest way to each."""
    count = len(waits)
    rows = [0] * count
    order: list[int] = []
    done = bytearray(count)
    ready = [box for box in range(count) if not waits[box]]
    for start in (*ready, *range(count)):  # the latter only where boxes read in a cycle
        stack = [start]
        while stack:
            box = stack.pop()
            if done[box]:
                continue
            done[box] = 1
            order.append(box)
            for reader in readers[box]:
                waits[reader] -= 1
                if not done[reader]:
                    rows[reader] = max(rows[reader], rows[box] + 1)
                    if waits[reader] == 0:
                        stack.append(reader)
    return order, rows


def _loose(order: Sequence[int], readers: Sequence[Sequence[int]], reads: Sequence[int]) -> bytearray:
    """Return which boxes read nothing, or only what is read by nothing else and is loose itself."""
    found = bytearray(not count for count in reads)
    counted = [0] * len(reads)
    for box in order:
        if found[box] and len(readers[box]) == 1:
            reader = readers[box][0]
            counted[reader] += 1
            found[reader] = counted[reader] == reads[reader]
    return found


def far(rows: Sequence[int], edges: Sequence[RankEdge]) -> set[RankEdge]:
    """Return the edges that are not drawn, because they are long and their value has many."""
    lengths: dict[int, list[tuple[int, RankEdge]]] = {}
    for edge in edges:
        if edge.target >= 0:
            lengths.setdefault(edge.value, []).append((_length(rows, edge), edge))
    return {
        edge
        for found in lengths.values()
        for limit in (NEAR if sum(length > FAR for length, _ in found) >= MANY else LONGEST,)
        for length, edge in found
        if length > limit
    }


def bundled(edges: Sequence[RankEdge]) -> dict[RankEdge, RankEdge]:
    """Return the edge that is drawn for each: of many between the same two boxes only the first is drawn."""
    between: dict[tuple[int, int], list[RankEdge]] = {}
    for edge in edges:
        between.setdefault(edge[1:], []).append(edge)
    return {edge: found[0] if len(found) > MANY else edge for found in between.values() for edge in found}


def _length(rows: Sequence[int], edge: RankEdge) -> int:
    return rows[edge.target] - (rows[edge.source] if edge.source >= 0 else -1)


def arrange(count: int, rows: Sequence[int], edges: Sequence[RankEdge]) -> BoxLayout:
    """Return the layout of a group of `count` boxes in these rows."""
    found = BoxLayout(list(range(count)), [-1] * count)
    last = max(rows, default=-1)
    has_entries = any(edge.source == _TOP for edge in edges)
    has_exits = any(edge.target == _BOTTOM for edge in edges)
    shift = 1 if has_entries else 0
    found.rows = [[] for _ in range(last + 1 + shift + has_exits)]
    for box in range(count):
        found.rows[rows[box] + shift].append(box)
    ports: dict[tuple[int, int], int] = {}
    legs: dict[tuple[int, int, int], int] = {}  # edges of one value share the waypoints that they can
    for value, source, target in edges:
        start, begin = (source, rows[source] + shift) if source >= 0 else (_port(found, ports, ENTRY, value, 0), 0)
        bottom = last + 1 + shift
        end, stop = (
            (target, rows[target] + shift) if target >= 0 else (_port(found, ports, EXIT, value, bottom), bottom)
        )
        if stop <= begin:
            continue  # part of a cycle
        chain = [start]
        for row in range(begin + 1, stop):
            key = (value, start, row)
            if key not in legs:
                legs[key] = _item(found, WAYPOINT, -1, row)
            chain.append(legs[key])
        found.edges.append((value, [*chain, end]))
    _untangle(found)
    return found


def _port(found: BoxLayout, ports: dict[tuple[int, int], int], kind: int, value: int, row: int) -> int:
    if (kind, value) not in ports:
        ports[kind, value] = _item(found, kind, value, row)
    return ports[kind, value]


def _item(found: BoxLayout, kind: int, value: int, row: int) -> int:
    found.items.append(kind)
    found.values.append(value)
    found.rows[row].append(len(found.items) - 1)
    return len(found.items) - 1


def _untangle(found: BoxLayout) -> None:
    """Order every row by the positions of the neighbours of its items, downwards and upwards in turn."""
    if all(len(row) < 2 for row in found.rows):
        return
    above: list[set[int]] = [set() for _ in found.items]
    below: list[set[int]] = [set() for _ in found.items]
    for _, chain in found.edges:
        for upper, lower in pairwise(chain):
            below[upper].add(lower)
            above[lower].add(upper)
    at = [0.0] * len(found.items)
    for row in found.rows:
        _stand(row, at)
    downwards, upwards = (above, found.rows[1:]), (below, found.rows[-2::-1])
    for sweep in range(SWEEPS):
        links, rows = upwards if sweep % 2 else downwards
        changed = [_sort(row, links, at) for row in rows if len(row) > 1]
        if not any(changed) and sweep:
            break


def _sort(row: list[int], links: Sequence[set[int]], at: list[float]) -> bool:
    """Sort a row by the middles of what its items are linked to; return whether that changes it."""
    keys = {k: sum([at[n] for n in links[k]]) / len(links[k]) if links[k] else at[k] for k in row}
    before = list(row)
    row.sort(key=keys.__getitem__)
    _stand(row, at)
    return row != before


def _stand(row: Sequence[int], at: list[float]) -> None:
    """Number the items of a row from 0 to 1, so that rows of any length compare."""
    for position, item in enumerate(row):
        at[item] = (position + 1) / (len(row) + 1)
