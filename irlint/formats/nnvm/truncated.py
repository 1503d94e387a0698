"""Handle graphs that end too early: what is missing only because the file ends is not reported separately."""

from __future__ import annotations

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.text.base import Document, Place, Span

_CUT = (R.missing_key, R.wrong_length, R.empty_model)
_TOLD = 2  # messages about missing parts that are repeated


def settle(document: Document, problems: list[Problem]) -> list[Problem]:
    return _closed(document, _cut(document, problems))


def _closed(document: Document, problems: list[Problem]) -> list[Problem]:
    """Blame the surplus or early bracket that ends the graph for what the graph lacks; the reader ignores the rest."""
    rest = next((problem for problem in problems if problem.rule is R.trailing_text), None)
    lack = next((p for p in problems if p.rule is R.missing_key and isinstance(p.at, Place) and not p.at.path), None)
    if rest is None or lack is None:
        return problems
    end = document.span(Place(())).end
    lack.at = Span(end - 1, end)
    lack.message = f"{lack.message}; the graph ends at this bracket, and readers ignore what follows"
    return [problem for problem in problems if problem is not rest]


def _cut(document: Document, problems: list[Problem]) -> list[Problem]:
    """Blame the end of the file for what is missing in the objects that it cuts off."""
    cut = next((problem for problem in problems if problem.rule is R.truncated_file), None)
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
