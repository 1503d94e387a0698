"""What the releases named by --target lack for a model, by the tables of kernels: measured or published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from irlint.findings import Problem
from irlint.formats.onnx.external import state_of
from irlint.formats.onnx.opsets import opset_of
from irlint.formats.onnx.passes.kernels import asked_nodes, measured_problems
from irlint.formats.onnx.passes.published import Fixed, fallback_problems, published_problems
from irlint.formats.onnx.passes.structure import usable_imports
from irlint.formats.onnx.passes.targets import asked, limits, table_of, target_problems, title_of
from irlint.rules.base import Model
from irlint.targets.base import Held
from irlint.targets.kernels import AskedNode
from irlint.text.prototext.messages import Tree


def kernel_problems(model: Model, tree: Tree, targets: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Report what targets refuse of a model whose opsets they know; others are refused for these."""
    opset = opset_of("", usable_imports(tree)) or 0
    for name, version in targets:
        (text, provider), limit, table = asked(name, version), limits(name, version), table_of(name, version)
        release = None if table is None else table.release(text)
        if table is None or release is None or (limit is not None and opset > (limit.opset or opset)):
            continue
        nodes = _nodes(model, tree, table.is_published)
        if provider is not None:
            yield from fallback_problems(model, nodes, _nodes(model, tree, False), table, release)
        elif table.is_published:
            yield from published_problems(model, nodes, table, release)
        else:
            yield from measured_problems(nodes, title_of(name), table, release)


def held(model: Model, tree: Tree, name: str, version: str) -> Held:
    """Return what a target refuses, and the operators of which its table says nothing."""
    targets, table = ((name, version),), table_of(name, version)
    found = [*target_problems(model, tree, targets), *kernel_problems(model, tree, targets)]
    release = None if table is None else table.release(asked(name, version).release)
    if table is None or release is None:
        return Held(found)
    nodes = _nodes(model, tree, table.is_published)
    return Held(found, Counter(one.node.op for one in nodes if table.rule(one.operator.name, release) is None))


def _nodes(model: Model, tree: Tree, is_published: bool) -> list[AskedNode]:
    known = state_of(model).asked
    if is_published not in known:
        known[is_published] = asked_nodes(model, tree, Fixed().facts) if is_published else asked_nodes(model, tree)
    return known[is_published]
