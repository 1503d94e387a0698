"""Findings of problems: those that the settings want, located, sorted, each once."""

from __future__ import annotations

from collections.abc import Iterable

from irlint.codes import RuleRow
from irlint.findings import Finding, Fix, OtherPlace, Problem, Related, Severity
from irlint.settings import Settings
from irlint.text.base import Document, Place, Span
from irlint.text.safe import brief


def located(
    document: Document, problems: Iterable[Problem], settings: Settings, pedantic: bool = False
) -> list[Finding]:
    """Return the selected problems, located, sorted, without duplicates. With `pedantic` also pedantic ones of every rule
    that is on: a comment that silences one of them is not idle.
    """
    findings: dict[tuple[int, int, str, str], Finding] = {}
    grades: dict[tuple[str, int | None], tuple[Severity, bool] | None] = {}
    for problem in problems:
        rule, given, place = problem.rule, problem.severity, problem.at
        kind = rule.code, None if given is None else +given  # an int, because hashing an enum member is slow
        if kind not in grades:
            grades[kind] = _grade(problem, settings, pedantic)
        if (grade := grades[kind]) is None:
            continue
        severity, is_repaired = grade
        if isinstance(place, Span):
            at, path = place, document.place_at(place.start).path
        else:
            at, path = document.span(place), place.path
        message = brief(problem.text)
        key = *at, rule.code, message
        if key in findings:
            continue
        findings[key] = Finding(
            rule.code,
            rule.name,
            severity,
            message,
            at,
            document.pointer(path),
            problem.node,
            _fix(document, problem) if is_repaired else None,
            _related(document, problem) if problem.related else (),
            problem.more,
            problem.meant,
            problem.hint,
            problem.taken,
        )
    return [findings[key] for key in sorted(findings)]


def _grade(problem: Problem, settings: Settings, pedantic: bool) -> tuple[Severity, bool] | None:
    """Return a problem's severity, and whether --fix repairs it; None if it is not selected.

    Pedantic findings stay off whatever severity the configuration sets for the rule.
    """
    rule, given = problem.rule, problem.actual_severity
    severity = settings.severity_of(rule.code, rule.name, given)
    mildest = min(given, severity)
    is_wanted = settings.wants(rule.code, rule.name, mildest)
    if not is_wanted and pedantic and mildest == Severity.PEDANTIC:
        is_wanted = settings.wants(rule.code, rule.name, Severity.INFO)
    return (severity, settings.repairs(rule.code, rule.name, severity)) if is_wanted else None


def _fix(document: Document, problem: Problem) -> Fix | None:
    """Return the fix of a problem; None where the text to edit is incomplete, or in a syntax that cannot be written."""
    try:
        return problem.fix and problem.fix(document)
    except (LookupError, NotImplementedError):
        return None


def _related(document: Document, problem: Problem) -> tuple[Related, ...]:
    return tuple(_note(document, brief(words), where) for words, where in problem.related)


def _note(document: Document, words: str, where: Place | Span | OtherPlace) -> Related:
    if isinstance(where, OtherPlace) and where.document is document:
        where = where.place
    if isinstance(where, OtherPlace):
        return Related(words, where.document.span(where.place), where.document.name, where.document)
    return Related(words, document.span(where) if isinstance(where, Place) else where)


def of_file(rule: RuleRow, message: str, settings: Settings, end: int = 0) -> Finding:
    """Return a finding about the whole file, at its beginning."""
    return Finding(
        rule.code, rule.name, settings.severity_of(rule.code, rule.name, rule.severity), message, Span(0, end)
    )
