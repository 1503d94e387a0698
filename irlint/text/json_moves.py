"""Mapping of offsets before and after repairs of a text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from irlint.records import replace
from irlint.text.base import Edit, Span, Trouble


class Moves:
    """Leads from the text after some edits back to the text before them. The edits do not touch each other."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self.made = frozenset(edits)
        self._old: list[Span] = []
        self._new: list[Span] = []
        shift = 0
        for (start, end), text in sorted(edits):
            self._old.append(Span(start, end))
            self._new.append(Span(start + shift, start + shift + len(text)))
            shift += len(text) - (end - start)

    def back(self, at: int) -> int:
        """Return the offset in the text before the edits; for inserted text, where its edit begins."""
        return _moved(at, self._new, self._old)

    def ahead(self, at: int) -> int:
        """Return the offset in the text after the edits."""
        return _moved(at, self._old, self._new)

    def span(self, span: Span) -> Span:
        start = self.back(span.start)
        return Span(start, max(start, self.back(span.end)))

    def edits(self, edits: Sequence[Edit]) -> tuple[Edit, ...]:
        """Edits of the text after as edits of the text before; LookupError where they touch what was repaired."""
        for span, _ in edits:
            if any(new.start <= span.end and span.start <= new.end for new in self._new):
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


def _moved(at: int, here: Sequence[Span], there: Sequence[Span]) -> int:
    k = bisect_right(here, at, key=lambda span: span.start) - 1
    if k < 0:
        return at
    return there[k].start if at < here[k].end else there[k].end + at - here[k].end
