"""The cache of what passes infer from a model, reused by the next lint for parts that an edit did not change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress, islice
from operator import is_not
from typing import Any, TypeVar

Item = TypeVar("Item")
Found = TypeVar("Found")


class PassCache:
    """A cache: a pass declares what its result depends on; if that is unchanged, the previous result is reused.

    Results and their inputs are shared between lints and threads: they must not be changed in place.
    """

    def __init__(self) -> None:
        self.grounds: Any = None  # what every pass may use without declaring it
        self._before: dict[str, tuple[Any, ...]] = {}
        self._found: dict[str, tuple[Any, ...]] = {}
        self._asked: dict[str, tuple[Any, Any]] = {}
        self._compared: list[tuple[Sequence[Any], Sequence[Any], list[int] | None]] = []

    def after(self, grounds: Any) -> PassCache:
        """Return a cache for the next lint."""
        memory = type(self)()
        memory.grounds = grounds
        if grounds == self.grounds:
            memory._before, memory._asked = self._found, self._asked
        return memory

    def keep(self, key: str) -> None:
        """Keep an entry that this lint does not need."""
        if key in self._before:
            self._found[key] = self._before[key]

    def close(self) -> None:
        """Finish the lint: drop entries that it did not use."""
        self._before, self._compared = {}, []

    def changed(self, old: Sequence[Any], new: Sequence[Any]) -> list[int] | None:
        """Return `changed(...)` of lists that several passes share, computed once."""
        for one, other, found in self._compared:
            if one is old and other is new:
                return found
        found = changed(old, new, MOST)
        self._compared.append((old, new, found))
        return found

    def once(self, key: str, given: Any, work: Callable[[], Found]) -> Found:
        """Return the result of `work`, which depends only on `given`."""
        known = self._before.get(key)
        result: Found = known[1] if known is not None and (known[0] is given or known[0] == given) else work()
        self._found[key] = given, result
        return result

    def each(
        self, key: str, items: Sequence[Item], given: Any, work: Callable[[int, Item], Found],
        all_work: Callable[[Sequence[Item]], list[Found]] | None = None,
    ) -> list[Found]:  # fmt: skip
        """Return `work` of every item with its index; it depends only on these and on `given`. Items that are the very
        same objects as before are not processed again. `all_work` does the same for all items, faster.
        """
        known = self._before.get(key)
        if known is None or len(known[0]) != len(items) or not (known[1] is given or known[1] == given):
            results = list(map(work, range(len(items)), items)) if all_work is None else all_work(items)
        else:
            results, indices = known[2], self.changed(known[0], items)
            if indices is None:
                indices = list(compress(range(len(items)), map(is_not, items, known[0])))
            if indices:
                results = results.copy()
                for k in indices:
                    results[k] = work(k, items[k])
        self._found[key] = items, given, results
        return results

    def revised(
        self, key: str, given: Any, work: Callable[[], Found], revise: Callable[[Any, Found], Found | None]
    ) -> Found:
        """Return the result of `work`. `revise` computes it faster from the previous input and result, or returns None."""
        known = self._before.get(key)
        result = revise(*known) if known is not None else None
        if result is None:
            result = work()
        self._found[key] = given, result
        return result

    def alike(
        self, key: str, items: Sequence[Item], given: Any, same: Callable[[Item, Item], bool], work: Callable[[], Found]
    ) -> Found:
        """Return the result of `work` for items and an object `given`; it is kept if the changed items are the same in what
        matters."""

        def revise(before: tuple[Sequence[Item], Any], found: Found) -> Found | None:
            indices = self.changed(before[0], items) if before[1] is given else None
            return None if indices is None or not all(same(before[0][k], items[k]) for k in indices) else found

        return self.revised(key, (items, given), work, revise)

    def asked(
        self, key: str, given: Any, work: Callable[[], Found], revise: Callable[[Any, Found], Found | None]
    ) -> Found:
        """Return `revised(...)` for a result that not every lint needs: it is kept across lints."""
        known = self._asked.get(key)
        result = revise(*known) if known is not None and known[0] is not given else known and known[1]
        if result is None:
            result = work()
        self._asked[key] = given, result
        return result

    def picked(self, key: str, items: Sequence[Item], pick: Callable[[Sequence[Item]], list[int]]) -> list[int]:
        """Return the indices of the items that `pick` selects, in increasing order; it considers each by itself."""

        def revise(before: Sequence[Item], found: list[int]) -> list[int] | None:
            indices = self.changed(before, items)
            if not indices:
                return None if indices is None else found
            again = [indices[k] for k in pick([items[k] for k in indices])]
            return sorted({*found}.difference(indices).union(again)) if found or again else found

        return self.revised(key, items, lambda: pick(items), revise)


MOST = 50  # items that are processed again one by one


def changed(old: Sequence[Any], new: Sequence[Any], most: int) -> list[int] | None:
    """Return the indices at which two lists hold different objects; None if the lengths or too many items differ."""
    if len(old) != len(new):
        return None
    found = list(islice(compress(range(len(new)), map(is_not, new, old)), most + 1))
    return found if len(found) <= most else None
