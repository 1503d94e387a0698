"""What the check of a file may cost: steps of the check, and characters of the trials of its fixes and repairs.

Neither is time, so that a file has the same findings on every machine. A step is about a microsecond. No valid file comes near
to the limit, whatever its size (`tests/test_work.py`): it is a net under passes that grow faster than the file. What is left out
is named in one finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

FREE, EACH = 4_000_000, 2  # steps of any file, and more for each of its characters
OF_TRIALS = 4  # the trials of all fixes and repairs of a file take so many times its budget
NODE = 20  # steps of a node whose types are inferred
EXPLANATION = 200  # steps of an error of a schema, with the memory that it takes
WORDS = (
    2000  # different words of a file for which the one that was meant is looked for among many: more are not misspelt
)


class Work:
    """What is left of a budget, and how much of each kind of work was left out."""

    def __init__(self, size: int, times: int = 1) -> None:
        self.budget = self.left = times * (FREE + EACH * size)
        self.missed: dict[str, int] = {}
        self._words: set[str] = set()

    @property
    def share(self) -> float:
        """Return the share of the budget that was used."""
        return 1 - self.left / self.budget

    def spend(self, steps: int, what: str, count: int = 1) -> bool:
        """Take steps; return whether enough were left for `count` things of a kind, else remember that they are left out."""
        if steps <= self.left:
            self.left -= steps
            return True
        self.missed[what] = self.missed.get(what, 0) + count
        return False

    def compares(self, word: str) -> bool:
        """Return whether a word is one of those that are compared with many others."""
        if word not in self._words and len(self._words) == WORDS:
            return False
        self._words.add(word)
        return True


_current: ContextVar[Work | None] = ContextVar("work", default=None)


def spend(steps: int, what: str, count: int = 1) -> bool:
    """Take steps from the budget of the check that is running; outside of one, everything is done."""
    work = _current.get()
    return work is None or work.spend(steps, what, count)


def compares(word: str) -> bool:
    """Return whether the check that is running compares a word with many others."""
    work = _current.get()
    return work is None or work.compares(word)


def missed() -> dict[str, int]:
    """Return how much of each kind of work the check that is running has left out."""
    work = _current.get()
    return {} if work is None else work.missed


def budget() -> int:
    """Return the steps that the check that is running may take."""
    work = _current.get()
    return 0 if work is None else work.budget


@contextmanager
def bounded(work: Work) -> Iterator[Work]:
    """Run a check with a budget, or with that of the trials of which it is one."""
    if (outer := _current.get()) is not None:
        yield outer
        return
    token = _current.set(work)
    try:
        yield work
    finally:
        _current.reset(token)


# Characters linted in all trials of one file: about 0.4 s, so that a broken file is checked like a sound one
CHARACTERS = 6_000_000
PER_FINDING = 256  # characters that take as long as a finding
TRIALS = 240  # of the search in one file
FEWEST = 4  # trials that a text has to be small enough for: with fewer, almost nothing is compared


class Budget:
    """The remaining budget of one file; `cost` is that of linting one character, which differs between formats."""

    def __init__(self, cost: float = 1.0) -> None:
        self.cost = cost
        self.trials, self.characters = TRIALS, CHARACTERS
        self.reserved = CHARACTERS // 4  # for trials of fixes, which come after the search
        self.is_spent = False  # True: candidates were left untested; others might fit as well

    def allows(self, size: int) -> bool:
        """Return whether a search in a text of a size is worthwhile: its setup takes as long as a few trials."""
        return FEWEST * self.cost * size <= CHARACTERS

    def has(self, trials: int, size: int) -> bool:
        """Return whether so many trials may be made besides others that are due."""
        return trials * self.cost * size <= self.characters // 2

    def share(self, findings: int) -> None:
        """Reserve what is left but for the first of so many findings: none is searched at the cost of all others."""
        least = CHARACTERS // 4
        self.reserved = max(least, self.characters - max(0, self.characters - least) // findings)
        self.is_spent = False

    def spend(self, size: int, findings: int = 0) -> None:
        """Spend what one trial costs."""
        self.characters -= int(self.cost * size) + PER_FINDING * findings

    def search(self, size: int) -> bool:
        """Return whether one more trial of a search may be made, and spend what it costs."""
        if self.trials <= 0 or self.characters - self.cost * size < self.reserved:
            self.is_spent = True
            return False
        self.trials -= 1
        self.spend(size)
        return True
