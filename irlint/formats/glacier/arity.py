"""How many inputs a call shows against how many its operator takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.graph import Graph, Node
from irlint.operators import Operator, OperatorTable
from irlint.rules import registry
from irlint.rules.base import Model

_ALL = {"Call", "Var", "Constant"}
_HABIT = 5  # so many calls of an operator with equally many inputs make another number odd


def problems(model: Model) -> Iterator[Problem]:
    """Calls with more inputs than their operator takes, or with fewer.

    Which kinds of node the lists show is read off the file as a whole. Where a kind is hidden, constants mostly, a
    short list may be right; it is odd only if it is the one exception.
    """
    operators, shown = model.operators, model.extra["kinds"]
    if operators is None or not shown:
        return
    short: dict[str, list[tuple[Graph, Node]]] = {}
    for graph, node in model.calls():
        operator = operators.get(node.op)
        if operator is None:
            continue
        least, most = bounds(operator)
        if most is not None and len(node.inputs) > most:
            yield _problem(
                graph, node, f"input:{most}", f"takes {_number(least, most)}, but {len(node.inputs)} are listed"
            )
        elif len(node.inputs) < least:
            if shown == _ALL:
                yield _problem(graph, node, "attrs", _too_few(operator, node, least, most))
            else:
                short.setdefault(node.op, []).append((graph, node))
    if short:
        yield from _exceptions(model, operators, short)


def bounds(operator: Operator) -> tuple[int, int | None]:
    """The least and the greatest number of inputs; no greatest one where the operator takes any number."""
    least = sum(port.kind in ("required", "variadic") for port in operator.inputs)
    endless = any(port.kind.startswith("variadic") for port in operator.inputs)
    return least, None if endless else len(operator.inputs)


def _exceptions(
    model: Model, operators: OperatorTable, short: dict[str, list[tuple[Graph, Node]]]
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
            text = _too_few(operator, node, *bounds(operator))
            text += f"; all {sum(others.values())} other calls show {next(iter(others))}"
            yield _problem(graph, node, "attrs", text, Severity.WARNING)


def _number(least: int, most: int | None) -> str:
    count = most if most is not None else least
    noun = "input" if count == 1 else "inputs"
    if most is None:
        return f"at least {least} {noun}"
    return f"{most} {noun}" if least == most else f"{least} to {most} {noun}"


def _too_few(operator: Operator, node: Node, least: int, most: int | None) -> str:
    names = ", ".join(port.name for port in operator.inputs)
    listed = "none is" if not node.inputs else f"only {len(node.inputs)} {'is' if len(node.inputs) == 1 else 'are'}"
    return f"takes {_number(least, most)} ({names}), but {listed} listed"


def _problem(graph: Graph, node: Node, part: str, text: str, severity: Severity | None = None) -> Problem:
    rule = registry.by_name("wrong-input-count")
    return Problem(rule, graph.place(node, part), f"{node.op} {text}", node.name, severity=severity)
