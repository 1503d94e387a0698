"""Rules that a configuration declares: which nodes they speak of, and what those may or may not be."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, cast

from irlint.codes import RuleRow
from irlint.findings import Problem, Severity
from irlint.graph import Graph, Node, Type
from irlint.records import NamedTuple

if TYPE_CHECKING:
    from irlint.rules.base import Model

_COMPARISON = re.compile(r"\s*(<=|>=|!=|==|<|>)\s*([-+]?\d+(?:\.\d+)?)\s*")
_SIGN = re.compile(r"\s*(?:[<>]|[!=]=)")
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
}
MORE = "..."

Patterns = tuple[str, ...]  # one of them has to fit; `>= 3` compares numbers, anything else is a glob


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
        return (
            fits(self.op, node.op)
            and fits(self.name, node.name)
            and all(key in node.attrs and fits(patterns, node.attrs[key]) for key, patterns in self.attributes)
            and (not self.dtype or any(t.dtype is not None and fits(self.dtype, t.dtype) for t in types))
            and (self.shape is None or any(t.shape is not None and _has_shape(self.shape, t.shape) for t in types))
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

    def check(self, model: Model) -> Iterator[Problem]:
        if not self.match.of_model(model):
            return
        inferred = getattr(model.extra.get("types"), "outputs", None)  # of the dry run, where the format maps to it
        for graph, node in model.calls():
            if node.op == "Result" and self.allow is not None and "Result" not in self.match.op:
                continue  # it marks an output and computes nothing
            types = inferred(graph, node) if inferred is not None else ()
            if self.match.of_node(node, types or [value.type for value in node.outputs]) and self._is_wrong(node):
                yield self._problem(graph, node)

    def _is_wrong(self, node: Node) -> bool:
        if self.allow is None and self.deny is None:
            return True
        allowed = self.allow is None or fits(self.allow, node.op)
        return not allowed or (self.deny is not None and fits(self.deny, node.op))

    def _problem(self, graph: Graph, node: Node) -> Problem:
        part = "op" if self.allow is not None or self.deny is not None else self.match.part
        info = cast("RuleRow", self)  # what a finding asks of a rule, this has; it is data, no class
        return Problem(info, graph.place(node, part), self._words(node), node.name)

    def _words(self, node: Node) -> str:
        told = {"op": node.op, "name": node.name}
        return re.sub(r"\{(op|name)\}", lambda m: told[m[1]], self.message)


def fits(patterns: Sequence[str], value: Any) -> bool:
    """Whether a value fits one of the patterns; without patterns any value does."""
    return not patterns or any(_fits(pattern, value) for pattern in patterns)


def _fits(pattern: str, value: Any) -> bool:
    if comparison := _COMPARISON.fullmatch(pattern):
        try:
            return _COMPARE[comparison[1]](float(value), float(comparison[2]))
        except (TypeError, ValueError, OverflowError):
            return False
    text = value if isinstance(value, str) else _text(value)
    return text == pattern or fnmatchcase(text, pattern)  # "[3, 3]" is a value first, a set of letters second


def _text(value: Any) -> str:
    """A value as a configuration writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_text, value))}]"
    return str(value)


def _has_shape(patterns: Sequence[str], shape: Sequence[Any]) -> bool:
    """Dimension by dimension; one that is not known fits `*` and `?` only."""
    if patterns and patterns[-1] == MORE:
        patterns = patterns[:-1]
        if len(shape) < len(patterns):
            return False
    elif len(shape) != len(patterns):
        return False
    return all(_fits(pattern, "?" if size is None else size) for pattern, size in zip(patterns, shape, strict=False))


def compares_no_number(pattern: Any) -> bool:
    """Whether a pattern begins as a comparison does, and is none."""
    return isinstance(pattern, str) and _SIGN.match(pattern) is not None and _COMPARISON.fullmatch(pattern) is None


def selectable(word: str, rules: Iterable[DeclaredRule]) -> str | None:
    """The code of a declared rule that a word names."""
    return next((rule.code for rule in rules if word in (rule.name, rule.code)), None)
