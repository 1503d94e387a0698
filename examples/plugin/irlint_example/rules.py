"""E001 dropout-left-in."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.rules.base import Model, Rule


class DropoutLeftIn(Rule):
    """
    What it does
        Finds dropout in models, whatever their format.

    Why is this bad
        Dropout only matters while a model is trained. In a model that is deployed it costs time and memory.
    """

    code = "E001"
    name = "dropout-left-in"
    severity = Severity.WARNING

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        for graph, node in model.calls():
            if node.op.lower() == "dropout":
                yield Problem(cls, graph.place(node, "op"), f"{node.name!r} is dropout", node.name)
