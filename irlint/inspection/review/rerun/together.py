"""Which parts of graphs can be run at once: none of them is given a value that another one computes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from irlint.records import NamedTuple

Part = TypeVar("Part")
MOST_NODES = 64  # of a part that can be run: of 4,600 that output the same in 350 real pairs, the largest has 30
_NOTHING: Mapping[Any, Hashable] = MappingProxyType({})


class Needs(NamedTuple):
    """What a part is given and computes: nodes of each version. `same` is what has one value for all parts of a group."""

    given: Sequence[Collection[int]]
    nodes: Sequence[Collection[int]]
    size: int = 0  # numbers
    same: Mapping[Any, Hashable] = _NOTHING


class _Group:
    def __init__(self, versions: int) -> None:
        self.given, self.nodes = [set[int]() for _ in range(versions)], [set[int]() for _ in range(versions)]
        self.same: dict[Any, Hashable] = {}
        self.size = 0

    def takes(self, one: Needs, most: int | None) -> bool:
        """Add a part if it can be run with the others."""
        is_apart = all(map(set.isdisjoint, self.given, one.nodes)) and all(map(set.isdisjoint, self.nodes, one.given))
        is_small = most is None or not self.size or self.size + one.size <= most
        if not (is_apart and is_small and all(self.same.get(key, value) == value for key, value in one.same.items())):
            return False
        for known, own in ((self.given, one.given), (self.nodes, one.nodes)):
            for mine, more in zip(known, own, strict=True):
                mine.update(more)
        self.same |= one.same
        self.size += one.size
        return True


def together(parts: Iterable[Part], needs: Callable[[Part], Needs], most: int | None = None) -> Iterator[list[Part]]:
    """Yield groups of parts, each with at most so many numbers, or one part."""
    left = [(one, needs(one)) for one in parts]
    while left:
        group, found, later = _Group(len(left[0][1].given)), list[Part](), list[tuple[Part, Needs]]()
        for one, own in left:
            if group.takes(own, most):
                found.append(one)
            else:
                later.append((one, own))
        yield found
        left = later
