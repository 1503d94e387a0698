"""What the releases named by --target lack for a model, by the tables of kernels: measured or published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from irlint.codes import R
from irlint.findings import Problem, Severity
from irlint.formats.onnx.external import state_of
from irlint.formats.onnx.opsets import domain_of, opset_of, resolve
from irlint.formats.onnx.passes.functions import function_key
from irlint.formats.onnx.passes.kernels import asked_nodes, measured_nodes, measured_problems
from irlint.formats.onnx.passes.published import Fixed, fallback_problems, is_fixed, published_problems
from irlint.formats.onnx.passes.structure import usable_imports
from irlint.formats.onnx.passes.targets import asked, limits, table_of, target_problems, title_of
from irlint.graph import Node, label
from irlint.rules.base import Model
from irlint.targets.base import AgainstTarget
from irlint.targets.facts import UNKNOWN
from irlint.targets.kernels import AskedNode, Kernels
from irlint.text.base import Place
from irlint.text.prototext.messages import Tree
from irlint.text.safe import brief

# What tables have for models, and not for a node: those with functions of their own, and with inputs or outputs of no shape
_FUNCTIONS, _NO_SHAPE = "functions", {"input": "unranked inputs", "output": "unranked outputs"}
_FOLDING = ("opencv",)  # runtimes that compute what follows from constants and shapes alone as they read a model
_FIRST = 5  # problems of a release that are named


def kernel_problems(model: Model, tree: Tree, targets: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Report what targets refuse of a model whose opsets they know; others are refused for these."""
    opset = opset_of("", usable_imports(tree)) or 0
    for name, version in targets:
        limit, table = limits(name, version), table_of(name, version)
        release = None if table is None else table.release(asked(name, version).release)
        if table is not None and release is not None:
            if limit is None or opset <= (limit.opset or opset):
                yield from _lacking(model, tree, asked(name, version).provider, table, release)
        elif table is not None and limit is not None:
            yield _too_old(limit.who, table)


def _lacking(model: Model, tree: Tree, provider: str | None, table: Kernels, release: str) -> Iterator[Problem]:
    nodes = _nodes_for(model, tree, table)
    if provider is not None:
        yield from fallback_problems(model, nodes, _nodes(model, tree, False), table, release)
    elif table.is_published:
        yield from published_problems(model, nodes, table, release)
    else:
        who = title_of(table.runtime.partition("-")[0])
        yield from _of_model(model, tree, f"{who} {release}", table, release)
        yield from measured_problems(nodes, who, table, release)


def held(model: Model, tree: Tree, name: str, version: str) -> AgainstTarget:
    """Return what a target refuses, and the operators of which its table says nothing."""
    targets, table, (text, provider) = ((name, version),), table_of(name, version), asked(name, version)
    limited = list(target_problems(model, tree, targets))
    found = list(islice(kernel_problems(model, tree, targets), _FIRST))
    release = None if table is None else table.release(text)
    if table is None or release is None:
        return AgainstTarget([*limited, *found], 0, _unknown(model, tree))
    nodes = _nodes_for(model, tree, table)
    more = 0 if provider or len(found) < _FIRST else sum(one.refusal(table, release) is not None for one in nodes)
    unasked = Counter(one.node.op for one in nodes if table.rule(one.operator.name, release) is None)
    unasked.update(_unknown(model, tree))
    return AgainstTarget([*limited, *found], max(0, more - len(found)), unasked)


def _too_old(who: str, table: Kernels) -> Problem:
    """Report that nothing but versions was looked at."""
    message = f"irlint does not know which operators {who} lacks; its tables begin with {table.releases[0]}"
    return Problem(R.target_lacks_operator, Place(("opset_import",)), message, severity=Severity.INFO)


def _of_model(model: Model, tree: Tree, who: str, table: Kernels, release: str) -> Iterator[Problem]:
    """Report what a release refuses of models, whatever their nodes are."""
    if _is_refused(_FUNCTIONS, table, release):
        yield from _with_functions(model, tree, who)
    for side, row in _NO_SHAPE.items():
        if _is_refused(row, table, release):
            yield from _without_shape(tree, side, who)


def _is_refused(row: str, table: Kernels, release: str) -> bool:
    rule = table.at(release).get(row)
    return rule is not None and table.refusal(rule, lambda fact: UNKNOWN) is not None


def _with_functions(model: Model, tree: Tree, who: str) -> Iterator[Problem]:
    """Report the first call of a function of the model."""
    names = set(map(function_key, tree.get("functions", ())))
    for graph in model.graph.walk() if names else ():
        for node in graph.nodes:
            if _called(node) in names:
                message = f"{who} loads no functions of a model, such as {label(node)}"
                yield Problem(R.target_lacks_operator, graph.place(node, "op"), message, node.name)
                return


def _without_shape(tree: Tree, side: str, who: str) -> Iterator[Problem]:
    """Report the first input or output that is declared as a tensor without a shape."""
    graph = tree.get("graph", {})
    constants = {one.get("name", "") for one in graph.get("initializer", ())}
    for k, one in enumerate(graph.get(side, ())):
        declared = one.get("type", {}).get("tensor_type")
        if declared is not None and "shape" not in declared and one.get("name", "") not in constants:
            message = f"{who} loads no {side}s without a shape, such as '{brief(one.get('name', ''), 60)}'"
            yield Problem(R.target_lacks_operator, Place(("graph", side, k, "name")), message)
            return


def _called(node: Node) -> tuple[str, str, str]:
    return domain_of(node.version or ""), node.op, ""


def _unknown(model: Model, tree: Tree) -> Counter[str]:
    """Return the operators that irlint does not know: of libraries, or of nobody."""
    opsets, functions = usable_imports(tree), set(map(function_key, tree.get("functions", ())))
    calls = (node for graph in model.graph.walk() for node in graph.nodes if node.kind == "call")
    unknown = (node for node in calls if resolve(node.op, node.version or "", opsets) is None)
    return Counter(node.op for node in unknown if _called(node) not in functions)


def _nodes_for(model: Model, tree: Tree, table: Kernels) -> list[AskedNode]:
    """Return the nodes that a table is asked about."""
    if table.is_published:
        return _nodes(model, tree, True)
    return [one for one in _nodes(model, tree, table.runtime in _FOLDING) if not is_fixed(one)]


def _nodes(model: Model, tree: Tree, is_folded: bool) -> list[AskedNode]:
    known = state_of(model).asked
    if is_folded not in known:
        known[is_folded] = asked_nodes(model, tree, Fixed().facts) if is_folded else measured_nodes(model, tree)
    return known[is_folded]
