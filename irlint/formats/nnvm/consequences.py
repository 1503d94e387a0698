"""Drops what only follows from something else that is said of a file."""

from __future__ import annotations

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.rules.arg_nodes import ArgNodes
from irlint.rules.hygiene.unreachable_node import UnreachableNode
from irlint.rules.operators.unknown_operator import UnknownOperator
from irlint.rules.syntax.number_out_of_range import NumberOutOfRange
from irlint.text.base import Document, Path, Place, Span

_ASTRAY = ("R001", "R002", "R003", "R004", "R006")
_HOLDERS = ("attrs", "attr", "param")


def settle(document: Document, problems: list[Problem]) -> list[Problem]:
    errors = [problem for problem in problems if _severity(problem) == Severity.ERROR]
    return _explained(document, problems) if errors and len(problems) > 1 else problems


def _explained(document: Document, problems: list[Problem]) -> list[Problem]:
    """Without what is said of values that are of a wrong type or out of range anyway, or of operators that are not known."""
    wrong: set[Path] = set()
    unknown: set[Path] = set()
    said: set[Path] = set()  # values that the reader of JSON reported itself
    astray = False  # an entry leads to another node than was meant
    for problem in problems:
        if isinstance(problem.at, Span):
            if problem.rule is NumberOutOfRange and _severity(problem) == Severity.ERROR:
                said.add(document.place_at(problem.at.start).path)
        else:
            if problem.rule.code in ("T001", "T004", "T006") and _severity(problem) == Severity.ERROR:
                wrong.add(problem.at.path)
            elif problem.rule is UnknownOperator:
                unknown.add(problem.at.path[:-1])
            elif problem.rule.code in _ASTRAY and _severity(problem) == Severity.ERROR:
                astray = True

    def follows(problem: Problem) -> bool:
        if not isinstance(problem.at, Place):
            return False
        path = problem.at.path
        if astray and problem.rule is UnreachableNode:
            return True
        if problem.rule is ArgNodes:
            unclear = any(isinstance(at, Place) and at.path[:-1] in unknown for _, at in problem.related)
            return unclear or any(other[: len(path)] == path for other in wrong)
        if path in said:
            return True
        if not problem.rule.code.startswith(("A", "O", "R")):
            return False
        if problem.rule.code == "A002" and any((*path[:k], holder) in wrong for k in (-1, None) for holder in _HOLDERS):
            return True
        return any(path[:k] in wrong for k in range(1, len(path) + 1))

    return [problem for problem in problems if not follows(problem)] if wrong or unknown or said or astray else problems


def _severity(problem: Problem) -> Severity:
    return problem.rule.severity if problem.severity is None else problem.severity
