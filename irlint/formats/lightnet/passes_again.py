"""The walk over the operators of a sound file of which an edit changed few."""

from __future__ import annotations

from irlint.formats.lightnet.careful import carefully
from irlint.formats.lightnet.infer import UNKNOWNS, LightNetInference
from irlint.formats.lightnet.reading import Reading
from irlint.formats.lightnet.signature import signature
from irlint.formats.lightnet.walk import Walk, quickly
from irlint.graph import Graph
from irlint.rules.base import Model
from irlint.rules.pass_cache import MOST


def walk_again(model: Model, graph: Graph, found: Reading, before: Walk) -> Walk | None:
    """What walking over all operators gives. Those of which something was to be said are looked at again, as that may have
    named others.
    """
    indices = model.memory.changed(before.nodes, graph.nodes)
    if indices is None:
        return None
    odd = {operator.prepared.node.index for operator in (*before.inference.failures, *before.inference.notes)}
    odd |= before.problems.keys()
    if None in before.ready:
        odd.update(k for k, ready in enumerate(before.ready) if ready is None)
    if len(odd) > MOST:
        return None
    walk = Walk(graph.nodes, before.ready.copy(), LightNetInference(graph, ()), {})
    indices = sorted(odd.union(indices))
    for i in indices:
        node = graph.nodes[i]
        known = signature(node.op)
        ready = quickly(node, known, found.output_names[i], found) if known is not None else None
        if ready is None:
            problems, ready = carefully(model, graph, node, known, found)
            if problems:
                walk.problems[i] = problems
        walk.ready[i] = ready
    _types_again(walk, before.inference, indices)
    return walk


def _types_again(walk: Walk, before: LightNetInference, indices: list[int]) -> None:
    """The types of operators, and of those that read what is of another type than before."""
    inference = walk.inference
    inference.types = types = before.types.copy()
    wanted, others = set(indices), set[int]()
    for node in walk.nodes[indices[0] :] if indices else ():
        index = node.index
        if index not in wanted:
            for source in node.inputs if others else ():
                if source[0] in others:
                    break
            else:
                continue
        types[index] = UNKNOWNS
        if (ready := walk.ready[index]) is not None:
            inference.step(ready)
        if types[index] is not before.types[index] and types[index] != before.types[index]:
            others.add(index)
