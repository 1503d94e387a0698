"""What a call computes, whatever its file writes as an attribute, as an input, or not at all: versions of one operator differ in that."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from irlint.dryrun.mapping import Call, FromAttr, Mapping
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor
from irlint.graph import NOWHERE, Graph, Node, Source, Type
from irlint.records import NamedTuple
from irlint.text.floats import rounded

Equal = Callable[
    [Tensor, Source, bool], bool
]  # whether an attribute is what an input, of the new graph or the old one, has


class Computation(NamedTuple):
    """A call without the names that its file has for it. Two calls with one `what` and the same operands output the same."""

    what: Hashable
    operands: Sequence[Source | FromAttr]  # an attribute is one if the operator has it as an input in other versions


def computation(mapping: Mapping | None, graph: Graph, node: Node, types: Sequence[Type] = ()) -> Computation | None:
    """Return what a call computes; None if that depends on more than its attributes and operands, or no kernel knows them all. `types`:
    of the first input and the first output, by which an axis that is counted from the end is that from the start."""
    call = None if mapping is None or node.graphs else mapping.sound_call(graph, node)
    if call is None or not _is_computed(call.operator):
        return None
    operands = operands_of(call, node)
    if any(isinstance(one, FromAttr) and one.name for one in operands):  # read from elsewhere
        return None
    while operands and operands[-1] == NOWHERE:
        operands.pop()
    attrs = tuple(sorted((key, _value(key, value, types)) for key, value in call.attrs.items()))
    return Computation((id(call.operator), attrs, call.pick and tuple(call.pick)), operands)


def operands_of(call: Call, node: Node) -> list[Source | FromAttr]:
    """Return the operands of a call in the order of its operator."""
    places = range(len(node.inputs)) if call.inputs is None else call.inputs
    return [_operand(node, one) for one in places]


def carried(ours: Computation, theirs: Computation, equal: Equal) -> Iterator[tuple[str, Source, bool]]:
    """Yield operands that one of two calls has as an attribute and the other, with that value, as an input: the attribute, where the input
    comes from, and whether the input is that of the second one. Nothing if the calls compute something else."""
    pairs = list(zip_longest(ours.operands, theirs.operands, fillvalue=NOWHERE))
    if ours.what == theirs.what:
        for one, other in pairs:
            is_new = isinstance(one, FromAttr)
            attribute, source = (one, other) if is_new else (other, one)
            if (
                isinstance(attribute, FromAttr)
                and isinstance(source, Source)
                and equal(attribute.tensor, source, is_new)
            ):
                yield attribute.key, source, is_new


def shaping_places(mapping: Mapping | None, graph: Graph, node: Node) -> set[int]:
    """Return the places of the inputs of a call that say something of shapes, such as axes."""
    call = None if mapping is None else mapping.sound_call(graph, node)
    if call is None or not call.operator.reads:
        return set()
    places = range(len(node.inputs)) if call.inputs is None else call.inputs
    return {one for k, one in enumerate(places) if k in call.operator.reads and isinstance(one, int)}


def only_shaping(mapping: Mapping | None, graph: Graph) -> set[int]:
    """Return the constants of a graph that are shapes, axes, or the like for all that reads them."""
    found, others = set[int](), {source[0] for source in graph.outputs}
    for node in graph.nodes:
        places = shaping_places(mapping, graph, node) if node.kind == "call" else ()
        for k, source in enumerate(node.inputs):
            (found if k in places else others).add(source[0])
    return {index for index in found - others if index >= 0 and graph.nodes[index].kind == "const"}


def _is_computed(operator: Operator) -> bool:
    kind = type(operator)
    is_known = bool(operator.kernel) or kind.run is not Operator.run
    return is_known and not (operator.nested or operator.is_random or operator.remembers)


def _operand(node: Node, origin: int | FromAttr | None) -> Source | FromAttr:
    if isinstance(origin, int):
        return Source(*node.inputs[origin]) if origin < len(node.inputs) else NOWHERE
    return NOWHERE if origin is None else origin


def _value(key: str, value: Any, types: Sequence[Type]) -> Hashable:
    if key == "axis" and isinstance(value, int) and value < 0 and len(types) > 1:
        rank, result = (None if one.shape is None else len(one.shape) for one in types[:2])
        if (
            rank is not None and result is not None and result <= rank and -rank <= value
        ):  # else it is that of a new dimension
            return value + rank
    return frozen(value)


def frozen(value: Any) -> Hashable:
    """Return the value of an attribute as something that can be compared; floats as 32 bits hold them."""
    if isinstance(value, (list, tuple)):
        return tuple(map(frozen, value))
    if isinstance(value, float):
        return rounded(value) if value == value else "nan"
    return value if isinstance(value, (bool, int, str, bytes, type(None))) else repr(value)
