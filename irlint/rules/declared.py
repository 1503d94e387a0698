"""Rules that a configuration declares: which nodes they speak of, and what those may or may not be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from irlint.codes import RuleRow
from irlint.findings import Problem, Severity
from irlint.graph import Node, Type
from irlint.records import NamedTuple
from irlint.rules.patterns import Patterns, fits, has_shape, matcher

if TYPE_CHECKING:
    from irlint.rules.base import Context, Model


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

    def words(self, node: Node) -> str:
        told = {"op": node.op, "name": node.name}
        return re.sub(r"\{(op|name)\}", lambda m: told[m[1]], self.message)


class Judge:
    """A declared rule as the walk sees it, with what is looked up once for all nodes."""

    kinds = ("call",)

    def __init__(self, rule: DeclaredRule) -> None:
        self._rule, match = rule, rule.match
        self._name = matcher(match.name) if match.name else None
        self._key = match.attributes[0][0] if match.attributes else None  # one of those that it has to have
        self._asks_for_types = bool(match.dtype) or match.shape is not None

    def looks_at(self, op: str) -> bool:
        """Whether nodes of an operator can be findings."""
        match, allow, deny = self._rule.match, self._rule.allow, self._rule.deny
        if op == "Result" and allow is not None and "Result" not in match.op:
            return False  # it marks an output and computes nothing
        if not fits(match.op, op):
            return False
        if allow is None and deny is None:
            return True
        allowed = allow is None or fits(allow, op)
        return not allowed or (deny is not None and fits(deny, op))

    def visit(self, node: Node, context: Context) -> Sequence[Problem]:
        if (self._name is not None and not self._name(node.name)) or (
            self._key is not None and self._key not in node.attrs
        ):
            return ()
        rule = self._rule
        match = rule.match
        if not match.of_text(node) or (self._asks_for_types and not match.of_types(context.types(node))):
            return ()
        part = "op" if rule.allow is not None or rule.deny is not None else match.part
        info = cast("RuleRow", rule)  # what a finding asks of a rule, this has; it is data, no class
        return [context.problem(info, node, part, rule.words(node))]


def selectable(word: str, rules: Iterable[DeclaredRule]) -> str | None:
    """The code of a declared rule that a word names."""
    return next((rule.code for rule in rules if word in (rule.name, rule.code)), None)
