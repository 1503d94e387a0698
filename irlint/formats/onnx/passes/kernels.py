"""Operators that a release named by --target loads in no model, or not with these types and attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from irlint.codes import R
from irlint.dryrun.infer import Inference
from irlint.dryrun.known import known_type
from irlint.findings import Problem
from irlint.formats.onnx.external import state_of
from irlint.formats.onnx.kernel_facts import NodeFacts
from irlint.formats.onnx.opsets import opset_of, resolve
from irlint.formats.onnx.passes.structure import usable_imports
from irlint.formats.onnx.passes.targets import limits, target_problems
from irlint.graph import label
from irlint.rules.base import Model
from irlint.targets.advice import advice
from irlint.targets.base import Held
from irlint.targets.kernels import AskedNode, Kernels, kernels
from irlint.text.prototext.messages import Tree
from irlint.text.safe import brief
from irlint.text.words import joined


def asked_nodes(model: Model, tree: Tree) -> list[AskedNode]:
    """Return the nodes that tables may speak of, of the graph and those nested in it, without those that are wrong for any runtime."""
    state = state_of(model)
    if state.asked is None:
        types = model.types if isinstance(model.types, Inference) else None
        opsets, found = usable_imports(tree), []
        for graph in model.graph.walk():
            for node in graph.nodes:
                is_sound = node.kind == "call" and id(node) not in model.silent
                operator = resolve(node.op, node.version or "", opsets) if is_sound else None
                if operator is not None:
                    facts = NodeFacts(graph, node, operator, partial(known_type, types))
                    found.append(AskedNode(graph, node, operator, facts, facts.place_of, {}))
        state.asked = found
    return state.asked


def kernel_problems(model: Model, tree: Tree, targets: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Report what targets refuse of a model whose opsets they know; others are refused for these."""
    opset = opset_of("", usable_imports(tree)) or 0
    for name, version in targets:
        table, limit = kernels(name), limits(name, version)
        release = table.release(version) if table is not None and limit is not None else None
        if table is None or limit is None or release is None or opset > (limit.opset or opset):
            continue
        for asked in asked_nodes(model, tree):
            if (why := asked.refusal(table, release)) is not None:
                yield _problem(name, release, table, asked, why)


def held(model: Model, tree: Tree, name: str, release: str) -> Held:
    """Return what a target refuses, and the operators that its table does not know."""
    targets = ((name, release),)
    found = [*target_problems(model, tree, targets), *kernel_problems(model, tree, targets)]
    table = kernels(name)
    known = None if table is None else table.at(table.release(release) or table.releases[0])
    unasked = Counter(
        one.node.op for one in asked_nodes(model, tree) if known is not None and one.operator.name not in known
    )
    return Held(found, unasked)


def _problem(name: str, release: str, table: Kernels, asked: AskedNode, why: dict[str, Any]) -> Problem:
    part = next((asked.place_of(fact) for fact in why), "op")
    message = f"{name} {release} has no CPU kernel for {label(asked.node)}{_with(asked, why)}"
    if instead := advice(asked, table, release, why):
        message += f"; it has one for {instead}"
    return Problem(R.target_lacks_operator, asked.graph.place(asked.node, part), message, asked.node.name)


def _with(asked: AskedNode, why: dict[str, Any]) -> str:
    """Return with what a node is refused; its version if nothing helps."""
    words = [_words(fact, value) for fact, value in sorted(why.items())]
    version = asked.operator.name.rpartition("-")[2]
    return f" with {joined(words)}" if words else f", version {version} of the operator"


_OF_INPUTS = {"absent": "no input {}", "constant": "a constant as input {}", "given": "an input {} that is no constant"}


def _words(fact: str, value: Any) -> str:
    kind, _, name = fact.partition(" ")
    if kind == "attribute":
        return f"no `{name}`" if value is None else f"`{name}` {brief(repr(value), 60)}"
    if kind == "input":
        return _OF_INPUTS[value].format(name)
    return {"type": f"{value}", "rank": f"{value} dimensions of input {name}"}.get(kind, f"these {kind}")
