"""E001 dropout-left-in."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.rules.base import Model, Rule


class DropoutLeftIn(Rule):
    """
    What it does
        Checks for dropout in models of any format.

    Why is this bad
        Dropout only has an effect during training. In a deployed model it costs time and memory.
    """

    code = "E001"
    name = "dropout-left-in"
    severity = Severity.WARNING

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        for graph, node in model.calls():
            if node.op.lower() == "dropout":
                yield Problem(cls, graph.place(node, "op"), f"dropout {node.name!r} is left in the model", node.name)
