"""Findings as the JSON objects of the stable output format: one array, or an object on each line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TextIO

from irlint.findings import Fix
from irlint.report.base import FileReport, LineRange, Options, ReportedFinding
from irlint.text.safe import has_surrogates, put_json, unicode_only


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    array((found for file in files for found in records(file)), stream)


def array(objects: Iterable[dict[str, Any]], stream: TextIO) -> None:
    """Write a JSON array in ASCII, object by object, each member on its line."""
    encode = json.JSONEncoder().encode  # without indent, which would switch its C code off
    before = "[\n"
    for members in objects:
        lines = ",\n".join(f"    {encode(key)}: {encode(value)}" for key, value in members.items())
        put_json(stream, f"{before}  {{\n{lines}\n  }}")
        before = ",\n"
    put_json(stream, "[]\n" if before == "[\n" else "\n]\n")


def write_lines(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    encode = json.JSONEncoder(separators=(",", ":")).encode
    for file in files:
        for found in records(file):
            put_json(stream, encode(found) + "\n")


def records(file: FileReport) -> Iterator[dict[str, Any]]:
    head = {"file": unicode_only(file.name), "format": file.format, "dialect": file.dialect}
    return ({**head, **found} for found in finding_records(file.entries))


def finding_records(entries: Sequence[ReportedFinding]) -> Iterator[dict[str, Any]]:
    """Yield findings without their file. A fix that several of them share, such as one that sorts all nodes, has an `id`, and its
    edits are in the first of them: a thousand nodes in the wrong order would repeat a thousand edits each.
    """
    shared, made = shared_fixes(entries), dict[int, dict[str, Any] | None]()
    for entry in entries:
        found = _finding_record(entry)
        if (fix := entry.finding.fix) is not None:
            if id(fix) in made:
                first = made[id(fix)]
                found["fix"] = first and {**first, "edits": []}
            else:
                found["fix"] = made[id(fix)] = _fix(fix, entry.edits, shared.get(id(fix)))
        yield found


def shared_fixes(entries: Iterable[ReportedFinding]) -> dict[int, int]:
    """Return numbers from 1 for the fixes that several findings share, by the `id` of each."""
    times = Counter([id(entry.finding.fix) for entry in entries if entry.finding.fix is not None])
    return {key: number for number, key in enumerate((key for key, many in times.items() if many > 1), 1)}


def _finding_record(entry: ReportedFinding) -> dict[str, Any]:
    finding = entry.finding
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": str(finding.severity),
        "message": unicode_only(finding.message),
        **_range(entry.at),
        "pointer": unicode_or_none(finding.pointer),
        "node": unicode_or_none(finding.node),
        "fix": None,
        "related": [
            {"message": unicode_only(related.message), **_range(at)}
            | ({"file": unicode_only(related.file)} if related.file else {})
            for related, (at, _) in zip(finding.related, entry.related, strict=True)
        ],
        "url": entry.url,
    }


def unicode_or_none(text: str | None) -> str | None:
    return None if text is None else unicode_only(text)


def _fix(fix: Fix, places: Sequence[LineRange], number: int | None) -> dict[str, Any] | None:
    if any(has_surrogates(edit.text) for edit in fix.edits):
        return None  # bytes that are no UTF-8 cannot be said in JSON, and another text would be another fix
    edits = [{**_range(at), "text": edit.text} for edit, at in zip(fix.edits, places, strict=True)]
    name = {} if number is None else {"id": number}
    return {"safety": fix.safety, "title": unicode_only(fix.title), **name, "edits": edits}


def _range(at: LineRange) -> dict[str, int]:
    return {"line": at.line, "column": at.column, "end_line": at.end_line, "end_column": at.end_column}
