"""Lengths and numbers that parts of a graph are run with: usual ones, and those around the numbers that the parts themselves name, where a
bound, a mask or a slice begins to matter."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from irlint.dryrun.dtypes import FLOATS, integer_range
from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import cast
from irlint.graph import Shape

USUAL_RUNS = 4
_LENGTHS = (2, 3, 5, 7, 11)  # that symbols stand for
_UNKNOWN = (3, 60)  # the length of a dimension that is not known, in turn
_LONG = (40, 130)  # lengths that no part names
_LONGEST = 4096
_FURTHER = 3  # runs with longer lengths
_MOST_NAMED = 1024  # numbers


class RunNumbers:
    """What one run is given."""

    def __init__(self, run: int, longest: int = 0, named: Collection[float] = ()) -> None:
        """`longest`: a length to go beyond, `named`: numbers to meet; nothing in usual runs."""
        self._run, self._longest = run, longest
        self._named = [*dict.fromkeys(near for one in named for near in (one - 1, one, one + 1, -one))]
        self._known: dict[str, int] = {}

    @property
    def is_usual(self) -> bool:
        """Whether parts that work compute something of this."""
        return self._run < USUAL_RUNS

    def shape(self, shape: Shape | None) -> tuple[int, ...]:
        return tuple(map(self.length, shape or ()))

    def length(self, dim: Any) -> Any:
        """Return the length that a symbol stands for; each stands for another one."""
        if isinstance(dim, str):
            number = len(self._known)
            usual = _LENGTHS[(self._run + number) % len(_LENGTHS)]
            return self._known.setdefault(dim, self._longest + 1 + number if self._longest else usual)
        return dim if isinstance(dim, (int, float)) else _UNKNOWN[self._run % len(_UNKNOWN)]

    def numbers(self, dtype: str, shape: Sequence[int], key: int) -> Any:
        """Return numbers for a value: usual ones, small integers, among which equal ones are often, tiny ones, some of all sizes, and those
        that parts name."""
        random, run = np.random.default_rng([self._run, key]), self._run
        if dtype == "bool":
            return random.integers(0, 2, shape) > 0
        if dtype not in FLOATS:  # they may be indices
            return cast(self._integers(random, integer_range(dtype), shape), dtype)
        usual = random.standard_normal(shape)
        if self._named and not self.is_usual:
            named = random.choice(self._named, shape) * random.choice([1, 1, 0.97, 1.03], shape)
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


def further(named: Iterable[float]) -> Iterator[RunNumbers]:
    """Yield what further runs are given, with the longest lengths first."""
    known = sorted({*named})
    lengths = sorted({int(one) for one in known if 1 < one <= _LONGEST and float(one).is_integer()}, reverse=True)
    some = lengths[:: max(1, len(lengths) // _FURTHER)][:_FURTHER]
    few = known[:: max(1, len(known) // _MOST_NAMED)]
    for number, longest in enumerate(sorted({*some, *_LONG}, reverse=True)):
        yield RunNumbers(USUAL_RUNS + number, longest, few)
