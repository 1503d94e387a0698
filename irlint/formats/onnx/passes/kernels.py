"""Operators that a release named by --target loads in no model, or not with these types and attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

from irlint.dryrun.infer import Inference
from irlint.dryrun.known import known_type
from irlint.findings import Fix, Problem
from irlint.formats.onnx.external import state_of
from irlint.formats.onnx.kernel_facts import OnnxFacts
from irlint.formats.onnx.opsets import opset_of, resolve
from irlint.formats.onnx.passes.structure import usable_imports
from irlint.formats.onnx.passes.targets import limits, table_of, target_problems, title_of
from irlint.rules.base import Model
from irlint.targets.base import Held
from irlint.targets.kernels import AskedNode
from irlint.targets.refused import refused
from irlint.text.base import Document
from irlint.text.prototext.messages import Tree


def asked_nodes(model: Model, tree: Tree) -> list[AskedNode]:
    """Return the nodes that tables may speak of, of the graph and those nested in it, without those that are wrong for any runtime."""
    state = state_of(model)
    if state.asked is None:
        types = model.types if isinstance(model.types, Inference) else None
        opsets, found = usable_imports(tree), []
        for graph in model.graph.walk():
            for node in graph.nodes:
                is_sound = (node.kind == "call" or node.op == "Constant") and id(node) not in model.silent
                operator = resolve(node.op, node.version or "", opsets) if is_sound else None
                if operator is not None:
                    facts = OnnxFacts(graph, node, operator, partial(known_type, types), model.document.value_at)
                    found.append(AskedNode(graph, node, operator, facts, {}))
        state.asked = found
    return state.asked


def kernel_problems(model: Model, tree: Tree, targets: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Report what targets refuse of a model whose opsets they know; others are refused for these."""
    opset = opset_of("", usable_imports(tree)) or 0
    for name, version in targets:
        table, limit = table_of(name), limits(name, version)
        release = None if table is None else table.release(version)
        if table is None or release is None or (limit is not None and opset > (limit.opset or opset)):
            continue
        for asked in asked_nodes(model, tree):
            if (why := asked.refusal(table, release)) is not None:
                yield refused(title_of(name), release, table, asked, why, partial(_between_casts, asked))


def _between_casts(asked: AskedNode, types: list[str], dtype: str, document: Document) -> Fix | None:
    from irlint.formats.onnx.passes.between_casts import between_casts

    return between_casts(asked, types, dtype, document)


def held(model: Model, tree: Tree, name: str, release: str) -> Held:
    """Return what a target refuses, and the operators that its table does not know."""
    targets = ((name, release),)
    found = [*target_problems(model, tree, targets), *kernel_problems(model, tree, targets)]
    table = table_of(name)
    known = None if table is None else table.at(table.release(release) or table.releases[0])
    unasked = Counter(
        one.node.op for one in asked_nodes(model, tree) if known is not None and one.operator.name not in known
    )
    return Held(found, unasked)
