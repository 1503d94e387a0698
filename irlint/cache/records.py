"""A FileReport as plain lists for JSON, and back."""

from __future__ import annotations

from typing import Any

from irlint.findings import GRADES, Finding, Fix, Related, Safety, Severity
from irlint.report.base import FileReport, LineRange, ReportedFinding
from irlint.report.excerpt import Excerpt, ExcerptPart, ExcerptRow, Rows
from irlint.report.fix_lines import FixLine, FixLines
from irlint.text.base import Edit, Span

_Types = frozenset[type[Any]]
_Repair = tuple[Fix | None, tuple[LineRange, ...], FixLines | None]  # a fix, where its edits are, and how it is shown

_NONE: _Repair = None, (), None

_TEXT: _Types = frozenset((str,))
_MAYBE: _Types = frozenset((str, type(None)))
_NUMBER: _Types = frozenset((int,))
_FLAG: _Types = frozenset((bool,))


def to_record(report: FileReport) -> dict[str, Any]:
    """Return a record. Findings may share a fix with many edits: each is written once, and findings have its index."""
    fixes: dict[tuple[int, bool], int] = {}
    repairs, entries = list[Any](), list[Any]()
    for entry in report.entries:
        at = None
        if (fix := entry.finding.fix) is not None:
            key = id(fix), entry.change is None
            if (at := fixes.get(key)) is None:
                at = fixes[key] = len(repairs)
                edits = [[*edit.span, edit.text] for edit in fix.edits]
                repairs.append([fix.title, edits, fix.safety, entry.edits, entry.change])
        entries.append(_entry(entry, at))
    return {"format": report.format, "dialect": report.dialect, "fixes": repairs, "entries": entries}


def from_record(record: dict[str, Any], name: str) -> FileReport:
    """Return the report of a record; raise ValueError, TypeError or LookupError for an invalid one."""
    repairs = [_repair(*one) for one in record["fixes"]]
    entries = tuple(_read_entry(entry, repairs) for entry in record["entries"])
    _only(_MAYBE, record["format"], record["dialect"])
    return FileReport(name, record["format"], record["dialect"], entries)


def _entry(entry: ReportedFinding, fix: int | None) -> list[Any]:
    f = entry.finding
    related = [[r.message, *r.span, r.file] for r in f.related]
    finding = [f.code, f.name, int(f.severity), f.message, f.span, f.pointer, f.node, fix, related]
    return [finding, entry.url, entry.at, entry.token, entry.excerpt, entry.related]


def _read_entry(record: list[Any], repairs: list[_Repair]) -> ReportedFinding:
    finding, url, at, token, excerpt, places = record
    code, name, severity, message, span, pointer, node, number, related = finding
    fix, edits, change = _NONE if number is None else repairs[number]
    _only(_TEXT, code, name, message, token)
    _only(_MAYBE, pointer, node, url)
    _only(_NUMBER, *span, *at)
    located = Finding(
        code,
        name,
        Severity(severity),
        message,
        Span(*span),
        pointer,
        node,
        fix,
        tuple(_related(*part) for part in related),
    )
    if len(places) != len(related):
        raise ValueError("not a place for each")
    return ReportedFinding(
        located,
        url,
        LineRange(*at),
        token,
        _excerpt(excerpt),
        edits,
        tuple((_range(*place), _excerpt(rows)) for place, rows in places),
        change,
    )


def _change(lines: list[Any], more: int) -> FixLines:
    _only(_NUMBER, more)
    found = [FixLine(sign, _row(*row)) for sign, row in lines]
    if not {line.sign for line in found} <= {"-", "+"}:
        raise ValueError("neither removed nor added")
    if not all(0 <= line.row.start <= line.row.end <= len(line.row.text) for line in found):
        raise ValueError("a mark outside of its line")
    return FixLines(tuple(found), more)


def _repair(title: str, edits: list[Any], safety: Safety, places: list[Any], change: list[Any] | None) -> _Repair:
    if len(edits) != len(places):
        raise ValueError("not a place for each")
    ranges = tuple(_range(*place) for place in places)
    return _fix(title, edits, safety), ranges, None if change is None else _change(*change)


def _fix(title: str, edits: list[Any], safety: Safety) -> Fix:
    _only(_TEXT, title, *(new for _, _, new in edits))
    _only(_NUMBER, *(offset for start, end, _ in edits for offset in (start, end)))
    if safety not in GRADES:
        raise ValueError(safety)
    return Fix(title, tuple(Edit(Span(start, end), new) for start, end, new in edits), safety)


def _related(words: str, start: int, end: int, file: str) -> Related:
    _only(_TEXT, words, file)
    _only(_NUMBER, start, end)
    return Related(words, Span(start, end), file)


def _range(*numbers: int) -> LineRange:
    _only(_NUMBER, *numbers)
    return LineRange(*numbers)


def _excerpt(record: list[Any]) -> Excerpt:
    if record and isinstance(record[0], int):
        number, texts, marked, start, end = record
        _only(_TEXT, *texts)
        _only(_NUMBER, number, marked, start, end)
        _marked((ExcerptRow(number, texts[marked], start, end),))
        return ExcerptPart(number, tuple(texts), marked, start, end)
    rows = tuple(_row(*row) for row in record)
    _marked(rows)
    return rows


def _row(number: int, text: str, start: int, end: int, before: bool, after: bool) -> ExcerptRow:
    _only(_TEXT, text)
    _only(_NUMBER, number, start, end)
    _only(_FLAG, before, after)
    return ExcerptRow(number, text, start, end, before, after)


def _marked(rows: Rows) -> None:
    """Check that the marks are inside their lines. What is not shown has no lines."""
    if not rows:
        return
    marks = [row for row in rows if row.start != -1]
    if not marks or not all(0 <= row.start <= row.end <= len(row.text) for row in marks):
        raise ValueError("no mark, or one outside of its line")


def _only(kinds: _Types, *values: Any) -> None:
    """Check types: any program can write a file that looks like an entry."""
    if not kinds.issuperset(map(type, values)):
        raise TypeError("a value of another type")
