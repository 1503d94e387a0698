"""Lengths and numbers that parts of a graph are run with: usual ones, and those around the numbers that the parts themselves name, where a
bound, a mask or a slice begins to matter."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from math import prod
from typing import Any

from irlint.dryrun.dtypes import FLOATS, integer_range
from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import cast
from irlint.graph import Dim, Shape
from irlint.inspection.review.layers.weight_marks import HUGE
from irlint.text.numbers import decimal

USUAL_RUNS = 4
LENGTHS = (2, 3, 5, 7, 11)  # that symbols stand for
_UNKNOWN = (3, 60)  # the length of a dimension that is not known, in turn
_LONG = (40, 130)  # lengths that no part names
_LONGEST, BEYOND = 1 << 16, 2  # of a length, and how far runs go beyond it
_PLUS, _MOST_PARTS = " + ", 4  # parts of a length that is a sum
_MOST_ALONE = 4  # dimensions that are long by themselves
_MOST, _MOST_OF_FEW = 1 << 20, 1 << 23  # numbers of a value; in usual runs, and where only one dimension is long
_DRAWN = 65_521  # a prime: large values repeat so many numbers, which no axis does
_FURTHER = 3  # runs with longer lengths
_MOST_NAMED = 1024  # numbers
_SMALL, _MOST_SMALL = 1e-3, 4  # numbers that do not show next to usual ones, such as what is added before a division


class RunNumbers:
    """What one run is given."""

    def __init__(
        self,
        run: int,
        longest: int = 0,
        named: Collection[float] = (),
        beside: float = 0.0,
        only: Dim | Any = "",
        times: int = 1,
    ) -> None:
        """`longest`: a length to go beyond, which `only` one dimension does, `named`: numbers to meet, `beside`: a small number that shows
        next to others as small, or in their squares; nothing in usual runs, in which lengths are `times` what they are otherwise."""
        self._times = times
        self._run, self._longest, self._beside, self._only = run, longest, beside, only
        self._bounds = named
        self._named = [*dict.fromkeys(near for one in named for near in (one - 1, one, one + 1, -one))]
        self._known: dict[str, int] = {}

    @property
    def most(self) -> int:
        """How many numbers a value may have that is given."""
        return _MOST_OF_FEW if self.is_usual or self._only != "" else _MOST

    @property
    def is_usual(self) -> bool:
        """Whether parts that work compute something of this."""
        return self._run < USUAL_RUNS

    @property
    def is_wide(self) -> bool:
        """Whether numbers are of all sizes, so that functions may amplify their rounding."""
        return self._run == USUAL_RUNS - 1

    @property
    def is_small(self) -> bool:
        """Whether all numbers are small."""
        return self._beside > 0

    def alone(self, dims: Iterable[Dim]) -> Iterator[RunNumbers]:
        """Yield what runs are given in which one dimension at a time is long."""
        if self._longest:
            for dim in list(dict.fromkeys(dims))[:_MOST_ALONE]:
                yield RunNumbers(self._run, self._longest, self._bounds, only=dim)

    def concerns(self, named: Set[float]) -> bool:
        """Return whether a part that names some numbers may show something."""
        return not self._beside or self._beside in named

    def shape(self, shape: Shape | None) -> tuple[int, ...]:
        return tuple(map(self.length, shape or ()))

    def length(self, dim: Any) -> Any:
        """Return the length that a symbol stands for; each stands for another one."""
        if isinstance(dim, (int, float)):
            return dim
        if isinstance(dim, str) and 0 < dim.count(_PLUS) < _MOST_PARTS:  # as exporters call what two inputs make
            numbers = ((one, decimal(one)) for one in dim.split(_PLUS))
            return sum(self.length(one) if number is None else number for one, number in numbers)
        if self._only not in ("", dim):
            return 1
        longest = self._longest
        if dim is None:
            return longest + BEYOND if longest else _UNKNOWN[self._run % len(_UNKNOWN)]
        number = len(self._known)
        usual = self._times * LENGTHS[(self._run + number) % len(LENGTHS)]
        return self._known.setdefault(dim, longest + BEYOND + number if longest else usual)

    def numbers(self, dtype: str, shape: Sequence[int], key: int) -> Any:
        """Return numbers for a value: usual ones, small integers, among which equal ones are often, tiny ones, some of all sizes, and those
        that parts name."""
        if prod(shape) > _DRAWN:
            return np.resize(self.numbers(dtype, (_DRAWN,), key), shape)
        random, run = np.random.default_rng([self._run, key]), self._run
        if dtype == "bool":
            return random.integers(0, 2, shape) > 0
        if dtype not in FLOATS:  # they may be indices
            return cast(self._integers(random, integer_range(dtype), shape), dtype)
        usual = random.standard_normal(shape)
        if self._beside:
            return cast(usual * (np.sqrt(self._beside) if run % 2 else self._beside), dtype)
        if self._named and run % 2 and not self.is_usual:  # large numbers hide others
            named = random.choice([one for one in self._named if abs(one) < HUGE] or [0], shape) * random.choice(
                [1, 1, 0.97, 1.03], shape
            )
            return cast(np.where(random.random(shape) < 0.5, usual, named), dtype)
        if run == 1:
            usual = np.round(2 * usual)
        if run == 2:  # roots and logarithms have results for these
            usual = np.abs(usual)
        scale = (1.0, 1.0, 2.0**-2, np.exp2(random.uniform(-8, 8, shape)))[run % USUAL_RUNS]
        return cast(usual * scale, dtype)

    def _integers(self, random: Any, bounds: tuple[int, int], shape: Sequence[int]) -> Any:
        if self.is_usual:
            return random.integers(0, 2 + self._run // 2, shape)
        least, most = bounds
        named = [int(one) for one in (*self._named, -1, 0, 1, 2, *_LONG) if float(one).is_integer()]
        return random.choice([one for one in named if least <= one <= most], shape)


def lengths_named(named: Iterable[float]) -> list[int]:
    """Return some of the numbers that may be bounds of lengths, the largest first."""
    lengths = sorted({int(one) for one in named if 1 < one <= _LONGEST and float(one).is_integer()}, reverse=True)
    return lengths[:: max(1, len(lengths) // _FURTHER)][:_FURTHER]


def further(named: Iterable[float]) -> Iterator[RunNumbers]:
    """Yield what further runs are given, with the longest lengths first."""
    known = sorted({*named})
    few = known[:: max(1, len(known) // _MOST_NAMED)]
    for number, longest in enumerate(sorted({*lengths_named(known), *_LONG}, reverse=True)):
        yield RunNumbers(USUAL_RUNS + number, longest, few)
    small = [one for one in known if 0 < one <= _SMALL]
    for one in small[:: max(1, len(small) // _MOST_SMALL)]:
        yield from (RunNumbers(USUAL_RUNS + number, beside=one) for number in (0, 1))
