"""Which member of the family a file is: by its head for a first guess, by its content for the verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from irlint.formats.base import CERTAIN, FOREIGN, LIKELY, Dialect, Head, Recognition
from irlint.formats.nnvm.reading.evidence import SAMPLE, weigh
from irlint.operators import nearest, table
from irlint.text.patterns import later

CLASSIC, MXNET, LEGACY, TVM = "classic", "mxnet", "mxnet-legacy", "tvm"

DIALECTS = (
    Dialect(MXNET, "MXNet symbol (0.9 and later)", "mxnet-symbol.schema.json"),
    Dialect(LEGACY, "MXNet symbol before 0.9", "mxnet-symbol-legacy.schema.json"),
    Dialect(CLASSIC, "classic NNVM graph", "nnvm.schema.json"),
    Dialect(TVM, "TVM graph executor", "tvm-graph.schema.json"),
)
SCHEMAS = {dialect.name: dialect.schema for dialect in DIALECTS}

_NODE_KEYS = ("op", "name", "inputs")
_NODES = re.compile(r"""["']?nodes["']?\s*:\s*\[""")
_NODE_KEY = re.compile(
    r"""(?:op|name|inputs|attrs)["']?\s*:"""
)  # however it is quoted; other people's graphs have an id
_KERNEL = later(r'"op"\s*:\s*"(?:input|kernel)"')
_TYPED_OP = later(r'"op"\s*:\s*"')
_TYPED_INPUTS = later(r'"inputs"\s*:\s*\[\s*[\[\]]')
_PLAN, _PLANNED = "storage_id", ("dltype", "shape")  # of a graph without calls
_WRITTEN = ("mxnet_version", "is_np_shape")  # what MXNet says about a graph
_FUNCTION = frozenset({"func_name", "flatten_data"})


def recognize(head: Head) -> Recognition | None:
    """A guess from the beginning of a file, lenient enough for files with mistakes in them."""
    text = head.text
    if text.lstrip("\ufeff \t\r\n\v\f")[:1] not in ("{", "[") or "odes" not in text:
        return None
    if '"null"' not in text and _KERNEL.search(text):
        return Recognition(FOREIGN, "it is a graph that TVM passes to another runtime, not to its graph executor")
    marks = [key for key in ("arg_nodes", "heads", "node_row_ptr") if f'"{key}"' in text]
    inner = [key for key in _NODE_KEYS if f'"{key}"' in text]
    named = _NODES.search(text) is not None
    if named and ((marks and "op" in inner) or (len(inner) == 3 and '"null"' in text)):
        score = CERTAIN if _TYPED_OP.search(text) and _TYPED_INPUTS.search(text) else LIKELY
        return Recognition(score, "it has nodes with `op`, `name` and `inputs`")
    if len(marks) >= 2 or (named and len(inner) >= 2):
        return Recognition(2, "it has some of the keys of an NNVM graph")
    return Recognition(1, "it mentions nodes") if marks or (named and _NODE_KEY.search(text)) else None


def dialect_of(value: Any) -> Recognition | None:
    """Return the dialect that the content shows, and the reason; None if this is not a graph of this family."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]  # a graph wrapped in a list is a mistake that is reported
    if not isinstance(value, dict) or not (score := weigh(value)):
        return None
    why, dialect = _dialect(value)
    return Recognition(score, why, dialect)


def _dialect(value: dict[str, Any]) -> tuple[str, str]:
    found, attrs = value.get("nodes"), value.get("attrs")
    attrs = attrs if isinstance(attrs, dict) else {}
    nodes = [n for n in found if isinstance(n, dict)] if isinstance(found, list) else []
    compiled, others = _calls(nodes)
    is_symbol = "mxnet_version" in attrs
    if compiled and (not others and any(map(_is_compiled, nodes)) if is_symbol else compiled >= others):
        return "its operators are `tvm_op`, functions that TVM has compiled", TVM
    if is_symbol:
        return f"it declares `mxnet_version`{_version_text(attrs['mxnet_version'])}", MXNET
    if not others and _PLAN in attrs and (named := [name for name in _PLANNED if name in attrs]):
        return f"its `attrs` hold `{_PLAN}` and `{named[0]}`, as TVM's graph executor requires", TVM
    old = next((key for n in nodes for key in ("param", "backward_source_id") if key in n), None)
    if old:
        return f"its nodes have the key `{old}`, which MXNet wrote before 0.9", LEGACY
    return _by_operators(nodes, attrs)


def _calls(nodes: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """Return how many of the first calls are of functions that TVM has compiled, and how many are of operators.

    The attributes of the graph decide nothing here: classic graphs may hold shapes, types and storage, too.
    """
    compiled = others = 0
    for node in islice((node for node in nodes if node.get("op") != "null"), SAMPLE):
        op = node.get("op")
        if op == "tvm_op" or _is_compiled(node):
            compiled += 1
        elif isinstance(op, str):
            if op in table("mxnet") or op in table("nnvm"):
                others += 1
            elif nearest(op, ("tvm_op",)):
                compiled += 1
            elif node.get("inputs"):  # without any it may be a variable whose `null` is misspelt
                others += 1
    return compiled, others


def _is_compiled(node: Mapping[str, Any]) -> bool:
    """Return whether a node has attributes of a compiled function, which no operator has."""
    attrs = node.get("attrs") or node.get("attr")
    return isinstance(attrs, dict) and not _FUNCTION.isdisjoint(attrs)


def _version_text(entry: Any) -> str:
    if isinstance(entry, list) and len(entry) == 2 and isinstance(number := entry[1], int):
        return f" {number // 10000}.{number // 100 % 100}.{number % 100}"
    return ""


def _by_operators(nodes: Sequence[Mapping[str, Any]], attrs: Mapping[str, Any]) -> tuple[str, str]:
    """Judge by the operators; where both have them, by what the graph says about itself: MXNet saves no version but its own."""
    from irlint.formats.nnvm.reading.dialect_evidence import marks

    classic, symbol = marks(nodes)
    if len(classic) > len(symbol):
        return f"its operators are NNVM's own ({classic.first})", CLASSIC
    if len(symbol):
        return f"its operators are MXNet's ({symbol.first})", MXNET
    if (other := next((name for name in attrs if not nearest(name, _WRITTEN)), None)) is not None:
        return f"its `attrs` hold `{other}`, which MXNet does not write", CLASSIC
    return "nothing in it distinguishes a classic NNVM graph from an MXNet symbol", MXNET
