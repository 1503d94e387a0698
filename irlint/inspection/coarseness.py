"""How coarsely each node of a model computes, by the types of its weights and of what it outputs."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING

from irlint.dryrun.dims import is_known
from irlint.dryrun.infer import order_of
from irlint.graph import Graph, Node, Type
from irlint.inspection.rounding import EXACT, ROUNDING, Rounding, coarser

if TYPE_CHECKING:
    from irlint.dryrun.mapping import Mapping

_COARSE = {
    "float16": "float16", "bfloat16": "bfloat16", "float8_e4m3fn": "int8", "float8_e5m2": "int4", "int8": "int8", "uint8": "int8",
    "int4": "int4", "uint4": "int4", "nf4": "int4", "float4_e2m1fn": "int4", "int2": "int4", "uint2": "int4",
}  # fmt: skip
_COMPUTED = ("float16", "bfloat16")  # types of results
LEAST_WEIGHT = 16  # elements: smaller constants do not count as weights


def roundings(graph: Graph, mapping: Mapping) -> list[Rounding]:
    """Return for each node what it adds to the rounding of its operands: by what it outputs, and by the constants that it reads."""
    held: dict[int, list[Type]] = {}
    for one in mapping.held(graph):
        held.setdefault(one.node.index, []).append(one.operand.tensor.type)
    fed = {feed.node for feed in mapping.feeds(graph)}
    found = [EXACT] * len(graph.nodes)
    depends = [False] * len(graph.nodes)  # on an input
    for index in order_of(graph):
        node = graph.nodes[index]
        makers = {source[0] for source in node.inputs if source[0] >= 0}
        depends[index] = index in fed or any(depends[maker] for maker in makers)
        types = [*_types(node, mapping, graph), *held.get(index, ())]
        own = [ROUNDING[_COARSE[type_.dtype]] for type_ in types if type_.dtype in _COARSE]
        inner = [coarser(*roundings(each, mapping)) for each in node.graphs]
        found[index] = coarser(*own, *inner, *(found[maker] for maker in makers if not depends[maker]))
    return found


def accumulated(graph: Graph, own: list[Rounding]) -> list[Rounding]:
    """Return the rounding of each node's results, with that of all that they are computed from."""
    found = list(own)
    for index in order_of(graph):
        makers = {source[0] for source in graph.nodes[index].inputs if source[0] >= 0}
        found[index] = coarser(found[index], *(found[maker] for maker in makers))
    return found


def _types(node: Node, mapping: Mapping, graph: Graph) -> Iterator[Type]:
    if node.kind == "const":
        yield from (value.type for value in node.outputs if _is_weight(value.type))
    elif node.kind == "call":
        yield from (value.type for value in node.outputs if value.type.dtype in _COMPUTED)
        call = mapping.sound_call(graph, node)
        if call is not None and call.operator.quantizes:
            yield Type("int8")


def _is_weight(type_: Type) -> bool:
    return is_known(type_.shape) and prod(type_.shape) >= LEAST_WEIGHT  # type: ignore[arg-type]
