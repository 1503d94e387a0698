"""Markers that git leaves in a file where two versions conflict. No syntax has them, so nothing else in such a file means anything."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.codes import R
from irlint.text.base import Span, Trouble

_MARKER = re.compile(r"^(<{7}|\|{7}|={7}|>{7})(?![<|=>])(?:(?<!=)[ \t][^\r\n]*)?(?=[\r\n]|\Z)", re.MULTILINE)
_SHOWN = 8  # markers after the first of a conflict
_NOTES = {"|": "the common version begins here", "=": "the other version begins here", ">": "the conflict ends here"}


def conflicts(text: str) -> Iterator[Trouble]:
    """Yield a trouble for each conflict, or for the rest of one that was resolved in part."""
    found: list[re.Match[str]] = []
    for marker in (*_MARKER.finditer(text), None):
        if marker is None or marker[0][0] == "<" or (found and found[-1][0][0] == ">"):
            yield from _conflict(found)
            found = []
        if marker is not None:
            found.append(marker)


def _conflict(found: list[re.Match[str]]) -> Iterator[Trouble]:
    if not any(marker[0][0] in "<>" for marker in found):
        return  # a row of other signs may be anything
    first, *others = found
    notes = [(_NOTES[marker[0][0]], Span(*marker.span())) for marker in others[:_SHOWN]]
    message = f"merge conflict marker `{first[1]}`; resolve the conflict"
    yield Trouble(R.syntax_error, Span(*first.span()), message, notes)
