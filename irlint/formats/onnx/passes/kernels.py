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
from irlint.formats.onnx.opsets import resolve
from irlint.formats.onnx.passes.structure import usable_imports
from irlint.graph import Graph, Node, label
from irlint.operators import Operator
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.targets.kernels import Kernels, Refusal, kernels
from irlint.text.prototext.messages import Tree
from irlint.text.words import joined


class Refused(NamedTuple):
    """A node that a release refuses."""

    graph: Graph
    node: Node
    operator: Operator
    facts: NodeFacts
    why: Refusal


def refused(model: Model, tree: Tree, table: Kernels, release: str) -> Iterator[Refused]:
    """Yield the nodes that a release of a table refuses, in all graphs."""
    types = model.types if isinstance(model.types, Inference) else None
    opsets = usable_imports(tree)
    for graph in model.graph.walk():
        for node in graph.nodes:
            operator = resolve(node.op, node.version or "", opsets) if node.kind == "call" else None
            if operator is not None:
                facts = NodeFacts(graph, node, operator, partial(known_type, types))
                if (why := table.refusal(operator.name, release, facts)) is not None:
                    yield Refused(graph, node, operator, facts, why)


def kernel_problems(model: Model, tree: Tree) -> Iterator[Problem]:
    for name, version in model.targets.items():
        table = kernels(name)
        release = table.release(version) if table is not None else None
        if table is None or release is None:
            continue
        for one in refused(model, tree, table, release):
            part = next((one.facts.place_of(fact) for fact in one.why.facts), "op")
            message = f"{name} {release} does not load {label(one.node)}{said(one)}"
            yield Problem(R.target_lacks_operator, one.graph.place(one.node, part), message, one.node.name)


def said(one: Refused) -> str:
    """Return with what a node is refused."""
    words = [_words(one, fact, value) for fact, value in sorted(one.why.facts.items())]
    version = one.operator.name.rpartition("-")[2]
    return f" with {joined(words)}" if words else f": it has no kernel for version {version} of the operator"


def _words(one: Refused, fact: str, value: Any) -> str:
    kind, _, name = fact.partition(" ")
    if kind == "attribute":
        return f"`{name}` {value!r}" if value is not None else f"no `{name}`"
    if kind == "type":
        return f"{value}"
    if kind == "rank":
        return f"{value} dimensions of input {name}"
    if kind == "input":
        return {"absent": f"no input {name}", "constant": f"a constant as input {name}"}.get(
            value, f"an input {name} that is no constant"
        )
    return f"these {kind}"
