"""Declared sizes that are expressions over open sizes of inputs, such as `2*(s53//2)`: what is inferred where these have numbers?

Inference follows no expressions: a size that an operator computes from an open one is unknown to it, and fits any declaration.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.mapping import Mapping as DryRun
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Graph, Node, Shape, Value
from irlint.records import NamedTuple

# Sizes of the first open dimension in each trial; the others have multiples of it. Multiples of 32 fit what networks halve a few times
_STEPS = (64, 96)
_LONGEST = 200  # characters of an expression
_MOST = 1 << 31  # of any number in it
_NAME = re.compile(r"[A-Za-z_]\w*")
Sizes = Mapping[str, int]


class OtherSize(NamedTuple):
    """An output of a node whose declared shape, with numbers for symbols, is not the inferred one."""

    node: Node
    output: int
    inferred: Shape  # with the declared symbols where these are right
    sizes: dict[str, int]  # those of the symbols that differ


def other_size(graph: Graph, mapping: DryRun) -> OtherSize | None:
    """Return the first output that differs with any numbers; None if no declaration has an expression."""
    if not any(map(_is_expression, _sizes(value for node in graph.nodes for value in node.outputs))):
        return None
    given = _sizes(graph.nodes[k].outputs[0] for k in graph.inputs)
    symbols = dict.fromkeys(dim for dim in given if isinstance(dim, str) and dim.isidentifier())
    first: OtherSize | None = None
    for step in _STEPS:
        sizes = {symbol: step * (k + 1) for k, symbol in enumerate(symbols)}
        found = next(_differing(graph, _tried(graph, mapping, sizes), sizes), None)
        if found is None or (first is not None and (found.node, found.output) != (first.node, first.output)):
            return None
        first = first or found
    return first


def _sizes(values: Iterable[Value]) -> Iterator[Dim]:
    return (dim for value in values for dim in value.type.shape or ())


def _tried(graph: Graph, mapping: DryRun, sizes: Sizes) -> Inference:
    given = {}
    for k in graph.inputs:
        tensor = mapping.leaf(graph, graph.nodes[k])[0]
        if tensor.shape is not None:
            given[k] = Tensor(tensor.dtype, tuple([_with(dim, sizes) for dim in tensor.shape]))
    return infer(graph, mapping, given)


def _differing(graph: Graph, found: Inference, sizes: Sizes) -> Iterator[OtherSize]:
    for node in graph.nodes:
        for k, (value, tensor) in enumerate(zip(node.outputs, found.outputs(graph, node), strict=False)):
            declared, real = value.type.shape or (), tensor.shape or ()
            wrong = [axis for axis, dim in enumerate(declared) if _is_wrong(dim, real[axis : axis + 1], sizes)]
            if wrong and len(declared) == len(real):
                shape = tuple([real[axis] if axis in wrong else dim for axis, dim in enumerate(declared)])
                used = [name for axis in wrong for name in _NAME.findall(str(declared[axis]))]
                yield OtherSize(node, k, shape, {name: sizes[name] for name in used if name in sizes})


def _is_wrong(declared: Dim, real: Shape, sizes: Sizes) -> bool:
    size = _with(declared, sizes) if _is_expression(declared) else None
    return isinstance(size, int) and size > 0 and real != (size,) and isinstance(real[0] if real else None, int)


def _is_expression(dim: Dim) -> bool:
    return isinstance(dim, str) and not dim.isidentifier() and len(dim) <= _LONGEST


def _with(dim: Dim, sizes: Sizes) -> Dim:
    """Return a dimension with numbers for symbols; one that this does not make a number is unknown."""
    if not isinstance(dim, str) or len(dim) > _LONGEST:
        return None if isinstance(dim, str) else dim
    return sizes.get(dim) if dim.isidentifier() else evaluated(dim, sizes)


def evaluated(text: str, sizes: Sizes) -> int | None:
    """Return what an expression is as exporters write it in Python; None if it is another, or no integer."""
    import ast

    operations: dict[type, Callable[..., Any]] = {
        ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
        ast.Mod: operator.mod, ast.Div: operator.truediv, ast.USub: operator.neg,
    }  # fmt: skip
    functions: dict[str, Callable[..., Any]] = {
        "Max": max, "Min": min, "max": max, "min": min, "floor": math.floor, "ceiling": math.ceil,
    }  # fmt: skip

    def value(node: ast.expr) -> Any:
        if isinstance(node, ast.BinOp):
            found = operations[type(node.op)](value(node.left), value(node.right))
        elif isinstance(node, ast.UnaryOp):
            found = operations[type(node.op)](value(node.operand))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found = functions[node.func.id](*map(value, node.args))
        else:
            found = sizes[node.id] if isinstance(node, ast.Name) else getattr(node, "value", None)
        if type(found) not in (int, float) or abs(found) > _MOST:
            raise ValueError(text)
        return found

    try:
        found = value(ast.parse(text.strip(), mode="eval").body)
    except (ArithmeticError, LookupError, MemoryError, RecursionError, SyntaxError, TypeError, ValueError):
        return None
    return int(found) if found == int(found) else None
