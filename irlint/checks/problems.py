"""Problems that several formats report in the same words: unknown operators, names that are defined twice or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from irlint.codes import R
from irlint.findings import Fix, Problem, Severity
from irlint.operators import OperatorTable
from irlint.text.base import Document, Place


def unknown_operator(at: Place, op: str, table: OperatorTable, title: str, node: str | None = None) -> Problem:
    """Return the problem; `title` is the name of the format, such as LightNet."""
    meant = table.nearest(op)
    message = f"unknown operator `{op}`"
    if meant is None:
        return Problem(R.unknown_operator, at, message, node)

    def fix(document: Document) -> Fix:
        return Fix(f"Rename to `{meant}`", document.write(at, meant), "unsafe")

    return Problem(R.unknown_operator, at, f"{message}; did you mean `{meant}`?", node, fix)


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
    from irlint.operators import nearest

    meant = nearest(name, list(known))
    message = f"undefined {what} {name!r} in the inputs of {who}"
    if meant is None:
        return Problem(R.undefined_reference, at, message, node)

    def fix(document: Document) -> Fix:
        return Fix(f"Replace with {meant!r}", document.write(at, meant), "unsafe")

    return Problem(R.undefined_reference, at, f"{message}; did you mean {meant!r}?", node, fix)
