"""Graphs of pnnx: one operator a line, with named parameters, `@` weights, `#` types of operands, `$` names of inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from irlint import work
from irlint.checks.fault import Fault, Subject, asking, asking_name
from irlint.checks.grammar import Grammar
from irlint.checks.operator_check import OperatorCheck
from irlint.checks.written import WrittenOperator
from irlint.codes import R, Severity
from irlint.findings import Problem
from irlint.formats.pnnx.expressions import expression_slips
from irlint.formats.pnnx.values import kind_slip, sound_type, type_slips, value_slip
from irlint.graph import Graph, Node, Type, label
from irlint.operators import Attribute, Operator, OperatorTable, nearest, table
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Place, Span
from irlint.text.layers.document import LayerDocument, LayerRow

_EXPRESSION = "pnnx.Expression"


class LineFacts(NamedTuple):
    """What one line says: the types of operands, weights by name, and what is wrong with it."""

    types: Mapping[str, Type]
    weights: Mapping[str, Type]
    faults: Sequence[Fault]


def facts_of(row: LayerRow) -> LineFacts:
    types: dict[str, Type] = {}
    weights: dict[str, Type] = {}
    others: list[tuple[str, str]] = []
    faults: list[Fault] = []
    words = row.params.split()
    for word in words:
        key, _, value = word.partition("=")
        if key[0] not in "#@":
            others.append((key, value))
            continue
        name, is_operand, found = key[1:], key[0] == "#", list[Fault]()
        if (type_ := sound_type(value)) is None:
            type_, found = type_slips(key, value, symbols=is_operand)
        (types if is_operand else weights)[name] = type_
        if is_operand and name not in row.outputs and name not in row.inputs:
            message = f"type of {name!r}, but the operator has no such operand"
            found = [_lost(message, name, (*row.inputs, *row.outputs))]
        faults += [fault._replace(part=f"{fault.part}:{key}") for fault in found]
    if len(types) + len(weights) + len(dict(others)) < len(words):
        faults += _repeated(words)
    if others or row.op in _DEMANDING:
        inputs = row.inputs if "$" in row.params or row.op in _DEMANDING else ()
        faults += _faults(row.op, tuple(others), inputs, None if row.broken else row.counts)
    return LineFacts(types, weights, faults)


# Types that need something of a line even without parameters
_DEMANDING = frozenset(("pnnx.Input", "pnnx.Output", "pnnx.Attribute", "pnnx.Expression", "torch.einsum"))


@lru_cache(maxsize=1 << 14)
def _faults(
    op: str, words: Sequence[tuple[str, str]], inputs: Sequence[str], counts: tuple[int, int] | None
) -> Sequence[Fault]:
    """Return what is wrong with an operator but for types of tensors. Those that are written alike have the same faults.

    `counts`: of inputs and outputs; None if the line cannot be read as one operator.
    """
    operator = table("pnnx").get(op) or Operator(op, (), (), {})
    return tuple(PnnxOperator(operator, words, inputs, counts).faults())


def _repeated(words: Sequence[str]) -> Iterator[Fault]:
    for key, times in Counter(word.partition("=")[0] for word in words).items():
        message = f"duplicate `{key}`; pnnx takes the last"
        yield from [Fault(R.duplicate_attribute, f"attr:{key}", message, None, severity=Severity.WARNING)] * (times - 1)


def _lost(message: str, name: str, names: Sequence[str]) -> Fault:
    meant = nearest(name, tuple(names))
    message += "; pnnx ignores this"
    return Fault(
        R.undefined_reference, "attr", message, None, severity=Severity.WARNING, meant=meant, hint=asking_name(meant)
    )


class PnnxGrammar(Grammar):
    word = "parameter"
    runtime = "pnnx"
    count_part = "{}_count"

    def meant(self, name: str, written: WrittenOperator, absent: Mapping[str, Attribute]) -> str | None:
        """Return the parameter that was meant by one that pnnx does not write: it is named almost like one that the line lacks."""
        if name.startswith("$"):
            return None  # the name of an input
        return _near(name, tuple(other for other in written.operator.attributes if other not in written.attrs))

    def unknown(self, written: WrittenOperator, name: str, rest: str, **how: object) -> Fault:
        meant = written.operator.attributes.get(str(how.get("better")))
        is_needed = written.operator.name.startswith("nn.") or (meant is not None and meant.required)
        return super().unknown(written, name, rest, severity=None if is_needed else Severity.WARNING, **how)

    def unlike(self, written: WrittenOperator, name: str) -> Fault | None:
        return None  # functions have parameters that no table lists

    def strict(self, written: WrittenOperator, side: str) -> bool:
        return False

    def missing(self, written: WrittenOperator, attribute: Attribute) -> Fault | None:
        assert isinstance(written, PnnxOperator)
        fault = super().missing(written, attribute) if written.is_whole else None
        return fault and fault._replace(rest="; pnnx aborts")

    def judged(self, written: WrittenOperator, attribute: Attribute, value: str) -> Iterator[Fault]:
        """Yield what is wrong with a value, in the words of pnnx: the first thing only."""
        assert isinstance(written, PnnxOperator)
        inputs = written.input_names
        found: Iterable[Fault | None]
        if attribute.kind == "expression":
            found = expression_slips(value, len(inputs))
        elif attribute.name.startswith("$"):
            found = [_unknown_input(attribute.name, value, inputs)] if value not in inputs else []
        else:
            found = [kind_slip(attribute, value) or value_slip(attribute.name, value)]
        yield from (fault._replace(part=f"{fault.part}:{attribute.name}") for fault in found if fault is not None)

    def edits(self, document: Document, subject: Subject, fault: Fault) -> Sequence[Edit]:
        if fault.element is None:
            return super().edits(document, subject, fault)
        start, end = document.span(subject.find(fault))
        text = document.text[start:end]
        start, end = start + len(text) - len(text.lstrip("([")), end - len(text) + len(text.rstrip(")]"))
        return (Edit(Span(start, end), fault.better),)

    def title(self, fault: Fault) -> str:
        return f"Replace with `{fault.better}`" if fault.part.startswith("attr:") else super().title(fault)


GRAMMAR = PnnxGrammar()


class PnnxOperator(OperatorCheck):
    def __init__(
        self,
        operator: Operator,
        words: Sequence[tuple[str, str]],
        inputs: Sequence[str],
        counts: tuple[int, int] | None,
    ) -> None:
        given = [range(1, number + 1) for number in counts or (0, 0)]
        super().__init__(GRAMMAR, operator, dict(words), *given, values={})
        self.words, self.input_names, self.is_whole = words, inputs, counts is not None

    def faults(self) -> Iterator[Fault]:
        misnamed = [*self.attribute_names()]
        yield from misnamed
        told = {fault.name for fault in misnamed}
        for name, value in self.words:
            if name not in told:
                attribute = self.attribute(name) or Attribute(name, "any")
                yield from GRAMMAR.judged(self, attribute, value)
        if self.is_whole and (self.operator.inputs or self.operator.outputs):  # others have any number
            yield from self.counts("input")
            is_idle = self.operator.name == "pnnx.Output"
            for fault in self.counts("output"):
                yield fault._replace(severity=Severity.WARNING) if is_idle else fault


def operator_problems(model: Model, document: LayerDocument, facts: Sequence[LineFacts]) -> Iterator[Problem]:
    """Report what is wrong with operators by themselves, and types on which two of them disagree."""
    nodes, known = model.graph.nodes, table("pnnx")
    unknown = {op: _unknown_type(op, known) for op in {row.op for row in document.rows}.difference(known.names)}
    for node, one in zip(nodes, facts, strict=True):
        faults = [*one.faults, *unknown.get(node.op, ())]
        yield from (GRAMMAR.problem(Subject.of(model.graph, node), fault) for fault in faults)
    yield from _disagreements(model.graph, facts)


def _unknown_type(op: str, known: OperatorTable) -> Sequence[Fault]:
    """Return what is wrong with a type that neither pnnx nor PyTorch has, if it resembles one of pnnx."""
    is_other = op in known.raw["others"] or not work.compares(op)
    if is_other or (meant := _near(op, tuple(known.names))) is None:
        return ()
    return [
        Fault(R.unknown_operator, "op", f"unknown operator `{op}`", None, meant, Severity.WARNING, hint=asking(meant))
    ]


def _near(word: str, names: tuple[str, ...]) -> str | None:
    """Return the name that differs only in case or signs between words, or in one letter."""
    from irlint.tools.names import is_slip, plain

    same = next((name for name in names if plain(name) == plain(word)), None)
    if same is not None or len(word) < 4:
        return same
    return next((name for name in names if is_slip(name, word)), None)


def _unknown_input(key: str, value: str, inputs: Sequence[str]) -> Fault:
    fault = _lost(f"`{key}` names {value!r}, but the operator has no such input", value, inputs)
    # Inputs without a name are passed by position, before those with a name.
    return fault if key == "$input" or len(inputs) < 2 else fault._replace(severity=None)


def _disagreements(graph: Graph, facts: Sequence[LineFacts]) -> Iterator[Problem]:
    """Report operands whose types differ from those at the operators that define them."""
    for node in graph.nodes:
        own = facts[node.index].types
        for source in node.inputs if own else ():
            if source[0] < 0:
                continue
            other = graph.nodes[source[0]]
            name = other.outputs[source[1]].name or ""
            here, there = own.get(name), facts[other.index].types.get(name)
            if here is not there and here != there and here is not None and there is not None:
                yield from _differing(node, other, name, here, there)


def _differing(node: Node, other: Node, name: str, here: Type, there: Type) -> Iterator[Problem]:
    if here.shape is None or there.shape is None:
        return
    if here.shape == there.shape:
        rule, what, that = R.declared_dtype_differs, f"dtype {here.dtype}", str(there.dtype)
    else:
        rule, what, that = R.declared_shape_differs, f"shape {_sizes(here)}", _sizes(there)
    at, related = (Place((one.index, "value", f"#{name}")) for one in (node, other))
    message = f"declared {what} of operand {name!r} does not match {that} at {label(other)}"
    yield Problem(rule, at, message, node.name, related=[("declared here", related)])


def _sizes(type_: Type) -> str:
    return f"[{', '.join('?' if size is None else str(size) for size in type_.shape or ())}]"
