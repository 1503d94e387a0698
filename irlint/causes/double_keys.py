"""A key that is given twice where another one is missing: one of the two was probably meant to be the missing one."""

from __future__ import annotations

from irlint.causes.relations import ANYWHERE, Keyed, Lookup, around, place
from irlint.causes.rows import Follows, Row, Which, gone
from irlint.codes import R
from irlint.findings import JOINED, Fix, Problem
from irlint.records import replace
from irlint.text.base import Document, Edit, Path, Place, Span
from irlint.text.json.containers import Container
from irlint.text.json.document import JsonDocument
from irlint.text.safe import visible

_KINDS = {'"': "string", "[": "array", "{": "object", "t": "boolean", "f": "boolean", "n": "null"}


def lacks_key(_: Lookup, problem: Problem) -> bool:
    return problem.key != ""


def joined(lacking: Problem, at: Span, written: str) -> Problem:
    """Return the problem of a missing key at the key that was meant to be it."""

    def fix(_: Document) -> Fix:
        return Fix(f"Rename to `{lacking.key}`", (Edit(at, written),), "unsafe")

    return replace(lacking, at=at, fix=fix, kind=JOINED)


def _object(lookup: Lookup, problem: Problem) -> tuple[Path, ...]:
    """Return the object whose key a problem is at."""
    return (lookup.path(problem)[:-1],) if isinstance(problem.at, Span) else ()


def _one_of_two(lookup: Lookup, double: Problem, lacking: Problem) -> Problem:
    document = lookup.document
    assert isinstance(document, JsonDocument)
    assert isinstance(double.at, Span)
    assert isinstance(lacking.at, Place)
    container = document.locator.container(document.span(Place(lacking.at.path, "open")).start)
    if container is None or double.at.start not in container.key_starts:
        return lacking
    second = container.key_starts.index(double.at.start)
    key = container.keys[second]
    first = container.keys.index(key)
    if container.keys.count(key) != 2:
        return lacking
    is_first = _fits(document, container, first, lacking) and not _fits(document, container, second, lacking)
    wrong, other = (first, second) if is_first else (second, first)
    at, kept = (Span(container.key_starts[k], container.key_ends[k]) for k in (wrong, other))
    found = joined(lacking, at, JsonDocument.dump(lacking.key))
    addition = f"; should one of the two `{visible(key)}` keys be `{lacking.key}`?"
    return replace(found, addition=addition, related=[("also defined here", kept)], severity=None)


def _fits(document: JsonDocument, container: Container, index: int, lacking: Problem) -> bool:
    kind = _KINDS.get(document.text[container.starts[index]], "number")
    return kind in lacking.types or (kind == "number" and "integer" in lacking.types)


JOINED_KEY = Which((R.missing_key,), kinds=(JOINED,))
DOUBLE_KEYS: tuple[Row, ...] = (
    # of two findings about an object one remains
    Follows(
        Which((R.duplicate_key,)),
        Keyed(_object, place, alone=True),
        Which((R.missing_key,), when=lacks_key),
        becomes=_one_of_two,
        rooted=gone,
    ),
    # the object was not read as it was meant
    Follows(JOINED_KEY, Keyed(_object, around)),
    # nor were the nodes that others are compared with
    Follows(JOINED_KEY, ANYWHERE, Which(groups="RGD")),
)
