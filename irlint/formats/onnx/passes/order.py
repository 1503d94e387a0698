"""All that is checked before types are followed, and what a graph has and does not need."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

from irlint.codes import R
from irlint.findings import Fix, Problem, Severity
from irlint.formats.onnx.passes.constants import constant_problems
from irlint.formats.onnx.passes.containers import container_problems
from irlint.formats.onnx.passes.functions import called_functions, formal_attributes, function_key, function_problems
from irlint.formats.onnx.passes.names import name_problems
from irlint.formats.onnx.passes.nodes import NodeCheck
from irlint.formats.onnx.passes.other_opset import judged
from irlint.formats.onnx.passes.structure import imports, structure_problems, usable_imports
from irlint.formats.onnx.passes.targets import target_problems
from irlint.formats.onnx.tensors import TensorData, bits, elements
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.graph import Graph, Node, label
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Place


def problems(model: Model, document: OnnxDocument) -> Iterator[Problem]:
    tree = document.tree
    yield from structure_problems(model, document)
    yield from target_problems(model, tree, model.targets.items())
    functions = tree.get("functions", ())
    yield from function_problems(tree)
    known, body = usable_imports(tree), tree.get("graph", {})
    called = called_functions(tree)
    check = NodeCheck(model, functions, tree.get("ir_version", 0))
    yield from judged(model, tree, known, lambda opsets: check.graph(body, ("graph",), opsets))
    yield from _reachable(model, document)
    yield from constant_problems(model, tree, known)
    for graph in model.graph.walk():
        yield from container_problems(graph, known)
    for k, (function, body) in enumerate(zip(functions, model.functions, strict=True)):
        check.grammar.formal = formal_attributes(function)
        found = check.calls(function.get("node", ()), ("functions", k, "node"), imports(function) or known)
        taken = "" if function_key(function) in called else f"no node calls the function {function.get('name', '')!r}"
        for problem in chain(found, name_problems(model, body)):
            problem.taken = problem.taken or taken
            yield problem


# Programs that leave unused nodes in valid models, by producer name
_UNTIDY = frozenset(("skl2onnx", "OnnxMLTools", "onnx.quantize"))
_TEXT = 128  # bits, more or less, of an element that is a text
_SMALL = 1024  # bytes of an unused constant that does not matter: batch counters, constants that an exporter folded


def _reachable(model: Model, document: OnnxDocument) -> Iterator[Problem]:
    """Yield problems of names, and of what no output depends on. That follows from a name which nothing defines; what is defined twice is
    used where it is defined first; and nodes that cannot be read define and use names, too."""
    names = list(name_problems(model, model.graph))
    if document.troubles:
        yield from (problem for problem in names if problem.rule is not R.undefined_reference)
        return
    yield from names
    twice = {_node_of(problem, 2) for problem in names if problem.rule is R.duplicate_definition}
    is_mild = document.tree.get("producer_name") in _UNTIDY
    for problem in idle_problems(model.graph):
        if _node_of(problem, 1) not in twice:
            problem.severity = Severity.PEDANTIC if is_mild else problem.severity
            yield problem


def _node_of(problem: Problem, steps: int) -> Path:
    """Return the path of the node that a problem is at, of which its place is so many steps away."""
    assert isinstance(problem.at, Place)
    return problem.at.path[:-steps]


def idle_problems(graph: Graph) -> Iterator[Problem]:
    """Yield nodes and initializers that no output depends on. Runtimes drop them."""
    read = {source for node in graph.nodes for source in node.inputs}
    read.update(graph.outputs)
    for node in graph.nodes:
        if (node.index, 0) in read or any((node.index, k) in read for k in range(1, len(node.outputs))):
            continue
        severity = Severity.PEDANTIC if _is_small(node) else Severity.WARNING
        if node.op == "Initializer" and node.kind == "const":
            if node.name:
                what = f"initializer {node.name!r}"
                at, fix = graph.place(node, "name"), partial(_removing, node.path, what)
                yield Problem(R.unused_weights, at, f"unused {what}", node.name, fix, severity=severity)
        elif node.kind != "var" and node.outputs:
            at, fix = graph.place(node, "op"), partial(_removing, node.path, label(node))
            message = f"{label(node)} does not reach an output"
            yield Problem(R.unreachable_node, at, message, node.name, fix, severity=severity)
    for nesting in graph.nesting():
        for body in nesting.graphs:
            yield from idle_problems(body)


def _is_small(node: Node) -> bool:
    """Return whether a node is a constant of few bytes, or a shape."""
    data = node.attrs.get("value")
    if not isinstance(data, TensorData):
        return node.op in ("Constant", "Shape", "Size")
    return elements(data.shape) * (bits(data.dtype or "") or _TEXT) < 8 * _SMALL


def _removing(path: Path, what: str, document: Document) -> Fix | None:
    """Return a fix that removes a node or an initializer. Unsafe: a program may ask for it by name."""
    assert isinstance(document, OnnxDocument)
    edits = document.removed(path)
    return Fix(f"Remove {what}", edits, "unsafe") if edits else None
