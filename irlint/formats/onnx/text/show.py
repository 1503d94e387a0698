"""The textual form of a model: ONNX's own syntax, with a line for each node, value and initializer.

What a model has and the syntax lacks (doc strings of nodes, metadata of graphs) is not shown; large data is cut to `...`.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from functools import partial
from typing import Any

from irlint.formats.onnx.tensors import HALVES, SHOWN, TensorData, half_bits
from irlint.formats.onnx.wire.messages import ATTRIBUTE_TYPES, ELEMENT_NAMES
from irlint.formats.onnx.wire.reader import Packed, Tree
from irlint.text.base import Path, Span

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
KEYWORDS = frozenset((*ELEMENT_NAMES.values(), "undefined", "seq", "map", "optional", "sparse_tensor", "opaque"))
INDENT = "   "
HEADER = (
    "ir_version",
    "opset_import",
    "producer_name",
    "producer_version",
    "domain",
    "model_version",
    "doc_string",
    "metadata_props",
)
_HALF_DIGITS = (3, 4, 5)  # five tell all floats of 16 bits apart
FUNCTION_HEADER = ("domain", "overload", "opset_import")
_OVERFLOW = 3.4028235677973366e38  # the least that is rounded to infinity
CUT = "..."  # what stands for data that is not shown


class Shown:
    """Collects the text, and where each record (a path) is in it."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.records: dict[Path, Span] = {}
        self.at = 0

    def add(self, text: str, path: Path | None = None) -> None:
        self.pieces.append(text)
        if path is not None:
            self.records[path] = Span(self.at, self.at + len(text))
        self.at += len(text)

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def shown(model: Tree) -> Shown:
    """Return the text of a model, and the spans of its records."""
    out = Shown()
    _header(out, model, (), HEADER)
    if "graph" in model:
        graph = model["graph"]
        out.add(name_of(graph.get("name", "")), ("graph", "name"))
        _rows(out, " (", ")", [(("graph", "input", k), value_text(v)) for k, v in enumerate(graph.get("input", ()))])
        _rows(
            out, " => (", ")", [(("graph", "output", k), value_text(v)) for k, v in enumerate(graph.get("output", ()))]
        )
        _rows(out, " <", ">", _locals(graph, ("graph",)), is_optional=True)
        _nodes(out, graph.get("node", ()), ("graph", "node"))
    for k, function in enumerate(model.get("functions", ())):
        out.add("\n")
        path: Path = ("functions", k)
        _header(out, function, path, FUNCTION_HEADER)
        out.add(name_of(function.get("name", "")), (*path, "name"))
        formal = [((*path, "attribute", j), name_of(name)) for j, name in enumerate(function.get("attribute", ()))]
        usual = enumerate(function.get("attribute_proto", ()))
        formal += [((*path, "attribute_proto", j), attribute_text(one, "")) for j, one in usual]
        _inline(out, " <", ">", formal, is_optional=True)
        _inline(out, " (", ")", [((*path, "input", j), name_of(n)) for j, n in enumerate(function.get("input", ()))])
        _inline(
            out, " => (", ")", [((*path, "output", j), name_of(n)) for j, n in enumerate(function.get("output", ()))]
        )
        infos = enumerate(function.get("value_info", ()))
        _rows(out, " <", ">", [((*path, "value_info", j), value_text(info)) for j, info in infos], is_optional=True)
        _nodes(out, function.get("node", ()), (*path, "node"))
    return out


def _header(out: Shown, message: Tree, path: Path, names: Iterable[str]) -> None:
    rows = [((*path, name), header_text(name, message[name])) for name in names if name in message]
    if rows:
        out.add("<\n")
        for k, (place, text) in enumerate(rows):
            out.add(INDENT)
            out.add(text, place)
            out.add(",\n" if k + 1 < len(rows) else "\n")
        out.add(">\n")


def header_text(name: str, value: Any) -> str:
    """Return a line of a header."""
    if isinstance(value, int):
        return f"{name}: {value}"
    if isinstance(value, str):
        return f"{name}: {quoted(value)}"
    return f"{name}: [{', '.join(map(_import if name == 'opset_import' else _entry, value))}]"


def _entry(entry: Tree) -> str:
    return f"{quoted(entry.get('key', ''))}: {quoted(entry.get('value', ''))}"


def _import(opset: Tree) -> str:
    return f"{quoted(opset.get('domain', ''))} : {opset.get('version', 0)}"


