"""An attribute that stands twice in a tag that lacks another one: the second was meant to be that one."""

from __future__ import annotations

from irlint.findings import Fix, Problem
from irlint.rules.structure.missing_key import Lacking, MissingKey
from irlint.text.base import Document, Edit, Path, Place, Span
from irlint.text.xml import XmlDocument


def united(document: XmlDocument, problems: list[Problem]) -> list[Problem]:
    """The problems, with one in place of the two that such an attribute makes."""
    doubles: dict[Path, list[Problem]] = {}
    for problem in problems:
        if problem.rule.name == "duplicate-xml-attribute" and isinstance(problem.at, Span):
            doubles.setdefault(document.place_at(problem.at.start).path, []).append(problem)
    found: dict[int, Problem] = {}
    gone: set[int] = set()
    for problem in problems:
        path = problem.at.path if isinstance(problem.at, Place) else ()
        if isinstance(problem, Lacking) and len(twice := doubles.get(path, [])) == 1:
            found[id(problem)] = _one_of_two(document, problem, twice[0])
            gone |= {id(twice[0]), *(id(other) for other in problems if _follows(other, path))}
    return [found.get(id(problem), problem) for problem in problems if id(problem) not in gone]


def _follows(problem: Problem, path: Path) -> bool:
    """Whether a problem may only be there because an element was not read as it was meant."""
    if problem.rule.name == "empty-model":
        return True
    inside = isinstance(problem.at, Place) and problem.at.path[: len(path)] == path
    return inside and problem.rule.code[0] not in "ST"


def _one_of_two(document: XmlDocument, lacking: Lacking, double: Problem) -> Problem:
    assert isinstance(double.at, Span)
    start, end = double.at
    name = document.text[start:end].partition("=")[0].rstrip()
    at = Span(start, start + len(name))

    def fix(_: Document) -> Fix:
        return Fix(f"Call it {lacking.key}", (Edit(at, lacking.key),), "unsafe")

    message = f"{lacking.message}; is one of the two called {name} meant to be it?"
    return Problem(MissingKey, at, message, lacking.node, fix, double.related)
