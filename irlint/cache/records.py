"""A FileReport as plain lists for JSON, and back."""

from __future__ import annotations

from typing import Any

from irlint.findings import Finding, Fix, Related, Severity
from irlint.report.base import Entry, FileReport, Range
from irlint.report.excerpt import Excerpt, Piece, Row
from irlint.text.base import Edit, Span


def to_record(report: FileReport) -> dict[str, Any]:
    return {
        "format": report.format,
        "dialect": report.dialect,
        "entries": [_entry(entry) for entry in report.entries],
    }


def from_record(record: dict[str, Any], name: str) -> FileReport:
    entries = tuple(_read_entry(entry) for entry in record["entries"])
    return FileReport(name, record["format"], record["dialect"], entries)


def _entry(entry: Entry) -> list[Any]:
    f = entry.finding
    fix = f.fix and [f.fix.title, [[*edit.span, edit.text] for edit in f.fix.edits], f.fix.safety]
    related = [[r.message, *r.span] for r in f.related]
    finding = [f.code, f.name, int(f.severity), f.message, f.span, f.pointer, f.node, fix, related]
    return [finding, entry.url, entry.at, entry.token, entry.excerpt, entry.edits, entry.related]


def _read_entry(record: list[Any]) -> Entry:
    (code, name, severity, message, span, pointer, node, fix, related), url, at, token, excerpt, edits, places = record
    finding = Finding(
        code,
        name,
        Severity(severity),
        message,
        Span(*span),
        pointer,
        node,
        fix and Fix(fix[0], tuple(Edit(Span(start, end), new) for start, end, new in fix[1]), fix[2]),
        tuple(Related(words, Span(start, end)) for words, start, end in related),
    )
    return Entry(
        finding,
        url,
        Range(*at),
        token,
        _excerpt(excerpt),
        tuple(Range(*edit) for edit in edits),
        tuple((Range(*place), _excerpt(rows)) for place, rows in places),
    )


def _excerpt(record: list[Any]) -> Excerpt:
    if record and isinstance(record[0], int):
        number, texts, *mark = record
        return Piece(number, tuple(texts), *mark)
    return tuple(Row(*row) for row in record)
