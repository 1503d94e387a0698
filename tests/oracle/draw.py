"""Chance for the sampling oracles: shapes, numbers and axes, most of them plain, some at the edges of what a runtime takes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Shape = list[int]

SIZES = (1, 2, 2, 3, 3, 4, 5)
ODD_FLOATS = (float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1e30, -1e30, 1e-40, 65504.0, 0.5, 2.5)


class Draw:
    """`traits` names what is odd of all that was drawn: empty, nan, inf, large, open and so on."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(self.random.getrandbits(32))
        self.traits: set[str] = set()

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def choice(self, items: Sequence[T]) -> T:
        return self.random.choice(items)

    def odd(self, trait: str, part: float) -> bool:
        """Whether something odd is wanted; it is noted."""
        if is_odd := self.chance(part):
            self.traits.add(trait)
        return is_odd

    def shape(self, *ranks: int, empty: float = 0.08, sizes: Sequence[int] = SIZES) -> Shape:
        """A shape of one of the ranks, by chance without elements."""
        found = [self.choice(sizes) for _ in range(self.choice(ranks))]
        if found and self.odd("empty", empty):
            found[self.random.randrange(len(found))] = 0
        return found

    def like(self, shape: Shape) -> Shape:
        """A shape that broadcasts with another: ones, or fewer axes."""
        found = [1 if self.chance(0.25) else size for size in shape]
        return found[self.random.randint(0, len(found)) :] if self.chance(0.3) else found

    def axis(self, rank: int) -> int:
        return self.random.randrange(-rank, rank) if rank else self.choice((0, -1))

    def axes(self, rank: int, least: int = 0) -> list[int]:
        """Different axes, some counted from behind."""
        chosen = self.random.sample(range(rank), self.random.randint(min(least, rank), rank))
        return [axis - rank if self.chance(0.3) else axis for axis in chosen]

    def array(self, dtype: str, shape: Sequence[int], low: int = -6, high: int = 9, odd: float = 0.25) -> Any:
        """Numbers of a type, at chance `odd` with some that are hard to compute with."""
        kind = np.dtype(dtype)
        if kind == np.bool_:
            return self.numbers.integers(0, 2, shape).astype(bool)
        if kind.kind == "f":
            found = np.asarray(self.numbers.normal(0, 2, shape)).astype(kind)
            return self._with(found, ODD_FLOATS) if self.chance(odd) else found
        info = np.iinfo(kind)
        found = np.asarray(self.numbers.integers(max(low, info.min), high, shape)).astype(kind)
        return self._with(found, (info.min, info.max, info.max - 1, 0, 1)) if self.chance(odd) else found

    def _with(self, array: Any, odd: Sequence[Any]) -> Any:
        for place in range(array.size):
            if self.chance(0.3):
                with np.errstate(over="ignore"):
                    array.reshape(-1)[place] = self.choice(odd)
        if array.dtype.kind == "f":
            self.traits.update(["nan"] * bool(np.isnan(array).any()), ["inf"] * bool(np.isinf(array).any()))
        if array.size and np.abs(np.nan_to_num(array.astype(np.float64))).max() > 1000:
            self.traits.add("large")
        return array

    def indices(self, size: int, shape: Sequence[int], dtype: str = "int64") -> Any:
        """Places on an axis, some counted from behind and some, by chance, outside."""
        low, high = -size, size
        if self.odd("outside", 0.05):
            low, high = -size - 1, size + 1
        return np.asarray(self.numbers.integers(low, max(high, low + 1), shape)).astype(dtype)
