"""O101 compiled-operator."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.fault import asking, writing
from irlint.findings import Problem
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.signature import architecture, signature
from irlint.rules.base import Model, Rule


class CompiledOperator(Rule):
    """
    What it does
        Checks for operators with a target suffix (`slice_cpu`) in a source file, and for operators without one in a
        compiled file.

    Why is this bad
        LightNet adds the suffix when it compiles a file, and cannot compile an operator that already has one.
        Together with operators without a suffix it crashes, since their tensors have no memory type yet.

    Fix safety
        Unsafe: the fix replaces the operator with the one without the suffix (in a compiled file, with it).
    """

    row = R.compiled_operator
    formats = ("lightnet",)
    fixable = "unsafe"

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        by_op, is_compiled = state_of(model).by_op, model.dialect == "compiled"
        for optype, nodes in by_op.items():
            known = signature(optype)
            if known is None or (known.architecture != "none") == is_compiled or known.operator.name == "tensorrt":
                continue
            also = known.operator.facts.get("also_in_source", {}).get(optype, ())
            if model.targets.get("lightnet") in also:
                continue
            what, word = "is only for compiled files", known.operator.name
            note = f" (the target {' or '.join(also)} accepts it)" if also else ""
            if is_compiled:
                what = "has no target suffix, as in source files"
                word = (
                    f"{optype}_{max(filter(None, map(architecture, by_op)), key=lambda name: (name != 'none', name))}"
                )
            meant = word if word != optype and signature(word) else None
            for node in nodes:
                place = model.graph.place(node, "op")
                message = f"operator `{optype}` of {node.name!r} {what}{asking(meant)}{note}"
                fix = writing(place, meant) if meant else None
                yield Problem(R.compiled_operator, place, message, node.name, fix)
