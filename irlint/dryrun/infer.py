"""Inference: types of every value of a model, and the errors that follow from them."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from functools import partial
from typing import Any

from irlint.codes import R
from irlint.dryrun.dims import compatible, completes, numel, operand, show
from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.mapping import Call, FromAttr, Mapping
from irlint.dryrun.matching import match
from irlint.dryrun.operator import BodyRequest, Completed
from irlint.dryrun.signature import parse
from irlint.dryrun.tensor import UNKNOWN, VALUE_LIMIT, Tensor, small
from irlint.graph import Graph, Node, Shape
from irlint.records import NamedTuple, dataclass, field
from irlint.text import words
from irlint.tools.installed import PluginError
from irlint.work import NODE, spend

Outputs = tuple[Tensor, ...]
_FEW = 64  # elements or dimensions that cost no more than the call itself
_BUDGET, _TIMES = 200_000, 20  # nodes of nested graphs, and more for each node of the graph


class NodeShapeError(NamedTuple):
    """A ShapeError at a node; `part` and `operands` refer to the node's own inputs and attributes."""

    graph: Graph
    node: Node
    error: ShapeError
    part: str
    operands: tuple[int, ...]


@dataclass
class Inference:
    """Types per graph and node, errors, and operators without a shape function."""

    graph: Graph
    given: dict[int, Tensor] = field(default_factory=dict)
    types: dict[int, list[Outputs]] = field(default_factory=dict)  # by id() of the graph
    mistakes: dict[int, list[NodeShapeError]] = field(default_factory=dict)
    as_declared: dict[int, list[NodeShapeError]] = field(
        default_factory=dict
    )  # in bodies, with the declared types of their variables
    first_turn: dict[int, list[NodeShapeError]] = field(
        default_factory=dict
    )  # in bodies, with the types of the first iteration
    unknown: dict[str, int] = field(default_factory=dict)  # operator -> number of nodes
    shared: dict[int, list[Outputs]] = field(default_factory=dict)  # types of graphs that several nodes use, by id()
    budget: int = 0  # nodes of nested graphs to look at: functions that call functions twice are exponential
    completed: bool = False  # variables got their shapes from their users
    skipped: bool = False  # nodes that are broken
    sorted: bool = True  # every node of the graph is defined before its users

    def outputs(self, graph: Graph, node: Node) -> Outputs:
        types = self.types.get(id(graph))
        return types[node.index] if types else ()

    def can_go_on(self, given: dict[int, Tensor]) -> bool:
        """Return whether the next inference may take types from this one, if at least the same nodes are given."""
        sound = self.sorted and not (self.completed or self.skipped or self.unknown or self.all_mistakes())
        return sound and self.given.keys() <= given.keys()

    def same(self, given: dict[int, Tensor]) -> dict[int, Tensor]:
        """Return the types of this inference that some given ones repeat."""
        types = self.types[id(self.graph)]
        return {k: types[k][0] for k, tensor in given.items() if len(types[k]) == 1 and _is_same(types[k][0], tensor)}

    @property
    def has_mistakes(self) -> bool:
        return any(self.mistakes.values()) or any(self.as_declared.values())

    def all_mistakes(self) -> list[NodeShapeError]:
        """Return the errors of all graphs, one per node."""
        found = [m for mistakes in (*self.as_declared.values(), *self.mistakes.values()) for m in mistakes]
        return list({id(m.node): m for m in found}.values())


class OwnTypes(Mapping):
    """A mapping of a format that works types out by rules of its own."""

    @abstractmethod
    def inferred(self, graph: Graph, given: dict[int, Tensor]) -> Inference:
        """All types; `given` replaces outputs of nodes by index."""


def infer(
    graph: Graph,
    mapping: Mapping,
    given: dict[int, Tensor] | None = None,
    broken: Collection[int] = (),
    earlier: Inference | None = None,
) -> Inference:
    """Infer the types of all values. `given` replaces outputs of nodes by index; `broken` holds id() of nodes to skip.

    From `earlier`, an inference of the same graph with other types of the same nodes, comes what is the same again.
    """
    if isinstance(mapping, OwnTypes):
        return mapping.inferred(graph, given or {})
    found = Inference(graph, dict(given or {}), budget=_BUDGET + _TIMES * len(graph.nodes), skipped=bool(broken))
    before: list[Outputs] | None = None
    if earlier is not None and earlier.can_go_on(found.given):
        same = earlier.same(found.given)
        if len(same) == len(found.given):
            return earlier
        before = earlier.types.get(id(graph))
        found.given.update(same)
    stack = [_walk(graph, mapping, found.given, broken, found, before)]
    answer: list[Outputs] | None = None
    while stack:
        try:
            request = stack[-1].send(answer)  # type: ignore[arg-type]
        except StopIteration as end:
            answer = end.value
            stack.pop()
            continue
        answer = found.shared.get(id(request.graph)) if request.is_shared else None
        if answer is None or any(tensor.followed for tensor in request.inputs.values()):
            answer = None
            found.budget -= len(request.graph.nodes)
            stack.append(_body(request.graph, mapping, request.inputs, broken, found))
    found.shared, found.budget = {}, 0  # of this inference only
    return found


