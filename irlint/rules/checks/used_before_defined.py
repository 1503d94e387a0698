"""R002 used-before-defined."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import R
from irlint.findings import Problem
from irlint.graph import Graph, Node, label
from irlint.rules.base import Model, Rule
from irlint.rules.checks._order import backward, rings


class UsedBeforeDefined(Rule):
    """
    What it does
        Checks for operators that use the output of an operator defined later in the file.

    Why is this bad
        Formats such as LightNet's and NNVM's are read from top to bottom: an input must be defined before it is used.
        The loader reports it as undefined, although it is defined later.

    Fix safety
        Unsafe: operators are moved, and with them the order of side effects such as printing. Safe in lists of layers, unless weights
        are stored in the order of the layers and the layer passes others that have some.
    """

    row = R.used_before_defined
    fixable = "mixed"

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        late = [edge for edge in backward(model) if edge.graph.ordered and edge.source > edge.node.index]
        told: set[tuple[int, int]] = set()
        ring: dict[int, list[int]] = {}
        by_reader: dict[tuple[int, int], list[int]] = {}
        for graph, node, k, source in late:
            groups = ring.get(id(graph)) or ring.setdefault(id(graph), rings(graph))
            if groups[source] == groups[node.index]:
                continue  # no order can help: a cycle
            if (id(graph), source) not in told:
                by_reader.setdefault((id(graph), node.index), []).append(k)
                told.add((id(graph), source))
        graphs = {id(edge.graph): edge.graph for edge in late}
        for (which, index), inputs in by_reader.items():
            yield cls._problem(graphs[which], graphs[which].nodes[index], inputs)

    @classmethod
    def _problem(cls, graph: Graph, node: Node, inputs: list[int]) -> Problem:
        source = graph.nodes[node.inputs[inputs[0]][0]]
        value = source.outputs[node.inputs[inputs[0]][1]].name
        what = repr(value) if value else label(source)
        related = [("defined here", graph.place(source, "name"))]
        related += [("also used before its definition", graph.place(node, f"input:{k}")) for k in inputs[1:]]
        return Problem(
            R.used_before_defined,
            graph.place(node, f"input:{inputs[0]}"),
            f"{label(node)} uses {what} before it is defined",
            node.name,
            graph.reorder(node.index) if graph.reorder else None,
            related,
        )
