"""G004 empty-name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.codes import R
from irlint.findings import Problem
from irlint.graph import Node, label
from irlint.rules.base import Model, Rule


class EmptyName(Rule):
    """
    What it does
        Checks for operators and tensors whose name is empty.

    Why is this bad
        Most loaders accept it like any other name, but messages do not identify the operator, and tools that look
        things up by name cannot find it.

        In an MXNet symbol, an operator without a name is a pedantic finding, because MXNet runs it; a variable without a
        name is a warning, because no program can feed it.
    """

    row = R.empty_name

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        for graph in model.graph.walk():
            for index in _nameless(graph.nodes):
                node = graph.nodes[index]
                if id(node) in model.silent:
                    continue
                if not node.name:
                    place = graph.place(node, "name")
                    yield Problem(R.empty_name, place, f"empty name for `{node.op}`", "")
                for k, value in enumerate(node.outputs):
                    if value.name == "":
                        message = f"{label(node)} outputs a tensor with an empty name"
                        yield Problem(R.empty_name, graph.place(node, f"output:{k}"), message, node.name)


def _nameless(nodes: Sequence[Node]) -> list[int]:
    names = [node.name for node in nodes]
    if "" not in names and "" not in [value.name for node in nodes for value in node.outputs]:
        return []  # two quick looks, as this is the common case
    return [k for k, node in enumerate(nodes) if not node.name or any(value.name == "" for value in node.outputs)]
