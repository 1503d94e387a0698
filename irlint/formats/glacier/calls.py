"""What is wrong with single calls: unknown operators, inputs that come later, too many or too few inputs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import inf

from irlint.checks.fault import NO_VALUE, Fault, Subject
from irlint.checks.grammar import Grammar
from irlint.checks.operator_check import OperatorCheck
from irlint.checks.problems import unknown_operator
from irlint.findings import Problem, Severity
from irlint.formats.glacier.rules import R
from irlint.formats.glacier.sessions import state_of
from irlint.formats.glacier.vocabulary import canonical_bounds, inputs_of, is_canonical, origin
from irlint.graph import Graph, Node
from irlint.operators import Operator, OperatorTable
from irlint.rules.base import Model
from irlint.text.numbers import integer

_ALL = {"call", "var", "const"}
_FUNCTION = re.compile("tvmgen_|fused_|[@%]|fn$")  # how TVM names functions
_COMPILED = "tvm_op"  # what every call of a compiled graph is: its function is an attribute
_HABIT = 5  # so many calls of an operator with equally many inputs make another number odd


class GlacierGrammar(Grammar):
    count_part = "attrs"


GRAMMAR = GlacierGrammar()


def problems(model: Model, odd: Iterable[Node]) -> Iterator[Problem]:
    """Report calls of unknown operators, and calls with more inputs than their operator takes, or with fewer. `odd` are those of which
    there may be something to report.

    Which kinds of node the lists show is read off the file as a whole. Where a kind is hidden, constants mostly, a
    short list may be right; it is odd only if it is the one exception.
    """
    operators, state, graph = model.operators, state_of(model), model.graph
    assert operators is not None
    short: list[tuple[Node, Fault]] = []
    canonical: list[Problem] = []  # right, if the names are irlint's canonical ones
    for node in odd:
        if id(node) in model.silent:
            continue
        yield from _forward(graph, node)
        fault = _fault(node, operators)
        if fault is None:
            continue
        if fault.part == GRAMMAR.count_part:
            if state.kinds != _ALL:
                short.append((node, fault))
                continue
            state.lacking.append(node.index)
        problem = _problem(graph, node, fault)
        if _is_right(node, operators):
            canonical.append(problem)
        else:
            yield problem
    if len(canonical) == 1:
        canonical[0].severity = Severity.WARNING
        yield canonical[0]
    if short and state.kinds:
        for node, fault in _exceptions(graph.nodes, short):
            state.lacking.append(node.index)
            yield _problem(graph, node, fault)


def _problem(graph: Graph, node: Node, fault: Fault) -> Problem:
    subject = Subject(f"node {node.name} ({node.op})", node.name, lambda part: graph.place(node, part))
    return GRAMMAR.problem(subject, fault)


def _is_right(node: Node, operators: OperatorTable) -> bool:
    """Return whether a call may have been written by `irlint flatten --canonical`."""
    if operators.name != "relay" or not is_canonical(node.op):
        return False
    least, most = canonical_bounds(node.op)
    return node.op not in operators or least <= len(node.inputs) <= (inf if most is None else most)


def _fault(node: Node, operators: OperatorTable) -> Fault | None:
    operator = operators.get(node.op)
    if operator is None:
        return None if node.op == _COMPILED else _unknown(node.op, operators)
    seen = Operator(operator.name, inputs_of(operator, operators), (), {})
    return next(OperatorCheck(GRAMMAR, seen, {}, node.inputs).counts("input"), None)


def _forward(graph: Graph, node: Node) -> Iterator[Problem]:
    """Report inputs that refer to a later call, whether or not that is a cycle: lines refer only to lines above."""
    for position, source in enumerate(node.inputs):
        if source[0] > node.index:
            later = graph.nodes[source[0]]
            if later.name.isdecimal() and node.name.isdecimal() and integer(later.name) < integer(node.name):
                continue  # the ids are right; the wrong order of the lines is reported for the numbering
            message = f"node {node.name} ({node.op}) uses node {later.name} ({later.op}) before it is defined"
            at, related = graph.place(node, f"input:{position}"), [("defined here", graph.place(later, "name"))]
            yield Problem(R.used_before_defined, at, message, node.name, related=related)


def _unknown(op: str, operators: OperatorTable) -> Fault:
    """Return what is wrong with an unknown operator: a warning if its name is that of another format's operator, looks like a
    function, or has a namespace that Relay does not have, since operators can be registered from outside.
    """
    fault = unknown_operator(op, operators)
    same = fault.meant is not None and _plain(fault.meant) == _plain(op)
    if (not same or not op.islower()) and (other := origin(op)) is not None:
        if not same:
            fault = fault._replace(message=f"unknown operator `{op}`", better=NO_VALUE)
        return fault._replace(message=f"{fault.message} (it is an operator of {other})", severity=Severity.WARNING)
    namespace = op.rpartition(".")[0]
    foreign = namespace and not any(name.startswith(f"{namespace}.") for name in operators.names)
    is_function = foreign or _FUNCTION.match(op)
    return fault._replace(severity=Severity.WARNING) if is_function and not fault.has_fix else fault


def _plain(name: str) -> str:
    """Return a name without namespace, case and separators."""
    return name.rpartition(".")[2].replace("_", "").casefold()


def _exceptions(nodes: Sequence[Node], short: Sequence[tuple[Node, Fault]]) -> Iterator[tuple[Node, Fault]]:
    """Yield the short lists that are the one exception among the calls of their operator."""
    few = Counter(node.op for node, _ in short)
    lengths: dict[str, Counter[int]] = {op: Counter() for op, times in few.items() if times == 1}
    for node in nodes:
        if node.kind == "call" and node.op in lengths:
            lengths[node.op][len(node.inputs)] += 1
    for node, fault in short:
        others = lengths.get(node.op, Counter()) - Counter([len(node.inputs)])
        if len(others) == 1 and others.total() >= _HABIT:
            usual = f"; the {others.total()} other {node.op} calls have {next(iter(others))}"
            yield node, fault._replace(severity=Severity.WARNING, rest=f"{fault.rest}{usual}")
