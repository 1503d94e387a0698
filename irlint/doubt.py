"""Problems that may only follow from a guess at broken syntax: they are not reported until the syntax is correct."""

from __future__ import annotations

from collections.abc import Set

from irlint.findings import Problem
from irlint.text.base import Path, Place, Span


def beyond_doubt(problems: list[Problem], guesses: Set[Path]) -> list[Problem]:
    """Return the problems of a text with guessed values, without those that the guesses may have caused.

    If even the structure is wrong at a guess, the guess was bad: then only what is wrong with the text itself counts.
    """
    doubtful = [_touches(problem, guesses) for problem in problems]
    if any(doubt and problem.rule.code[0] == "T" for doubt, problem in zip(doubtful, problems, strict=True)):
        return [problem for problem in problems if problem.rule.code[0] == "S" or isinstance(problem.at, Span)]
    return [problem for doubt, problem in zip(doubtful, problems, strict=True) if not doubt]


def _touches(problem: Problem, guesses: Set[Path]) -> bool:
    """Return whether the problem's value contains a guessed one, or is inside one."""
    if not isinstance(problem.at, Place):
        return False
    path = problem.at.path
    if any(path[:size] in guesses for size in range(len(path) + 1)):
        return True
    return any(guess[: len(path)] == path for guess in guesses)
