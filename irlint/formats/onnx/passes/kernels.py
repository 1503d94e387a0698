"""Operators that a release named by --target loads in no model, or not with these types and attributes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from irlint.codes import R
from irlint.dryrun.infer import Inference
from irlint.dryrun.known import known_type
from irlint.findings import Problem
from irlint.formats.onnx.kernel_facts import NodeFacts
from irlint.formats.onnx.opsets import opset_of, resolve
from irlint.formats.onnx.passes.structure import usable_imports
from irlint.formats.onnx.passes.targets import limits
from irlint.graph import Graph, Node, label
from irlint.operators import Operator
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.targets.kernels import Kernels, kernels
from irlint.text.prototext.messages import Tree
from irlint.text.safe import brief
from irlint.text.words import joined


class RefusedNode(NamedTuple):
    """A node that a release refuses."""

    graph: Graph
    node: Node
    operator: Operator
    facts: NodeFacts
    why: dict[str, Any]  # facts for which it is refused; none if there is no kernel at all


def refused(model: Model, tree: Tree, table: Kernels, release: str) -> Iterator[RefusedNode]:
    """Yield the nodes that a release of a table refuses, in the graph and those nested in it, unless they are wrong for any runtime."""
    types = model.types if isinstance(model.types, Inference) else None
    opsets = usable_imports(tree)
    for graph in model.graph.walk():
        for node in graph.nodes:
            is_sound = node.kind == "call" and id(node) not in model.silent
            operator = resolve(node.op, node.version or "", opsets) if is_sound else None
            if operator is not None:
                facts = NodeFacts(graph, node, operator, partial(known_type, types))
                if (why := table.refusal(operator.name, release, facts)) is not None:
                    yield RefusedNode(graph, node, operator, facts, why)


def kernel_problems(model: Model, tree: Tree) -> Iterator[Problem]:
    """Report what the targets refuse of a model whose opsets they know; others are refused for these."""
    opset = opset_of("", usable_imports(tree)) or 0
    for name, version in model.targets.items():
        table, limit = kernels(name), limits(name, version)
        release = table.release(version) if table is not None and limit is not None else None
        if table is None or limit is None or release is None or opset > (limit.opset or opset):
            continue
        for one in refused(model, tree, table, release):
            part = next((one.facts.place_of(fact) for fact in one.why), "op")
            message = f"{name} {release} has no CPU kernel for {label(one.node)}{_with(one)}"
            yield Problem(R.target_lacks_operator, one.graph.place(one.node, part), message, one.node.name)


def _with(one: RefusedNode) -> str:
    """Return with what a node is refused; its version if nothing helps."""
    words = [_words(fact, value) for fact, value in sorted(one.why.items())]
    version = one.operator.name.rpartition("-")[2]
    return f" with {joined(words)}" if words else f", version {version} of the operator"


_OF_INPUTS = {"absent": "no input {}", "constant": "a constant as input {}", "given": "an input {} that is no constant"}


def _words(fact: str, value: Any) -> str:
    kind, _, name = fact.partition(" ")
    if kind == "attribute":
        return f"no `{name}`" if value is None else f"`{name}` {brief(repr(value), 60)}"
    if kind == "input":
        return _OF_INPUTS[value].format(name)
    return {"type": f"{value}", "rank": f"{value} dimensions of input {name}"}.get(kind, f"these {kind}")
