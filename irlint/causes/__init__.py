"""One mistake is one finding: what follows from another problem is left out, moved, regraded or joined with it.

Here is what applies a format's table of causes, and the rows of any format: miswired inputs, and values that are guesses.
"""

from __future__ import annotations

from collections.abc import Iterable

from irlint.causes.relations import ANYWHERE, EXPLAINED, Lookup
from irlint.causes.rows import Each, Follows, Row, Which, apply, gone
from irlint.codes import R
from irlint.findings import INFERRED, Problem
from irlint.records import NamedTuple
from irlint.text.base import Document, Path, Place


class Causes(NamedTuple):
    """What a format knows of the causes of its problems: a table, and what its rows look up."""

    lookup: Lookup
    rows: Iterable[Row] = ()


def traced(problems: list[Problem], causes: Causes) -> list[Problem]:
    """Return the problems of a file, with one for each mistake."""
    document = causes.lookup.document
    problems = apply(_MISLED, causes.lookup, problems)
    if document.syntax == "json":
        from irlint.causes.double_keys import DOUBLE_KEYS

        problems = apply(DOUBLE_KEYS, causes.lookup, problems)
    problems = apply(causes.rows, causes.lookup, problems)
    return apply(_GUESSED, Guesses(document), problems) if document.guesses else problems


def _misleads(_: Lookup, problem: Problem) -> bool:
    return bool(problem.explains)


def _is_read(_: Lookup, problem: Problem) -> bool:
    return problem.kind != INFERRED


_MISWIRED = Which(kinds=(INFERRED,), when=_misleads)
_MISLED: tuple[Row, ...] = (
    # the right value is unused because another one is used instead
    Follows(_MISWIRED, ANYWHERE, Which((R.unreachable_node,))),
    # whatever else is said of an input is said of the wrong value
    Follows(_MISWIRED, EXPLAINED, Which(when=_is_read)),
)


class Guesses(Lookup):
    """Which values are guesses because their syntax is broken."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.guesses = document.guesses
        self.holders: set[Path] = set()
        for path in self.guesses:
            for size in range(len(path), -1, -1):
                if path[:size] in self.holders:
                    break  # so is what holds that
                self.holders.add(path[:size])

    def touches(self, problem: Problem) -> bool:
        """Return whether a problem's value contains a guess, or is inside one."""
        if not isinstance(problem.at, Place):
            return False
        path: Path = problem.at.path
        return path in self.holders or any(path[:size] in self.guesses for size in range(len(path) + 1))


def _is_in_structure(_: Lookup, problem: Problem) -> bool:
    return problem.rule.code[0] != "S" and isinstance(problem.at, Place)


_GUESSED: tuple[Row, ...] = (
    # the guess was a bad one: only what is wrong with the text itself counts
    Follows(Which(groups="T", when=Guesses.touches), ANYWHERE, Which(when=_is_in_structure)),
    # what is wrong with a guess is not wrong with the file
    Each(Which(when=Guesses.touches), gone),
)
