"""Files that end too early: what objects and lists lack because the text ends inside of them is no mistake of its own."""

from __future__ import annotations

from irlint.findings import Problem, Severity
from irlint.rules.structure.empty_model import EmptyModel
from irlint.rules.structure.missing_key import MissingKey
from irlint.rules.structure.wrong_length import WrongLength
from irlint.rules.syntax.truncated_file import TruncatedFile
from irlint.text.base import Document, Place

_CUT = (MissingKey, WrongLength, EmptyModel)
_TOLD = 2  # messages about what is missing that are repeated


def settle(document: Document, problems: list[Problem]) -> list[Problem]:
    """The end of the file is to blame for what is missing in the objects that it cut."""
    cut = next((problem for problem in problems if problem.rule is TruncatedFile), None)
    if cut is None or not cut.related:
        return problems
    at = cut.related[0][1]
    innermost = document.span(at) if isinstance(at, Place) else at
    lacking: dict[int, Problem] = {}  # by where the object begins
    for problem in problems:
        if problem.rule in _CUT and isinstance(problem.at, Place):
            start, end = document.span(Place(problem.at.path))
            if start <= innermost.start and end >= innermost.end:
                lacking[start] = problem
    if not lacking:
        return problems
    told = [lacking[start].message for start in sorted(lacking, reverse=True)]
    cut.severity = Severity.ERROR
    cut.fix = None
    cut.message += "; " + ", ".join(told[:_TOLD])
    gone = set(map(id, lacking.values()))
    return [problem for problem in problems if id(problem) not in gone]
