"""Which errors of an imperfect model stop a command, and which it leaves aside.

A model is refused only for errors that make the answer wrong. What a runtime sorts or ignores, and errors of other parts of the
file, are left aside with a note. Each question has a row in `QUESTIONS` with the codes of the errors that stop
it; an empty code stands for all.
"""

from __future__ import annotations

from collections.abc import Iterable

from irlint.codes import R
from irlint.findings import Finding, Severity
from irlint.formats.base import Format
from irlint.records import NamedTuple

_TEXT = ("S",)  # what the file says is partly a guess
_EDGES = (
    R.undefined_reference, R.self_reference, R.cycle, R.index_out_of_range, R.output_out_of_range,
)  # fmt: skip
_CALLS = (*_TEXT, *(rule.code for rule in _EDGES))  # which results the nodes use is partly unknown
_ALL = ("",)

QUESTIONS: dict[str, tuple[str, ...]] = {
    "text": (),  # show
    "picture": (),  # graph: findings are drawn in it
    "nodes": _TEXT,  # summary, weights, diff, graph OLD NEW, show --json
    "calls": _CALLS,  # flatten, ngrams, compare, graph --events
    "shapes": _ALL,  # run --shapes-only
    "values": _ALL,  # run
}

_LISTING = ("calls", "shapes")  # questions that a graph with open edges answers in part
ORDERED = ("calls",)  # questions about an order that a graph with a cycle does not have

_OF_LETTERS = frozenset(rule.code for rule in (R.invalid_utf8, R.lone_surrogate, R.unusual_encoding))
_NEVER = frozenset((R.missing_weights.code, R.user_schema.code))  # weights that are missing are drawn
_TARGETS = "C"  # the group of errors that are about other runtimes
_UNKNOWN_SHAPES = ("D", "X")  # errors with which inference goes on: shapes that do not fit, files that are not read


class SortedErrors(NamedTuple):
    """The errors of a file that stop a command, and those that it leaves aside."""

    stopping: list[Finding]
    aside: list[Finding]


def verdict(question: str, findings: Iterable[Finding], format_: Format | None) -> SortedErrors:
    """Return which errors among the findings stop a command that asks a question."""
    found = SortedErrors([], [])
    codes = QUESTIONS[question] + (tuple(format_.edges) if format_ is not None and question == "calls" else ())
    limits = format_.runtime_limits if format_ is not None else ()
    listed = format_.open_edges if format_ is not None and question in _LISTING else ()
    for finding in findings:
        if finding.severity == Severity.ERROR:
            stops = (
                finding.code.startswith(codes)
                and finding.code not in listed
                and not _is_aside(finding, limits, question)
            )
            (found.stopping if stops else found.aside).append(finding)
    return found


def inferred_doubts(question: str, findings: Iterable[Finding]) -> int:
    """Return the number of warnings about inferred types: shapes that are declared for an input may stop a run."""
    return (
        sum(f.code.startswith("D") and f.severity == Severity.WARNING for f in findings) if question == "values" else 0
    )


def _is_aside(finding: Finding, limits: Iterable[str], question: str) -> bool:
    code = finding.code
    if finding.taken or code in _NEVER or code in limits or code.startswith(_TARGETS):
        return True
    if question == "shapes" and code.startswith(_UNKNOWN_SHAPES):
        return True
    is_clear = finding.fix is not None and finding.fix.safety == "safe"  # the text can be read in one way only
    if question in ("values", "shapes"):
        return code == R.missing_key.code and finding.node is None and not _is_in_list(finding.pointer or "")
    return code in _OF_LETTERS or (is_clear and code.startswith(_TEXT)) or code == R.used_before_defined.code


def _is_in_list(pointer: str) -> bool:
    """Return whether a finding is about one of several parts (a tensor, a port) instead of the file or its graph as a whole."""
    return any(part.isdecimal() for part in pointer.split("/"))


def note(finding: Finding) -> str:
    """Return what a command does about an error that it leaves aside."""
    if finding.taken:
        return "so does irlint" if finding.message.endswith(finding.taken) else finding.taken
    if finding.code == R.used_before_defined.code:
        return "the nodes are taken in a valid order"
    return "read as if it were fixed" if finding.code.startswith(_TEXT) and finding.fix is not None else "ignored here"
