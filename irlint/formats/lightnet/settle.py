"""Drops what only follows from something else that is said of a file."""

from __future__ import annotations

from irlint.findings import Problem
from irlint.formats.lightnet.codes import R
from irlint.text.base import Document, Span


def settled(document: Document, problems: list[Problem]) -> list[Problem]:
    errors = [problem for problem in problems if problem.is_error]
    if not errors:
        return problems
    broken = [_span(document, problem) for problem in errors if problem.rule.code.startswith("S")]
    wrong = [_span(document, problem) for problem in errors]
    lacking = sum(problem.rule == R.wrong_output_count for problem in errors)
    unknown = sum(problem.rule == R.undefined_reference for problem in errors)
    other_operator = {_span(document, problem) for problem in errors if problem.rule == R.wrong_operator}

    def follows(problem: Problem) -> bool:
        if problem.rule.code.startswith("S"):
            return False
        if lacking and problem.rule == R.undefined_reference and (problem.fix is None or unknown <= lacking):
            return True  # what is read may be the output that is not there
        at = _span(document, problem)
        if problem.rule == R.target_lacks_operator:
            return at in other_operator
        if problem.rule == R.lossy_number:
            return any(span.start <= at.start and at.end <= span.end for span in wrong)
        return any(at.start <= span.start and span.end <= at.end + 1 for span in broken)

    return [problem for problem in problems if not follows(problem)]


def _span(document: Document, problem: Problem) -> Span:
    return problem.at if isinstance(problem.at, Span) else document.span(problem.at)
