"""Reports by objects of stores: an object as a JSON object, a line each, in the order of their URLs."""

from __future__ import annotations

import json
from typing import Any

from irlint.codes import Severity
from irlint.findings import GRADES, Finding, Fix, Related, Safety
from irlint.report.base import FileReport, LineRange, ReportedFinding
from irlint.report.outputs.json import finding_records, unicode_or_none
from irlint.text.base import Edit, Span
from irlint.text.safe import unicode_only

Record = dict[str, Any]

KINDS = ("model", "other", "unread")
FACTS = ("format", "dialect", "producer", "opset", "nodes", "side_size", "weights_size", "graph", "weights")
_SEVERITIES = {str(severity): severity for severity in sorted(Severity, reverse=True)}
_NOWHERE = Span(0, 0)
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def object_record(
    url: str,
    key: str,
    size: int | None,
    etag: str | None,
    report: FileReport | None,
    facts: Record | None = None,
    trouble: str | None = None,
    failure: str | None = None,
) -> Record:
    known = {} if report is None else {"format": report.format, "dialect": report.dialect}
    known.update(facts or {})
    is_read = trouble is None and failure is None
    return {
        "url": unicode_only(url),
        "key": unicode_only(key),
        "size": size,
        "etag": etag,
        "kind": "unread" if not is_read else "other" if report is None else "model",
        **{name: known.get(name) for name in FACTS},
        "trouble": unicode_or_none(trouble),
        "failure": unicode_or_none(failure),
        "findings": [] if report is None else list(finding_records(report.entries)),
    }


def line(record: Record) -> str:
    return _encode(record) + "\n"


def parsed(text: str) -> Record:
    """Return the record in a line; raise ValueError with what is wrong with it."""
    try:
        record = json.loads(text, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"not valid JSON: {error.msg.removesuffix(' at')} at column {error.colno}") from error
    if not isinstance(record, dict):
        raise ValueError("expected a JSON object")
    if "findings" not in record and "code" in record:
        raise ValueError(
            "a finding of `irlint check`; expected a report of `irlint zoo`, which has a line for each object"
        )
    _expect_keys(record, _KINDS)
    if not all(record[name] is None or 0 <= record[name] < _MOST for name in _SIZES):
        raise ValueError("expected sizes from 0 to 2^62")
    if record["kind"] not in KINDS:
        raise ValueError(f"expected {', '.join(KINDS)} for `kind`")
    for finding in record["findings"]:
        _verify(finding)
    return record


def is_model(record: Record) -> bool:
    """Return whether an object is a model, and was checked."""
    return bool(record["kind"] == "model")


def is_readable(record: Record) -> bool:
    return bool(record["kind"] != "unread")


def may_be_model(record: Record) -> bool:
    """Return whether an object is a model or could not be read."""
    return bool(record["kind"] != "other")


def total_size(record: Record) -> int:
    """Return the bytes of a model with those of the files next to it that belong to it."""
    return int((record["size"] or 0) + (record["side_size"] or 0))


def report_of(record: Record) -> FileReport:
    """Return the report of a model for output formats that show no excerpts."""
    shared: dict[int, _Repair] = {}
    entries = tuple(_entry(finding, _repair(finding["fix"], shared)) for finding in record["findings"])
    return FileReport(record["url"], record["format"], record["dialect"], entries)


def severities(record: Record) -> list[Severity]:
    return [_SEVERITIES[finding["severity"]] for finding in record["findings"]]


