"""Greedy suppression: of boxes, the best first, each removes the later ones that it covers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from irlint.dryrun.lazy import np

SOME = 128  # boxes that are looked at together where only the first are wanted
CHUNK = 512  # boxes that are compared with each other at once
TILE = 512  # neighbouring boxes that are compared with others at once
Covers = Callable[[Any, Any], Any]  # which of some boxes cover which of others, as a matrix


def uncovered(boxes: Any, covers: Covers, most: int | None = None, far: float | None = 0.0) -> Any:
    """Return the numbers of the boxes (x1, y1, x2, y2) that remain, at most `most`.

    Boxes further apart than `far` along an axis never cover each other; None: they may.
    """
    count = len(boxes)
    if most is not None and most < count:
        return _first_of(boxes, covers, max(most, 0))
    alive, kept = np.ones(count, bool), [np.empty(0, np.intp)]
    tiles = _Tiles(boxes, far) if count > CHUNK else None
    start = 0
    while True:
        chunk = start + np.flatnonzero(alive[start:])[:CHUNK]
        if not chunk.size:
            break
        best = chunk[_first(covers(boxes[chunk], boxes[chunk]))]
        kept.append(best)
        start = int(chunk[-1]) + 1
        if tiles is None:
            break
        for part, others in tiles.near(best, start, alive):
            alive[others[covers(boxes[part], boxes[others]).any(0)]] = False
    return np.concatenate(kept)


def _first_of(boxes: Any, covers: Covers, wanted: int) -> Any:
    """Return the first boxes that remain: some at a time are compared with those before and with each other, until there are enough."""
    kept, start = np.empty(0, np.intp), 0
    while len(kept) < wanted and start < len(boxes):
        chunk = np.arange(start, min(start + SOME, len(boxes)))
        if kept.size:
            chunk = chunk[~covers(boxes[kept], boxes[chunk]).any(0)]
        kept = np.concatenate([kept, chunk[_first(covers(boxes[chunk], boxes[chunk]))]])
        start += SOME
    return kept[:wanted]


def _first(covered: Any) -> Any:
    """Return which of the boxes of a matrix remain."""
    kept = np.ones(len(covered), bool)
    for k in np.flatnonzero(np.triu(covered, 1).any(1)).tolist():  # the others remove none
        if kept[k]:
            kept[k + 1 :] &= ~covered[k, k + 1 :]
    return kept


class _Tiles:
    """Boxes in groups of neighbours, each with the rectangle around it."""

    def __init__(self, boxes: Any, far: float | None) -> None:
        self.boxes, self.far = boxes, far
        strips = max(1, round((len(boxes) / TILE) ** 0.5))
        strip = np.empty(len(boxes), np.intp)
        strip[np.argsort(boxes[:, 0], kind="stable")] = np.arange(len(boxes)) * strips // len(boxes)
        order = np.lexsort((boxes[:, 1], strip))
        self.members = [order[k : k + TILE] for k in range(0, len(order), TILE)]
        # fmin and fmax: a box of NaN covers nothing
        self.low = [np.fmin.reduce(boxes[m, :2]) - (far or 0) for m in self.members]
        self.high = [np.fmax.reduce(boxes[m, 2:4]) + (far or 0) for m in self.members]

    def near(self, best: Any, start: int, alive: Any) -> Iterator[tuple[Any, Any]]:
        """Yield, for each tile, its boxes from `start` on that are alive, and which of `best` may cover one of them."""
        low, high = self.boxes[best, :2], self.boxes[best, 2:4]
        for k, members in enumerate(self.members):
            members = self.members[k] = members[alive[members] & (members >= start)]
            if not members.size:
                continue
            part = best
            if self.far is not None:
                part = best[((low <= self.high[k]) & (high >= self.low[k])).all(1)]
            if part.size:
                yield part, members


def shared(a: Any, b: Any, extra: float = 0.0) -> Any:
    """Return the area that each box of a shares with each of b; a side is `extra` longer than the difference of its ends."""
    sides = []
    for axis in (0, 1):
        side = np.minimum(a[:, None, axis + 2], b[None, :, axis + 2])
        side -= np.maximum(a[:, None, axis], b[None, :, axis])
        if extra:
            side += extra
        sides.append(np.maximum(side, 0, out=side))
    return np.multiply(*sides, out=sides[0])


def sizes(boxes: Any, extra: float = 0.0) -> Any:
    return (boxes[:, 2] - boxes[:, 0] + extra) * (boxes[:, 3] - boxes[:, 1] + extra)


def parts(a: Any, b: Any) -> Any:
    """Return what each box of a shares with each of b, as a part of what both cover."""
    inside = shared(a, b)
    whole = sizes(a)[:, None] + sizes(b)[None]
    whole -= inside
    return np.divide(inside, whole, out=np.zeros_like(inside), where=whole > 0)
