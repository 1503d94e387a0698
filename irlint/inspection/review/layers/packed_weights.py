"""Weights that several constants of a layer are together: codes of a few bits, with a scale and a zero point for each block of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.mapping import Mapping
from irlint.graph import Source
from irlint.inspection.review.constant_values import ConstantValues, most_bytes
from irlint.inspection.review.reduced import ReducedGraph

_BYTES = 4  # of a number


def packed(reduced: ReducedGraph, mapping: Mapping) -> dict[int, list[Source]]:
    """Return the constants that are such weights, by the layers that read them."""
    found = {}
    for index in sorted(reduced.layers):
        node = reduced.graph.nodes[index]
        call = mapping.sound_call(reduced.graph, node) if node.kind == "call" else None
        if call is not None and call.operator.packs:
            read = [Source(*node.inputs[place]) for place in call.operator.packs if place < len(node.inputs)]
            found[index] = [source for source in read if source[0] >= 0]
    return found


def unpacked(
    reduced: ReducedGraph, mapping: Mapping, constants: ConstantValues, layers: dict[int, list[Source]]
) -> Iterator[tuple[int, Any]]:
    """Yield layers with their weights, one after the other: they are much larger than what is in the file."""
    for index, sources in layers.items():
        node, arrays = reduced.graph.nodes[index], dict[Source, Any]()
        call = mapping.sound_call(reduced.graph, node)
        if call is None or _BYTES * call.operator.unpacked_size(**call.attrs) > most_bytes():
            continue
        constants.show(sources, arrays.__setitem__)
        if len(arrays) < len(set(sources)):
            continue
        operands = [arrays.get(Source(*source)) for source in node.inputs]
        try:
            yield index, call.operator.unpacked(*operands, **call.attrs)
        except (NoKernel, ValueError):  # settings that no kernel has
            continue
