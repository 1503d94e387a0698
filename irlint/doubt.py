"""What may only follow from a guess at broken syntax, and is not said: once the syntax is right, it is seen whether it is so."""

from __future__ import annotations

from collections.abc import Set

from irlint.findings import Problem
from irlint.text.base import Path, Place


def beyond_doubt(problems: list[Problem], guesses: Set[Path]) -> list[Problem]:
    """The problems of a text some of whose values were read by guess, without those that the guesses may have made.

    Where even the structure is wrong at a guess, the guess was bad: then only what is wrong with the syntax counts.
    """
    doubtful = [_touches(problem, guesses) for problem in problems]
    if any(doubt and problem.rule.code[0] == "T" for doubt, problem in zip(doubtful, problems, strict=True)):
        return [problem for problem in problems if problem.rule.code[0] == "S"]
    return [problem for doubt, problem in zip(doubtful, problems, strict=True) if not doubt]


def _touches(problem: Problem, guesses: Set[Path]) -> bool:
    """Whether the problem's value holds a guessed one, or lies in one."""
    if not isinstance(problem.at, Place):
        return False
    path = problem.at.path
    if any(path[:size] in guesses for size in range(len(path) + 1)):
        return True
    return any(guess[: len(path)] == path for guess in guesses)
