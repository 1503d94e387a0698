"""Problems that several formats report in the same words: unknown operators, names that are defined twice or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from irlint.checks.fault import NO_VALUE, Fault, asking, asking_name, writing
from irlint.codes import R
from irlint.findings import Fix, Problem, Severity
from irlint.operators import OperatorTable, nearest
from irlint.text.base import Document, Place


def unknown_operator(op: str, table: OperatorTable) -> Fault:
    """Return what is wrong with an operator that the table does not have."""
    meant = table.nearest(op)
    better = NO_VALUE if meant is None else meant
    message = f"unknown operator `{op}`" if op else "empty operator"
    return Fault(R.unknown_operator, "op", message, None, better, meant=meant, hint=asking(meant) if op else "")


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
    return undefined_name(at, f"undefined {what} {name!r} in the inputs of {who}", nearest(name, list(known)), node)


def undefined_name(at: Place, message: str, meant: str | None, node: str | None = None) -> Problem:
    """Return the problem of a name that nothing has, with the one that was meant."""
    fix = None if meant is None else writing(at, meant, f"Replace with {meant!r}")
    return Problem(R.undefined_reference, at, message, node, fix, meant=meant, hint=asking_name(meant))
