"""The budget of work for the check of one file: steps, not seconds, so that a file has the same findings on every machine.

A step is about a microsecond. No sound file comes near to the limit, whatever its size (`tests/test_work.py`): it is a net under
passes that grow faster than the file. What is left out is named in one finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

FREE, EACH = 4_000_000, 2  # steps of any file, and more for each of its characters
TRIALS = 4  # the trials of all fixes and repairs of a file take so many times its budget
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
