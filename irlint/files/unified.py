"""Unified diffs from edits, in time linear in the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

from irlint.records import NamedTuple
from irlint.text.base import Edit, Span, apply
from irlint.text.safe import visible

CONTEXT = 3


class Hunk(NamedTuple):
    """Lines [start, end) of the old text and what they become."""

    start: int
    end: int
    new: list[str]


def unified(text: str, edits: Sequence[Edit], name: str, titles: Sequence[str] = ()) -> str:
    """Return a diff for `patch` and `git apply -p0`, which skip the titles above it; empty if no line changes."""
    lines = _lines(text)
    blocks = [block for block in _blocks(text, lines, edits) if block.new or block.start < block.end]
    if not blocks:
        return ""
    shown = _quoted(name) + "\t" * (
        " " in name
    )  # with a tab, as git writes it, GNU patch reads a name with blanks whole
    above = [f"irlint: {visible(title)}\n" for title in titles]
    return "".join([*above, f"--- {shown}\n+++ {shown}\n", *_hunks(lines, blocks)])


def equal_ends(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """Return how many items at the beginning, and how many others at the end, two sequences share."""
    shorter = min(len(old), len(new))
    same = next((k for k in range(shorter) if old[k] != new[k]), shorter)
    return same, next((k for k in range(shorter - same) if old[-1 - k] != new[-1 - k]), shorter - same)


def _lines(text: str) -> list[str]:
    """Return lines with their line breaks; they end at LF only, as in patch."""
    lines = text.split("\n")
    rest = lines.pop()
    return [f"{line}\n" for line in lines] + ([rest] if rest else [])


def _blocks(text: str, lines: list[str], edits: Sequence[Edit]) -> Iterator[Hunk]:
    """Changed lines, those of edits that share or touch a line together."""
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def lines_of(edit: Edit) -> tuple[int, int]:
        low = min(bisect_right(starts, edit.span.start) - 1, len(lines))
        if edit.span.end == len(text) and not text.endswith("\n"):
            return min(low, max(len(lines) - 1, 0)), len(lines)
        return low, min(bisect_right(starts, edit.span.end), len(lines))

    for first, last, together in runs(sorted(edits), lines_of):
        yield _block(text, lines, starts, together, first, last)


def runs(edits: Iterable[Edit], lines_of: Callable[[Edit], tuple[int, int]]) -> Iterator[tuple[int, int, list[Edit]]]:
    """Yield the first and the last line of edits that share a line, and these edits, which come in order."""
    first = last = 0
    together: list[Edit] = []
    for edit in edits:
        low, high = lines_of(edit)
        if together and low > last:
            yield first, last, together
            together = []
        if not together:
            first = last = low
        last = max(last, high)
        together.append(edit)
    if together:
        yield first, last, together


def _block(text: str, lines: list[str], starts: list[int], edits: list[Edit], first: int, last: int) -> Hunk:
    start, end = starts[first], starts[last]
    moved = [Edit(Span(edit.span.start - start, edit.span.end - start), edit.text) for edit in edits]
    old, new = lines[first:last], _lines(apply(text[start:end], moved))
    same, tail = equal_ends(old, new)
    return Hunk(first + same, last - tail, new[same : len(new) - tail])


def _hunks(lines: list[str], blocks: list[Hunk]) -> Iterator[str]:
    group: list[Hunk] = []
    shift = 0  # how many lines the new text is ahead
    for block in blocks:
        if group and block.start - group[-1].end > 2 * CONTEXT:
            yield from _hunk(lines, group, shift)
            shift += sum(len(b.new) - (b.end - b.start) for b in group)
            group = []
        group.append(block)
    yield from _hunk(lines, group, shift)


def _hunk(lines: list[str], blocks: list[Hunk], shift: int) -> Iterator[str]:
    start = max(blocks[0].start - CONTEXT, 0)
    end = min(blocks[-1].end + CONTEXT, len(lines))
    body: list[str] = []
    at = start
    for block in blocks:
        body += _marked(" ", lines[at : block.start])
        body += _marked("-", lines[block.start : block.end])
        body += _marked("+", block.new)
        at = block.end
    body += _marked(" ", lines[at:end])
    size = end - start + sum(len(b.new) - (b.end - b.start) for b in blocks)
    yield f"@@ -{_range(start, end - start)} +{_range(start + shift, size)} @@\n"
    yield from body


def _marked(mark: str, lines: list[str]) -> list[str]:
    return [mark + (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n") for line in lines]


def _range(start: int, size: int) -> str:
    """Return a range as diff counts: from 1; an empty range is after the line that it names."""
    return f"{start + 1 if size else start},{size}"


def _quoted(name: str) -> str:
    """Return a name as git writes it: in quotes with escapes if necessary."""
    if name.isprintable() and not set(name) & {'"', "\\"}:
        return name
    data = name.encode("utf-8", "surrogateescape")
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:03o}" for b in data) + '"'
