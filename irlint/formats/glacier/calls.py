"""What is wrong with single calls: unknown operators, inputs that come later, too many or too few inputs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf

from irlint.checks.problems import unknown_operator
from irlint.findings import Problem, Severity
from irlint.formats.glacier.codes import R
from irlint.formats.glacier.sessions import state_of
from irlint.formats.glacier.vocabulary import bounds, canonical_bounds, is_canonical, origin
from irlint.graph import Graph, Node
from irlint.operators import Operator, OperatorTable
from irlint.rules.base import Model
from irlint.text.numbers import integer
from irlint.text.words import count as count_of

_ALL = {"Call", "Var", "Constant"}
_FUNCTION = re.compile("tvmgen_|fused_|[@%]|fn$")  # how TVM names functions
_COMPILED = "tvm_op"  # what every call of a compiled graph is: its function is an attribute
_HABIT = 5  # so many calls of an operator with equally many inputs make another number odd


def problems(model: Model) -> Iterator[Problem]:
    """Calls of unknown operators, and calls with more inputs than their operator takes, or with fewer.

    Which kinds of node the lists show is read off the file as a whole. Where a kind is hidden, constants mostly, a
    short list may be right; it is odd only if it is the one exception.
    """
    operators, shown = model.operators, state_of(model).kinds
    assert operators is not None
    short: dict[str, list[tuple[Graph, Node]]] = {}
    lacking = state_of(model).lacking
    canonical: list[Problem] = []  # right, if the names are irlint's canonical ones
    graph, usual = model.graph, UsualArity(operators)
    for index in usual.broken_by(graph.nodes):
        node = graph.nodes[index]
        if id(node) in model.silent:
            continue
        yield from _forward(graph, node)
        operator, count = operators.get(node.op), len(node.inputs)
        if operator is None:
            if node.op == _COMPILED:
                continue
            problem = _unknown(graph, node, operators)
        else:
            least, most = bounds(operator, operators)
            if most is not None and count > most:
                problem = _count_problem(graph, node, f"input:{most}", f"expected {_number(least, most)}")
            elif count >= least or not shown:
                continue
            elif shown == _ALL:
                lacking.append(node.index)
                problem = _count_problem(graph, node, "attrs", _too_few(operator, least, most))
            else:
                short.setdefault(node.op, []).append((graph, node))
                continue
        if _is_right(node, operators):
            canonical.append(problem)
        else:
            yield problem
    if len(canonical) == 1:
        canonical[0].severity = Severity.WARNING
        yield canonical[0]
    if short:
        yield from _exceptions(model, operators, short, lacking)


def _is_right(node: Node, operators: OperatorTable) -> bool:
    """Return whether a call may have been written by `irlint flatten --canonical`."""
    if operators.name != "relay" or not is_canonical(node.op):
        return False
    least, most = canonical_bounds(node.op)
    return node.op not in operators or (least <= len(node.inputs) and (most is None or len(node.inputs) <= most))


class UsualArity:
    """The number of inputs that operators take, looked up once for each."""

    def __init__(self, operators: OperatorTable) -> None:
        self._operators = operators
        self._bounds: dict[str, tuple[int, float]] = {}

    def broken_by(self, nodes: Sequence[Node]) -> list[int]:
        return [k for k, node in enumerate(nodes) if self._is_broken_by(node)]

    def _is_broken_by(self, node: Node) -> bool:
        """Return whether there may be something to report about a node."""
        if node.kind != "call":
            return False
        found = self._bounds.get(node.op)
        if found is None:
            operator = self._operators.get(node.op)
            least, most = bounds(operator, self._operators) if operator else (1, 0)
            found = self._bounds[node.op] = least, inf if most is None else most
        if not found[0] <= len(node.inputs) <= found[1]:
            return True
        return any(source[0] > node.index for source in node.inputs)


def _forward(graph: Graph, node: Node) -> Iterator[Problem]:
    """Report inputs that refer to a later call, whether or not that is a cycle: lines refer only to lines above."""
    for position, source in enumerate(node.inputs):
        if source[0] > node.index:
            later = graph.nodes[source[0]]
            if later.name.isdecimal() and node.name.isdecimal() and integer(later.name) < integer(node.name):
                continue  # the ids are right; the wrong order of the lines is reported for the numbering
            message = f"node {node.name} ({node.op}) uses node {later.name} ({later.op}) before it is defined"
            related = [("defined here", graph.place(later, "name"))]
            yield Problem(
                R.used_before_defined, graph.place(node, f"input:{position}"), message, node.name, related=related
            )


def _unknown(graph: Graph, node: Node, operators: OperatorTable) -> Problem:
    """Report an unknown operator: a warning if its name is that of another format's operator, looks like a function, or
    has a namespace that Relay does not have, since operators can be registered from outside.
    """
    at = graph.place(node, "op")
    problem = unknown_operator(at, node.op, operators, node.name)
    meant = operators.nearest(node.op)
    same = meant is not None and _plain(meant) == _plain(node.op)
    if (not same or not node.op.islower()) and (other := origin(node.op)) is not None:
        if not same:
            problem = Problem(R.unknown_operator, at, f"unknown operator `{node.op}`", node.name)
        problem.addition = f" (it is an operator of {other})"
        problem.severity = Severity.WARNING
        return problem
    namespace = node.op.rpartition(".")[0]
    foreign = namespace and not any(name.startswith(f"{namespace}.") for name in operators.names)
    if problem.fix is None and (foreign or _FUNCTION.match(node.op)):
        problem.severity = Severity.WARNING
    return problem


def _plain(name: str) -> str:
    """Return a name without namespace, case and separators."""
    return name.rpartition(".")[2].replace("_", "").casefold()


def _exceptions(
    model: Model, operators: OperatorTable, short: dict[str, list[tuple[Graph, Node]]], lacking: list[int]
) -> Iterator[Problem]:
    lengths: dict[str, Counter[int]] = {op: Counter() for op in short}
    for _, node in model.calls():
        if node.op in lengths:
            lengths[node.op][len(node.inputs)] += 1
    for op, found in short.items():
        others = lengths[op] - Counter(len(node.inputs) for _, node in found)
        if len(found) == 1 and len(others) == 1 and sum(others.values()) >= _HABIT:
            operator = operators.get(op)
            assert operator is not None
            graph, node = found[0]
            lacking.append(node.index)
            text = _too_few(operator, *bounds(operator, operators))
            usual = f"; the {sum(others.values())} other {node.op} calls have {next(iter(others))}"
            yield _count_problem(graph, node, "attrs", text, Severity.WARNING, usual)


def _number(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {count_of(least, 'input')}"
    return count_of(most, "input") if least == most else f"{least} to {count_of(most, 'input')}"


def _too_few(operator: Operator, least: int, most: int | None) -> str:
    names = ", ".join(port.name for port in operator.inputs)
    return f"expected {_number(least, most)} ({names})"


def _count_problem(
    graph: Graph, node: Node, part: str, expected: str, severity: Severity | None = None, rest: str = ""
) -> Problem:
    message = f"{expected} for node {node.name} ({node.op}), got {len(node.inputs)}{rest}"
    return Problem(R.wrong_input_count, graph.place(node, part), message, node.name, severity=severity)
