"""Coordinates for the rows of every open group. web/place.js does the same when a group is opened."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from irlint.records import NamedTuple
from irlint.view import ENTRY, Box, BoxLayout

GAP_X, GAP_Y, PAD, HEAD, THIN = 18.0, 46.0, 14.0, 24.0, 8.0  # THIN: the width of a waypoint
GAP_ENTRY = 8.0  # below a row of entries
SWEEPS = 8

Link = tuple[int, float]  # a neighbour in the next row, and how much the edge to it wants to be straight


class Placed(NamedTuple):
    """The inside of an open group: its size, the middles and tops of its items, and the bottoms of their rows."""

    width: float
    height: float
    x: list[float]
    y: list[float]
    low: list[float]


def place(root: Box) -> dict[int, Placed]:
    """Return the inside of the root and of every open group that can be seen, by the box's number."""
    groups, stack = list[Box](), [root]
    while stack:
        box = stack.pop()
        if box.layout is not None and (box.open or box is root):
            groups.append(box)
            stack.extend(box.boxes)
    found: dict[int, Placed] = {}
    for group in reversed(groups):
        found[group.id] = _inside(group, found)
    return found


def _inside(group: Box, found: dict[int, Placed]) -> Placed:
    layout = group.layout
    assert layout is not None
    sizes = [_size(group.boxes[item], found) if item >= 0 else (THIN, 0.0) for item in layout.items]
    y, low, top, gap = [0.0] * len(sizes), [0.0] * len(sizes), HEAD + PAD, 0.0
    for row in layout.rows:
        height = max((sizes[item][1] for item in row), default=0.0)
        for item in row:
            y[item], low[item] = top, top + height
        gap = GAP_ENTRY if row and layout.items[row[0]] == ENTRY else GAP_Y
        top += height + gap
    x = _columns(layout, [size[0] for size in sizes])
    left = min((x[k] - sizes[k][0] / 2 for k in range(len(x))), default=0.0) - PAD
    x = [middle - left for middle in x]
    right = max((x[k] + sizes[k][0] / 2 for k in range(len(x))), default=0.0) + PAD
    return Placed(max(right, group.width), top - gap + PAD, x, y, low)


def _size(box: Box, found: dict[int, Placed]) -> tuple[float, float]:
    inside = found.get(box.id)
    return (box.width, box.height) if inside is None else inside[:2]


def _columns(layout: BoxLayout, widths: Sequence[float]) -> list[float]:
    """Return the middles of items: every item near its neighbours, none on another."""
    above: list[list[Link]] = [[] for _ in widths]
    below: list[list[Link]] = [[] for _ in widths]
    for _, chain in layout.edges:
        for upper, lower in pairwise(chain):
            bends = (layout.items[upper] < 0) + (layout.items[lower] < 0)
            weight = (4.0, 1.0, 8.0)[bends]  # weakest from box to line: a value of many readers draws none aside
            below[upper].append((lower, weight))
            above[lower].append((upper, weight))
    x = [0.0] * len(widths)
    for row in layout.rows:
        at = 0.0
        for item in row:
            x[item] = at + widths[item] / 2
            at += widths[item] + GAP_X
        for item in row:
            x[item] -= (at - GAP_X) / 2
    rows = layout.rows
    for sweep in range(SWEEPS):
        if sweep % 2 == 0:
            for row in rows[1:]:
                _pull(row, above, widths, x)
        else:
            for row in rows[-2::-1]:
                _pull(row, below, widths, x)
    return x


def _pull(row: Sequence[int], links: Sequence[Sequence[Link]], widths: Sequence[float], x: list[float]) -> None:
    """Move the items of a row as near to their neighbours as their order allows: pool adjacent violators."""
    means: list[float] = []
    weights: list[float] = []
    sizes: list[int] = []
    offsets: list[float] = []
    offset = 0.0
    for k, item in enumerate(row):
        if k:
            offset += (widths[row[k - 1]] + widths[item]) / 2 + GAP_X
        offsets.append(offset)
        total, weight = 0.0, 0.0
        for other, strength in links[item]:
            total += strength * x[other]
            weight += strength
        mean = (total / weight if weight else x[item]) - offset
        weight = weight or 0.1
        size = 1
        while means and means[-1] > mean:
            before = weights.pop()
            mean = (means.pop() * before + mean * weight) / (before + weight)
            weight += before
            size += sizes.pop()
        means.append(mean)
        weights.append(weight)
        sizes.append(size)
    at = 0
    for mean, size in zip(means, sizes, strict=True):
        for k in range(at, at + size):
            x[row[k]] = mean + offsets[k]
        at += size
