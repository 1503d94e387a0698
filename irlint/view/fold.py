"""Groups of boxes: by the modules that they come from, or the scopes in their names (`/model/layers.0/...`), and of blocks that repeat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import count, islice

from irlint.records import NamedTuple
from irlint.text.safe import visible
from irlint.view import Box
from irlint.view.texts import TIMES

LEAST = 3  # boxes of a group
FEW = 24  # boxes that are shown as they are
_TURNS = 100  # after which groups that read their own results are given up by halves
_DEEPEST, _LONGEST = 64, 500  # scopes around a box, letters of a name that is split into them
_PERIOD = 80  # boxes of a block that repeats, at most
_STEP = re.compile(r"/|\.(?=[^\d/.])|(?<=\.\d)\.(?=\d)|(?<=\.\d\d)\.(?=\d)")  # layers.0.norm: `layers.0`, `norm`

_TWICE = re.compile(
    r"(?:^|(?<=/))([^/]+)/(?=\1(?:[./]|$))"
)  # TorchScript's layer1/layer1.0: the module, and its place in it

Pair = tuple[Box, Box]  # a box and one that reads it


class _Scope:
    def __init__(self) -> None:
        self.inner: dict[str, _Scope] = {}
        self.boxes: list[Box] = []

    def take(self, other: _Scope) -> None:
        """Take over what is in another scope."""
        self.boxes += other.boxes
        for name, inner in other.inner.items():
            self.inner.setdefault(name, _Scope()).take(inner)

    def count(self) -> int:
        return len(self.boxes) + sum(scope.count() for scope in self.inner.values())


def fold(boxes: Sequence[Box], pairs: Sequence[Pair]) -> Box:
    """Return the group of all boxes; they are given in an order in which each comes after those that it reads."""
    order = {id(box): number for number, box in enumerate(boxes)}
    root = Box("group", "")
    root.adopt(_scoped(boxes, pairs) if len(boxes) > FEW else boxes)
    inside = _pairs_by_group(pairs)
    groups = [root]
    while groups:
        group = groups.pop()
        within = inside.get(id(group), [])
        _part(group, within, inside)
        _sort(group, within, order)
        groups.extend(box for box in group.boxes if box.is_group)
    if len(boxes) > FEW:
        groups = list(_groups(root))
        for group in groups:
            _entitle(group)
        for group in groups:
            _repeat(group, inside.get(id(group), []))
    return root


def _entitle(group: Box) -> None:
    """Call each group in this one by what its name adds to that of this one."""
    for box in group.boxes:
        if box.is_group:
            box.title = _TWICE.sub("", box.full.removeprefix(group.full).lstrip("/.") or box.full)


def _groups(root: Box) -> Iterator[Box]:
    """Yield a group and those in it, but not what is in the bodies of loops."""
    stack = [root]
    while stack:
        yield (group := stack.pop())
        stack.extend(box for box in group.boxes if box.is_group)


def _scoped(boxes: Sequence[Box], pairs: Iterable[Pair]) -> list[Box]:
    top = _Scope()
    for box, steps in zip(boxes, _steps(boxes, pairs), strict=True):
        scope = top
        for step in steps:
            scope = scope.inner.setdefault(step, _Scope())
        scope.boxes.append(box)
    while top.inner:
        name, inner = max(top.inner.items(), key=lambda entry: entry[1].count())
        if 3 * inner.count() < 2 * top.count():
            break
        del top.inner[name]
        top.take(inner)  # a scope of nearly everything tells nothing
    return _grouped(top)


def _steps(boxes: Sequence[Box], pairs: Iterable[Pair]) -> list[Sequence[str]]:
    """Return the scopes of each box; a name without any has those that all of its readers share."""
    position = {id(box): k for k, box in enumerate(boxes)}
    readers: list[list[int]] = [[] for _ in boxes]
    for source, target in pairs:
        readers[position[id(source)]].append(position[id(target)])
    found = [_named(box) if box.kind == "node" else () for box in boxes]
    for k in range(len(boxes) - 1, -1, -1):
        if not found[k] and boxes[k].kind == "node" and readers[k]:
            found[k] = _common_start([found[reader] for reader in readers[k]])
    return found


def _named(box: Box) -> Sequence[str]:
    """Return the whole names of the scopes that a box is in, the outermost first."""
    if box.modules is not None:
        return [visible(module.name) for module in box.modules]
    if len(box.name) > _LONGEST:
        return ()
    scopes = (box.name[: step.start()].strip("/.") for step in _STEP.finditer(box.name))
    return list(dict.fromkeys(filter(None, islice(scopes, _DEEPEST))))


def _common_start(rows: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the steps with which all rows begin."""
    shortest = min(rows, key=len)
    return shortest[
        : next((k for k, step in enumerate(shortest) if any(row[k] != step for row in rows)), len(shortest))
    ]