def _body(
    graph: Graph, mapping: Mapping, given: dict[int, Tensor], broken: Collection[int], found: Inference
) -> Generator[BodyRequest, list[Outputs], list[Outputs]]:
    """Infer a nested graph: first with the declared types of its variables, as loaders do, then with the actual ones."""
    if id(graph) not in found.as_declared:
        found.as_declared[id(graph)] = []
        if mapping.bodies_declare and any(
            mapping.leaf(graph, graph.nodes[k])[0].type != tensor.type for k, tensor in given.items()
        ):
            yield from _walk(graph, mapping, {}, broken, found)
            found.as_declared[id(graph)] = found.mistakes[id(graph)]
    types = yield from _walk(graph, mapping, given, broken, found)
    if not any(tensor.followed for tensor in given.values()):
        found.shared[id(graph)] = types
    first = found.first_turn.setdefault(id(graph), found.mistakes[id(graph)])
    found.mistakes[id(graph)] = (
        found.mistakes[id(graph)] or first
    )  # a failure in the first iteration is not repaired by later ones
    return types


def _is_same(one: Tensor, other: Tensor) -> bool:
    return one.type == other.type and one.value == other.value


def in_file_order(graph: Graph) -> bool:
    """Return whether every node is defined before its users."""
    if not graph.forward:
        graph.forward = all(source[0] < node.index for node in graph.nodes for source in node.inputs)
    return graph.forward


def order_of(graph: Graph) -> list[int]:
    """Return node indices, producers before users; in file order if possible, nodes on a cycle last."""
    nodes = graph.nodes
    if in_file_order(graph):
        return list(range(len(nodes)))
    waiting = [sum(source[0] >= 0 for source in node.inputs) for node in nodes]
    users = graph.consumers()
    ready = [k for k in range(len(nodes) - 1, -1, -1) if not waiting[k]]
    order = []
    while ready:
        order.append(index := ready.pop())
        for user in users[index]:
            waiting[user] -= 1
            if not waiting[user]:
                ready.append(user)
    return order + [k for k, count in enumerate(waiting) if count]


def _walk(
    graph: Graph,
    mapping: Mapping,
    given: dict[int, Tensor],
    broken: Collection[int],
    found: Inference,
    before: list[Outputs] | None = None,
) -> Generator[BodyRequest, list[Outputs], list[Outputs]]:
    """Infer the types of one graph's values; requests those of nested graphs. `before` are types of an earlier inference: what
    has the very same operands as there is not looked at again."""
    nodes = graph.nodes
    types: list[Outputs] = [()] * len(nodes)
    mistakes: list[NodeShapeError] = []
    found.types[id(graph)], found.mistakes[id(graph)] = types, mistakes
    known: dict[
        tuple[int, ...], tuple[Outputs, Call, list[Tensor]]
    ] = {}  # outputs of calls, by id() of call and operands
    if not spend(NODE * len(nodes), "types of nodes", len(nodes)):
        return types
    order: Iterable[int] = range(len(nodes))
    if not in_file_order(graph):
        order = order_of(graph)
        found.sorted = found.sorted and graph is not found.graph
    shaping, leaf = mapping.shaping, _leaves(mapping, broken)
    for index in order:
        node = nodes[index]
        if index in given:
            types[index] = (given[index],)
            if before is not None and before[index][0] is given[index]:
                types[index] = before[index]
            continue
        if before is not None and not node.graphs and all(types[k] is before[k] for k, _ in node.inputs if k >= 0):
            types[index] = before[index]
            continue
        if node.kind != "call":
            types[index] = leaf(graph, node)
            continue
        if broken and id(node) in broken:
            continue
        sources = node.inputs if not node.inputs or node.inputs[-1][0] >= 0 else _fed(node.inputs)
        inputs = [
            outputs[output] if source >= 0 and output < len(outputs := types[source]) else UNKNOWN
            for source, output in sources
        ]
        call = None
        try:
            call = shaping(graph, node)
            if call is None:
                found.unknown[node.op] = found.unknown.get(node.op, 0) + 1
                _want(mapping.demands(graph, node), inputs)
                continue
            key = (id(call), *map(id, inputs))
            if (same := known.get(key)) is not None and len(node.outputs) <= len(same[0]):
                types[index] = same[0]
                continue
            if call.operator.nested:
                _want(call.demands, inputs)
                call.operator.check_count(len(inputs))
                if found.budget < 0:
                    spend(sys.maxsize, "types of nodes")
                    continue
                steps: Any = call.operator.shape(*_arrange(call, inputs), **call.attrs_for(inputs))
                answer = yield from steps
                if isinstance(answer, Completed):
                    found.completed |= _complete(node, answer.known, inputs, types, nodes)
                    answer = answer.outputs
                types[index] = tuple(answer)
                continue
            if call.complete is not None and inputs:
                known_shapes = call.complete(inputs)
                if call.apart and len(set(node.inputs)) < len(node.inputs):
                    _want_one_shape(node, call, known_shapes, inputs)
                found.completed |= _complete(node, known_shapes, inputs, types, nodes)
            types[index] = apply(call, inputs)
            if call.complete is None:
                known[key] = types[index], call, inputs
            if len(node.outputs) > len(types[index]) and mapping.counts(graph, node, len(types[index])):
                raise _too_many_outputs(node, types[index])
        except ShapeError as error:
            mistakes.append(_blame(graph, node, call, error))
            if error.outputs is not None:
                types[index] = _taken_all_the_same(call, inputs, error.outputs)
        except Undecided:
            pass
        except UNFORESEEN as error:  # values that no shape function expects: rules on attributes report them
            if call is None and not isinstance(error, mapping.unforeseen):
                raise _broken_mapping(mapping, node, error) from error
    return types


