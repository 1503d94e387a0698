"""Inputs of whole numbers that choose rows of a table, such as the tokens of a text, or say how often a loop runs."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.inspection.review.roles import PASSING
from irlint.inspection.types import type_lookup
from irlint.proving.running import Side

_LOOKUP = "take"
ROUNDS = 3  # of a loop


def rows_chosen(side: Side) -> dict[int, int]:
    """Return for each input of whole numbers that chooses from tables how many rows the smallest of these has."""
    graph, op, type_of = side.graph, side.form.names.of, type_lookup(side.model)
    readers = graph.consumers()
    found: dict[int, int] = {}
    for feed in side.feeds():
        stack, seen = [feed.node], {feed.node}
        while stack:
            index = stack.pop()
            for reader in map(graph.nodes.__getitem__, readers[index]):
                if op(reader) == _LOOKUP and reader.inputs[0][0] not in (index, -1):
                    table = reader.inputs[0]
                    shape = type_of(graph, graph.nodes[table[0]], table[1]).shape or ()
                    call = side.mapping.sound_call(graph, reader)
                    axis = 0 if call is None else call.attrs.get("axis", 0)
                    rows = shape[axis] if isinstance(axis, int) and -len(shape) <= axis < len(shape) else None
                    if isinstance(rows, int) and rows > 0:
                        found[feed.node] = min(found.get(feed.node, rows), rows)
                elif op(reader) in PASSING and reader.index not in seen:
                    seen.add(reader.index)
                    stack.append(reader.index)
    return found


def loops_counted(side: Side) -> set[int]:
    """Return the inputs that nodes with graphs read first, which may be how often a loop runs: no round shows nothing of what is in it."""
    readers, nodes = side.graph.consumers(), side.graph.nodes
    loops = ((feed.node, nodes[k]) for feed in side.feeds() for k in readers[feed.node])
    return {index for index, node in loops if node.graphs and node.inputs[0][0] == index}


def states_ordered(side: Side) -> dict[int, int]:
    """Return for each input that only says which rows of states go on, as that of a beam search, the state that it orders."""
    opened = {one.state.reader for one in side.opened}
    nodes, op, readers = side.graph.nodes, side.form.names.of, side.graph.consumers() if opened else []
    found = {}
    for feed in (one for one in side.feeds() if opened and one.node not in opened):
        users = [nodes[k] for k in readers[feed.node]]
        if users and all(op(one) == _LOOKUP and one.inputs[0][0] in opened for one in users):
            found[feed.node] = users[0].inputs[0][0]
    return found


def drawn_below(most: int, array: Any, seed: list[int]) -> Any:
    """Return whole numbers from 0 to below a limit in the place of others."""
    top = min(most, int(np.iinfo(array.dtype).max))
    return np.random.default_rng(seed).integers(0, top, array.shape).astype(array.dtype)
