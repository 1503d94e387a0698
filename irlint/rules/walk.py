"""One walk over the nodes of a model for all rules that visit nodes, written in Python or declared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Protocol

from irlint.findings import Problem
from irlint.graph import Node
from irlint.rules.base import Context, Rule
from irlint.rules.patterns import fits

Visit = Callable[[Node, Context], Iterable[Problem]]


class Visitor(Protocol):
    """The interface of a rule for the walk."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of nodes to visit."""

    def looks_at(self, op: str) -> bool:
        """Return whether to visit nodes of an operator; called once per operator."""

    def visit(self, node: Node, context: Context) -> Iterable[Problem]:
        """Return the problems of one node."""


class RuleVisitor:
    """A rule written in Python, for the walk."""

    def __init__(self, rule: type[Rule]) -> None:
        self.kinds, self.visit, self._operators = rule.kinds, rule.visit, rule.operators

    def looks_at(self, op: str) -> bool:
        return (_fits if len(op) < _SHORT else fits)(self._operators, op)


_SHORT = 64  # characters of an operator, as most files have it
_fits = lru_cache(maxsize=1024)(fits)


class VisitorsByOperator(dict[str, list[Visit]]):
    """The visitors of the nodes of a kind, by operator."""

    def __init__(self, visitors: Sequence[Visitor]) -> None:
        super().__init__()
        self._visitors = visitors

    def __missing__(self, op: str) -> list[Visit]:
        found = self[op] = [visitor.visit for visitor in self._visitors if visitor.looks_at(op)]
        return found


def walk(visitors: Sequence[Visitor], context: Context) -> list[Problem]:
    """Return the problems that the visitors find at valid nodes: of all graphs, and of the bodies of the file's functions."""
    problems: list[Problem] = []
    kinds = {kind for visitor in visitors for kind in visitor.kinds}
    asks = {kind: VisitorsByOperator([visitor for visitor in visitors if kind in visitor.kinds]) for kind in kinds}
    silent = context.model.silent
    for graph in context.model.graphs():
        context.graph = graph
        for node, asked in graph.asked(asks):
            if silent and id(node) in silent:
                continue
            for visit in asked:
                problems += visit(node, context)
    return problems
