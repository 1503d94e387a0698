"""A duplicate attribute in a tag that lacks another one: the second was meant to be the missing one."""

from __future__ import annotations

from irlint.findings import Fix, Lacking, Problem
from irlint.formats.openvino.codes import R
from irlint.text.base import Document, Edit, Path, Place, Span
from irlint.text.xml import XmlDocument


def merge_duplicate_with_missing(document: XmlDocument, problems: list[Problem]) -> list[Problem]:
    """Return the problems, with each such pair merged into one."""
    doubles: dict[Path, list[Problem]] = {}
    for problem in problems:
        if problem.rule == R.duplicate_xml_attribute and isinstance(problem.at, Span):
            doubles.setdefault(document.place_at(problem.at.start).path, []).append(problem)
    found: dict[int, Problem] = {}
    gone: set[int] = set()
    elements: set[Path] = set()
    for problem in problems:
        path = problem.at.path if isinstance(problem.at, Place) else ()
        if isinstance(problem, Lacking) and len(twice := doubles.get(path, [])) == 1:
            found[id(problem)] = _one_of_two(document, problem, twice[0])
            gone.add(id(twice[0]))
            elements.add(path)
    if not found:
        return problems
    return [found.get(id(p), p) for p in problems if id(p) not in gone and not _follows(p, elements)]


def _follows(problem: Problem, elements: set[Path]) -> bool:
    """Return whether a problem may only result from an element that was not read as intended."""
    if problem.rule == R.empty_model:
        return True
    if problem.rule.code[0] in "ST" or not isinstance(problem.at, Place):
        return False
    return any(problem.at.path[:k] in elements for k in range(len(problem.at.path) + 1))


def _one_of_two(document: XmlDocument, lacking: Lacking, double: Problem) -> Problem:
    assert isinstance(double.at, Span)
    start, end = double.at
    name = document.text[start:end].partition("=")[0].rstrip()
    at = Span(start, start + len(name))

    def fix(_: Document) -> Fix:
        return Fix(f"Rename to `{lacking.key}`", (Edit(at, lacking.key),), "unsafe")

    message = f"missing required attribute `{lacking.key}`; did you mean one of the two `{name}` attributes?"
    return Problem(R.missing_key, at, message, lacking.node, fix, double.related)
