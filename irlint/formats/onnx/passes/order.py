"""All that is checked before types are followed."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import R
from irlint.findings import Problem, Severity
from irlint.formats.onnx.passes.constants import constant_problems
from irlint.formats.onnx.passes.containers import container_problems
from irlint.formats.onnx.passes.functions import formal_attributes, function_problems
from irlint.formats.onnx.passes.idle import idle_problems
from irlint.formats.onnx.passes.names import name_problems
from irlint.formats.onnx.passes.nodes import NodeCheck
from irlint.formats.onnx.passes.structure import imports, structure_problems, usable_imports
from irlint.formats.onnx.passes.targets import target_problems
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.rules.base import Model
from irlint.text.base import Place


def _reachable(document: OnnxDocument, names: list[Problem], idle: Iterator[Problem]) -> Iterator[Problem]:
    """Yield problems of names, and of what no output depends on: that follows from a name which nothing defines, as that follows from a
    node that cannot be read."""
    is_open = any(problem.rule is R.undefined_reference for problem in names)
    twice = {
        problem.at.path[:-2]
        for problem in names
        if problem.rule is R.duplicate_definition and isinstance(problem.at, Place)
    }
    for problem in names:
        if not (document.troubles and problem.rule is R.undefined_reference):
            yield problem
    for problem in () if document.troubles else idle:
        if isinstance(problem.at, Place) and problem.at.path[:-1] in twice:
            continue  # what is defined twice is used where it is defined first
        if is_open:
            problem.severity = Severity.PEDANTIC
        yield problem


def problems(model: Model, document: OnnxDocument) -> Iterator[Problem]:
    tree = document.tree
    yield from structure_problems(model, document)
    yield from target_problems(model, tree)
    functions = tree.get("functions", ())
    yield from function_problems(tree)
    check, known = NodeCheck(model, functions, tree.get("ir_version", 0)), usable_imports(tree)
    yield from check.graph(tree.get("graph", {}), ("graph",), known)
    yield from _reachable(document, list(name_problems(model, model.graph)), idle_problems(model.graph))
    yield from constant_problems(model, tree, known)
    for graph in model.graph.walk():
        yield from container_problems(graph, known)
    for k, (function, body) in enumerate(zip(functions, model.functions, strict=True)):
        check.grammar.formal = formal_attributes(function)
        yield from check.calls(function.get("node", ()), ("functions", k, "node"), imports(function) or known)
        yield from name_problems(model, body)
