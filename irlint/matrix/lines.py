"""Verdicts as lines of a terminal, and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irlint.engine import Result
from irlint.findings import Finding
from irlint.matrix.verdicts import TargetVerdict, stretches
from irlint.text.safe import visible
from irlint.text.words import more_than
from irlint.text.wrap import table

_NAMED = 8  # operators of which nothing is known


def lines(result: Result, verdicts: Sequence[TargetVerdict], width: int | None) -> Iterator[str]:
    """Yield the releases of each runtime, those with one verdict in one row, then how to go on."""
    rows: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    found = stretches(verdicts)
    for one in found:
        key = one.first.target.title, one.first.target.known
        rows.setdefault(key, []).append((one.releases, one.last.outcome, "; ".join(said(result, one.last))))
    yield f"{visible(result.name)}:"
    for (title, known), of_target in rows.items():
        yield f"\n{title} ({known}):"
        room = None if width is None else width - 2
        yield from (f"  {line}" for line in table(of_target, room, has_prose=True))
    offers = [("repair what is fixable", one.last, _repair(one.last)) for one in found if one.last.has_fix]
    offers += [("see all reasons", one.last, []) for one in found if _others(one.last)]
    shown = {what: (verdict, options) for what, verdict, options in reversed(offers)}
    yield from [""] * bool(shown)
    for what, (verdict, options) in sorted(shown.items()):
        yield f"to {what}: {shlex.join(['irlint', *options, '--target', _target(verdict), _file(result)])}"


def said(result: Result, verdict: TargetVerdict) -> Iterator[str]:
    """Yield why a release does not load a model, or what is not known."""
    for reason in verdict.reasons[:1]:
        yield f"line {_line(result, reason)}: {_plain(reason)}{' (fixable)' if verdict.has_fix else ''}"
    if others := _others(verdict):
        yield f"{others:,} more"
    if verdict.unasked:
        yield f"not asked about: {_named(verdict.unasked)}"


def _plain(reason: Finding) -> str:
    """Return the message without a name that it suggests, which nobody has tried here."""
    return reason.message.replace(reason.hint, "") if reason.hint else reason.message


def _others(verdict: TargetVerdict) -> int:
    return max(len(verdict.reasons) - 1, 0) + verdict.more


def _repair(verdict: TargetVerdict) -> list[str]:
    """Return the options with which all reasons of a verdict are repaired."""
    is_unsafe = any(one.fix is not None and one.fix.needs_flag for one in verdict.reasons)
    return ["--fix", *(["--unsafe-fixes"] if is_unsafe else [])]


def _line(result: Result, finding: Finding) -> str:
    return str(result.lines.position(finding.span.start).line)


def _file(result: Result) -> str:
    return "-" if result.request.path is None else result.name


def _target(verdict: TargetVerdict) -> str:
    return f"{verdict.target.name}={verdict.release}{verdict.target.provider}"


def _named(operators: Mapping[str, int]) -> str:
    named = [f"{op} ({count:,})" if count > 1 else op for op, count in sorted(operators.items())]
    return ", ".join([*named[:_NAMED], *more_than(_NAMED, named)])


def record(result: Result, verdicts: Sequence[TargetVerdict]) -> dict[str, Any]:
    """Return all verdicts for programs."""
    return {
        "file": result.name,
        "format": result.format,
        "targets": [
            {
                "target": one.target.name,
                "release": one.release,
                **({"provider": one.target.provider.partition("=")[2]} if one.target.provider else {}),
                "known": one.target.known,
                "verdict": one.outcome,
                "reasons": [_reason(result, reason) for reason in one.reasons],
                "more": one.more,
                "fixable": one.has_fix,
                "unasked": dict(one.unasked),
            }
            for one in verdicts
        ],
    }


def _reason(result: Result, one: Finding) -> dict[str, Any]:
    at = result.lines.position(one.span.start)
    found = {"code": one.code, "message": _plain(one), "line": at.line, "column": at.column}
    return {**found, "node": one.node} if one.node else found
