"""Holds a node's attributes against the operator table: which are unknown or missing, and which values are wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Protocol

from irlint.codes import R, RuleRow
from irlint.findings import Fix, Problem, Safety, Severity
from irlint.graph import Graph, Node
from irlint.operators import Attribute, Operator, nearest
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


class Grammar(Protocol):
    """How a format writes the values of attributes."""

    word: str  # what people of this format call an attribute: "parameter"

    def faults(self, value: Any, attribute: Attribute) -> Iterator[Fault]:
        """What is wrong with a value, judged by itself."""

    def adding(self, graph: Graph, node: Node, missing: Sequence[Attribute]) -> Repair | None:
        """How to add missing attributes, if each has a value that it usually has."""

    def removing(self, graph: Graph, node: Node, name: str) -> Repair | None:
        """How to take an attribute out."""


def label(node: Node) -> str:
    return f"{node.op} {node.name!r}"


def name_problems(
    graph: Graph,
    node: Node,
    operator: Operator,
    grammar: Grammar,
    settled: Collection[str] = (),
    severity: Severity | None = None,
) -> Iterator[Problem]:
    """Attributes that are unknown or missing. An unknown one that looks like a missing one is one mistake, not two.

    Names that are `settled` are spoken of elsewhere. `severity` is that of unknown ones, if not the rule's own.
    """
    known = operator.attributes
    missing = [a for a in known.values() if a.required and a.name not in node.attrs and a.name not in settled]
    for name in [n for n in node.attrs if n not in known and n not in settled]:
        meant = _meant(name, [a.name for a in missing]) or nearest(name, [n for n in known if n not in node.attrs])
        missing = [a for a in missing if a.name != meant]
        message = f"{label(node)} has no {grammar.word} {name!r}"
        at = graph.place(node, f"attr_key:{name}")
        if meant is not None:
            message += f"; did you mean {meant!r}?"
            yield Problem(R.unknown_attribute, at, message, node.name, writing(at, meant), severity=severity)
            continue
        message += f"; it takes {_listed(list(known))}" if known else f"; it takes no {grammar.word}s"
        yield Problem(
            R.unknown_attribute, at, message, node.name, grammar.removing(graph, node, name), severity=severity
        )
    if missing:
        lacks = " and ".join(repr(a.name) for a in missing)
        message = f"{label(node)} lacks the {grammar.word}{'s' * (len(missing) > 1)} {lacks}"
        fix = grammar.adding(graph, node, missing)
        yield Problem(R.missing_attribute, graph.place(node, "attrs"), message, node.name, fix)


def value_problems(graph: Graph, node: Node, attribute: Attribute, grammar: Grammar) -> Iterator[Problem]:
    """What is wrong with the value of one attribute that the node has."""
    for fault in grammar.faults(node.attrs[attribute.name], attribute):
        yield value_problem(graph, node, attribute.name, grammar.word, fault)


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


def _meant(name: str, missing: list[str]) -> str | None:
    """Which of the missing names was meant: the nearest, or the only one."""
    return nearest(name, missing) or (missing[0] if len(missing) == 1 else None)


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:12])
    return shown if len(names) <= 12 else f"{shown}, ..."


def _shown(value: Any) -> str:
    text = "true" if value is True else "false" if value is False else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
