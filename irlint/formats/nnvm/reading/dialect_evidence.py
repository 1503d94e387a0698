"""What tells a classic NNVM graph from an MXNet symbol where no key does: operators, and the attributes of those that both have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irlint.formats.nnvm.reading.json_values import as_dict
from irlint.formats.nnvm.reading.values import is_value
from irlint.operators import Operator, table

Evidence = dict[str, str]  # evidence for one dialect: by operator, the words that say so


def marks(nodes: Sequence[Mapping[str, Any]]) -> tuple[Evidence, Evidence]:
    """Return the evidence for a classic NNVM graph and for an MXNet symbol.

    Attributes are looked at only where the names of operators leave it open.
    """
    mxnet, nnvm = table("mxnet"), table("nnvm")
    ops = {op for node in nodes if isinstance(op := node.get("op"), str) and op != "null"}
    classic = {op: op for op in ops if op in nnvm and op not in mxnet}
    symbol = {op: op for op in ops if op in mxnet and op not in nnvm}
    if bool(classic) == bool(symbol):
        _by_attributes(nodes, classic, symbol)
    return classic, symbol


def _by_attributes(nodes: Sequence[Mapping[str, Any]], classic: Evidence, symbol: Evidence) -> None:
    """Add the operators that both have, where only one can have been written with the attributes of a node."""
    mxnet, nnvm = table("mxnet"), table("nnvm")
    named = [node for node in nodes if isinstance(node.get("op"), str)]
    for op, given in dict.fromkeys((str(node["op"]), _attributes(node)) for node in named):
        ours, theirs = nnvm.get(op), mxnet.get(op)
        if ours is None or theirs is None:
            continue
        against_ours, against_theirs = _against(ours, dict(given)), _against(theirs, dict(given))
        if len(against_ours) < len(against_theirs):
            classic.setdefault(op, f"{against_theirs[0]} of {op}")
        elif len(against_theirs) < len(against_ours):
            symbol.setdefault(op, f"{against_ours[0]} of {op}")


def _attributes(node: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    found = as_dict(node.get("attrs")) or as_dict(node.get("attr"))  # the second as MXNet 0.9 to 0.12 wrote it
    return tuple([(key, value) for key, value in found.items() if isinstance(value, str)])


def _against(operator: Operator, given: Mapping[str, str]) -> list[str]:
    """Return the attributes that an operator cannot have been written with: unknown, unreadable or missing."""
    known = operator.attributes
    is_open = operator.facts.get("ignores_unknown")
    unknown = [key for key in given if key not in known and not is_open and not _is_hidden(key)]
    unreadable = [key for key, text in given.items() if key in known and not is_value(known[key], text)]
    return unknown + unreadable + [key for key, one in known.items() if one.required and key not in given]


def _is_hidden(key: str) -> bool:
    return key.startswith("__") and key.endswith("__")
