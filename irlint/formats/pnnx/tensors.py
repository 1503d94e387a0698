"""The shapes of an operator's own tensors, as declared with `@`, against those that its parameters demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.pnnx.values import Facts
from irlint.graph import Graph, Node
from irlint.operators import table
from irlint.text.base import Place
from irlint.text.numbers import decimal


def tensor_problems(graph: Graph, facts: Sequence[Facts]) -> Iterator[Problem]:
    known = table("pnnx")
    demands = {op: known.get(op) for op in {node.op for node in graph.nodes}}
    for node in graph.nodes:
        operator, weights = demands[node.op], facts[node.index].weights
        if operator is None or not weights or "weights" not in operator.facts:
            continue
        for name, formula in operator.facts["weights"].items():
            shape = weights[name].shape if name in weights else None
            if shape is not None and (problem := _problem(node, name, formula.split(","), shape)) is not None:
                yield problem
                break  # what is wrong with one tensor is probably wrong with the next


def _problem(node: Node, name: str, terms: Sequence[str], shape: Sequence[Any]) -> Problem | None:
    expected: list[tuple[str, int | None]] = []  # the parameter that decides a size, and the size
    for term in terms:
        values = _values(node.attrs, term)
        if values is None and term.startswith("*"):
            return None
        sizes: Sequence[int | None] = values or [None]
        expected += [(term.partition("/")[0].strip("*"), size) for size in sizes]
    written = "(" + ",".join(map(str, shape)) + ")"
    meant = "(" + ",".join("?" if size is None else str(size) for _, size in expected) + ")"
    wrong = [parameter for (parameter, size), got in zip(expected, shape, strict=False) if size not in (None, got)]
    if not wrong and len(expected) == len(shape):
        return None
    parameter = wrong[0] if wrong else expected[-1][0]
    message = f"`{parameter}` demands shape {meant} of `@{name}`, got {written}"
    related = [("declared here", Place((node.index, "value", f"@{name}")))]
    return Problem(R.shape_mismatch, Place((node.index, "value", parameter)), message, node.name, related=related)


def _values(attrs: Mapping[str, Any], term: str) -> list[int] | None:
    """Return the sizes that a term such as `in_channels/groups` or `*kernel_size` stands for; None if they are unknown."""
    name, _, divisor = term.partition("/")
    value, by = attrs.get(name.strip("*")), attrs.get(divisor, 1)
    if isinstance(value, str) and value.startswith("("):
        items = value.strip("()").split(",")
        value = [decimal(item, 9) for item in items]
        if None in value:
            return None
    if term.startswith("*"):
        return value if isinstance(value, list) else None
    if not isinstance(value, int) or not isinstance(by, int) or by < 1:
        return None
    return [value // by]
