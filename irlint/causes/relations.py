"""Where followers of a problem are: in the same node, inside a value, around it, anywhere. And how to find their roots quickly."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import accumulate
from typing import Any, Protocol

from irlint.findings import Problem
from irlint.records import NamedTuple
from irlint.text.base import Document, Path, Place, Span

Keys = Callable[[Any, Problem], Iterable[Hashable]]
Finder = Callable[[Problem], "Problem | None"]


class Lookup:
    """What rows look up about the problems of a file. A format's own adds what its predicates ask for."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._paths: dict[Span, Path] = {}

    def path(self, problem: Problem) -> Path:
        """Return the path of the value that a problem is at."""
        if isinstance(problem.at, Place):
            return problem.at.path
        if problem.at not in self._paths:
            self._paths[problem.at] = self.document.place_at(problem.at.start).path
        return self._paths[problem.at]

    def span(self, problem: Problem) -> Span:
        return problem.at if isinstance(problem.at, Span) else self.document.span(problem.at)


class Relation(Protocol):
    def finder(self, lookup: Any, roots: Sequence[Problem]) -> Finder:
        """Return a function from a follower to its root among these."""


class Keyed(NamedTuple):
    """A follower has a key in common with its root. Of several roots with a key the severest counts, then the first.

    `alone`: a key that several roots have leads to none.
    """

    of_root: Keys
    of_follower: Keys
    alone: bool = False

    def finder(self, lookup: Any, roots: Sequence[Problem]) -> Finder:
        index: dict[Hashable, Problem | None] = {}
        for root in roots:
            for key in self.of_root(lookup, root):
                other = index.setdefault(key, root)
                if other is not root and (self.alone or (other and root.actual_severity > other.actual_severity)):
                    index[key] = None if self.alone else root

        def find(follower: Problem) -> Problem | None:
            return next((root for key in self.of_follower(lookup, follower) if (root := index.get(key))), None)

        return find


def nowhere(_: Any, problem: Problem) -> tuple[Path, ...]:
    return ((),)


def place(_: Any, problem: Problem) -> tuple[Path, ...]:
    """Return the path of a problem that is at a place."""
    return (problem.at.path,) if isinstance(problem.at, Place) else ()


def value(lookup: Any, problem: Problem) -> tuple[Path, ...]:
    """Return the path of a problem, wherever it is."""
    return (lookup.path(problem),)


def above(_: Any, problem: Problem) -> tuple[Path, ...]:
    """Return the paths of a problem's place and of all that is around it, innermost last."""
    path = problem.at.path if isinstance(problem.at, Place) else None
    return () if path is None else tuple([path[:size] for size in range(len(path) + 1)])


def around(lookup: Any, problem: Problem) -> tuple[Path, ...]:
    """Return the paths around a problem's place, without its own."""
    return above(lookup, problem)[:-1]


def node(_: Any, problem: Problem) -> tuple[Path, ...]:
    """Return the path of a node in a file that is a list of nodes."""
    return (problem.at.path[:1],) if isinstance(problem.at, Place) else ()


def explained(_: Any, problem: Problem) -> Iterable[Path]:
    return problem.explains


ANYWHERE = Keyed(nowhere, nowhere)
SAME_VALUE = Keyed(value, place)
INSIDE = Keyed(place, above)  # the follower is in the value of its root, or is that value
EXPLAINED = Keyed(explained, above)


class Spans(NamedTuple):
    """The text of a follower is around that of its root (or inside it); `slack`: it may end so many characters earlier."""

    is_around: bool
    slack: int = 0
    of_root: Callable[[Any, Problem], Span] = Lookup.span
    of_follower: Callable[[Any, Problem], Span] = Lookup.span

    def finder(self, lookup: Any, roots: Sequence[Problem]) -> Finder:
        rows = sorted([(*self.of_root(lookup, root), k) for k, root in enumerate(roots)])
        starts = [start for start, _, _ in rows]
        ends = [(end, k) for _, end, k in rows]
        # of the spans that start no earlier the one that ends first; of those that start no later the one that ends last
        first = list(accumulate(reversed(ends), min))[::-1]
        last = list(accumulate(ends, max))

        def find(follower: Problem) -> Problem | None:
            start, end = self.of_follower(lookup, follower)
            if self.is_around:
                at = bisect_left(starts, start)
                return roots[first[at][1]] if at < len(rows) and first[at][0] <= end + self.slack else None
            at = bisect_right(starts, start)
            return roots[last[at - 1][1]] if at and last[at - 1][0] >= end else None

        return find