def _leaves(mapping: Mapping, broken: Collection[int]) -> Callable[[Graph, Node], Outputs]:
    """Return what tells the types of variables and constants; nothing is known of a constant with an error of its own."""

    def leaf(graph: Graph, node: Node) -> Outputs:
        return (UNKNOWN,) if node.kind == "const" and id(node) in broken else mapping.leaf(graph, node)

    return leaf if broken else mapping.leaf


def _broken_mapping(mapping: Mapping, node: Node, error: Exception) -> PluginError:
    """Return the error of a plug-in's mapping: it is called for valid nodes only, so an exception is its own mistake."""
    of, what = type(mapping), f"{type(error).__name__}: {error}"
    return PluginError(f"{of.__module__}.{of.__qualname__} cannot map {node.op} {node.name!r}: {what}")


def _complete(
    node: Node, known: dict[int, Shape], inputs: list[Tensor], types: list[Outputs], nodes: list[Node]
) -> bool:
    """Set the shape of variables of unknown shape to the one that their first user needs; return whether there was one."""
    completed = False
    for k, shape in known.items():
        if k < len(inputs) and completes(shape, inputs[k].shape):
            index = node.inputs[k][0]
            inputs[k] = Tensor(inputs[k].dtype, shape)
            if index >= 0 and nodes[index].kind == "var":
                types[index] = (inputs[k],)
                completed = True
    return completed


def _want_one_shape(node: Node, call: Call, known: dict[int, Shape], inputs: list[Tensor]) -> None:
    """Raise if a value that is used as several operands would need several shapes."""
    for k, shape in known.items():
        for j, source in enumerate(node.inputs):
            if j >= k or k >= len(node.inputs) or source != node.inputs[k]:
                continue
            other = known.get(j, inputs[j].shape)
            if other is not None and (len(other) != len(shape) or not all(map(compatible, other, shape))):
                first, second = call.operator.input_name(j), call.operator.input_name(k)
                message = (
                    f"expected {show(shape)} for {operand(second)}, got {show(other)}, also used as {operand(first)}"
                )
                raise ShapeError(R.shape_mismatch, message, f"input:{k}")


def _too_many_outputs(node: Node, outputs: Outputs) -> ShapeError:
    return ShapeError(
        R.wrong_output_count,
        f"expected {words.count(len(outputs), 'output')} with these attributes and inputs, got {len(node.outputs)}",
        f"output:{len(outputs)}",
    )


