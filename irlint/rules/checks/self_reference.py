"""R003 self-reference."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import R
from irlint.findings import Problem
from irlint.graph import label
from irlint.rules.base import Model, Rule
from irlint.rules.checks._order import backward


class SelfReference(Rule):
    """
    What it does
        Checks for operators that use their own output.

    Why is this bad
        The output does not exist before the operator has run, so the operator can never run. Usually one of the two
        names was copied from the other.

    Fix safety
        In an NNVM graph only. Safe where an unused variable is named for this input (`fc0_weight` for the weight of
        `fc0`): no reader accepted the file before. Unsafe where the input is connected to the only node whose output is
        unused.
    """

    row = R.self_reference
    fixable = "mixed"

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        for graph, node, k, source in backward(model):
            if source == node.index:
                message = f"{label(node)} uses its own output"
                yield Problem(R.self_reference, graph.place(node, f"input:{k}"), message, node.name)
