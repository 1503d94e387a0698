"""The concrete dry run: a model's values in NumPy, operator by operator, each freed when nobody needs it any more."""

from __future__ import annotations

from collections.abc import Callable, Generator
from collections.abc import Mapping as Dictionary
from time import perf_counter
from typing import Any

from irlint.dryrun.arrays import cast, stored
from irlint.dryrun.errors import NoKernel, Undecided
from irlint.dryrun.infer import Inference, order_of
from irlint.dryrun.mapping import Call, FromAttr, Mapping
from irlint.graph import Graph, Node

Arrays = tuple[Any, ...]
Watch = Callable[[Graph, Node, Arrays, float], None]


class Unsupported(Exception):
    """An operator that cannot be computed."""

    def __init__(self, node: Node) -> None:
        super().__init__(f"{node.op} at node {node.name}")
        self.node = node


class Failed(Exception):
    """A kernel that broke off: the values are such that the operator cannot be computed."""

    def __init__(self, node: Node, reason: str) -> None:
        super().__init__(f"{node.op} {node.name!r}: {reason}")
        self.node = node


def run(
    graph: Graph, mapping: Mapping, types: Inference, feeds: Dictionary[int, Any], watch: Watch | None = None
) -> list[Any]:
    """The values that the graph hands out. `feeds` are the variables' values by node index."""
    stack = [_execute(graph, mapping, types, dict(feeds), watch, {source[0] for source in graph.outputs})]
    answer: Any = None
    constants: dict[int, Any] = {}
    while stack:
        try:
            request = stack[-1].send(answer)
        except StopIteration as end:
            answer = end.value
            stack.pop()
            continue
        if isinstance(request, Node):  # a constant is wanted
            if id(request) not in constants:
                constants[id(request)] = mapping.array(request)
            answer = constants[id(request)]
            continue
        answer = None
        stack.append(_execute(request.graph, mapping, types, request.inputs, watch, None))
    values: list[Arrays] = answer
    return [values[node][output] for node, output in graph.outputs]


def _last_users(graph: Graph) -> list[int]:
    """For every node the place in the order of its last user; -1 where it has none."""
    last = [-1] * len(graph.nodes)
    for place, index in enumerate(order_of(graph)):
        for source in graph.nodes[index].inputs:
            if source[0] >= 0:
                last[source[0]] = place
    return last


def _execute(
    graph: Graph,
    mapping: Mapping,
    types: Inference,
    feeds: dict[int, Any],
    watch: Watch | None,
    keep: set[int] | None,
) -> Generator[Any, Any, list[Arrays]]:
    """Values of one graph; asks for constants and nested graphs."""
    nodes, last = graph.nodes, _last_users(graph)
    values: list[Arrays] = [()] * len(nodes)
    known = types.types.get(id(graph))
    calls: dict[Any, Call] = {}
    dead = set(mapping.dead(graph))
    for place, index in enumerate(order_of(graph)):
        node = nodes[index]
        if index in dead:
            continue
        if index in feeds:
            values[index] = (feeds.pop(index),)
            continue
        if node.kind != "call":
            if last[index] >= 0 or (keep is not None and index in keep):
                values[index] = ((yield node),)
            continue
        operands = [values[source[0]][source[1]] if source[0] >= 0 else None for source in node.inputs]
        call = _call(mapping, graph, node, calls)
        start = perf_counter()
        try:
            result = call.operator.run(*_arranged(call, operands), **call.attrs)
            if call.operator.nested:
                result = yield from result
        except NoKernel:
            raise Unsupported(node) from None
        except (ValueError, IndexError, TypeError, ZeroDivisionError) as error:
            raise Failed(node, str(error)) from error
        outputs = tuple(result) if isinstance(result, (list, tuple)) else (result,)
        if call.pick is not None:
            outputs = tuple(outputs[k] for k in call.pick)
        if known is not None and index < len(known):
            outputs = tuple(
                _as_type(array, known[index][k].dtype if k < len(known[index]) else None)
                for k, array in enumerate(outputs)
            )
        values[index] = outputs
        if watch is not None:
            watch(graph, node, outputs, perf_counter() - start)
        del operands, result, outputs
        for source in node.inputs:
            maker = source[0]
            if maker >= 0 and last[maker] == place and (keep is None or maker not in keep):
                values[maker] = ()
    return values


def _call(mapping: Mapping, graph: Graph, node: Node, calls: dict[Any, Call]) -> Call:
    key = None
    if not mapping.contextual(node):
        key = (node.op, node.version, len(node.inputs), *node.attrs.items())
        if (found := calls.get(key)) is not None:
            return found
    try:
        call = mapping.call(graph, node)
    except Undecided:
        call = None
    if call is None:
        raise Unsupported(node)
    if key is not None:
        calls[key] = call
    return call


def _arranged(call: Call, operands: list[Any]) -> list[Any]:
    if call.inputs is None:
        return operands
    return [operands[k] if isinstance(k, int) else _from_attr(k) for k in call.inputs]


def _from_attr(origin: FromAttr | None) -> Any:
    """An attribute as an operand: a plain number, or an array."""
    if origin is None or origin.tensor.value is None:
        return None
    value, shape = origin.tensor.value, origin.tensor.shape
    if shape == ():
        return value[0]
    import numpy

    return numpy.array(value, origin.tensor.dtype).reshape(shape)


def _as_type(array: Any, dtype: str | None) -> Any:
    """The array in the type that the operator's result has."""
    import numpy

    array = numpy.asarray(array)
    if dtype is None:
        return array
    if stored(dtype) != dtype:
        return cast(array, dtype) if dtype == "bfloat16" or array.dtype != stored(dtype) else array
    return array if array.dtype == dtype else array.astype(dtype)
