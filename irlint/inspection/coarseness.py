"""How coarsely each node of a model computes, by the types of its weights and of what it outputs."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from math import frexp, isfinite, prod
from typing import TYPE_CHECKING

from irlint.dryrun.dims import is_known, numel
from irlint.dryrun.infer import order_of
from irlint.dryrun.running.weights import values
from irlint.dryrun.tensor import Tensor
from irlint.graph import Graph, Node, Type
from irlint.inspection.rounding import EXACT, ROUNDING, Rounding, coarser

if TYPE_CHECKING:
    from irlint.dryrun.mapping import Mapping
    from irlint.inspection.types import TypeLookup

_COARSE = {
    "float16": "float16", "bfloat16": "bfloat16", "float8_e4m3fn": "int8", "float8_e5m2": "int4", "int8": "int8", "uint8": "int8",
    "int4": "int4", "uint4": "int4", "nf4": "int4", "float4_e2m1fn": "int4", "int2": "int4", "uint2": "int4",
}  # fmt: skip
_OF_FOUR = (1, 2, 3, 4)
_COMPUTED = ("float16", "bfloat16")  # types of results
_FEW_BITS = {"float16": 7, "bfloat16": 4}  # of numbers that people write
_HASH = 16  # bytes
LEAST_WEIGHT = 16  # elements: smaller constants do not count as weights of a layer


def roundings(graph: Graph, mapping: Mapping, type_of: TypeLookup) -> list[Rounding]:
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
        types = [*_types(node, mapping, graph, type_of), *held.get(index, ())]
        own = [ROUNDING[_COARSE[type_.dtype]] for type_ in types if type_.dtype in _COARSE]
        inner = [coarser(*roundings(each, mapping, type_of)) for each in node.graphs]
        found[index] = coarser(*own, *inner, *(found[maker] for maker in makers if not depends[maker]))
    return found


def accumulated(graph: Graph, own: list[Rounding]) -> list[Rounding]:
    """Return the rounding of each node's results, with that of all that they are computed from."""
    found = list(own)
    for index in order_of(graph):
        makers = {source[0] for source in graph.nodes[index].inputs if source[0] >= 0}
        found[index] = coarser(found[index], *(found[maker] for maker in makers))
    return found


def codes(graph: Graph, mapping: Mapping) -> set[bytes]:
    """Return hashes of the weights of a graph that are numbers of few bits."""
    found = set[bytes]()
    for node in graph.nodes:
        kinds = mapping.leaf(graph, node) if node.kind == "const" else ()
        if any(
            _COARSE.get(kind.dtype or "") in ("int8", "int4") and (numel(kind.shape) or 0) >= LEAST_WEIGHT
            for kind in kinds
        ):
            array = values(mapping, node)
            found.add(blake2b(b"" if array is None else array.tobytes(), digest_size=_HASH).digest())
    return found


def _types(node: Node, mapping: Mapping, graph: Graph, type_of: TypeLookup) -> Iterator[Type]:
    if node.kind == "const":
        yield from (leaf.type for leaf in mapping.leaf(graph, node) if _is_array(leaf.type) or _is_rounded(leaf))
    elif node.kind == "call":
        types = (type_of(graph, node, k) for k in range(len(node.outputs)))
        yield from (type_ for type_ in types if type_.dtype in _COMPUTED)
        call = mapping.sound_call(graph, node)
        if call is not None and call.operator.quantizes:
            yield Type("int8")
        if call is not None and call.attrs.get("bits", 8) in _OF_FOUR:  # several numbers in one element
            yield Type("int4")


def _is_array(type_: Type) -> bool:
    """Return whether a type is that of several numbers: single ones are often exact in any type."""
    return is_known(type_.shape) and prod(type_.shape) > 1  # type: ignore[arg-type]


def _is_rounded(leaf: Tensor) -> bool:
    """Return whether a single number has more digits than numbers that people write, so that some more were probably lost."""
    number, few = leaf.entry, _FEW_BITS.get(leaf.dtype or "")
    if few is None or not isinstance(number, float) or not isfinite(number):
        return False
    return not (frexp(number)[0] * 2**few).is_integer()
