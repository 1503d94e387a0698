"""Problems that several formats report in the same words: unknown operators, names that are defined twice or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from irlint.checks.fault import asking, asking_name, writing
from irlint.codes import R
from irlint.findings import Fix, Problem, Severity
from irlint.operators import OperatorTable, nearest
from irlint.text.base import Document, Place


def unknown_operator(at: Place, op: str, table: OperatorTable, node: str | None = None) -> Problem:
    meant = table.nearest(op)
    fix = None if meant is None else writing(at, meant, f"Rename to `{meant}`")
    return Problem(R.unknown_operator, at, f"unknown operator `{op}`", node, fix, meant=meant, hint=asking(meant))


def duplicate_definition(
    at: Place,
    message: str,
    first: Place,
    node: str | None = None,
    fix: Callable[[Document], Fix | None] | None = None,
    severity: Severity | None = None,
) -> Problem:
    return Problem(R.duplicate_definition, at, message, node, fix, [("first defined here", first)], severity)


def undefined_reference(
    at: Place, who: str, what: str, name: str, known: Iterable[str] = (), node: str | None = None
) -> Problem:
    """`who` (such as "slice 'cut'") refers to a `what` ("tensor") called `name`, which is not among the `known` ones."""
    meant = nearest(name, list(known))
    fix = None if meant is None else writing(at, meant, f"Replace with {meant!r}")
    message = f"undefined {what} {name!r} in the inputs of {who}"
    return Problem(R.undefined_reference, at, message, node, fix, meant=meant, hint=asking_name(meant))