def _fed(sources: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return the sources without trailing unconnected ones: the operation has fewer inputs than ports."""
    count = len(sources)
    while count and sources[count - 1][0] < 0:
        count -= 1
    return sources[:count]


def _arrange(call: Call, inputs: list[Tensor]) -> list[Any]:
    if call.inputs is None:
        return inputs
    arranged: list[Any] = []
    for origin in call.inputs:
        if isinstance(origin, int):
            arranged.append(inputs[origin])
        else:
            arranged.append(origin.tensor if isinstance(origin, FromAttr) else None)
    return arranged


def apply(call: Call, inputs: list[Tensor]) -> Outputs:
    """Return the outputs of one call, cached per combination of operand types (and of the values that determine shapes)."""
    operands = _arrange(call, inputs)
    operator = call.operator
    key: Any = tuple([None if t is None else t.type for t in operands])
    if call.demands:
        key = (key, *[t.type for t in inputs])
    if operator.reads:
        key = (key, [operands[k].value for k in operator.reads if k < len(operands) and operands[k] is not None])
        key = (key[0], tuple(key[1]))
    known = call.memo.get(key)
    if known is None:
        known = call.memo[key] = _shapes(call, operands, inputs)
    if isinstance(known, Exception):
        raise known
    if operator.follows or call.folds:
        known = _follow(call, operands, known)
    return known if call.pick is None else tuple(known[k] for k in call.pick)


class _Unmatched(ShapeError):
    """An error in the inputs of a node as the file lists them, which need not be the operands."""


def _want(demands: Sequence[tuple[str, Sequence[str]]], inputs: list[Tensor]) -> None:
    for signature, names in demands:
        try:
            match(parse(signature), inputs, names)
        except ShapeError as error:
            raise _Unmatched(error.rule, error.message, error.part, error.inputs) from None


def _shapes(call: Call, operands: list[Any], inputs: list[Tensor]) -> Outputs | Exception:
    try:
        _want(call.demands, inputs)
        call.operator.check_count(len(operands))
        outputs = call.operator.shape(*operands, **call.attrs)
    except (ShapeError, Undecided) as error:
        return error
    found: Any = (outputs,) if isinstance(outputs, Tensor) else outputs
    length = sum(1 + len(tensor.shape or ()) for tensor in found)
    if length > _FEW and not spend(length, "types of nodes"):
        return Undecided()
    handed = {id(tensor) for tensor in operands}  # an operand that is returned stands for its type, not its elements
    return tuple([Tensor(*tensor.type) if id(tensor) in handed else tensor for tensor in found])


def _follow(call: Call, operands: list[Any], outputs: Outputs) -> Outputs:
    """Attach the elements of small outputs, computed on demand."""
    operator = call.operator
    present = [t for t in operands if t is not None]
    if operator.partial and operator.follows:
        if not any(t.followed for t in present):
            return outputs
    elif not all(t.followed for t in present):
        return outputs
    if not any(small(t.shape) for t in outputs):
        return outputs
    cell: list[Any] = []

    def values(k: int) -> Any:
        if not cell:
            cell.append(_value(call, operands))
        result = cell[0]
        return result[k] if isinstance(result, list) else result

    return tuple(
        t.with_value(partial(values, k), present) if small(t.shape) and (operator.follows or not t.followed) else t
        for k, t in enumerate(outputs)
    )


def _value(call: Call, operands: list[Any]) -> Any:
    """Return the elements from the operator's rule for them, or from its kernel."""
    lengths = (numel(tensor.shape) or 0 for tensor in operands if tensor is not None)
    length = sum(length for length in lengths if length <= VALUE_LIMIT)  # of larger operands no elements are known
    if length > _FEW and not spend(length, "values"):
        return None
    found = call.operator.value(*operands, **call.attrs)
    if call.folds and (found is None or (isinstance(found, list) and None in found)):
        from irlint.dryrun.folding import folded

        by_kernel = folded(call, operands)
        return found if by_kernel is None else by_kernel
    return found


def _taken_all_the_same(call: Call | None, inputs: list[Tensor], outputs: Outputs) -> Outputs:
    """Return the outputs that the runtime continues with despite an error, with their elements."""
    if call is None or call.operator.nested or not call.operator.follows or call.pick is not None:
        return outputs
    return _follow(call, _arrange(call, inputs), outputs)


def _blame(graph: Graph, node: Node, call: Call | None, error: ShapeError) -> NodeShapeError:
    """Return the error in terms of the node's own inputs and attributes."""
    part, operands = error.part, error.inputs
    if call is not None and not isinstance(error, _Unmatched):
        word, _, rest = part.partition(":")
        error.message = call.spelled(error.message)
        if word == "attr":
            part = f"attr:{call.keys.get(rest, rest)}"
        elif word == "input" and call.inputs is not None:
            origin = call.inputs[int(rest)]
            part = f"input:{origin}" if isinstance(origin, int) else f"attr:{origin.key}" if origin else "node"
        if call.inputs is not None:
            operands = tuple(o for k in operands if isinstance(o := call.inputs[k], int))
    return NodeShapeError(graph, node, error, part, operands)