def _rows(out: Shown, start: str, end: str, rows: list[tuple[Path, str]], is_optional: bool = False) -> None:
    """Write a list, each item on a line of its own."""
    if not rows and is_optional:
        return
    out.add(start)
    for k, (path, text) in enumerate(rows):
        out.add(f"\n{INDENT}" if k == 0 else f",\n{INDENT}")
        out.add(text, path)
    out.add(f"\n{end}" if rows else end)


def _inline(out: Shown, start: str, end: str, rows: list[tuple[Path, str]], is_optional: bool = False) -> None:
    if not rows and is_optional:
        return
    out.add(start)
    for k, (path, text) in enumerate(rows):
        if k:
            out.add(", ")
        out.add(text, path)
    out.add(end)


def _locals(graph: Tree, path: Path) -> list[tuple[Path, str]]:
    rows: list[tuple[Path, str]] = []
    rows += [((*path, "initializer", k), f"{tensor_text(t)}") for k, t in enumerate(graph.get("initializer", ()))]
    rows += [((*path, "sparse_initializer", k), _sparse(t)) for k, t in enumerate(graph.get("sparse_initializer", ()))]
    rows += [((*path, "value_info", k), value_text(v)) for k, v in enumerate(graph.get("value_info", ()))]
    return rows


def _nodes(out: Shown, nodes: Iterable[Tree], path: Path) -> None:
    out.add(" {\n")
    for k, node in enumerate(nodes):
        out.add(INDENT)
        out.add(node_text(node, INDENT), (*path, k))
        out.add("\n")
    out.add("}\n")


def node_text(node: Tree, indent: str) -> str:
    """Return a call; one with graphs takes several lines, which are indented."""
    label = f"[{name_of(node['name'])}] " if node.get("name") else ""
    outputs = ", ".join(map(name_of, node.get("output", ())))
    attributes = [attribute_text(one, indent + INDENT) for one in node.get("attribute", ())]
    if any("\n" in one for one in attributes):
        inner = ",\n".join(f"{indent}{INDENT}{one}" for one in attributes)
        listed = f" <\n{inner}\n{indent}>"
    else:
        listed = f" <{', '.join(attributes)}>" if attributes else ""
    return f"{label}{outputs} = {_operator(node)}{listed} ({', '.join(map(name_of, node.get('input', ())))})"


def _operator(node: Tree) -> str:
    domain, op = node.get("domain", ""), node.get("op_type", "")
    text = op if _IDENTIFIER.fullmatch(op) else quoted(op)
    if domain:
        text = f"{domain_text(domain)}.{text}"
    overload = node.get("overload", "")
    return f"{text}:{name_of(overload)}" if overload else text


def domain_text(domain: str) -> str:
    """Return a domain as it is written before an operator: identifiers with dots, or in quotes."""
    return domain if all(map(_IDENTIFIER.fullmatch, domain.split("."))) else quoted(domain)


def attribute_text(attribute: Tree, indent: str) -> str:
    kind, field = ATTRIBUTE_TYPES.get(attribute.get("type", 0)) or _by_value(attribute)
    start = f"{name_of(attribute.get('name', ''))}: {kind} = "
    if "ref_attr_name" in attribute:
        return f"{start}@{name_of(attribute['ref_attr_name'])}"
    value = attribute.get(field)
    if field in ("graphs", "tensors", "type_protos", "sparse_tensors", "ints", "floats", "strings"):
        numbers = value.numbers() if isinstance(value, Packed) else value or ()
        return f"{start}[{', '.join(_value(field.rstrip('s'), one, indent) for one in numbers)}]"
    return start + _value(field, value, indent)


def _by_value(attribute: Tree) -> tuple[str, str]:
    """Return the type of an attribute that does not say it (or one that does not exist): that of its value."""
    said = attribute.get("type", 0)
    found = next((row for row in ATTRIBUTE_TYPES.values() if row[1] in attribute), ("int", "i"))
    return (f"type{said}", found[1]) if said else ("undefined", found[1])


def _value(field: str, value: Any, indent: str) -> str:
    if field in ("i", "int"):
        return str(value or 0)
    if field in ("f", "float"):
        return number(value or 0.0)
    if field in ("s", "string"):
        return quoted((value or b"").decode("utf-8", "surrogateescape"))
    if field in ("t", "tensor"):
        return tensor_text(value or {}, "")
    if field in ("g", "graph"):
        return graph_text(value or {}, indent)
    return _sparse(value or {}) if field.startswith("sparse") else type_text(value or {})


