"""Declared types against inferred ones: which values differ."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.dryrun import dims
from irlint.dryrun.mapping import Difference
from irlint.dryrun.tensor import Tensor
from irlint.graph import Graph, Shape, Type


def fits(declared: Shape | None, real: Shape | None) -> bool:
    if declared is None or real is None or declared == real:
        return True
    return len(declared) == len(real) and all(map(dims.compatible, declared, real))


def other_dtype(declared: Type, real: Tensor) -> bool:
    return declared.dtype is not None and real.dtype is not None and declared.dtype != real.dtype


def differing(graph: Graph, types: Sequence[tuple[Tensor, ...]]) -> set[int]:
    """Return the nodes with an output whose declared type is impossible."""
    return {
        node.index
        for node, inferred in zip(graph.nodes, types, strict=True)
        for value, tensor in zip(node.outputs, inferred, strict=False)
        if value.type is not tensor.type
        and value.type != tensor.type
        and (other_dtype(value.type, tensor) or not fits(value.type.shape, tensor.shape))
    }


def differs(declared: Type, real: Tensor) -> bool:
    return other_dtype(declared, real) or not fits(declared.shape, real.shape)


def difference(declared: Shape | None, real: Shape | None) -> Difference:
    """Return in what two shapes differ that do not fit."""
    if declared is None or real is None or len(declared) != len(real):
        return "rank"
    sizes = tuple([dim if isinstance(dim, (int, str)) else None for dim in real])
    if fits(declared, sizes):
        return "bounds"
    if fits(declared[1:], sizes[1:]):
        return "first"
    return "last" if fits(declared[:-1], sizes[:-1]) else "sizes"
