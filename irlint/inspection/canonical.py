"""Canonical operator names of all formats: schemas/operators/canonical.json."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from irlint.graph import Node
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.tools.installed import load_json

_KINDS = {"constant": "const", "var": "var"}  # canonical names of nodes that are not calls
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


class _Meaning(NamedTuple):
    """A canonical name and its conditions for attributes."""

    name: str
    attributes: dict[str, str]
    ranks: dict[str, int]


@cache
def _meanings(table: str) -> dict[str, list[_Meaning]]:
    found: dict[str, list[_Meaning]] = {}
    for name, by_table in load_json("operators/canonical.json")["operators"].items():
        for entry in by_table.get(table, ()):
            record: dict[str, Any] = {"op": entry} if isinstance(entry, str) else entry
            meaning = _Meaning(name, record.get("attributes", {}), record.get("ranks", {}))
            found.setdefault(record["op"], []).append(meaning)
    return found


@cache
def _only(table: str) -> dict[str, str]:
    """Return the names of operators that have one whatever their attributes, as most do."""
    return {op: first.name for op, (first, *_) in _meanings(table).items() if not (first.attributes or first.ranks)}


class CanonicalNames:
    """The canonical names of one model's operators; an operator without one keeps its own."""

    def __init__(self, model: Model) -> None:
        self.model = model
        table = model.operators.name if model.operators else model.format
        self._meanings, self._only = _meanings(table), _only(table)

    def of(self, node: Node) -> str:
        if (name := self._only.get(node.op)) is not None:
            return name
        known = self._meanings.get(node.op)
        if known is None and (operator := self.model.operator(node)) is not None:
            known = self._meanings.get(operator.name)
        for name, attributes, ranks in known or ():
            fits = all(_same(self._value(node, key), wanted) for key, wanted in attributes.items())
            if fits and all(len(_NUMBER.findall(str(self._value(node, key)))) == rank for key, rank in ranks.items()):
                return name
        return node.op

    def kind_of(self, node: Node) -> str:
        """Return whether a call only holds data, which is a constant or variable in other formats."""
        return node.kind if node.inputs or node.kind != "call" else _KINDS.get(self.of(node), "call")

    def _value(self, node: Node, key: str) -> Any:
        """Return an attribute's value, or its default."""
        value = node.attrs.get(key)
        if value is None and (operator := self.model.operator(node)) is not None:
            attribute = operator.attributes.get(key)
            value = attribute.default if attribute else None
        return value


def _same(value: Any, wanted: str) -> bool:
    words = {str(value).strip().lower(), wanted.lower()}
    return len(words) == 1 or words in ({"1", "true"}, {"0", "false"})
