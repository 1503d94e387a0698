"""Recovery from mismatched brackets, by lookahead and indentation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

LOOKAHEAD = 64  # closing brackets

_CLOSER = re.compile(r"[ \t\n\r]*([\]}])")
_REST = re.compile(r'[ \t\n\r]*(?:$|(,)[ \t\n\r]*(?:("[^"\\]*"[ \t\n\r]*:)|.)?)', re.DOTALL)
_OPENER = {"]": "[", "}": "{"}

Verdict = Literal["missing", "wrong", "stray"]


def mismatch(text: str, at: int, opened: Sequence[int]) -> tuple[Verdict, int]:
    """Return the verdict on a closing bracket that does not match the innermost one of those opened (at these offsets).

    missing: those above the returned index lack theirs, this one closes the one at the index; wrong: it closes the
    innermost one, with the wrong sign; stray: it closes nothing.
    """
    opener = _OPENER[text[at]]
    brackets = [text[offset] for offset in opened]
    partner = max((i for i, bracket in enumerate(brackets) if bracket == opener), default=-1)
    top = len(opened) - 1
    indent = _indent(text, at, alone=True)
    if indent is not None and partner >= 0:
        of_top, of_partner = _indent(text, opened[top]), _indent(text, opened[partner])
        if of_top != of_partner and indent in (of_top, of_partner):
            return ("wrong", top) if indent == of_top else ("missing", partner)
    if partner >= 0 and _fits(text, at + 1, brackets[:partner]):
        return "missing", partner
    if _fits(text, at + 1, brackets[:top]):
        return "wrong", top
    if _fits(text, at + 1, brackets):
        return "stray", top
    return ("missing", partner) if partner >= 0 else ("stray", top)


def _fits(text: str, at: int, brackets: Sequence[str]) -> bool:
    """Return whether the text after an offset matches these open brackets."""
    depth = len(brackets)
    for _ in range(LOOKAHEAD):
        match = _CLOSER.match(text, at)
        if match is None:
            break
        if depth == 0 or brackets[depth - 1] != _OPENER[match[1]]:
            return False
        depth -= 1
        at = match.end()
    rest = _REST.match(text, at)
    if rest is None:
        return False
    if rest[1] is None:
        return depth == 0
    return depth > 0 and (rest[2] is not None) == (brackets[depth - 1] == "{")


def _indent(text: str, at: int, alone: bool = False) -> int | None:
    """Return the indentation of the line of an offset; with `alone`, only if nothing precedes the offset."""
    start = max(text.rfind("\n", max(at - 4096, 0), at), text.rfind("\r", max(at - 4096, 0), at)) + 1
    if start == 0 and at > 4096:
        return None
    line = text[start:at]
    if alone and (line.strip(" \t") or start == 0):
        return None
    return len(line) - len(line.lstrip(" \t"))
