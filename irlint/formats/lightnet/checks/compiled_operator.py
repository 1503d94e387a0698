"""O101 compiled-operator."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.fault import writing
from irlint.findings import Problem
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.signature import signature
from irlint.graph import Graph, Node
from irlint.rules.base import Example, Model, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class CompiledOperator(Rule):
    """
    What it does
        Checks for operators with a target suffix (`slice_cpu`) in a source file, and for operators without one in a
        compiled file.

    Why is this bad
        LightNet adds the suffix when it compiles a file, and cannot compile an operator that already has one.
        Together with operators without a suffix it crashes, since their tensors have no memory type yet.

    Example
        ```json
        {"name": "cut", "optype": "slice_cpu"}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice"}
        ```

    Fix safety
        Unsafe: the fix replaces the operator with the one without the suffix (in a compiled file, with it).
    """

    row = R.compiled_operator
    formats = ("lightnet",)
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(('"slice"', '"slice_cpu"')), "lightnet", '"slice_cpu"', LIGHTNET),)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        by_op = state_of(model).by_op
        compiled = model.dialect == "compiled"
        for optype, nodes in by_op.items():
            known = signature(optype)
            if known is None or (known.architecture != "none") == compiled or known.operator.name == "tensorrt":
                continue
            if model.targets.get("lightnet") in known.operator.facts.get("also_in_source", {}).get(optype, ()):
                continue
            for node in nodes:
                yield cls._problem(model.graph, node, compiled, by_op)

    @classmethod
    def _problem(cls, graph: Graph, node: Node, compiled: bool, by_op: dict[str, list[Node]]) -> Problem:
        known = signature(node.op)
        assert known is not None
        if compiled:
            suffix = max(
                (s.architecture for op in by_op if (s := signature(op)) is not None), key=lambda a: (a != "none", a)
            )
            word = f"{node.op}_{suffix}"
            message = f"operator `{node.op}` of {node.name!r} has no target suffix, as in source files; did you mean `{word}`?"
        else:
            word = known.operator.name
            message = f"operator `{node.op}` of {node.name!r} is only for compiled files; did you mean `{word}`?"
            if also := known.operator.facts.get("also_in_source", {}).get(node.op):
                message += f" (the target {' or '.join(also)} accepts it)"
        place = graph.place(node, "op")
        return Problem(
            R.compiled_operator, place, message, node.name, writing(place, word) if signature(word) else None
        )
