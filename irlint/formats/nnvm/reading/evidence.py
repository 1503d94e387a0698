"""How much in a JSON value speaks for an NNVM graph: other programs have a list `nodes`, too."""

from __future__ import annotations

from itertools import islice
from typing import Any

from irlint.formats.base import CERTAIN, FOREIGN, LIKELY

SAMPLE = 50  # as many nodes decide
_KEYS = frozenset({"nodes", "arg_nodes", "node_row_ptr", "heads", "attrs"})
_FOR_OTHERS = frozenset({"input", "kernel"})  # operators of the graphs that TVM passes to another runtime


def weigh(value: dict[str, Any]) -> int:
    """Return the score of a Recognition.

    What nobody else has: `arg_nodes`, `node_row_ptr`, `heads` that hold entries, and nodes whose inputs are entries.
    """
    nodes = value.get("nodes")
    marks = _marks(value)
    sample = [node for node in islice(nodes, SAMPLE) if isinstance(node, dict)] if isinstance(nodes, list) else []
    if not sample:
        return _without_nodes(value, marks)
    ops = {op for node in sample if isinstance(op := node.get("op"), str)}
    if "null" not in ops and ops & _FOR_OTHERS:
        return FOREIGN
    exact = sum(map(_is_node, sample)) * 2 >= len(sample)
    if exact and (marks or ("null" in ops and any(node.get("inputs") for node in sample))):
        return CERTAIN
    like = any("op" in node and ("name" in node or "inputs" in node) for node in sample)
    if marks > 1:
        return CERTAIN if like else LIKELY
    return LIKELY if marks or (exact and "null" in ops) else FOREIGN


def _without_nodes(value: dict[str, Any], marks: int) -> int:
    if marks and any(map(_begins_with_node, value.values())):
        return CERTAIN if marks > 1 else LIKELY  # `nodes` is misspelt
    if value.get("nodes") or len(value.keys() & _KEYS) * 2 < len(
        value
    ):  # an index of words, where these are among many
        return FOREIGN
    return LIKELY if marks > 1 or (marks and "nodes" in value) else FOREIGN


def _marks(value: dict[str, Any]) -> int:
    attrs, heads = value.get("attrs"), value.get("heads")
    known = isinstance(attrs, dict) and ("mxnet_version" in attrs or "storage_id" in attrs or "dltype" in attrs)
    pointed = isinstance(heads, list) and bool(heads) and all(map(_is_entry, heads[:SAMPLE]))
    return _are_numbers(value.get("arg_nodes")) + _are_numbers(value.get("node_row_ptr")) + pointed + known


def _are_numbers(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(number, int | float) for number in found[:SAMPLE])


def _begins_with_node(found: Any) -> bool:
    return isinstance(found, list) and bool(found) and _is_node(found[0])


def _is_node(node: Any) -> bool:
    """Whether this has an operator, a name and inputs as only NNVM writes them."""
    if not isinstance(node, dict) or not isinstance(node.get("op"), str) or "name" not in node:
        return False
    inputs = node.get("inputs")
    return isinstance(inputs, list) and all(map(_is_entry, inputs))


def _is_entry(found: Any) -> bool:
    """Whether this points to an output of a node: its number, the output's, perhaps a version."""
    return isinstance(found, list) and 2 <= len(found) <= 3 and all(isinstance(number, int) for number in found)
