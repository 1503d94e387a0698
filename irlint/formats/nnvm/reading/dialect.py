"""Which member of the family a file is: by its head for a first guess, by its content for the verdict.

Other programs have a list `nodes`, too. What no other program writes: `arg_nodes`, `node_row_ptr`, `heads` that hold entries, and nodes
whose inputs are entries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from irlint.formats.base import CERTAIN, FOREIGN, LIKELY, POSSIBLE, Dialect, Head, Recognition
from irlint.formats.nnvm.reading.json_values import as_dict, as_list, is_entry
from irlint.operators import nearest, table
from irlint.tools import later

CLASSIC, MXNET, LEGACY, TVM = "classic", "mxnet", "mxnet-legacy", "tvm"

DIALECTS = (
    Dialect(MXNET, "MXNet symbol (0.9 and later)", "mxnet-symbol.schema.json"),
    Dialect(LEGACY, "MXNet symbol before 0.9", "mxnet-symbol-legacy.schema.json"),
    Dialect(CLASSIC, "classic NNVM graph", "nnvm.schema.json"),
    Dialect(TVM, "TVM graph executor", "tvm-graph.schema.json"),
)
SCHEMAS = {dialect.name: dialect.schema for dialect in DIALECTS}

_SAMPLE = 50  # as many nodes decide
_KEYS = frozenset({"nodes", "arg_nodes", "node_row_ptr", "heads", "attrs"})
_NODES = re.compile(r"""["']?nodes["']?\s*:\s*\[""")
_NODE_KEY = re.compile(
    r"""(?:op|name|inputs|attrs)["']?\s*:"""
)  # however it is quoted; other people's graphs have an id
_KERNEL = later(r'"op"\s*:\s*"(?:input|kernel)"')  # in graphs that TVM passes to another runtime
_TYPED_OP = later(r'"op"\s*:\s*"')
_TYPED_INPUTS = later(r'"inputs"\s*:\s*\[\s*[\[\]]')
_PLAN, _PLANNED = "storage_id", ("dltype", "shape")  # of a graph without calls
_OWN_ATTRIBUTES = frozenset({"mxnet_version", "storage_id", "dltype"})
_WRITTEN = ("mxnet_version", "is_np_shape")  # what MXNet says about a graph
_OLD_KEYS = ("param", "backward_source_id")  # of nodes
_FUNCTION = frozenset({"func_name", "flatten_data"})


def recognize(head: Head) -> Recognition | None:
    """Return a guess from the beginning of a file, lenient enough for files with mistakes in them."""
    text = head.text
    if text.lstrip("\ufeff \t\r\n\v\f")[:1] not in ("{", "[") or "odes" not in text:
        return None
    if '"null"' not in text and _KERNEL.search(text):
        return Recognition(FOREIGN, "it is a graph that TVM passes to another runtime, not to its graph executor")
    marks = _quoted(text, ("arg_nodes", "heads", "node_row_ptr"))
    if _NODES.search(text) is not None:
        return _with_nodes(text, marks)
    if len(marks) > 1:
        return Recognition(LIKELY, "it has some of the keys of an NNVM graph")
    return Recognition(POSSIBLE, "it mentions nodes") if marks else None


def _with_nodes(text: str, marks: list[str]) -> Recognition | None:
    """Return a guess for a text with a list `nodes` and these other keys of a graph."""
    keys = _quoted(text, ("op", "name", "inputs"))
    if (marks and "op" in keys) or (len(keys) == 3 and '"null"' in text):
        score = CERTAIN if _TYPED_OP.search(text) and _TYPED_INPUTS.search(text) else LIKELY
        return Recognition(score, "it has nodes with `op`, `name` and `inputs`")
    if len(marks) > 1 or len(keys) > 1:
        return Recognition(LIKELY, "it has some of the keys of an NNVM graph")
    return Recognition(POSSIBLE, "it mentions nodes") if marks or _NODE_KEY.search(text) else None


def _quoted(text: str, keys: Sequence[str]) -> list[str]:
    return [key for key in keys if f'"{key}"' in text]


def dialect_of(value: Any) -> Recognition | None:
    """Return the dialect that the content shows, and the reason; None if this is not a graph of this family."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]  # a graph wrapped in a list is a mistake that is reported
    if not isinstance(value, dict) or not (score := _score(value)):
        return None
    why, dialect = _dialect(value)
    return Recognition(score, why, dialect)


# Weight of the evidence for a graph of the family


def _score(value: dict[str, Any]) -> int:
    marks = _marks(value)
    sample = [node for node in as_list(value.get("nodes"))[:_SAMPLE] if isinstance(node, dict)]
    return _score_of_nodes(sample, marks) if sample else _score_without_nodes(value, marks)


def _score_of_nodes(sample: list[dict[str, Any]], marks: int) -> int:
    ops = [node.get("op") for node in sample]
    if "null" not in ops and ("input" in ops or "kernel" in ops):
        return FOREIGN  # TVM passes it to another runtime
    is_exact = sum(map(_is_node, sample)) * 2 >= len(sample)
    has_variables = is_exact and "null" in ops
    if (is_exact and marks) or (has_variables and any(node.get("inputs") for node in sample)):
        return CERTAIN
    if marks > 1:
        return CERTAIN if any(map(_resembles_node, sample)) else LIKELY
    return LIKELY if marks or has_variables else FOREIGN


def _score_without_nodes(value: dict[str, Any], marks: int) -> int:
    if marks and any(_is_node(found[0]) for found in map(as_list, value.values()) if found):
        return CERTAIN if marks > 1 else LIKELY  # `nodes` is misspelt
    is_index = len(value.keys() & _KEYS) * 2 < len(value)  # of words, where these are among many
    if value.get("nodes") or is_index:
        return FOREIGN
    return LIKELY if marks > 1 or (marks and "nodes" in value) else FOREIGN


def _marks(value: dict[str, Any]) -> int:
    """Return how many parts of the graph are as only this family has them."""
    heads = as_list(value.get("heads"))[:_SAMPLE]
    return (
        _are_numbers(value.get("arg_nodes"))
        + _are_numbers(value.get("node_row_ptr"))
        + (bool(heads) and all(map(is_entry, heads)))
        + (not _OWN_ATTRIBUTES.isdisjoint(as_dict(value.get("attrs"))))
    )


def _are_numbers(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(number, int | float) for number in found[:_SAMPLE])


def _is_node(node: Any) -> bool:
    """Return whether this has an operator, a name and inputs as only NNVM writes them."""
    found = as_dict(node)
    inputs = found.get("inputs")
    is_named = isinstance(found.get("op"), str) and "name" in found
    return is_named and isinstance(inputs, list) and all(map(is_entry, inputs))


def _resembles_node(node: dict[str, Any]) -> bool:
    return "op" in node and ("name" in node or "inputs" in node)


# Which member it is


def _dialect(value: dict[str, Any]) -> tuple[str, str]:
    attrs = as_dict(value.get("attrs"))
    nodes = [node for node in as_list(value.get("nodes")) if isinstance(node, dict)]
    if why := _why_compiled(nodes, attrs):
        return why, TVM
    if "mxnet_version" in attrs:
        return f"it declares `mxnet_version`{_version_text(attrs['mxnet_version'])}", MXNET
    if old := next((key for node in nodes for key in _OLD_KEYS if key in node), None):
        return f"its nodes have the key `{old}`, which MXNet wrote before 0.9", LEGACY
    return _by_operators(nodes, attrs)


def _why_compiled(nodes: Sequence[Mapping[str, Any]], attrs: Mapping[str, Any]) -> str:
    """Return what shows that TVM has compiled a graph; empty if nothing does."""
    compiled, others = _calls(nodes)
    is_symbol = "mxnet_version" in attrs
    if compiled and (not others and any(map(_is_compiled, nodes)) if is_symbol else compiled >= others):
        return "its operators are `tvm_op`, functions that TVM has compiled"
    planned = [name for name in _PLANNED if name in attrs]
    if planned and _PLAN in attrs and not others and not is_symbol:
        return f"its `attrs` hold `{_PLAN}` and `{planned[0]}`, as TVM's graph executor requires"
    return ""


def _calls(nodes: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """Return how many of the first calls are of functions that TVM has compiled, and how many are of operators.

    The attributes of the graph decide nothing here: classic graphs may hold shapes, types and storage, too.
    """
    compiled = others = 0
    for node in islice((node for node in nodes if node.get("op") != "null"), _SAMPLE):
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
    return not _FUNCTION.isdisjoint(as_dict(node.get("attrs") or node.get("attr")))


def _version_text(entry: Any) -> str:
    if isinstance(entry, list) and len(entry) == 2 and isinstance(number := entry[1], int):
        return f" {number // 10000}.{number // 100 % 100}.{number % 100}"
    return ""


def _by_operators(nodes: Sequence[Mapping[str, Any]], attrs: Mapping[str, Any]) -> tuple[str, str]:
    """Judge by the operators; where both have them, by what the graph says about itself: MXNet saves no version but its own."""
    from irlint.formats.nnvm.reading.dialect_evidence import marks

    classic, symbol = marks(nodes)
    if len(classic) > len(symbol):
        return f"its operators are NNVM's own ({min(classic.values())})", CLASSIC
    if symbol:
        return f"its operators are MXNet's ({min(symbol.values())})", MXNET
    if (other := next((name for name in attrs if not nearest(name, _WRITTEN)), None)) is not None:
        return f"its `attrs` hold `{other}`, which MXNet does not write", CLASSIC
    return "nothing in it distinguishes a classic NNVM graph from an MXNet symbol", MXNET
