"""The walk over the operators of a sound file of which an edit changed few."""

from __future__ import annotations

from irlint.formats.lightnet.infer import UNKNOWNS, Inference
from irlint.formats.lightnet.passes import Walk, quickly
from irlint.formats.lightnet.read import Reading
from irlint.formats.lightnet.signature import signature
from irlint.graph import Graph
from irlint.rules.memory import changed

MOST = 50  # operators that are looked at one by one


def walk_again(graph: Graph, found: Reading, before: Walk) -> Walk | None:
    """What walking over all operators gives; None where something is, or was, to be said of one of them."""
    indices = changed(before.nodes, graph.nodes, MOST)
    if (
        indices is None
        or before.problems
        or len(before.prepared) != len(graph.nodes)
        or not _is_sound(before.inference)
    ):
        return None
    walk = Walk(graph.nodes, before.prepared.copy(), Inference(graph, ()), [])
    prepared, inference = walk.prepared, walk.inference
    inference.types = types = before.inference.types.copy()
    for i in indices:
        known = signature(graph.nodes[i].op)
        ready = None if known is None else quickly(graph.nodes[i], known, found.output_names[i], found)
        if ready is None:
            return None
        prepared[i] = ready
    for i in indices:
        types[i] = UNKNOWNS
        inference.step(prepared[i])
        if types[i] != before.inference.types[i]:
            for operator in prepared[i + 1 :]:  # those behind it may read what it writes
                inference.step(operator)
            break
    return walk if _is_sound(inference) else None


def _is_sound(inference: Inference) -> bool:
    return not inference.failures and not inference.notes
