"""Holds a node's attributes against the operator table: which are unknown or missing, and which values are wrong."""

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


class Fault(NamedTuple):
    """What is wrong with one value. `message` goes on where "slice 'cut': parameter 'axis'" ends."""

    rule: RuleRow
    message: str
    better: Any = NO_VALUE  # what to write instead
    safety: Safety = "unsafe"
    element: int | None = None  # which element of a list is wrong
    severity: Severity | None = None


def value_problem(graph: Graph, node: Node, name: str, word: str, fault: Fault) -> Problem:
    place = graph.place(node, f"attr:{name}")
    at = place if fault.element is None else Place((*place.path, fault.element))

    def fix(document: Document) -> Fix:
        return Fix(f"Write {_shown(fault.better)}", document.write(at, fault.better), fault.safety)

    return Problem(
        fault.rule,
        at,
        f"{label(node)}: {word} {name!r} {fault.message}",
        node.name,
        None if fault.better is NO_VALUE else fix,
        severity=fault.severity,
    )


def writing(at: Place, value: Any) -> Repair:
    """An unsafe fix that puts another value in a place."""
    return lambda document: Fix(f"Write {_shown(value)}", document.write(at, value), "unsafe")


def _shown(value: Any) -> str:
    text = "true" if value is True else "false" if value is False else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
