"""Suppressions that are written into files, for --add-ignore."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from irlint.findings import Finding
from irlint.records import NamedTuple
from irlint.suppressions import ORDER, Suppression, words_of
from irlint.text.base import Document, Edit, Span, apply


class Ignores(Protocol):
    """Where a format takes suppressions, and how they are written."""

    def anchor(self, document: Any, span: Span) -> Any:
        """Return what a suppression of a finding would be written to (hashable); None if there is no place for one."""

    def is_whole(self, document: Any, anchor: Any) -> bool:
        """Return whether a suppression there is about the whole file."""

    def edits(self, document: Any, anchor: Any, order: str) -> tuple[Edit, ...]:
        """Return the edits that write an order such as `ignore[R001]`."""


class CommentIgnores(NamedTuple):
    """Comments up to the end of a line: at the end of the finding's line, or if that is taken or long, on the line before."""

    mark: str
    others: tuple[str, ...] = ()  # marks of comments that may be open at the end of a line

    def anchor(self, document: Document, span: Span) -> int | None:
        if "\r" in document.text.replace("\r\n", ""):  # readers do not agree where such a line, and its comment, ends
            return None
        return document.lines.position(span.start).line

    def is_whole(self, document: Document, anchor: int) -> bool:
        return False

    def edits(self, document: Document, anchor: int, order: str) -> tuple[Edit, ...]:
        start, line = _line(document, anchor)
        comment = f"  {self.mark} irlint: {order}"
        is_free = not any(mark in line for mark in (self.mark, *self.others))
        if not is_free or len(line) + len(comment) > 121:
            return (self.above(document, anchor, order),)
        end = start + len(line)
        return (Edit(Span(end, end), comment),)

    def above(self, document: Document, anchor: int, order: str) -> Edit:
        """Return the edit that writes an order on the line before."""
        start, line = _line(document, anchor)
        indent, newline = line[: len(line) - len(line.lstrip())], "\r\n" if "\r\n" in document.text else "\n"
        return Edit(Span(start, start), f"{indent}{self.mark} irlint: {order}{newline}")


def _line(document: Document, number: int) -> tuple[int, str]:
    """Return where a line starts and its text, without a byte order mark."""
    start, line = document.lines.start(number), document.lines.line(number)
    return (start + 1, line[1:]) if line.startswith("\ufeff") else (start, line)


def ignoring(
    document: Document, findings: Iterable[Finding], said: Iterable[Suppression], how: Ignores, reason: str
) -> str:
    """Return the text with suppressions of findings, each at one anchor in one suppression. Existing ones are extended, but for
    those of the whole file, which would hide more than these findings."""
    orders = [suppression for suppression in said if suppression.words and suppression.at is not None]
    extended: dict[Span, set[str]] = {}
    added: dict[Any, set[str]] = {}
    for finding in findings:
        if (anchor := how.anchor(document, finding.span)) is None:
            continue
        takes_whole = how.is_whole(document, anchor)
        if (known := _extensible(document, orders, finding.span.start, takes_whole)) is not None:
            listed, words = known
            extended.setdefault(listed, set(words)).add(finding.code)
        else:
            added.setdefault(anchor, set()).add(finding.code)
    edits = [Edit(span, ", ".join(sorted(words))) for span, words in extended.items()]
    tail = f": {reason}" if reason else ""
    for anchor, codes in added.items():
        edits += how.edits(document, anchor, f"ignore[{', '.join(sorted(codes))}]{tail}")
    return apply(document.text, edits)


def _extensible(
    document: Document, orders: Iterable[Suppression], start: int, takes_whole: bool
) -> tuple[Span, frozenset[str]] | None:
    """Return the list of the first suppression that holds for a place, and what it names. `takes_whole`: it may be the file's."""
    whole = 0, len(document.text)
    for order in orders:
        is_narrow = takes_whole or (order.start, order.end) != whole
        if order.start <= start < order.end and is_narrow and (listed := _list(document, order)) is not None:
            return listed, order.words
    return None


def _list(document: Document, order: Suppression) -> Span | None:
    """Return the span of the codes in a suppression."""
    assert order.at is not None
    found = ORDER.search(document.text, *order.at)
    return Span(*found.span(1)) if found is not None and words_of(found[1]) == order.words else None
