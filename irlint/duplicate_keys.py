"""A duplicate key in an object with a missing key: one of the two was probably meant to be the missing one."""

from __future__ import annotations

from collections.abc import Callable

from irlint.codes import R
from irlint.findings import Fix, Lacking, Problem
from irlint.text.base import Document, Edit, Path, Place, Span
from irlint.text.json import JsonDocument
from irlint.text.json_containers import Container
from irlint.text.safe import visible

_OF_THE_WHOLE = "RGD"  # rules that compare nodes, one of which was not read as intended
_KINDS = {'"': "string", "[": "array", "{": "object", "t": "boolean", "f": "boolean", "n": "null"}


def merge_duplicate_with_missing(document: Document, problems: list[Problem]) -> list[Problem]:
    """Return the problems, with one in place of all those that such a key causes."""
    assert isinstance(document, JsonDocument)
    doubles: dict[Path, list[Problem]] = {}
    for problem in problems:
        if problem.rule == R.duplicate_key and isinstance(problem.at, Span):
            doubles.setdefault(document.place_at(problem.at.start).path[:-1], []).append(problem)
    gone: set[int] = set()
    found: dict[int, Problem] = {}
    objects: set[Path] = set()
    for problem in problems:
        path = problem.at.path if isinstance(problem, Lacking) and isinstance(problem.at, Place) else None
        if path is None or len(doubles.get(path, ())) != 1:
            continue
        assert isinstance(problem, Lacking)
        (double,) = doubles[path]
        better = _one_of_two(document, path, problem, double)
        if better is not None:
            found[id(problem)] = better
            gone.add(id(double))
            objects.add(path)
    kept = [found.get(id(p), p) for p in problems if id(p) not in gone and not _inside(p, objects)]
    return [problem for problem in kept if problem.rule.code[0] not in _OF_THE_WHOLE] if found else kept


def _inside(problem: Problem, objects: set[Path]) -> bool:
    return isinstance(problem.at, Place) and any(problem.at.path[:k] in objects for k in range(len(problem.at.path)))


def _one_of_two(document: JsonDocument, path: Path, lacking: Lacking, double: Problem) -> Problem | None:
    assert isinstance(double.at, Span)
    container = document.locator.container(document.span(Place(path, "open")).start)
    if container is None or double.at.start not in container.key_starts:
        return None
    second = container.key_starts.index(double.at.start)
    key = container.keys[second]
    first = container.keys.index(key)
    if container.keys.count(key) != 2:
        return None
    wrong, other = (first, second) if _fits(document, container, first, lacking) else (second, first)
    if wrong == first and _fits(document, container, second, lacking):
        wrong, other = second, first
    at = Span(container.key_starts[wrong], container.key_ends[wrong])
    kept = Span(container.key_starts[other], container.key_ends[other])
    message = f"{lacking.message}; should one of the two `{visible(key)}` keys be `{lacking.key}`?"
    related = [("also defined here", kept)]
    return Problem(R.missing_key, at, message, lacking.node, _rename(at, lacking.key), related)


def _fits(document: JsonDocument, container: Container, index: int, lacking: Lacking) -> bool:
    kind = _KINDS.get(document.text[container.starts[index]], "number")
    return kind in lacking.kinds or (kind == "number" and "integer" in lacking.kinds)


def _rename(at: Span, key: str) -> Callable[[Document], Fix | None]:
    return lambda _: Fix(f"Rename to `{key}`", (Edit(at, JsonDocument.dump(key)),), "unsafe")
