"""Drops what only follows from something else that is said of a file."""

from __future__ import annotations

import re
from bisect import bisect_left

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.rules.arg_nodes import ArgNodes
from irlint.rules.operators.unknown_operator import UnknownOperator
from irlint.rules.structure.missing_key import MissingKey
from irlint.rules.structure.unknown_key import UnknownKey
from irlint.text.base import Document, Path, Place, Span

_BY_NUMBER = ("R", "G", "D")  # rules that follow from one node to another
_HOLDERS = ("attrs", "attr", "param")
_BLANK = re.compile(r"\s+")
_KEYS = re.compile(r"`(\w+)`")


def settle(document: Document, problems: list[Problem]) -> list[Problem]:
    errors = [problem for problem in problems if _severity(problem) == Severity.ERROR]
    if len(errors) > 1:
        broken = [problem for problem in errors if problem.rule.code.startswith("S")]
        if broken:
            problems = _readable(document, problems, broken)
        problems = _explained(problems)
    return problems


class _Places:
    """Spans, by where they begin."""

    def __init__(self, spans: list[Span]) -> None:
        self.spans = sorted(spans, key=lambda span: (span.start, span.end))

    def first_in(self, outer: Span) -> Span | None:
        at = bisect_left(self.spans, outer.start, key=lambda span: span.start)
        inside = at < len(self.spans) and self.spans[at].end <= outer.end
        return self.spans[at] if inside else None


def _readable(document: Document, problems: list[Problem], broken: list[Problem]) -> list[Problem]:
    """What is left to say where the text itself is wrong."""
    located = [(_span(document, problem), problem) for problem in broken]
    spans = _Places([span for span, _ in located])
    torn = _Places([span for span, problem in located if problem.rule.code == "S001"])
    lost = _Places([span for span, problem in located if problem.rule.code == "S001" and problem.fix is None])
    keys = {place.path[:-1] for span in spans.spans if (place := document.place_at(span.start)).part == "key"}
    last: dict[str, int] = {}  # where keys stand last

    def misread(problem: Problem) -> bool:
        """Whether the keys that an object is said to lack stand behind the place from which on it was not understood."""
        assert isinstance(problem.at, Place)
        start, end = document.span(Place(problem.at.path))
        behind = _BLANK.match(document.text, end)
        first = torn.first_in(Span(start, (behind.end() if behind else end) + 1))
        if first is None:
            return False
        lacking = _KEYS.findall(problem.message.partition(";")[0].partition("lacks")[2])
        for key in lacking:
            if key not in last:
                last[key] = document.text.rfind(f'"{key}"')
        return all(last[key] >= first.start for key in lacking)

    swallowed = {p.at.path for p in problems if p.rule is MissingKey and isinstance(p.at, Place) and misread(p)}

    def follows(problem: Problem) -> bool:
        code, at = problem.rule.code, _span(document, problem)
        if code.startswith("S"):
            return False
        path = problem.at.path if isinstance(problem.at, Place) else None
        if problem.rule is MissingKey:
            return path in swallowed or path in keys
        if () in swallowed and at.end > torn.spans[0].start:
            return True  # brackets do not match: what lies in what, nobody can tell
        if lost.spans and code.startswith(_BY_NUMBER):
            return True  # there may be nodes in what was not understood
        if lost.spans and path and (node := _node(path)) and lost.first_in(document.span(Place(node))):
            return True
        if problem.rule is UnknownKey and path:
            return torn.first_in(document.span(Place(path[:-1]))) is not None
        return spans.first_in(at) is not None

    return [problem for problem in problems if not follows(problem)]


def _node(path: Path) -> Path:
    """The innermost node that a path leads into; empty if there is none."""
    return next((path[: k + 2] for k in range(len(path) - 2, -1, -1) if path[k] == "nodes"), ())


def _explained(problems: list[Problem]) -> list[Problem]:
    """Without what is said of values that are of a wrong type or out of range anyway, or of operators that are not known."""
    wrong: set[Path] = set()
    unknown: set[Path] = set()
    for problem in problems:
        if isinstance(problem.at, Place):
            if problem.rule.code in ("T001", "T004", "T006") and _severity(problem) == Severity.ERROR:
                wrong.add(problem.at.path)
            elif problem.rule is UnknownOperator:
                unknown.add(problem.at.path[:-1])

    def follows(problem: Problem) -> bool:
        if problem.rule is ArgNodes:
            return any(isinstance(at, Place) and at.path[:-1] in unknown for _, at in problem.related)
        if not isinstance(problem.at, Place) or not problem.rule.code.startswith(("A", "O", "R")):
            return False
        path = problem.at.path
        if problem.rule.code == "A002" and any((*path[:k], holder) in wrong for k in (-1, None) for holder in _HOLDERS):
            return True
        return any(path[:k] in wrong for k in range(1, len(path) + 1))

    return [problem for problem in problems if not follows(problem)] if wrong or unknown else problems


def _severity(problem: Problem) -> Severity:
    return problem.rule.severity if problem.severity is None else problem.severity


def _span(document: Document, problem: Problem) -> Span:
    return problem.at if isinstance(problem.at, Span) else document.span(problem.at)
