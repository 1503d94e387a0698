"""Nodes that a release named by --target loads in no model, or not with these types and attributes, by what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from irlint.dryrun.infer import Inference
from irlint.dryrun.known import known_type
from irlint.findings import Fix, Problem
from irlint.formats.onnx.external import state_of
from irlint.formats.onnx.kernel_facts import OnnxFacts
from irlint.formats.onnx.opsets import DEFAULT, resolve
from irlint.formats.onnx.passes.structure import usable_imports
from irlint.graph import Graph, Node
from irlint.operators import Operator
from irlint.rules.base import Model
from irlint.targets.facts import UNKNOWN
from irlint.targets.kernels import AskedNode, Kernels
from irlint.targets.refused import refused
from irlint.text.base import Document
from irlint.text.prototext.messages import Tree

FactsOf = Callable[[Graph, Node, Operator, Any, Any], OnnxFacts]


def asked_nodes(
    model: Model, tree: Tree, facts_of: FactsOf = OnnxFacts, opsets: Mapping[str, int] | None = None
) -> list[AskedNode]:
    """Return the nodes that tables may speak of, of the graph, those nested in it and the functions that it calls, without those that are
    wrong for any runtime; as other `opsets` have them, if these are given."""
    types = model.types if isinstance(model.types, Inference) else None
    imported, functions, found = opsets or usable_imports(tree), state_of(model).functions, []
    for graph in [*model.graph.walk(), *(functions.bodies() if functions is not None else ())]:
        known = imported if functions is None else functions.opsets.get(id(graph), imported)
        for node in graph.nodes:
            is_sound = (node.kind == "call" or node.op == "Constant") and id(node) not in model.silent
            operator = resolve(node.op, node.version or "", known) if is_sound else None
            if operator is not None:
                facts = facts_of(graph, node, operator, partial(known_type, types), model.document.value_at)
                facts.opset = known.get(DEFAULT, UNKNOWN)
                found.append(AskedNode(graph, node, operator, facts, {}))
    return found


def measured_nodes(model: Model, tree: Tree) -> list[AskedNode]:
    """Return the nodes that kernels are looked up for."""
    return [one for one in asked_nodes(model, tree) if not _is_dropped(one)]


def measured_problems(nodes: list[AskedNode], who: str, table: Kernels, release: str) -> Iterator[Problem]:
    for asked in nodes:
        if (why := asked.refusal(table, release)) is not None:
            yield refused(who, release, table, asked, why, partial(_between_casts, asked))


def _is_dropped(asked: AskedNode) -> bool:
    """Return whether runtimes remove a node before they look for its kernel, as onnxruntime 1.15 to 1.32 do: what changes nothing, but for
    one between an input and an output of the model, as which it was asked about."""
    graph, node = asked.graph, asked.node
    is_cast = node.op == "Cast" and asked.facts("type T1") == asked.facts("type T2") != UNKNOWN
    if node.op not in ("Identity", "Dropout") and not is_cast:
        return False
    source = asked.facts.source(0)
    is_input = source is not None and graph.nodes[source.node].kind == "var"
    return not is_input or all(output.node != node.index for output in graph.outputs)


def _between_casts(asked: AskedNode, types: list[str], dtype: str, document: Document) -> Fix | None:
    from irlint.formats.onnx.passes.between_casts import between_casts

    return between_casts(asked, types, dtype, document)
