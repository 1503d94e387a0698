"""G101 print-order."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.signature import signature
from irlint.graph import Graph, Node, label
from irlint.rules.base import Model, Rule


class PrintOrder(Rule):
    """
    What it does
        Checks for `print` and `fprint` operators that run before operators that precede them in the file.

    Why is this bad
        LightNet moves operators that use only constants (outputs of `create` and `arange`) directly after these
        constants, so that the output is not in file order.
    """

    row = R.print_order
    formats = ("lightnet",)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        by_op = state_of(model).by_op
        prints = [node for op in ("print", "fprint") for node in by_op.get(op, ())]
        if len(prints) < 2 or model.dialect == "compiled":
            return
        graph, overtaken = model.graph, None
        for node in sorted(prints, key=lambda node: node.index):
            constant = _constant(graph, node)
            if constant is None:
                overtaken = node
            elif overtaken is not None and overtaken.index > constant.index:
                message = f"{label(node)} runs before {label(overtaken)}, which the file lists first"
                message += "; LightNet moves prints of constants forward"
                related = [("appears earlier but runs later", graph.place(overtaken, "name"))]
                yield Problem(R.print_order, graph.place(node, "name"), message, node.name, related=related)


def _constant(graph: Graph, node: Node) -> Node | None:
    """Return the operator that outputs what a print uses, if that is a constant."""
    if len(node.inputs) != 1 or node.inputs[0][0] < 0:
        return None
    source = graph.nodes[node.inputs[0][0]]
    known = signature(source.op)
    return source if known is not None and known.has_output("static") else None
