"""The nodes of a file of which an edit changed few operators, all others being those of before."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from irlint.formats.lightnet.names import TensorNames
from irlint.formats.lightnet.reading import FilledGraph, Reading, maker
from irlint.graph import Graph, Node
from irlint.rules.pass_cache import MOST, changed


def read_again(graph: Graph, found: Reading, ops: list[Any], before: FilledGraph) -> FilledGraph | None:
    """What reading all operators gives; None where tensors came, went or changed their names."""
    old, was = before.names, before.found
    indices = changed(ops, found.ops, MOST)
    if indices is None or old.repeated or old.twins:
        return None
    indices = sorted({*indices, *was.altered, *was.repeated, *(i for i, _, _ in old.unresolved)})
    if any(_written(ops[i]) != _written(found.ops[i]) for i in indices):
        return None
    names = TensorNames(graph, tolerant=False)
    names.defined, names.operators = old.defined, old.operators.copy()
    for i in indices:
        del names.operators[ops[i]["name"]]
    nodes, new = before.nodes.copy(), Reading(found.ops, was.output_names.copy(), was.by_op)
    make = maker(new, names)
    for i in indices:
        nodes[i], new.output_names[i] = make(i, found.ops[i])
    if names.repeated or names.twins or any(source.node >= i for i in indices for source in nodes[i].inputs):
        return None
    graph.nodes, found.output_names, found.repeated = nodes, new.output_names, new.repeated
    found.extended = sorted([*set(was.extended).difference(indices), *new.extended])
    found.by_op = _by_op(was.by_op, [(before.nodes[i], nodes[i]) for i in indices])
    return FilledGraph(nodes, found, names)


def _written(op: Any) -> list[tuple[str | None, str]]:
    return [(entry["name"], entry["arg_name"]) for entry in op["tensors_out"]]


def _by_op(before: dict[str, list[Node]], pairs: list[tuple[Node, Node]]) -> dict[str, list[Node]]:
    """Nodes by operator, in file order, after some have been replaced."""
    found = before.copy()
    for op in {node.op for pair in pairs for node in pair}:
        found[op] = found[op].copy() if op in found else []
    for old, new in pairs:
        same = found[old.op]
        del same[_place(same, old)]
        same = found[new.op]
        same.insert(_place(same, new), new)
    return dict(sorted([item for item in found.items() if item[1]], key=lambda item: item[1][0].index))


def _place(nodes: list[Node], node: Node) -> int:
    return bisect_left(nodes, node.index, key=lambda other: other.index)
