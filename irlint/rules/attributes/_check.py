"""Problems with the values of attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irlint.codes import RuleRow
from irlint.findings import Fix, Problem, Safety, Severity
from irlint.graph import Graph, Node, label
from irlint.records import NamedTuple
from irlint.text.base import Document, Place

Repair = Callable[[Document], Fix | None]

NO_VALUE: Any = object()


class ValueMismatch(NamedTuple):
    """What is wrong with one value: a message puts the attribute between `message` and `rest`.

    For example: expected an integer [for `axis` of slice 'cut'], got `x`.
    """

    rule: RuleRow
    message: str
    better: Any = NO_VALUE  # what to write instead
    safety: Safety = "unsafe"
    element: int | None = None  # which element of a list is wrong
    severity: Severity | None = None
    rest: str = ""


def value_problem(graph: Graph, node: Node, name: str, fault: ValueMismatch) -> Problem:
    place = graph.place(node, f"attr:{name}")
    at = place if fault.element is None else Place((*place.path, fault.element))
    index = "" if fault.element is None else f"[{fault.element}]"

    def fix(document: Document) -> Fix:
        return Fix(f"Set `{name}{index}` to {_shown(fault.better)}", document.write(at, fault.better), fault.safety)

    return Problem(
        fault.rule,
        at,
        f"{fault.message} for `{name}{index}` of {label(node)}{fault.rest}",
        node.name,
        None if fault.better is NO_VALUE else fix,
        severity=fault.severity,
    )


def writing(at: Place, value: Any, title: str = "") -> Repair:
    """Return an unsafe fix that writes another value."""
    return lambda document: Fix(title or f"Replace with {_shown(value)}", document.write(at, value), "unsafe")


def _shown(value: Any) -> str:
    text = "true" if value is True else "false" if value is False else str(value)
    return f"`{text if len(text) <= 40 else text[:37] + '...'}`"
