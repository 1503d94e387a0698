"""Edits of a text: offsets before and after them, and what two rounds of them are together."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from irlint.records import replace
from irlint.text.base import Edit, Span, Trouble


class EditedText:
    """Leads from a text after some edits back to the text before them. The edits do not touch each other.

    `start` is where the edited text begins if it is a part of the other.
    """

    def __init__(self, edits: Iterable[Edit], start: int = 0) -> None:
        self.made = frozenset(edits)
        self._base = start
        self._old: list[Span] = []
        self._new: list[Span] = []
        shift = -start
        for (begin, end), text in sorted(self.made):
            self._old.append(Span(begin, end))
            self._new.append(Span(begin + shift, begin + shift + len(text)))
            shift += len(text) - (end - begin)

    def back(self, at: int) -> int:
        """Return the offset in the text before the edits; for inserted text, where its edit begins."""
        return _moved(at, self._new, self._old, self._base)

    def ahead(self, at: int) -> int:
        """Return the offset in the text after the edits."""
        return _moved(at, self._old, self._new, -self._base)

    def span(self, span: Span) -> Span:
        start = self.back(span.start)
        return Span(start, max(start, self.back(span.end)))

    def touches(self, start: int, end: int) -> bool:
        """Return whether an edit is in a range of the edited text."""
        k = bisect_left(self._new, start, key=lambda span: span.start)
        return (k < len(self._new) and self._new[k].start <= end) or (k > 0 and self._new[k - 1].end >= start)

    def edits(self, edits: Sequence[Edit]) -> tuple[Edit, ...]:
        """Return edits of the text after as edits of the text before; raise LookupError where they touch what was repaired."""
        if any(self.touches(*span) for span, _ in edits):
            raise LookupError("fix the syntax errors first")
        return tuple(Edit(self.span(span), text) for span, text in edits)

    def trouble(self, trouble: Trouble) -> Trouble:
        edits = trouble.edits
        return replace(
            trouble,
            span=self.span(trouble.span),
            related=[(message, self.span(span)) for message, span in trouble.related],
            edits=None if edits is None else lambda: self.edits(edits()),
        )


def _moved(at: int, here: Sequence[Span], there: Sequence[Span], base: int) -> int:
    k = bisect_right(here, at, key=lambda span: span.start) - 1
    if k < 0:
        return at + base
    return there[k].start if at < here[k].end else there[k].end + at - here[k].end


def compose(first: Iterable[Edit], second: Iterable[Edit]) -> list[Edit]:
    """Compose two consecutive rounds of edits into one."""
    first = sorted(first)
    pieces = _Pieces(first)
    result: list[Span | str] = []
    at = 0
    for span, new in sorted(second):
        result += pieces.take(span.start - at)
        pieces.take(span.end - span.start)
        result.append(new)
        at = span.end
    return list(_edits([*result, *pieces.rest()]))


class _Pieces:
    """An edited text as ranges of the old text and new strings; the last range is open-ended."""

    def __init__(self, edits: list[Edit]) -> None:
        pieces: list[Span | str] = []
        at = 0
        for span, new in edits:
            pieces += [Span(at, span.start), new]
            at = span.end
        self._stack = [Span(at, _END), *reversed(pieces)]

    def take(self, size: int) -> list[Span | str]:
        """Return the next `size` characters."""
        taken: list[Span | str] = []
        while size > 0:
            piece = self._stack.pop()
            length = len(piece) if isinstance(piece, str) else piece.end - piece.start
            if length > size:
                head, rest = _split(piece, size)
                self._stack.append(rest)
                piece, length = head, size
            taken.append(piece)
            size -= length
        return taken

    def rest(self) -> Iterator[Span | str]:
        return reversed(self._stack)


_END = 1 << 62  # the end of the old text, whatever its size


def _split(piece: Span | str, size: int) -> tuple[Span | str, Span | str]:
    if isinstance(piece, str):
        return piece[:size], piece[size:]
    return Span(piece.start, piece.start + size), Span(piece.start + size, piece.end)


def _edits(pieces: Iterable[Span | str]) -> Iterator[Edit]:
    """Return the edits of the old text that produce these ranges and strings."""
    at, new = 0, ""
    for piece in pieces:
        if isinstance(piece, str):
            new += piece
        elif piece.start < piece.end:
            if new or piece.start > at:
                yield Edit(Span(at, piece.start), new)
            at, new = piece.end, ""