def _grouped(scope: _Scope) -> list[Box]:
    """Return the boxes of a scope, with a group for each inner scope that is worth one."""
    found = list(scope.boxes)
    for name, inner in scope.inner.items():
        within = _grouped(inner)
        if len(within) < LEAST or (not inner.boxes and len(inner.inner) == 1):
            found.extend(within)
            continue
        group = Box("group", name)
        group.full = name
        group.adopt(within)
        found.append(group)
    return found


def _pairs_by_group(pairs: Iterable[Pair]) -> dict[int, list[Pair]]:
    """Return the pairs by the innermost group that holds both boxes."""
    found: dict[int, list[Pair]] = {}
    for source, target in pairs:
        found.setdefault(id(common(source, target)), []).append((source, target))
    return found


def common(a: Box, b: Box) -> Box:
    """Return the innermost group that holds both boxes."""
    above = set(map(id, a.around()))
    return next(box for box in b.around() if id(box) in above)


def child(group: Box, box: Box) -> Box:
    """Return the box of a group that is this one or holds it."""
    while box.parent is not group:
        assert box.parent is not None
        box = box.parent
    return box


def _part(group: Box, within: list[Pair], inside: dict[int, list[Pair]]) -> None:
    """Let no group read what depends on itself: it takes in boxes between its own, or is given up."""
    for turn in count(1):
        readers, read = _links(group, within)
        ordered = {id(box) for links in (readers, read) for box in _ordered(group.boxes, links)}
        knot = [box for box in group.boxes if id(box) not in ordered]  # neither above nor below all cycles
        groups = sorted((box for box in knot if box.is_group), key=_size)
        if not groups:
            return
        smallest = groups[0]
        between = _reached(smallest, readers, knot) & _reached(smallest, read, knot) - {id(smallest)}
        held = [box for box in knot if id(box) in between]
        if _are_few(held, smallest):
            _take_in(smallest, held, within, inside)
        else:
            _give_up(group, groups[: 1 if turn < _TURNS else (len(groups) + 1) // 2], within, inside)


def _are_few(held: Sequence[Box], group: Box) -> bool:
    """Return whether boxes are single, and together no more than a group."""
    return bool(held) and sum(map(_size, held)) <= _size(group) and not any(box.is_group for box in held)


def _take_in(chosen: Box, held: Sequence[Box], within: list[Pair], inside: dict[int, list[Pair]]) -> None:
    """Move boxes into a group next to them, and the pairs that are then within it."""
    group = chosen.parent
    assert group is not None
    chosen.adopt([*chosen.boxes, *held])
    _drop(group, held)
    ends = [(child(group, source), child(group, target)) for source, target in within]
    inside.setdefault(id(chosen), []).extend(
        pair for pair, (upper, lower) in zip(within, ends, strict=True) if upper is chosen and lower is chosen
    )
    within[:] = [pair for pair, (upper, lower) in zip(within, ends, strict=True) if upper is not lower]


def _give_up(group: Box, given_up: Sequence[Box], within: list[Pair], inside: dict[int, list[Pair]]) -> None:
    """Put what is in some groups into the group around them."""
    _drop(group, given_up, [inner for box in given_up for inner in box.boxes])
    for box in given_up:
        within.extend(inside.pop(id(box), ()))


def _drop(group: Box, dropped: Sequence[Box], added: Sequence[Box] = ()) -> None:
    """Take boxes out of a group, and put others at its end."""
    gone = set(map(id, dropped))
    group.adopt([*(box for box in group.boxes if id(box) not in gone), *added])


def _size(box: Box) -> int:
    """Return the number of nodes in a box."""
    return sum(not inner.boxes for inner in box.walk())


def _links(group: Box, within: Iterable[Pair]) -> tuple[dict[int, list[Box]], dict[int, list[Box]]]:
    readers: dict[int, list[Box]] = {id(box): [] for box in group.boxes}
    read: dict[int, list[Box]] = {id(box): [] for box in group.boxes}
    for source, target in within:
        upper, lower = child(group, source), child(group, target)
        if upper is not lower:
            readers[id(upper)].append(lower)
            read[id(lower)].append(upper)
    return readers, read


def _ordered(boxes: Sequence[Box], readers: dict[int, list[Box]], order: dict[int, int] | None = None) -> list[Box]:
    """Return boxes in an order in which each comes after those that it reads, near the given order; without those in cycles."""
    rank = {id(box): k if order is None else _first(box, order) for k, box in enumerate(boxes)}
    by_rank = {rank[id(box)]: box for box in boxes}
    waits = Counter(id(reader) for found in readers.values() for reader in found)
    ready = [rank[id(box)] for box in boxes if not waits[id(box)]]
    heapify(ready)
    found: list[Box] = []
    while ready:
        box = by_rank[heappop(ready)]
        found.append(box)
        for reader in readers[id(box)]:
            waits[id(reader)] -= 1
            if not waits[id(reader)]:
                heappush(ready, rank[id(reader)])
    return found


def _reached(start: Box, links: dict[int, list[Box]], among: Iterable[Box]) -> set[int]:
    allowed = {id(box) for box in among}
    found: set[int] = set()
    stack = [start]
    while stack:
        for box in links[id(stack.pop())]:
            if id(box) in allowed and id(box) not in found:
                found.add(id(box))
                stack.append(box)
    return found


def _sort(group: Box, within: Sequence[Pair], order: dict[int, int]) -> None:
    """Put the boxes of a group in an order in which each comes after those that it reads, near the given order."""
    found = _ordered(group.boxes, _links(group, within)[0], order)
    placed = set(map(id, found))
    group.boxes = [*found, *(box for box in group.boxes if id(box) not in placed)]  # the model itself may have a cycle


def _first(box: Box, order: dict[int, int]) -> int:
    """Return the place in an order of the first box of those in a box."""
    return min((order[id(leaf)] for leaf in box.walk() if id(leaf) in order), default=0)


class RepeatedRun(NamedTuple):
    """A part of a sequence that repeats with a period."""

    start: int
    period: int
    times: int


def _repeat(group: Box, within: Sequence[Pair]) -> None:
    """Put blocks that follow one another and are alike into a box of their own."""
    boxes = group.boxes
    tokens = _tokens(boxes)
    position = {id(box): k for k, box in enumerate(boxes)}
    crossing = _crossings(
        len(boxes), ((position[id(child(group, a))], position[id(child(group, b))]) for a, b in within)
    )
    runs = _runs(tokens, lambda k: boxes[k].is_group, crossing)
    found: list[Box] = []
    at = 0
    for run in sorted(runs):
        found += boxes[at : run.start]
        at = run.start + run.period * run.times
        blocks = [boxes[k : k + run.period] for k in range(run.start, at, run.period)]
        found.append(_repeated(blocks))
    group.adopt([*found, *boxes[at:]])


def _repeated(blocks: Sequence[Sequence[Box]]) -> Box:
    first, last = blocks[0], blocks[-1]
    if len(first) == 1:
        title = _span(first[0].title, last[0].title) if first[0].is_group else first[0].title
        inner = [block[0] for block in blocks]
    else:
        names = [box.title for box in first]
        title = " → ".join(names[:3] if len(names) < 5 else [*names[:2], "…", names[-1]])
        inner = []
        for number, block in enumerate(blocks, 1):
            box = Box("group", f"{number} of {len(blocks)}")
            box.adopt(block)
            inner.append(box)
    found = Box("repeat", f"{title}  {TIMES}{len(blocks)}")
    found.adopt(inner)
    return found


def _span(first: str, last: str) -> str:
    """Return a title for groups from one to another: the second is its number where nothing else differs."""
    stem = last.rstrip("0123456789")
    return f"{first} … {last[len(stem) :] if stem != last and stem == first.rstrip('0123456789') else last}"


def _tokens(boxes: Sequence[Box]) -> list[object]:
    """Return for each box what makes it alike to others: its operator, or how often each is in it."""
    found: list[object] = []
    for box in boxes:
        if box.is_group:
            kinds = Counter(inner.title for inner in box.walk() if inner.kind not in ("group", "repeat"))
            found.append(tuple(sorted(kinds.items())))
        else:
            found.append(box.title if box.kind == "node" else (box.kind, len(found)))
    return found


def _crossings(count: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """Return how many boxes before each position are read at or after it."""
    last = list(range(count))
    for source, target in links:
        last[source] = max(last[source], target)
    change = [0] * (count + 2)
    for source, target in enumerate(last):
        if target > source:
            change[source + 1] += 1
            change[target + 1] -= 1
    alive, found = 0, []
    for step in change[: count + 1]:
        alive += step
        found.append(alive)
    return found


def _runs(tokens: Sequence[object], is_group: Callable[[int], bool], crossing: Sequence[int]) -> list[RepeatedRun]:
    """Return what repeats, the longest stretches first, none within another."""
    numbers: dict[object, int] = {}
    row = [numbers.setdefault(token, len(numbers)) for token in tokens]
    taken = bytearray(len(row))
    found: list[RepeatedRun] = []
    for length, period, start in sorted(_stretches(row)):
        times = -length // period
        least = 2 if period == 1 else 3
        is_plain = not any(map(is_group, range(start, start + period)))
        if times < least or is_plain == (period == 1) or any(taken[start : start - length]):
            continue  # named groups repeat one by one
        slack = -length - times * period
        begin = min(range(start, start + slack + 1), key=lambda k: (crossing[k], k))
        if slack < period - 1 and times > least:  # one block less leaves room for better borders
            other = min(range(start, start - length - (times - 1) * period + 1), key=lambda k: (crossing[k], k))
            if crossing[other] < crossing[begin]:
                begin, times = other, times - 1
        found.append(RepeatedRun(begin, period, times))
        taken[begin : begin + times * period] = b"\1" * (times * period)
    return found


def _stretches(row: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield stretches in which every item equals the one a period later: minus the length, the period, the start."""
    for period in range(1, min(_PERIOD, len(row) // 2) + 1):
        start = -1
        for k, same in enumerate([*map(int.__eq__, row, row[period:]), False]):
            if same and start < 0:
                start = k
            elif not same and start >= 0:
                if k - start >= period:
                    yield start - k - period, period, start
                start = -1
