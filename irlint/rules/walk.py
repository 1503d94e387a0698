"""One walk over the nodes of a model for all rules that look at one node at a time, written in Python or declared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from irlint.findings import Problem
from irlint.graph import Node
from irlint.rules.base import Context, Rule
from irlint.rules.patterns import fits

Visit = Callable[[Node, Context], Iterable[Problem]]


class Visitor(Protocol):
    """What the walk asks of a rule."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of nodes that it is shown."""

    def looks_at(self, op: str) -> bool:
        """Whether it is shown nodes of an operator; asked once per operator."""

    def visit(self, node: Node, context: Context) -> Iterable[Problem]:
        """The problems of one node."""


class RuleVisitor:
    """A rule written in Python, as the walk sees it."""

    def __init__(self, rule: type[Rule]) -> None:
        self.kinds, self.visit, self._operators = rule.kinds, rule.visit, rule.operators

    def looks_at(self, op: str) -> bool:
        return fits(self._operators, op)


class Asked(dict[str, list[Visit]]):
    """Who is shown the nodes of a kind, by operator."""

    def __init__(self, visitors: Sequence[Visitor]) -> None:
        super().__init__()
        self._visitors = visitors

    def __missing__(self, op: str) -> list[Visit]:
        found = self[op] = [visitor.visit for visitor in self._visitors if visitor.looks_at(op)]
        return found


def walk(visitors: Sequence[Visitor], context: Context) -> list[Problem]:
    """What the visitors find at the nodes that are fit to be judged."""
    problems: list[Problem] = []
    kinds = {kind for visitor in visitors for kind in visitor.kinds}
    asks = {kind: Asked([visitor for visitor in visitors if kind in visitor.kinds]) for kind in kinds}
    silent = context.model.silent
    for graph in context.model.graph.walk():
        context.graph = graph
        for node, asked in graph.asked(asks):
            if silent and id(node) in silent:
                continue
            for visit in asked:
                problems += visit(node, context)
    return problems
