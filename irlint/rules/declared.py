"""Rules that a configuration declares: which nodes they speak of, and what those may or may not be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from irlint.codes import RuleRow
from irlint.findings import Problem, Severity
from irlint.graph import Node, Type
from irlint.records import NamedTuple
from irlint.rules.patterns import Patterns, fits, has_shape

if TYPE_CHECKING:
    from irlint.rules.base import Model
    from irlint.rules.walk import Context


class Match(NamedTuple):
    """What a node has to be; a part that is empty holds for every node."""

    format: Patterns = ()
    dialect: Patterns = ()
    op: Patterns = ()
    name: Patterns = ()
    dtype: Patterns = ()  # of any of its outputs
    shape: Patterns | None = None  # of any of its outputs: a pattern per dimension, "..." for the rest
    attributes: tuple[tuple[str, Patterns], ...] = ()  # an attribute without patterns has to be there

    def of_model(self, model: Model) -> bool:
        return fits(self.format, model.format) and fits(self.dialect, model.dialect)

    def of_node(self, node: Node, types: Sequence[Type]) -> bool:
        return fits(self.op, node.op) and self.of_text(node) and self.of_types(types)

    def of_text(self, node: Node) -> bool:
        """Whether name and attributes fit."""
        return fits(self.name, node.name) and all(
            key in node.attrs and fits(patterns, node.attrs[key]) for key, patterns in self.attributes
        )

    def of_types(self, types: Sequence[Type]) -> bool:
        """Whether one of the types of its results fits."""
        return (not self.dtype or any(t.dtype is not None and fits(self.dtype, t.dtype) for t in types)) and (
            self.shape is None or any(t.shape is not None and has_shape(self.shape, t.shape) for t in types)
        )

    @property
    def asks_for_types(self) -> bool:
        return bool(self.dtype) or self.shape is not None

    @property
    def part(self) -> str:
        """The part of a node that it speaks of."""
        if self.attributes:
            return f"attr:{self.attributes[0][0]}"
        return "name" if self.name and not self.op else "op"


class DeclaredRule(NamedTuple):
    """`allow`: what matches and is none of these is a finding; `deny`: what is one of these; neither: all that matches."""

    code: str
    name: str
    message: str
    severity: Severity = Severity.ERROR
    match: Match = Match()
    allow: Patterns | None = None  # operators
    deny: Patterns | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """Which nodes it speaks of."""
        return ("call",)

    def looks_at(self, op: str) -> bool:
        """Whether nodes of an operator can be findings."""
        if op == "Result" and self.allow is not None and "Result" not in self.match.op:
            return False  # it marks an output and computes nothing
        if not fits(self.match.op, op):
            return False
        if self.allow is None and self.deny is None:
            return True
        allowed = self.allow is None or fits(self.allow, op)
        return not allowed or (self.deny is not None and fits(self.deny, op))

    def visit(self, node: Node, context: Context) -> Iterator[Problem]:
        match = self.match
        if match.of_text(node) and (not match.asks_for_types or match.of_types(context.types(node))):
            part = "op" if self.allow is not None or self.deny is not None else self.match.part
            info = cast("RuleRow", self)  # what a finding asks of a rule, this has; it is data, no class
            yield context.problem(info, node, part, self._words(node))

    def _words(self, node: Node) -> str:
        told = {"op": node.op, "name": node.name}
        return re.sub(r"\{(op|name)\}", lambda m: told[m[1]], self.message)


def selectable(word: str, rules: Iterable[DeclaredRule]) -> str | None:
    """The code of a declared rule that a word names."""
    return next((rule.code for rule in rules if word in (rule.name, rule.code)), None)
