"""Incremental inference for a graph in which an edit changed few nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import compress
from operator import is_not
from typing import Any

from irlint.dryrun.infer import Inference, NodeShapeError, Outputs, in_file_order, infer_again
from irlint.dryrun.mapping import Mapping
from irlint.graph import Graph, Node


def changed(
    old: list[Node], old_broken: Collection[int], new: list[Node], new_broken: Collection[int]
) -> set[int] | None:
    """Return the nodes whose own types may have changed; None if nodes were added or removed."""
    if len(old) != len(new):
        return None
    others = compress(range(len(new)), map(is_not, old, new))
    return {k for k in others if _facts(old[k]) != _facts(new[k])}.union({*old_broken} ^ {*new_broken})


def _facts(node: Node) -> Any:
    """Return what determines the types of a node, apart from its inputs."""
    return node.op, node.version, node.kind, node.attrs, node.inputs, node.outputs


def revised(
    graph: Graph, mapping: Mapping, broken: Collection[int], changed: set[int], old: list[Node], before: Inference
) -> Inference | None:
    """Return the types, reusing the previous ones; None if they have to be inferred from scratch."""
    if before.completed or before.unknown:
        return None
    moved = any(graph.nodes[k].inputs != old[k].inputs for k in changed)
    if not before.sorted or (moved and not in_file_order(graph)):
        return None  # the nodes are not in execution order
    again = _Again(next(iter(before.types.values())), changed)
    found = infer_again(graph, mapping, broken, again)
    if found.completed or found.unknown:
        return None
    kept = [
        NodeShapeError(graph, graph.nodes[node.index], error.with_traceback(None), part, operands)
        for _, node, error, part, operands in before.all_mistakes()
        if node.index not in again.done
    ]
    found.mistakes[id(graph)] = sorted([*kept, *found.mistakes[id(graph)]], key=lambda mistake: mistake.node.index)
    return found


class _Again:
    """The nodes that changed, and the users of their outputs where the type changed."""

    def __init__(self, before: list[Outputs], changed: set[int]) -> None:
        self.before = before
        self.types = before.copy()
        self.changed = changed
        self.done: set[int] = set()

    def order(self, nodes: Sequence[Node]) -> Iterator[int]:
        if not self.changed:
            return
        types, before, changed = self.types, self.before, self.changed
        other: set[int] = set()  # nodes with other types than before
        same: dict[tuple[int, int], tuple[bool, Outputs]] = {}  # by id() of new outputs, which are kept, and old ones
        for node in nodes[min(changed) :]:
            index = node.index
            if index not in changed:
                for source in node.inputs if other else ():
                    if source[0] in other:
                        break
                else:
                    continue
            types[index] = ()
            self.done.add(index)
            yield index
            new, old = types[index], before[index]
            key = id(new), id(old)
            if key not in same:
                same[key] = _are_same(new, old), new
            if same[key][0]:
                types[index] = old
            else:
                other.add(index)


def _are_same(new: Outputs, old: Outputs) -> bool:
    """Return whether two sets of outputs are interchangeable; outputs with known elements never are."""
    return len(new) == len(old) and all(
        a is b or (a.type == b.type and not a.followed and not b.followed) for a, b in zip(new, old, strict=True)
    )
