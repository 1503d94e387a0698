"""Wrong line breaks of a listing: several nodes on one line, or one node over several lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from irlint.codes import R
from irlint.records import NamedTuple
from irlint.text.base import Edit, Span, Trouble
from irlint.text.listing.line import ROW

_BEGINNING = re.compile(r"[ \t]*[0-9]+(?:[ \t]|$)")
_NODE = re.compile(r"[ \t]*([0-9]{1,99})[ \t]+[A-Za-z_%@]")
_BETWEEN = re.compile("[ \t]*[,;]?[ \t]*")
PARTS = 8  # lines that one node can span


class BrokenLine(NamedTuple):
    """A node that spans several lines, with the trouble that removes its line breaks."""

    row: re.Match[str]
    lines: int
    trouble: Trouble


def nodes_of(line: str, start: int, newline: str) -> tuple[list[re.Match[str]], Trouble] | None:
    """Return the nodes of a line with several nodes; None for other lines."""
    found: list[re.Match[str]] = []
    at = 0
    while match := ROW.match(line, at):
        found.append(match)
        at = match.end()
        if at >= len(line):
            break
        between = _BETWEEN.match(line, at)
        at = between.end() if between else at
    if len(found) < 2 or at < len(line):
        return None
    edits = tuple(
        Edit(Span(start + _end(before), start + after.start(1)), newline) for before, after in pairwise(found)
    )
    second = Span(start + found[1].start(1), start + _end(found[1]))
    message = f"expected one node per line, got {len(found):,}; the second starts here"
    title = "Move each node to a line of its own"
    return found, Trouble(R.syntax_error, second, message, edits=lambda: edits, title=title)


def _end(match: re.Match[str]) -> int:
    """Return the end of a node's list of inputs."""
    return match.start() + len(match[0].rstrip())


def joined(parts: Sequence[tuple[int, str]], expected: int) -> BrokenLine | None:
    """Return the node that begins on the first of these lines (each with its offset) and is complete on a later one; None
    if there is none. `expected` is the id that a node has here.
    """
    start, text = parts[0]
    if not _BEGINNING.match(text):
        return None
    end = start + len(text)
    edits: list[Edit] = []
    for count, (at, part) in enumerate(parts[1:], 2):
        body = part.lstrip(" \t")
        glue, row = _glued(text, body)
        own = _NODE.match(part)
        if own and (row is None or int(row[1]) != expected or int(own[1]) == expected):
            return None
        edits.append(
            Edit(Span(end - (len(text) - len(text.rstrip()) if glue else 0), at + len(part) - len(body)), glue)
        )
        if row is not None:
            return BrokenLine(row, count, _torn(tuple(edits)))
        text, end = f"{text.rstrip() if glue else text}{glue}{body}", at + len(part)
    return None


def _torn(edits: tuple[Edit, ...]) -> Trouble:
    message = "unexpected line break inside a node; a listing has one node per line"
    return Trouble(
        R.syntax_error,
        edits[0].span,
        message,
        edits=lambda: edits,
        title="Remove the line break" if len(edits) == 1 else "Remove the line breaks",
    )


def _glued(text: str, body: str) -> tuple[str, re.Match[str] | None]:
    """Return the separator between two parts of a node, nothing or a space, and the node if it is complete."""
    for glue, whole in (("", f"{text}{body}"), (" ", f"{text.rstrip()} {body}")):
        if (row := ROW.fullmatch(whole)) is not None:
            return glue, row
    return "" if text.count("'") % 2 or text.count('"') % 2 else " ", None
