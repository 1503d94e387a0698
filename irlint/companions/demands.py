"""What a kind of companion demands of its files: rows of its table (schemas/companions), each with a place and a condition.

`at` is a pattern of keys, or several with spaces between them, empty for the whole file: `*` is each item of a list or an object, a number
one item, `a|b` one of two keys.
`that` is an expression over the fields of the object there, or around the value there (`value`), over the whole file (`root`) and the names
of `let`; what it cannot compute is right. `values` are all that are allowed, `needs` the keys that each object has, `near` those for which
others are mistaken, and all that are known where the row has a severity; `among` are the names of `whose` that a value may be, `once` what
no two values have in common, nor one of them with `after`; `when` is when the row matters, where `seen` has what came before. `places`
returns the values at a pattern, each with its first path, `first` the first one. `says`, `of` and `to`, the text that would be right, have
expressions in braces; `other` is a place of what is contradicted: of the file, or next to the value if it begins with a dot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from irlint.checks.signature import FUNCTIONS, evaluate
from irlint.codes import R
from irlint.companions.report import Report, sizes
from irlint.findings import Severity
from irlint.records import NamedTuple
from irlint.text.base import Path
from irlint.text.numbers import decimal
from irlint.tools.names import nearest

_SEEN = "seen"
_EXPRESSION = re.compile(r"\{([^{}]+)\}")

Tree = dict[str, Any]


class Item(NamedTuple):
    """A value of a file, its path, and the innermost object that has it or that it is."""

    value: Any
    path: Path
    owner: Any


class Scope(dict[str, Any]):
    """Fields of an object; those that it does not have are None."""

    def __missing__(self, key: str) -> Any:
        if key in FUNCTIONS:
            raise KeyError(key)


def each(root: Any, pattern: str) -> Iterator[Item]:
    """Yield the values at a pattern."""
    found: Iterable[Item] = (Item(root, (), root),)
    for step in filter(None, pattern.split("/")):
        found = list(_below(found, step))
    return iter(found)


def _below(found: Iterable[Item], step: str) -> Iterator[Item]:
    for value, path, owner in found:
        if isinstance(value, list):
            chosen = (
                range(len(value))
                if step == "*"
                else [place]
                if (place := decimal(step, 6)) is not None and place < len(value)
                else ()
            )
            for k in chosen:
                yield Item(value[k], (*path, k), value[k] if isinstance(value[k], dict) else owner)
        elif isinstance(value, dict):
            keys = list(value) if step == "*" else [key for key in step.split("|") if key in value]
            for key in keys:
                inner = value[key]
                yield Item(inner, (*path, key), inner if isinstance(inner, dict) else value)


def places(root: Any, pattern: str) -> dict[str, Path]:
    """Return the names at a pattern, each with the first path that has it."""
    found: dict[str, Path] = {}
    for at in each(root, pattern):
        if isinstance(at.value, str):
            found.setdefault(at.value, at.path)
    return found


def first(root: Any, pattern: str) -> Any:
    """Return the first value at a pattern; None if there is none."""
    return next((at.value for at in each(root, pattern)), None)


def names(root: Any, table: Mapping[str, Any]) -> Scope:
    """Return the values of what a table names for all of a file."""
    known = Scope(
        root=Scope(root if isinstance(root, dict) else {}), places=partial(places, root), first=partial(first, root)
    )
    for name, expression in table.get("let", {}).items():
        known[name] = evaluate(expression, known)
    return known


def check(
    root: Any, table: Mapping[str, Any], report: Report, functions: Mapping[str, Any], rows: str = "demands"
) -> None:
    """Report what a file does not fulfil of the rows of its table; `functions` are those that its expressions use. Rows are about
    objects and lists: damaged files may have other roots."""
    if not isinstance(root, dict | list):
        return
    known = Scope({**functions, **names(root, table), "sizes": sizes})
    for row in table[rows]:
        known[_SEEN] = dict(evaluate(row["after"], known)) if "after" in row else {}
        for at in (at for pattern in row["at"].split() or [""] for at in each(root, pattern)):
            _check(row, at, known, report)


def _check(row: Mapping[str, Any], at: Item, known: Scope, report: Report) -> None:
    scope = Scope(known | at.owner | {"value": at.value, "path": at.path})
    if "choices" in row or "values" in row:
        report.hint(at.path, "", report.quoted(row.get("values") or evaluate(row["choices"], scope)))
    if "when" not in row or evaluate(row["when"], scope):
        kind = next(kind for kind in _KINDS if kind in row)
        _KINDS[kind](row, at, scope, report, Severity.parse(row["severity"]) if "severity" in row else None)


def _said(words: str, scope: Scope) -> str:
    return _EXPRESSION.sub(lambda match: str(evaluate(match[1], scope)), words)


def _needs(row: Mapping[str, Any], at: Item, scope: Scope, report: Report, severity: Severity | None) -> None:
    for key in row["needs"]:
        if not at.owner.get(key):
            report.missing(key, _said(row["of"], scope), (*at.path, key), at.path, severity=severity)


def _near(row: Mapping[str, Any], at: Item, scope: Scope, report: Report, severity: Severity | None) -> None:
    for key in at.value if isinstance(at.value, dict) else ():
        close = nearest(str(key), row["near"]) if key not in row["near"] else None
        if close is not None:
            report.misspelled((*at.path, key), close)
        elif severity is not None and key not in row["near"]:
            report.misspelled((*at.path, key), None, severity)


def _values(row: Mapping[str, Any], at: Item, scope: Scope, report: Report, severity: Severity | None) -> None:
    if at.value not in row["values"]:
        close = nearest(at.value, row["values"]) if isinstance(at.value, str) else None
        hint = f"did you mean `{close}`?" if close else f"expected one of {', '.join(map(str, row['values']))}"
        to = close and f"{report.quote}{close}{report.quote}"
        report.say(R.value_not_allowed, at.path, f"{_said(row['says'], scope)}; {hint}", to, severity=severity)


def _that(row: Mapping[str, Any], at: Item, scope: Scope, report: Report, severity: Severity | None) -> None:
    if evaluate(f"not ({row['that']})", scope):
        other = row.get("other", "")
        path: Path = (*at.path[:-1], other[1:]) if other.startswith(".") else (other,)
        related = (f"`{path[-1]}` is set here", path) if other and report.has(path) else None
        to = _said(row["to"], scope) if "to" in row else None
        report.say(getattr(R, row["rule"]), at.path, _said(row["says"], scope), to, related, severity=severity)


def _among(row: Mapping[str, Any], at: Item, scope: Scope, report: Report, severity: Severity | None) -> None:
    scope[_SEEN].setdefault(at.value, at.path)
    report.known(at.value, evaluate(row["among"], scope) or (), at.path, row["whose"], what=row.get("what", "tensor"))


def _once(row: Mapping[str, Any], at: Item, scope: Scope, report: Report, severity: Severity | None) -> None:
    report.once(evaluate(row["once"], scope), _said(row["says"], scope), at.path, scope[_SEEN], severity)


_KINDS = {"needs": _needs, "near": _near, "values": _values, "that": _that, "among": _among, "once": _once}
