"""R402 post-order: the lines of a listing follow the walk that numbers them."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Fix, Problem
from irlint.formats.glacier.renumber import reorder
from irlint.formats.glacier.rules import R
from irlint.formats.glacier.sessions import state_of
from irlint.order import post_order
from irlint.rules.base import Model, Rule
from irlint.text.base import Document


class PostOrder(Rule):
    """What it does
    Checks for listings whose lines are in a valid order, but not in depth-first post-order: starting from the result,
    inputs from left to right, each call is listed as soon as all its inputs are.

    Why is this bad
    The order defines the ids, by which two listings of a model are compared. In another order, the lines and their
    recorded events are matched with the wrong calls. If the reported call is an additional output of the model, the
    order is correct.

    Fix safety
    Unsafe: ids change, and previously recorded events keep the old ones.
    """

    row = R.post_order
    formats = ("glacier",)
    fixable = "unsafe"

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        state = state_of(model)
        sinks = state.sinks
        if model.dialect != "listing" or state.faulty or state.quoted or len(model.graph.outputs) == len(sinks):
            return
        graph = model.graph
        calls = [node.index for node in graph.nodes if node.kind == "call"]
        order = post_order(graph, sinks)
        # in the order of the calls, outputs and sinks would be the same
        differ = next(pair for pair in zip(calls, order, strict=True) if pair[0] != pair[1])
        node, wanted = (graph.nodes[index] for index in differ)
        result = graph.nodes[sinks[-1]]

        def fix(document: Document) -> Fix | None:
            return reorder(document, graph, sinks)

        message = (
            f"node {node.name} ({node.op}) is not in depth-first post-order from the result (node {result.name}, {result.op}); "
            f"expected node {wanted.name} ({wanted.op}) here"
        )
        related = [("expected first", graph.place(wanted, "name"))]
        yield Problem(R.post_order, graph.place(node, "name"), message, node.name, fix, related)