def graph_text(graph: Tree, indent: str) -> str:
    """Return a nested graph, whose lines are indented more."""
    inner, name = indent + INDENT, name_of(graph.get("name", ""))
    inputs = ", ".join(map(value_text, graph.get("input", ())))
    outputs = ", ".join(map(value_text, graph.get("output", ())))
    rows = [text for _, text in _locals(graph, ())]
    separator = f",\n{inner}"
    listed = f" <\n{inner}{separator.join(rows)}\n{indent}>" if rows else ""
    nodes = "".join(f"{inner}{node_text(node, inner)}\n" for node in graph.get("node", ()))
    return f"{name} ({inputs}) => ({outputs}){listed} {{\n{nodes}{indent}}}"


def value_text(value: Tree) -> str:
    kind, name = type_text(value.get("type", {})), name_of(value.get("name", ""))
    return f"{kind} {name}" if kind else name


def type_text(kind: Tree) -> str:
    for field in ("tensor_type", "sparse_tensor_type"):
        if field in kind:
            inner = kind[field]
            shape = inner.get("shape")
            dims = ",".join(_dim(dim) for dim in shape.get("dim", ())) if shape is not None else ""
            text = element(inner.get("elem_type", 0)) + (f"[{dims}]" if dims or shape is None else "")
            return text if field == "tensor_type" else f"sparse_tensor({text})"
    if "sequence_type" in kind:
        return f"seq({type_text(kind['sequence_type'].get('elem_type', {}))})"
    if "optional_type" in kind:
        return f"optional({type_text(kind['optional_type'].get('elem_type', {}))})"
    if "map_type" in kind:
        inner = kind["map_type"]
        return f"map({element(inner.get('key_type', 0))}, {type_text(inner.get('value_type', {}))})"
    if "opaque_type" in kind:
        inner = kind["opaque_type"]
        words = [inner["domain"]] if inner.get("domain") else []
        return f"opaque({', '.join(map(name_of, [*words, inner.get('name', '')]))})"
    return ""


def element(number: int) -> str:
    """Return the name of an element type; one that does not exist has its number."""
    return ELEMENT_NAMES.get(number) or (f"type{number}" if number else "undefined")


def _dim(dim: Tree) -> str:
    if "dim_value" in dim:
        return str(dim["dim_value"])
    return name_of(dim["dim_param"]) if dim.get("dim_param") else "?"


def tensor_text(tensor: Tree, sign: str = " =") -> str:
    """Return an initializer, or with another sign the tensor of an attribute."""
    dims = tensor.get("dims", ())
    start = element(tensor.get("data_type", 0)) + (f"[{','.join(map(str, dims))}]" if dims else "")
    if tensor.get("name"):
        start = f"{start} {name_of(tensor['name'])}"
    if tensor.get("data_location") == 1:
        return f"{start}{sign} [{', '.join(map(_entry, tensor.get('external_data', ())))}]"
    return f"{start}{sign} {_numbers(TensorData(tensor))}"


def _numbers(data: TensorData) -> str:
    values, more = data.first(SHOWN)
    spelled = repr if data.dtype in ("float64", "complex128") else partial(number, dtype=data.dtype or "")
    words = [quoted(v) if isinstance(v, str) else spelled(v) if isinstance(v, float) else str(int(v)) for v in values]
    return f"{{{','.join([*words, CUT] if more else words)}}}"


def _sparse(tensor: Tree) -> str:
    values = tensor.get("values", {})
    dims = ",".join(map(str, tensor.get("dims", ())))
    name = f" {name_of(values['name'])}" if values.get("name") else ""
    return f"sparse_tensor({element(values.get('data_type', 0))}[{dims}]){name} = {{{CUT}}}"


def number(value: float, dtype: str = "") -> str:
    """Return the shortest text of a float of 32 bits, or of 16 if its type is one of those."""
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    if dtype in HALVES:
        texts = [f"{value:.{digits}g}" for digits in _HALF_DIGITS]
        text = next(text for text in texts if half_bits(float(text), dtype) == half_bits(value, dtype))
        return text if any(sign in text for sign in ".en") else f"{text}.0"
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        return repr(value)
    for digits in (6, 7, 8, 9):  # nine tell all floats apart
        text = f"{value:.{digits}g}"
        if abs(float(text)) < _OVERFLOW and struct.pack("<f", float(text)) == packed:
            break
    return text if any(sign in text for sign in ".en") else f"{text}.0"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name_of(text: str) -> str:
    """Return a name, in quotes unless it is an identifier and not a keyword."""
    return text if _IDENTIFIER.fullmatch(text) and text not in KEYWORDS else quoted(text)
