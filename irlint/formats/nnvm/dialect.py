"""Which member of the family a file is: by its head for a first guess, by its content for the verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from irlint.formats.base import Dialect, Head, Recognition

CLASSIC, MXNET, LEGACY, TVM = "classic", "mxnet", "mxnet-legacy", "tvm"

DIALECTS = (
    Dialect(MXNET, "MXNet symbol (0.9 and later)", "mxnet-symbol.schema.json"),
    Dialect(LEGACY, "MXNet symbol before 0.9", "mxnet-symbol-legacy.schema.json"),
    Dialect(CLASSIC, "classic NNVM graph", "nnvm.schema.json"),
    Dialect(TVM, "TVM graph executor", "tvm-graph.schema.json"),
)
SCHEMAS = {dialect.name: dialect.schema for dialect in DIALECTS}

_GRAPH_KEYS = ("nodes", "arg_nodes", "heads", "node_row_ptr", "attrs")
_NODE_KEYS = ("op", "name", "inputs")
_NODES = re.compile(r"""["']?nodes["']?\s*:\s*\[""")
_NODE_KEY = re.compile(
    r"""(?:op|name|inputs|attrs)["']?\s*:"""
)  # however it is quoted; other people's graphs have an id
_TVM_ATTRIBUTES = ("storage_id", "dltype")


def recognize(head: Head) -> Recognition | None:
    """A guess from the beginning of a file, lenient enough for files with mistakes in them."""
    text = head.text
    if text.lstrip("\ufeff \t\r\n\v\f")[:1] not in ("{", "[") or "odes" not in text:
        return None
    marks = [key for key in ("arg_nodes", "heads", "node_row_ptr") if f'"{key}"' in text]
    inner = [key for key in _NODE_KEYS if f'"{key}"' in text]
    named = _NODES.search(text) is not None
    if named and ((marks and "op" in inner) or (len(inner) == 3 and '"null"' in text)):
        return Recognition(3, "it has nodes with op, name and inputs")
    if len(marks) >= 2 or (named and len(inner) >= 2):
        return Recognition(2, "it has some of the keys of an NNVM graph")
    return Recognition(1, "it mentions nodes") if marks or (named and _NODE_KEY.search(text)) else None


def dialect_of(value: Any) -> Recognition | None:
    """The dialect that the content shows, and the reason; None if this is no graph at all."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]  # a graph wrapped in a list is a graph with a mistake
    if not isinstance(value, dict):
        return None
    found = value.get("nodes")
    if not _looks_like_graph(value, found if isinstance(found, list) else []):
        return None
    attrs = value.get("attrs")
    attrs = attrs if isinstance(attrs, dict) else {}
    if named := [name for name in _TVM_ATTRIBUTES if name in attrs]:
        return Recognition(3, f"its attrs hold {' and '.join(named)}, as a TVM graph executor needs them", TVM)
    if "mxnet_version" in attrs:
        return Recognition(3, f"it carries mxnet_version{_version_text(attrs['mxnet_version'])}", MXNET)
    nodes = [n for n in found if isinstance(n, dict)] if isinstance(found, list) else []
    ops = {op for n in nodes if isinstance(op := n.get("op"), str)}
    if "tvm_op" in ops and len(ops - {"null", "tvm_op"}) <= 1:
        return Recognition(3, "its operators are tvm_op", TVM)
    old = next((key for n in nodes for key in ("param", "backward_source_id") if key in n), None)
    if old:
        return Recognition(3, f"its nodes have the key {old}, which MXNet wrote before 0.9", LEGACY)
    return _by_operators(ops)


def _version_text(entry: Any) -> str:
    if isinstance(entry, list) and len(entry) == 2 and isinstance(number := entry[1], int):
        return f" {number // 10000}.{number // 100 % 100}.{number % 100}"
    return ""


def _looks_like_graph(value: dict[str, Any], nodes: list[Any]) -> bool:
    keys = sum(key in value for key in _GRAPH_KEYS)
    if nodes and isinstance(nodes[0], dict):
        like_node = sum(key in nodes[0] for key in _NODE_KEYS)
        return (keys >= 2 and like_node >= 1) or like_node >= 2
    if keys >= 3 or (keys >= 2 and ("nodes" in value or ("arg_nodes" in value and "heads" in value))):
        return True
    return keys >= 1 and any(isinstance(found, list) and _is_node(found[:1]) for found in value.values())


def _is_node(first: list[Any]) -> bool:
    return bool(first) and isinstance(first[0], dict) and all(key in first[0] for key in _NODE_KEYS)


def _by_operators(ops: Iterable[str]) -> Recognition:
    from irlint.operators import table

    mxnet, nnvm = table("mxnet"), table("nnvm")
    known = sorted(ops - {"null"} if isinstance(ops, set) else set(ops) - {"null"})
    only_nnvm = [op for op in known if op in nnvm and op not in mxnet]
    only_mxnet = [op for op in known if op in mxnet and op not in nnvm]
    if len(only_nnvm) > len(only_mxnet):
        return Recognition(3, f"its operators are NNVM's own ({only_nnvm[0]})", CLASSIC)
    if only_mxnet:
        return Recognition(3, f"its operators are MXNet's ({only_mxnet[0]})", MXNET)
    return Recognition(2, "nothing in it tells a classic NNVM graph from an MXNet symbol", MXNET)
