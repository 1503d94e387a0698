"""Files that end too early: keys that objects lack because the text ends inside of them are no mistakes of their own."""

from __future__ import annotations

from irlint.findings import Problem, Severity
from irlint.rules.structure.missing_key import MissingKey
from irlint.rules.syntax.truncated_file import TruncatedFile
from irlint.text.base import Document, Place

_TOLD = 2  # messages about what is missing that are repeated


def settle(document: Document, problems: list[Problem]) -> list[Problem]:
    """The end of the file is to blame for what is missing in the objects that it cut."""
    cut = next((problem for problem in problems if problem.rule is TruncatedFile), None)
    if cut is None or not cut.related:
        return problems
    innermost = cut.related[0][1]
    assert not isinstance(innermost, Place)
    lacking = [
        problem
        for problem in problems
        if problem.rule is MissingKey
        and isinstance(problem.at, Place)
        and document.span(Place(problem.at.path)).start <= innermost.start
        and document.span(Place(problem.at.path)).end >= innermost.end
    ]
    if not lacking:
        return problems
    lacking.sort(key=lambda problem: document.span(problem.at).start, reverse=True)
    cut.severity = Severity.ERROR
    cut.fix = None
    cut.message += "; " + ", ".join(problem.message for problem in lacking[:_TOLD])
    gone = set(map(id, lacking))
    return [problem for problem in problems if id(problem) not in gone]
