"""What tells a classic NNVM graph from an MXNet symbol where no key does: operators, and the attributes of those that both have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irlint.formats.nnvm.reading.values import BadValue, read
from irlint.operators import Operator, table

_ATTRIBUTES = ("attrs", "attr")  # the second as MXNet 0.9 to 0.12 wrote it


class DialectEvidence:
    """What speaks for one dialect: by operator, the words that say so."""

    def __init__(self) -> None:
        self.operators: dict[str, str] = {}

    def add(self, op: str, attribute: str = "") -> None:
        self.operators.setdefault(op, f"{attribute} of {op}" if attribute else op)

    def __len__(self) -> int:
        return len(self.operators)

    @property
    def first(self) -> str:
        return min(self.operators.values())


def marks(nodes: Sequence[Mapping[str, Any]]) -> tuple[DialectEvidence, DialectEvidence]:
    """Return what speaks for a classic NNVM graph and what speaks for an MXNet symbol.

    Attributes are looked at only where the names of operators leave it open.
    """
    classic, symbol = _by_name({op for node in nodes if isinstance(op := node.get("op"), str)} - {"null"})
    if bool(classic) == bool(symbol):
        _by_attributes(nodes, classic, symbol)
    return classic, symbol


def _by_name(ops: set[str]) -> tuple[DialectEvidence, DialectEvidence]:
    mxnet, nnvm = table("mxnet"), table("nnvm")
    classic, symbol = DialectEvidence(), DialectEvidence()
    for op in sorted(ops):
        if (op in nnvm) != (op in mxnet):
            (classic if op in nnvm else symbol).add(op)
    return classic, symbol


def _by_attributes(nodes: Sequence[Mapping[str, Any]], classic: DialectEvidence, symbol: DialectEvidence) -> None:
    mxnet, nnvm = table("mxnet"), table("nnvm")
    seen: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
    for node in nodes:
        op, given = node.get("op"), _attributes(node)
        if not isinstance(op, str) or (key := (op, tuple(given.items()))) in seen:
            continue
        seen.add(key)
        ours, theirs = nnvm.get(op), mxnet.get(op)
        if ours is None or theirs is None:
            continue
        against_ours, against_theirs = _against(ours, given), _against(theirs, given)
        if len(against_ours) < len(against_theirs):
            classic.add(op, against_theirs[0])
        elif len(against_theirs) < len(against_ours):
            symbol.add(op, against_ours[0])


def _attributes(node: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, Any] = next((node[key] for key in _ATTRIBUTES if isinstance(node.get(key), dict)), {})
    return {key: value for key, value in found.items() if isinstance(value, str)}


def _against(operator: Operator, given: Mapping[str, str]) -> list[str]:
    """Return the attributes that an operator cannot have been written with: unknown, unreadable or missing."""
    known = operator.attributes
    wrong = (
        [] if operator.facts.get("ignores_unknown") else [key for key in given if not _hidden(key) and key not in known]
    )
    wrong += [key for key, text in given.items() if key in known and not _readable(operator, key, text)]
    return wrong + [key for key, attribute in known.items() if attribute.required and key not in given]


def _hidden(key: str) -> bool:
    return key.startswith("__") and key.endswith("__")


def _readable(operator: Operator, key: str, text: str) -> bool:
    try:
        read(operator.attributes[key], text)
    except BadValue:
        return False
    return True
