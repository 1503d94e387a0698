"""Graphs of pnnx: one operator a line, with named parameters, `@` weights, `#` types of operands, `$` names of inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irlint import work
from irlint.checks.fault import Fault, Subject, writing
from irlint.checks.grammar import Grammar
from irlint.codes import R, RuleRow, Severity
from irlint.findings import Problem
from irlint.formats.pnnx.tensors import tensor_problems
from irlint.formats.pnnx.values import Facts, expression_slips, kind_slip, slip, type_slips, value_slip
from irlint.graph import Graph, Type, label
from irlint.operators import OperatorTable, nearest, table
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Place, Span
from irlint.text.layers.document import Layer, LayerDocument

_DEMANDS = {"pnnx.Expression": "expr", "torch.einsum": "equation"}
_COUNTS: dict[str, tuple[range, range]] = {  # of inputs and outputs
    "pnnx.Input": (range(1), range(1, 2)),
    "pnnx.Output": (range(1, 1 << 31), range(1)),
    "pnnx.Attribute": (range(1), range(1, 2)),
    "pnnx.Expression": (range(1 << 31), range(1, 2)),
}


def facts_of(row: Layer) -> Facts:
    types: dict[str, Type] = {}
    weights: dict[str, Type] = {}
    slips: list[Fault] = []
    seen: set[str] = set()
    operator = table("pnnx").get(row.op)
    known = operator.attributes if operator else None
    for word in row.params.split():
        key, _, value = word.partition("=")
        mark, name = key[:1], key[1:]
        if key in seen:
            message = f"duplicate `{key}`; pnnx takes the last"
            slips.append(Fault(R.duplicate_attribute, f"attr:{key}", message, None, severity=Severity.WARNING))
        seen.add(key)
        found: list[Fault] = []
        if mark == "@":
            weights[name], found = type_slips(key, value, symbols=False)
        elif mark == "#":
            types[name], found = type_slips(key, value, symbols=True)
            if name not in row.inputs and name not in row.outputs:
                found = [
                    _lost(f"type of {name!r}, but the operator has no such operand", name, (*row.inputs, *row.outputs))
                ]
        elif mark == "$":
            if value not in row.inputs:
                lost = _lost(f"`{key}` names {value!r}, but the operator has no such input", value, row.inputs)
                # Inputs without a name are passed by position, before those with a name.
                found = [lost if key == "$input" or len(row.inputs) < 2 else lost._replace(severity=None)]
        elif key == "expr" and row.op == "pnnx.Expression":
            found = list(expression_slips(value, len(row.inputs)))
        else:
            attribute = known.get(key) if known else None
            fault = None if known is None or attribute else _misspelt(row, key, known)
            fault = fault or (kind_slip(attribute, value) if attribute else None)
            fault = fault or (value_slip(key, value) if value else None)
            found = [] if fault is None else [fault]
        slips += [fault._replace(part=f"{fault.part}:{key}") for fault in found]
    return Facts(types, weights, slips)


def _lost(message: str, name: str, names: Sequence[str]) -> Fault:
    close = nearest(name, tuple(names))
    hint = f"; did you mean {close!r}?" if close else ""
    return slip(R.undefined_reference, f"{message}; pnnx ignores this{hint}", severity=Severity.WARNING)


def _misspelt(row: Layer, key: str, known: Mapping[str, Any]) -> Fault | None:
    """Return what is wrong with a parameter that pnnx does not write: it is named almost like one that the line lacks."""
    lacking = tuple(name for name in known if f" {name}=" not in f" {row.params}")
    if (close := _near(key, lacking)) is None:
        return None
    message = f"unknown parameter `{key}` for {row.op}; did you mean `{close}`?"
    return slip(
        R.unknown_attribute, message, severity=None if row.op.startswith("nn.") else Severity.WARNING, key=close
    )


def operator_problems(model: Model, document: LayerDocument, facts: Sequence[Facts]) -> Iterator[Problem]:
    graph = model.graph
    known = table("pnnx")
    for k, one in enumerate(facts):
        for fault in one.slips:
            yield GRAMMAR.problem(_subject(k, graph.nodes[k].name), fault)
    for op in {row.op for row in document.rows}.difference(known.names):
        if (meant := _similar(op, known)) is not None:
            for k, row in enumerate(document.rows):
                if row.op == op:
                    at = Place((k, "op"))
                    message = f"{op!r} is not an operator of pnnx; did you mean {meant!r}?"
                    fix = writing(at, meant, f"Rename to `{meant}`")
                    yield Problem(R.unknown_operator, at, message, row.name, fix, severity=Severity.WARNING)
    for k, row in enumerate(document.rows):
        if row.op in _COUNTS and not row.broken:
            yield from _counts(k, row)
        if row.op in _DEMANDS and f"{_DEMANDS[row.op]}=" not in row.params and not row.broken:
            message = f"missing required parameter `{_DEMANDS[row.op]}`; pnnx aborts"
            yield Problem(R.missing_attribute, Place((k, "op")), message, row.name)
    yield from _disagreements(graph, facts)
    yield from tensor_problems(graph, facts)


class PnnxGrammar(Grammar):
    def edits(self, document: Document, subject: Subject, fault: Fault) -> Sequence[Edit]:
        if fault.element is None:
            return super().edits(document, subject, fault)
        start, end = document.span(subject.find(fault))
        text = document.text[start:end]
        start, end = start + len(text) - len(text.lstrip("([")), end - len(text) + len(text.rstrip(")]"))
        return (Edit(Span(start, end), fault.better),)

    def title(self, fault: Fault) -> str:
        return super().title(fault) if fault.part.startswith("attr_key") else f"Replace with `{fault.better}`"


GRAMMAR = PnnxGrammar()


def _subject(index: int, name: str) -> Subject:
    def place(part: str) -> Place:
        word, _, key = part.partition(":")
        return Place((index, "key" if word == "attr_key" else "value", key))

    return Subject("", name, place)


def _similar(op: str, known: OperatorTable) -> str | None:
    """Return the operator that was probably meant by one that neither pnnx nor PyTorch has."""
    if op in known.raw["others"] or not work.compares(op):
        return None
    return _near(op, tuple(known.names))


def _near(word: str, names: tuple[str, ...]) -> str | None:
    """Return the name that differs only in case or signs between words, or in one letter."""
    from irlint.tools.names import is_slip, plain

    same = next((name for name in names if plain(name) == plain(word)), None)
    if same is not None or len(word) < 4:
        return same
    return next((name for name in names if is_slip(name, word)), None)


def _counts(k: int, row: Layer) -> Iterator[Problem]:
    inputs, outputs = _COUNTS[row.op]
    rules: list[tuple[RuleRow, str, range, int]] = [
        (R.wrong_input_count, "input", inputs, row.counts[0]),
        (R.wrong_output_count, "output", outputs, row.counts[1]),
    ]
    for rule, word, allowed, number in rules:
        if number not in allowed:
            least = "at least 1" if allowed.stop > 2 else str(allowed.start)
            message = f"expected {least} {word}{'' if allowed.start == 1 else 's'} of {row.op}, got {number}"
            severity = Severity.WARNING if number > allowed.start and word == "input" else None
            if row.op == "pnnx.Output" and word == "output":
                severity = Severity.WARNING
            yield Problem(rule, Place((k, f"{word}_count")), message, row.name, severity=severity)


def _disagreements(graph: Graph, facts: Sequence[Facts]) -> Iterator[Problem]:
    for node in graph.nodes:
        own = facts[node.index].types
        if not own:
            continue
        for source in node.inputs:
            if source[0] < 0:
                continue
            other = graph.nodes[source[0]]
            name = other.outputs[source[1]].name or ""
            here, there = own.get(name), facts[other.index].types.get(name)
            if here is None or there is None or here == there or None in (here.shape, there.shape):
                continue
            at, related = Place((node.index, "value", f"#{name}")), Place((other.index, "value", f"#{name}"))
            rule = R.declared_dtype_differs if here.shape == there.shape else R.declared_shape_differs
            what = f"dtype {here.dtype}" if here.shape == there.shape else f"shape {_sizes(here)}"
            that = f"{there.dtype}" if here.shape == there.shape else _sizes(there)
            message = f"declared {what} of operand {name!r} does not match {that} at {label(other)}"
            yield Problem(rule, at, message, node.name, related=[("declared here", related)])


def _sizes(type_: Type) -> str:
    return "[" + ", ".join("?" if size is None else str(size) for size in type_.shape or ()) + "]"
