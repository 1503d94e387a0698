"""The coarsest type that models compute with."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from irlint.dryrun.dims import is_known
from irlint.graph import Type
from irlint.proving.rounding import ROUNDING
from irlint.proving.running import Side

_COARSE = {
    "float16": "float16", "bfloat16": "bfloat16", "float8_e4m3fn": "int8", "float8_e5m2": "int4", "int8": "int8", "uint8": "int8",
    "int4": "int4", "uint4": "int4", "nf4": "int4", "float4_e2m1fn": "int4", "int2": "int4", "uint2": "int4",
}  # fmt: skip
_COMPUTED = ("float16", "bfloat16")  # types of results
_FEW = 16  # elements of constants that do not count as weights
_ORDER = tuple(ROUNDING)


def coarsest(*sides: Side) -> str:
    """Return the coarsest type that models compute with."""
    found = {_COARSE[type_.dtype] for side in sides for type_ in _types(side) if type_.dtype in _COARSE}
    return max({"float32", *found}, key=_ORDER.index)


def _types(side: Side) -> Iterator[Type]:
    """Yield the types of weights, those of results of 16 bits, and one that quantizers round to."""
    for graph in side.graph.walk():
        yield from (held.operand.tensor.type for held in side.mapping.held(graph))
        for node in graph.nodes:
            if node.kind == "call":
                yield from (value.type for value in node.outputs if value.type.dtype in _COMPUTED)
                call = side.mapping.sound_call(graph, node)
                if call is not None and call.operator.quantizes:
                    yield Type("int8")
            elif node.kind == "const":
                yield from (value.type for value in node.outputs if _is_weight(value.type))


def _is_weight(type_: Type) -> bool:
    return is_known(type_.shape) and prod(type_.shape) >= _FEW  # type: ignore[arg-type]
