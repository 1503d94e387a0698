"""Operators that a release named by --target loads in no model, or not with these types and attributes, by tables of what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from irlint.codes import R
from irlint.dryrun.infer import Inference
from irlint.dryrun.known import known_type
from irlint.findings import Problem, Severity
from irlint.formats.onnx.kernel_facts import NodeFacts
from irlint.formats.onnx.opsets import resolve
from irlint.formats.onnx.passes.structure import usable_imports
from irlint.graph import Graph, Node, label
from irlint.operators import Operator
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.targets.kernels import Kernels
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


def refused(
    model: Model,
    tree: Tree,
    table: Kernels,
    release: str,
    facts_of: Callable[[Graph, Node, Operator, Any], NodeFacts] = NodeFacts,
) -> Iterator[RefusedNode]:
    """Yield the nodes that a release of a table refuses, in the graph and those nested in it, unless they are wrong for any runtime."""
    types = model.types if isinstance(model.types, Inference) else None
    opsets = usable_imports(tree)
    for graph in model.graph.walk():
        for node in graph.nodes:
            is_sound = node.kind == "call" and id(node) not in model.silent
            operator = resolve(node.op, node.version or "", opsets) if is_sound else None
            if operator is not None:
                facts = facts_of(graph, node, operator, partial(known_type, types))
                if (why := table.refusal(operator.name, release, facts)) is not None:
                    yield RefusedNode(graph, node, operator, facts, why)


def measured_problems(model: Model, tree: Tree, table: Kernels, release: str) -> Iterator[Problem]:
    for one in refused(model, tree, table, release):
        message = f"{table.title} {release} has no CPU kernel for {label(one.node)}{_reason(one)}"
        yield problem(one, message)


def problem(one: RefusedNode, message: str, severity: Severity | None = None) -> Problem:
    part = next((one.facts.place_of(fact) for fact in one.why), "op")
    return Problem(R.target_lacks_operator, one.graph.place(one.node, part), message, one.node.name, severity=severity)


def _reason(one: RefusedNode) -> str:
    """Return with what a node is refused; its version if nothing helps."""
    version = one.operator.name.rpartition("-")[2]
    return with_facts(one) or f", version {version} of the operator"


def with_facts(one: RefusedNode) -> str:
    words = [_words(fact, value) for fact, value in sorted(one.why.items())]
    return f" with {joined(words)}" if words else ""


_OF_INPUTS = {
    "absent": "no input {}",
    "constant": "a constant as input {}",
    "given": "an input {} that is not constant",
}


def _words(fact: str, value: Any) -> str:
    kind, _, name = fact.partition(" ")
    if kind == "attribute":
        return f"no `{name}`" if value is None else f"`{name}` {brief(repr(value), 60)}"
    if kind == "input":
        return _OF_INPUTS[value].format(name)
    known = {
        "type": f"{value}",
        "rank": f"{value} dimensions of input {name}",
        "zero": f"an input {name} other than zero",
        "lengths": "inputs of open lengths",
    }
    return known.get(kind, f"these {kind}")
