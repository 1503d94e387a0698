"""All that is checked before types are followed."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.onnx.constants import constant_problems
from irlint.formats.onnx.document import OnnxDocument
from irlint.formats.onnx.functions import formal_attributes, function_problems
from irlint.formats.onnx.idle import idle_problems
from irlint.formats.onnx.names import name_problems
from irlint.formats.onnx.nodes import NodeCheck
from irlint.formats.onnx.structure import imports, structure_problems, usable_imports
from irlint.formats.onnx.targets import target_problems
from irlint.graph import Graph
from irlint.rules.base import Model


def problems(model: Model, document: OnnxDocument) -> Iterator[Problem]:
    tree = document.tree
    yield from structure_problems(model, document)
    yield from target_problems(model, tree)
    functions = tree.get("functions", ())
    yield from function_problems(tree)
    check, known = NodeCheck(model, functions, tree.get("ir_version", 0)), usable_imports(tree)
    yield from check.graph(tree.get("graph", {}), ("graph",), known)
    yield from name_problems(model, model.graph)
    yield from idle_problems(model.graph)
    yield from constant_problems(model)
    bodies: list[Graph] = model.extra["functions"]
    for k, (function, body) in enumerate(zip(functions, bodies, strict=True)):
        check.formal = formal_attributes(function)
        yield from check.calls(function.get("node", ()), ("functions", k, "node"), imports(function) or known)
        yield from name_problems(model, body)
