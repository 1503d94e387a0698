"""The lines that a fix changes, as a diff cut to the size of a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.files.unified import equal_ends, runs
from irlint.findings import Fix
from irlint.records import NamedTuple
from irlint.report.excerpt import WIDTH, Excerpt, ExcerptPart, ExcerptRow
from irlint.text.base import Edit, Lines, Span, apply

BLOCKS = 3  # of changed lines, and so many old and new ones of each
LINES = 6


class FixLine(NamedTuple):
    """A line before (-) or after (+) the fix; its mark is what changes."""

    sign: str
    row: ExcerptRow


class FixLines(NamedTuple):
    lines: tuple[FixLine, ...]
    more: int = 0  # changes that are not shown


def of_excerpt(excerpt: Excerpt, fix: Fix) -> FixLines | None:
    """Return the change of a fix whose only edit replaces the token that the excerpt marks."""
    rows = excerpt.rows() if isinstance(excerpt, ExcerptPart) else excerpt
    marked = [row for row in rows if row.start >= 0]
    if len(marked) != 1 or len(fix.edits) != 1:
        return None
    row = marked[0]
    return FixLines(tuple(_within(row, [Edit(Span(row.start, row.end), fix.edits[0].text)])))


def of_text(lines: Lines, fix: Fix) -> FixLines | None:
    """Return the changes of a fix; None if they are not readable, as they span lines that are too long."""
    blocks = list(_blocks(lines, fix.edits))
    found: list[FixLine] = []
    for first, last, edits in blocks[:BLOCKS]:
        change = _change(lines, first, last, edits)
        if change is None:
            return None
        found += change
    return FixLines(tuple(found), len(blocks) - BLOCKS if len(blocks) > BLOCKS else 0)


def _blocks(lines: Lines, edits: Sequence[Edit]) -> Iterator[tuple[int, int, list[Edit]]]:
    """Return the numbers of the first and last line of changes that share a line, with their edits."""

    def lines_of(edit: Edit) -> tuple[int, int]:
        start, end = lines.positions(*edit.span)
        return start.line, end.line

    return runs(sorted(edits, key=lambda edit: edit.span), lines_of)


def _change(lines: Lines, first: int, last: int, edits: list[Edit]) -> list[FixLine] | None:
    text, start = lines.text, lines.start(first)
    end = lines.start(last + 1) if last < lines.count else len(text)
    if first == last and end - start > 2 * WIDTH:
        low, high = edits[0].span.start, edits[-1].span.end
        left, right = max(start, low - WIDTH), min(end, high + WIDTH)
        piece = text[left:right].rstrip("\r\n")
        row = ExcerptRow(first, piece, low - left, min(high - left, len(piece)), left > start, right < end)
        return list(_within(row, [_moved(edit, left) for edit in edits]))
    if end - start > LINES * 4 * WIDTH and any(len(lines.line(k)) > 2 * WIDTH for k in range(first, last + 1)):
        return None
    old = _split(text[start:end])
    new = _split(apply(text[start:end], [_moved(edit, start) for edit in edits]))
    same, tail = equal_ends(old, new)
    before, after = old[same : len(old) - tail], new[same : len(new) - tail]
    if len(before) == len(after) == 1:
        return [
            FixLine(sign, row) for sign, row in zip("-+", _differing(first + same, before[0], after[0]), strict=True)
        ]
    return [*_listed("-", first + same, before), *_listed("+", first + same, after)]


def _split(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _moved(edit: Edit, start: int) -> Edit:
    return Edit(Span(edit.span.start - start, edit.span.end - start), edit.text)


def _within(row: ExcerptRow, edits: Sequence[Edit]) -> Iterator[FixLine]:
    """Yield a piece of a line before and after the edits; of a long token, what differs is marked, so that it is seen."""
    text = apply(row.text, edits)
    grown = len(text) - len(row.text)
    parts = _split(text)
    if len(parts) == 1 and row.end - row.start > WIDTH // 2:
        for sign, line in zip("-+", _differing(row.number, row.text, text), strict=True):
            yield FixLine(sign, line._replace(more_before=row.more_before, more_after=row.more_after))
        return
    yield FixLine("-", row)
    for k, part in enumerate(parts[:LINES]):
        start, end = (row.start, row.end + grown) if len(parts) == 1 else (0, 0)
        yield FixLine("+", ExcerptRow(row.number + k, part, start, end, row.more_before, row.more_after))


def _differing(number: int, old: str, new: str) -> tuple[ExcerptRow, ExcerptRow]:
    """Return two versions of a line, with marks where they differ."""
    same, tail = equal_ends(old, new)
    return ExcerptRow(number, old, same, len(old) - tail), ExcerptRow(number, new, same, len(new) - tail)


def _listed(sign: str, number: int, texts: list[str]) -> Iterator[FixLine]:
    for k, text in enumerate(texts):
        if len(texts) <= LINES or k < LINES - 2 or k >= len(texts) - 2:
            yield FixLine(sign, ExcerptRow(number + k, text, 0, 0))