_Types = frozenset[type[Any]]
_TEXT: _Types = frozenset((str,))
_NUMBER: _Types = frozenset((int,))
_LIST: _Types = frozenset((list,))
_OBJECT: _Types = frozenset((dict,))
_NONE: _Types = frozenset((type(None),))
_MOST = 1 << 62
_SIZES = ("size", "nodes", "side_size", "weights_size")
_KINDS: dict[str, _Types] = {
    "url": _TEXT,
    "key": _TEXT,
    "kind": _TEXT,
    **dict.fromkeys(_SIZES, _NUMBER | _NONE),
    **dict.fromkeys(("etag", "format", "dialect", "producer", "opset", "graph", "weights"), _TEXT | _NONE),
    "trouble": _TEXT | _NONE,
    "failure": _TEXT | _NONE,
    "findings": _LIST,
}
_RANGE = dict.fromkeys(LineRange._fields, _NUMBER)
_FINDING: dict[str, _Types] = {
    "code": _TEXT,
    "name": _TEXT,
    "severity": _TEXT,
    "message": _TEXT,
    **_RANGE,
    "pointer": _TEXT | _NONE,
    "node": _TEXT | _NONE,
    "fix": _OBJECT | _NONE,
    "related": _LIST,
    "url": _TEXT | _NONE,
}
_RELATED: dict[str, _Types] = {"message": _TEXT, "file": _TEXT | _NONE, **_RANGE}
_FIX: dict[str, _Types] = {"safety": _TEXT, "title": _TEXT, "edits": _LIST}
_EDIT: dict[str, _Types] = {**_RANGE, "text": _TEXT}
_WORDS = {str: "a string", int: "a number", list: "an array", dict: "an object", type(None): "null"}


def _verify(finding: Any) -> None:
    _expect(finding, _FINDING, "finding")
    if finding["severity"] not in _SEVERITIES:
        raise ValueError(f"expected {', '.join(_SEVERITIES)} for `severity`")
    for related in finding["related"]:
        _expect(related, _RELATED, "related place")
    if (fix := finding["fix"]) is not None:
        _expect(fix, _FIX, "fix")
        if type(fix.get("id")) not in _NUMBER | _NONE:
            _complain(fix, "id", _NUMBER)
        if fix["safety"] not in GRADES:
            raise ValueError(f"expected {', '.join(GRADES)} for `safety`")
        for edit in fix["edits"]:
            _expect(edit, _EDIT, "edit")


def _expect(value: Any, kinds: dict[str, _Types], what: str) -> None:
    if not isinstance(value, dict):
        raise ValueError(f"expected an object for each {what}")
    _expect_keys(value, kinds)


def _expect_keys(value: Record, kinds: dict[str, _Types]) -> None:
    for name, expected in kinds.items():
        if type(value.get(name)) not in expected:
            _complain(value, name, expected)


def _complain(record: Record, name: str, kinds: _Types) -> None:
    if name not in record and type(None) in kinds:
        record[name] = None  # of a version of irlint that does not know the key
        return
    if name not in record:
        raise ValueError(f"missing key `{name}`")
    raise ValueError(f"expected {' or '.join(sorted(_WORDS[kind] for kind in kinds))} for `{name}`")


def _no_number(text: str) -> None:
    raise ValueError(f"not valid JSON: `{text}`")


_Repair = tuple[Fix | None, tuple[LineRange, ...]]  # a fix, and where its edits are


def _entry(finding: Record, repair: _Repair) -> ReportedFinding:
    fix, edits = repair
    related = finding["related"]
    return ReportedFinding(
        Finding(
            finding["code"],
            finding["name"],
            _SEVERITIES[finding["severity"]],
            finding["message"],
            _NOWHERE,
            finding["pointer"],
            finding["node"],
            fix,
            tuple(Related(place["message"], _NOWHERE, place.get("file") or "") for place in related),
        ),
        finding["url"],
        _range(finding),
        "",
        (),
        edits,
        tuple((_range(place), ()) for place in related),
    )


def _repair(fix: Record | None, shared: dict[int, _Repair]) -> _Repair:
    """Return a fix; one with an `id` is that of the first finding that has it."""
    if fix is None:
        return None, ()
    number = fix.get("id")
    if number is not None and number in shared:
        return shared[number]
    safety: Safety = fix["safety"]
    edits = tuple(Edit(_NOWHERE, edit["text"]) for edit in fix["edits"])
    found = Fix(fix["title"], edits, safety), tuple(_range(edit) for edit in fix["edits"])
    if number is not None:
        shared[number] = found
    return found


def _range(record: Record) -> LineRange:
    return LineRange(*(record[name] for name in LineRange._fields))
