"""Rules declared in a configuration: the nodes that they match, and the allowed operators."""

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


class NodeCondition(NamedTuple):
    """Conditions for a node; an empty part matches every node."""

    format: Patterns = ()
    dialect: Patterns = ()
    op: Patterns = ()
    name: Patterns = ()
    dtype: Patterns = ()  # of any of its outputs
    shape: Patterns | None = None  # of any of its outputs: a pattern per dimension, "..." for the rest
    attributes: tuple[tuple[str, Patterns], ...] = ()  # an attribute without patterns has to exist

    def of_model(self, model: Model) -> bool:
        return fits(self.format, model.format) and fits(self.dialect, model.dialect)

    def of_text(self, node: Node) -> bool:
        """Return whether name and attributes match."""
        return fits(self.name, node.name) and all(
            key in node.attrs and fits(patterns, node.attrs[key]) for key, patterns in self.attributes
        )

    def of_types(self, types: Sequence[Type]) -> bool:
        """Return whether one of the output types matches."""
        return (not self.dtype or any(t.dtype is not None and fits(self.dtype, t.dtype) for t in types)) and (
            self.shape is None or any(t.shape is not None and has_shape(self.shape, t.shape) for t in types)
        )

    @property
    def part(self) -> str:
        """Return the part of a node that findings point to."""
        if self.attributes:
            return f"attr:{self.attributes[0][0]}"
        return "name" if self.name and not self.op else "op"


class DeclaredRule(NamedTuple):
    """A declared rule. With `allow`, matching nodes with other operators are findings; with `deny`, those with these; with neither, all."""

    code: str
    name: str
    message: str
    severity: Severity = Severity.ERROR
    match: NodeCondition = NodeCondition()
    allow: Patterns | None = None  # operators
    deny: Patterns | None = None

    def words(self, node: Node) -> str:
        told = {"op": node.op, "name": node.name}
        return re.sub(r"\{(op|name)\}", lambda m: told[m[1]], self.message)


class DeclaredVisitor:
    """A declared rule for the walk, with data that is computed once for all nodes."""

    kinds = ("call",)

    def __init__(self, rule: DeclaredRule) -> None:
        self._rule, match = rule, rule.match
        self._name = matcher(match.name) if match.name else None
        self._key = match.attributes[0][0] if match.attributes else None  # a required one
        self._asks_for_types = bool(match.dtype) or match.shape is not None

    def looks_at(self, op: str) -> bool:
        """Return whether nodes of an operator can be findings."""
        match, allow, deny = self._rule.match, self._rule.allow, self._rule.deny
        if op == "Result" and allow is not None and "Result" not in match.op:
            return False  # it only marks an output
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
        info = cast("RuleRow", rule)  # it has the same fields as a rule's row
        return [context.problem(info, node, part, rule.words(node))]


def selectable(word: str, rules: Iterable[DeclaredRule]) -> str | None:
    """Return the code of the declared rule with this code or name."""
    return next((rule.code for rule in rules if word in (rule.name, rule.code)), None)
