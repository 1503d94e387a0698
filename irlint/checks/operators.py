"""The check of a graph against an operator table, for formats without one of their own: every operator as it is written
(checks/written.py), undefined references and duplicate names. What a rule checks itself goes into `model.settled`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from irlint.checks.fault import Fault, Subject
from irlint.checks.grammar import PLAIN, Grammar
from irlint.checks.operator_check import OperatorCheck
from irlint.checks.problems import duplicate_definition, undefined_name, unknown_operator
from irlint.codes import R
from irlint.findings import Problem
from irlint.graph import Graph, Node, label
from irlint.operators import Operator, nearest
from irlint.rules.base import Model
from irlint.text import words
from irlint.text.base import Place

COMPARISONS = 100_000  # of names, in one graph: a limit for many undefined references in a long file


def problems(model: Model, grammar: Grammar = PLAIN) -> Iterator[Problem]:
    """Yield what is wrong with every node of every graph; nothing if the model has no operator table."""
    if model.operators is None:
        return
    for graph in model.graph.walk():
        for problem, node in _graph_problems(model, graph, grammar):
            if problem.rule not in model.settled:
                if problem.severity is None:
                    problem.severity = grammar.severity(problem.rule, node)
                yield problem


def _graph_problems(model: Model, graph: Graph, grammar: Grammar) -> Iterator[tuple[Problem, Node | None]]:
    assert model.operators is not None
    check = _References(model, graph, grammar)
    for node in graph.nodes:
        if id(node) in model.silent:
            continue
        operator, subject = model.operators.get(node.op), Subject.of(graph, node)
        found: Iterator[Fault] = iter(())
        if operator is not None:
            found = chain(_against(grammar, node, operator), _repeated(model, grammar, subject))
        elif node.kind == "call":
            found = iter((unknown_operator(node.op, model.operators),))
        yield from ((grammar.problem(subject, fault), node) for fault in found)
        yield from ((problem, node) for problem in check.references(node))
    yield from ((problem, None) for problem in check.outputs())
    yield from check.definitions()


def _against(grammar: Grammar, node: Node, operator: Operator) -> Iterator[Fault]:
    written = OperatorCheck(grammar, operator, node.attrs, node.inputs, node.outputs, node.input_names or ())
    return written.faults() if node.kind == "call" else chain(written.attributes(), written.demands())


def _repeated(model: Model, grammar: Grammar, subject: Subject) -> Iterator[Fault]:
    assert subject.graph is not None
    assert subject.node is not None
    for name, at in grammar.repeated(model, subject.graph, subject.node):
        related = [("first defined here", f"attr_key:{name}")]
        message = f"duplicate {grammar.word} `{name}` for"
        yield Fault(R.duplicate_attribute, f"attr_key:{name}", message, change="remove", related=related, at=at)


class _References:
    """The names of one graph: what inputs and outputs refer to."""

    def __init__(self, model: Model, graph: Graph, grammar: Grammar) -> None:
        self.model, self.graph, self.grammar = model, graph, grammar
        self._names: list[str] | None = None
        self._left = COMPARISONS

    @property
    def names(self) -> list[str]:
        """Return the names that an input can refer to."""
        if self._names is None:
            self._names = [name for node in self.graph.nodes for name in _defined(node)]
        return self._names

    def _meant(self, name: str, node: Node | None) -> str | None:
        """Return the name that was probably meant, while there is time to compare it with all of them."""
        if self._left <= 0 or not self.grammar.has_names:
            return None
        self._left -= len(self.names)
        own = set(_defined(node)) if node else ()
        return nearest(name, [other for other in self.names if other not in own])

    def references(self, node: Node) -> Iterator[Problem]:
        for k, (source, output) in enumerate(node.inputs):
            if source < 0:
                at = self.graph.place(node, f"input:{k}")
                yield from self._undefined(at, f"the inputs of {label(node)}", node)
            elif output >= len(self.graph.nodes[source].outputs):
                producer = self.graph.nodes[source]
                message = (
                    f"{label(node)} uses output {output} of {label(producer)}, which has "
                    f"{words.count(len(producer.outputs), 'output')}"
                )
                yield Problem(R.output_out_of_range, self.graph.place(node, f"input:{k}"), message, node.name)

    def outputs(self) -> Iterator[Problem]:
        for k, source in enumerate(self.graph.outputs):
            if source.node < 0:
                yield from self._undefined(self.graph.locate_output(k), "the outputs of the graph", None)

    def _undefined(self, at: Place, who: str, node: Node | None) -> Iterator[Problem]:
        name = self.grammar.reference(self.model, at)
        if name is not None:
            message = f"undefined name {name!r} in {who}"
            yield undefined_name(at, message, self._meant(name, node), node.name if node else None)

    def definitions(self) -> Iterator[tuple[Problem, Node]]:
        first: dict[str, Place] = {}
        for node in self.graph.nodes:
            for k, name in enumerate(_defined(node)):
                at = self.graph.place(node, "name" if node.outputs[k].name is None else f"output:{k}")
                if name in first:
                    yield duplicate_definition(at, f"duplicate name {name!r}", first[name], node.name), node
                elif name:
                    first[name] = at


def _defined(node: Node) -> list[str]:
    """Return the names by which a node's values are referred to."""
    return [node.name if value.name is None else value.name for value in node.outputs[: 1 if _unnamed(node) else None]]


def _unnamed(node: Node) -> bool:
    return all(value.name is None for value in node.outputs)
