"""Nodes, types and operators as Markdown and labels."""

from __future__ import annotations

import re

from irlint.dryrun.known import DeclaredType
from irlint.formats.navigation import Target, condition, consumers, describe
from irlint.graph import Type
from irlint.operators import Attribute, Operator, Port
from irlint.text.safe import visible
from irlint.text.words import count
from irlint_lsp.documents import CurrentView

MOST_ATTRIBUTES = 40


def shown_type(type_: Type) -> str:
    """Return `f32[1,64,224,224]`; empty if nothing is known."""
    if type_.dtype is None and type_.shape is None:
        return ""
    dtype = _short(type_.dtype) if type_.dtype else "?"
    if type_.shape is None:
        return f"{dtype}[...]"
    declared = " (declared)" if isinstance(type_, DeclaredType) else ""
    return f"{dtype}[{','.join(shown_dim(d) for d in type_.shape)}]{declared}"


def _short(dtype: str) -> str:
    """Return f32 for float32, i64 for int64, bf16 for bfloat16."""
    for long, letters in (("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i")):
        if dtype.startswith(long):
            return letters + dtype[len(long) :]
    return dtype


def shown_dim(dim: object) -> str:
    if dim is None:
        return "?"
    if isinstance(dim, tuple):
        return f"{dim[0]}..{'' if dim[1] is None else dim[1]}"
    return str(dim)


def label(view: CurrentView, target: Target) -> str:
    """Return `conv1 : f32[1,64,112,112]`, with the output's number if there are several."""
    name, type_ = name_of(view, target), shown_type(view.navigation.type_of(view.model, target))
    return f"{name} : {type_}" if type_ else name


def name_of(view: CurrentView, target: Target) -> str:
    """Return `conv1`, or `split:1` if there are several outputs."""
    nav = view.navigation
    name = nav.name_of(target) or target.node.op
    if target.output is not None and len(target.node.outputs) > 1 and not nav.names_tensors(target):
        name += f":{target.output}"
    return name


def card(view: CurrentView, target: Target) -> str:
    """Return all that is known about a node, in Markdown."""
    nav, model = view.navigation, view.model
    graph, node = target.graph, target.node
    lines = [
        f"**{escaped(node.name or '(no name)')}** {code(node.op)}{f' ({escaped(node.version)})' if node.version else ''}"
    ]
    lines.append(f"node {node.index} of {len(graph.nodes)}, counted from 0")
    reads = []
    for k, source in enumerate(node.inputs):
        name = node.input_names[k] if node.input_names and k < len(node.input_names) else None
        what = "nothing" if source[0] < 0 else label(view, Target(graph, graph.nodes[source[0]], source[1]))
        reads.append(f"- {f'{escaped(name)}: ' if name else ''}{code(what)}")
    if reads:
        lines += ["", "Inputs", *_cut(reads)]
    gives = [
        f"- {code(label(view, Target(graph, node, k)))}"
        for k in range(len(node.outputs))
        if shown_type(nav.type_of(model, Target(graph, node, k))) or len(node.outputs) > 1
    ]
    if gives:
        lines += ["", "Outputs", *_cut(gives)]
    users = consumers(model, graph)[node.index]
    lines += ["", f"used by {count(len(set(users)), 'node')}"]
    return "\n".join(lines)


def operator_card(operator: Operator, name: str) -> str:
    """Return an operator's documentation: inputs, outputs, attributes."""
    lines = [f"**{name}**"]
    if operator.doc:
        lines += ["", operator.doc]
    for title, ports in (("Inputs", operator.inputs), ("Outputs", operator.outputs)):
        if ports:
            lines += ["", f"{title}: {', '.join(map(_port, ports))}"]
    if operator.attributes:
        lines += ["", "Attributes"]
        rows = [f"- `{a.name}`: {describe(a)}{_values(a)}" for a in operator.attributes.values()]
        lines += _cut(rows)
    return "\n".join(lines)


def _port(port: Port) -> str:
    when = condition(port.facts) or ("" if port.kind == "required" else f" {port.kind}")
    return f"`{port.name}`" + (f" ({when.strip()})" if when else "")


def _values(attribute: Attribute) -> str:
    values = [f"{value} {attribute.meanings.get(value, '')}".rstrip() for value in attribute.values]
    return f" ({', '.join(values[:12])}{', ...' if len(values) > 12 else ''})" if values else ""


def _cut(lines: list[str]) -> list[str]:
    left = len(lines) - MOST_ATTRIBUTES
    return [*lines[:MOST_ATTRIBUTES], f"- ... and {left} more"] if left > 0 else lines


def escaped(text: str) -> str:
    """Return text from a file, escaped for Markdown."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>()#+-.!|~&:" else c for c in visible(text[:200]))


def code(text: str) -> str:
    """Return text from a file as inline code, whatever backticks it contains."""
    shown = visible(text[:200])
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    return f"{fence}{shown}{fence}" if len(fence) == 1 and shown.strip() else f"{fence} {shown or '?'} {fence}"
