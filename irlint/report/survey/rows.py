"""Collections that stay small: the content of a zoo is not trusted, and may be a million different things."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappush, heapreplace
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
Key = TypeVar("Key")


class TableRows(Generic[Key, Item]):
    """Items by key. Keys beyond the first `most` share one item."""

    def __init__(self, make: Callable[[], Item], most: int) -> None:
        self._make, self._most = make, most
        self._items: dict[Key, Item] = {}
        self.rest: Item | None = None

    def __getitem__(self, key: Key) -> Item:
        found = self._items.get(key)
        if found is None:
            if len(self._items) >= self._most:
                if self.rest is None:
                    self.rest = self._make()
                return self.rest
            found = self._items[key] = self._make()
        return found

    def items(self) -> list[tuple[Key, Item]]:
        return list(self._items.items())


class Top(Generic[Item]):
    """The `most` items of the highest rank; of equals the first. `total` counts all."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._heap: list[tuple[Any, int, Item]] = []
        self.total = 0

    def add(self, rank: Any, make: Callable[[], Item]) -> None:
        self.total += 1
        if len(self._heap) < self._most:
            heappush(self._heap, (rank, -self.total, make()))
        elif rank > self._heap[0][0]:
            heapreplace(self._heap, (rank, -self.total, make()))

    def __iter__(self) -> Iterator[Item]:
        return (item for _, _, item in sorted(self._heap, key=lambda entry: entry[:2], reverse=True))

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def more(self) -> int:
        return self.total - len(self._heap)
