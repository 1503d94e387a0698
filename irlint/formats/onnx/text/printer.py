"""The textual form of a model: ONNX's own syntax, with a line for each node, value and initializer.

What a model has and the syntax lacks (doc strings of nodes, metadata of graphs) is not shown; large data is cut to `...`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from math import isfinite
from typing import Any

from irlint.formats.onnx.tensors import HALVES, SHOWN, TensorData, half_bits
from irlint.formats.onnx.wire import ATTRIBUTE_TYPES, ELEMENT_NAMES
from irlint.formats.onnx.wire.reader import Packed
from irlint.text.base import Path, Span
from irlint.text.floats import fewest, rounded
from irlint.text.prototext.messages import Tree

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
FUNCTION_HEADER = ("domain", "overload", "opset_import")
LISTS = {
    name: name[:-1] for name, _ in ATTRIBUTE_TYPES.values() if name.endswith("s")
}  # types of attributes, and of their items
_FIELDS = {field: name for name, field in ATTRIBUTE_TYPES.values()}
_LOCALS = ("initializer", "sparse_initializer", "value_info")
_HALF_DIGITS = (".3g", ".4g", ".5g")  # the last of which tell all floats of 16 bits apart
_FAR = 1e38  # below it 32 bits hold any number
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
        graph, path = model["graph"], ("graph",)
        out.add(name_of(graph.get("name", "")), ("graph", "name"))
        _list(out, " (", ")", _records(graph, path, "input"))
        _list(out, " => (", ")", _records(graph, path, "output"))
        _list(out, " <", ">", _records(graph, path, *_LOCALS))
        _nodes(out, graph, path)
    for k, function in enumerate(model.get("functions", ())):
        out.add("\n")
        at = ("functions", k)
        _header(out, function, at, FUNCTION_HEADER)
        out.add(name_of(function.get("name", "")), (*at, "name"))
        _list(out, " <", ">", _records(function, at, "attribute", "attribute_proto"), " ")
        _list(out, " (", ")", _records(function, at, "input"), " ")
        _list(out, " => (", ")", _records(function, at, "output"), " ")
        _list(out, " <", ">", _records(function, at, "value_info"))
        _nodes(out, function, at)
    return out


def _records(owner: Tree, path: Path, *kinds: str) -> list[tuple[Path, str]]:
    """Return where the items of some lists of a graph or a function are, and their texts."""
    return [((*path, kind, k), record_text(kind, one)) for kind in kinds for k, one in enumerate(owner.get(kind, ()))]


def _list(out: Shown, start: str, end: str, rows: list[tuple[Path, str]], gap: str = f"\n{INDENT}") -> None:
    """Write a list, each item after a gap: on a line of its own, or with a blank on the same line. One in angle brackets need not be."""
    if not rows and start.endswith("<"):
        return
    out.add(start)
    before = gap.lstrip(" ")
    for path, text in rows:
        out.add(before)
        out.add(text, path)
        before = f",{gap}"
    out.add(f"\n{end}" if rows and "\n" in gap else end)


def _header(out: Shown, message: Tree, path: Path, names: Iterable[str]) -> None:
    rows: list[tuple[Path, str]] = [
        ((*path, name), record_text(name, message[name])) for name in names if name in message
    ]
    _list(out, "<", ">\n", rows)


def record_text(kind: str, value: Any) -> str:
    """Return the text of an item of a list, or of a line of a header."""
    if kind in _TEXTS:
        return _TEXTS[kind](value)
    if isinstance(value, dict):
        return value_text(value)
    if kind in HEADER or kind in FUNCTION_HEADER:
        return f"{kind}: {value if isinstance(value, int) else quoted(value)}"
    return name_of(value)


def _entry(entry: Tree) -> str:
    return f"{quoted(entry.get('key', ''))}: {quoted(entry.get('value', ''))}"


def _import(opset: Tree) -> str:
    return f"{quoted(opset.get('domain', ''))} : {opset.get('version', 0)}"


def _nodes(out: Shown, owner: Tree, path: Path) -> None:
    out.add(" {\n")
    for at, text in _records(owner, path, "node"):
        out.add(INDENT)
        out.add(text, at)
        out.add("\n")
    out.add("}\n")


def node_text(node: Tree, indent: str = INDENT) -> str:
    """Return a call; one with graphs takes several lines, which are indented."""
    label = f"[{name_of(node['name'])}] " if node.get("name") else ""
    outputs = ", ".join(map(name_of, node.get("output", ())))
    attributes = [attribute_text(one, indent + INDENT) for one in node.get("attribute", ())]
    listed = _attached(attributes, indent, any("\n" in one for one in attributes))
    return f"{label}{outputs} = {_operator(node)}{listed} ({', '.join(map(name_of, node.get('input', ())))})"


def _attached(items: list[str], indent: str, has_lines: bool) -> str:
    """Return a list in angle brackets, perhaps with each item on a line of its own; nothing if it is empty."""
    if not items:
        return ""
    gap = f"\n{indent}{INDENT}"
    return f" <{gap}{f',{gap}'.join(items)}\n{indent}>" if has_lines else f" <{', '.join(items)}>"


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


def attribute_text(attribute: Tree, indent: str = "") -> str:
    kind, field = ATTRIBUTE_TYPES.get(attribute.get("type", 0)) or _by_value(attribute)
    start = f"{name_of(attribute.get('name', ''))}: {kind} = "
    if "ref_attr_name" in attribute:
        return f"{start}@{name_of(attribute['ref_attr_name'])}"
    value, single = attribute.get(field), _FIELDS[field]
    if single not in LISTS:
        return start + _value(single, value, indent)
    items = value.numbers() if isinstance(value, Packed) else value or ()
    return f"{start}[{', '.join(_value(LISTS[single], one, indent) for one in items)}]"


def _by_value(attribute: Tree) -> tuple[str, str]:
    """Return the type of an attribute that does not say it (or one that does not exist), and the field that holds its value."""
    said = attribute.get("type", 0)
    field = next((field for field in _FIELDS if field in attribute), "i")
    return (f"type{said}" if said else "undefined"), field


def _value(kind: str, value: Any, indent: str) -> str:
    if kind == "graph":
        return graph_text(value or {}, indent)
    spell, default = _VALUES[kind]
    return spell(value or default)


def graph_text(graph: Tree, indent: str) -> str:
    """Return a nested graph, whose lines are indented more."""
    inner, name = indent + INDENT, name_of(graph.get("name", ""))
    inputs = ", ".join(map(value_text, graph.get("input", ())))
    outputs = ", ".join(map(value_text, graph.get("output", ())))
    listed = _attached([text for _, text in _records(graph, (), *_LOCALS)], indent, True)
    nodes = "".join(f"{inner}{node_text(node, inner)}\n" for node in graph.get("node", ()))
    return f"{name} ({inputs}) => ({outputs}){listed} {{\n{nodes}{indent}}}"


def value_text(value: Tree) -> str:
    kind, name = type_text(value.get("type", {})), name_of(value.get("name", ""))
    return f"{kind} {name}" if kind else name


def type_text(kind: Tree) -> str:
    return next((spell(kind[field]) for field, spell in _TYPES.items() if field in kind), "")


def _tensor_type(inner: Tree) -> str:
    shape = inner.get("shape")
    dims = ",".join(map(_dim, shape.get("dim", ()))) if shape is not None else ""
    return element(inner.get("elem_type", 0)) + (f"[{dims}]" if dims or shape is None else "")


def _element_type(inner: Tree) -> str:
    return type_text(inner.get("elem_type", {}))


def _map_type(inner: Tree) -> str:
    return f"map({element(inner.get('key_type', 0))}, {type_text(inner.get('value_type', {}))})"


def _opaque_type(inner: Tree) -> str:
    domain, name = inner.get("domain", ""), name_of(inner.get("name", ""))
    return f"opaque({name_of(domain)}, {name})" if domain else f"opaque({name})"


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
    if not (-_FAR < value < _FAR or isfinite(rounded(value))):
        return str(value)
    is_half = dtype in HALVES
    text = fewest(value, partial(half_bits, dtype=dtype), _HALF_DIGITS) if is_half else fewest(value)
    return f"{text}.0" if text.lstrip("-").isdigit() else text


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name_of(text: str) -> str:
    """Return a name, in quotes unless it is an identifier and not a keyword."""
    return text if _IDENTIFIER.fullmatch(text) and text not in KEYWORDS else quoted(text)


def _joined(name: str, spell: Callable[[Tree], str], rows: Iterable[Tree]) -> str:
    return f"{name}: [{', '.join(map(spell, rows))}]"


def _bytes_text(value: bytes) -> str:
    return quoted(value.decode("utf-8", "surrogateescape"))


_TEXTS: dict[str, Callable[[Any], str]] = {  # of records, by the list that they are in or the key before them
    "node": node_text,
    "initializer": tensor_text,
    "sparse_initializer": _sparse,
    "attribute_proto": attribute_text,
    "opset_import": partial(_joined, "opset_import", _import),
    "metadata_props": partial(_joined, "metadata_props", _entry),
}
_VALUES: dict[
    str, tuple[Callable[[Any], str], Any]
] = {  # of attributes, by type: a text, and what is shown if there is none
    "int": (str, 0),
    "float": (number, 0.0),
    "string": (_bytes_text, b""),
    "tensor": (partial(tensor_text, sign=""), {}),
    "sparse_tensor": (_sparse, {}),
    "type_proto": (type_text, {}),
}
_TYPES: dict[str, Callable[[Tree], str]] = {  # by the field of a type that is there
    "tensor_type": _tensor_type,
    "sparse_tensor_type": lambda inner: f"sparse_tensor({_tensor_type(inner)})",
    "sequence_type": lambda inner: f"seq({_element_type(inner)})",
    "optional_type": lambda inner: f"optional({_element_type(inner)})",
    "map_type": _map_type,
    "opaque_type": _opaque_type,
}
