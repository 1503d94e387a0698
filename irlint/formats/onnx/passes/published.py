"""What a release lacks by its documentation: operators, types, INT64, open lengths; and nodes that a provider of onnxruntime leaves to
the CPU."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from typing import Any

from irlint.codes import R
from irlint.dryrun.dims import is_known
from irlint.dryrun.infer import Inference
from irlint.dryrun.known import known_type
from irlint.findings import Problem, Severity
from irlint.formats.onnx.kernel_facts import OnnxFacts
from irlint.formats.onnx.tensors import TensorData
from irlint.graph import Dim, Graph, Node, Shape, label
from irlint.operators import Operator
from irlint.rules.base import Model
from irlint.targets.facts import UNKNOWN
from irlint.targets.kernels import AskedNode, Kernels, kernels
from irlint.targets.refused import with_facts
from irlint.text.words import count, joined

_MOST = 1 << 16  # numbers of a constant that is searched for large ones
_NAMED = 5  # operators that a message names
_INT32 = range(-(1 << 31), 1 << 31)
# Inputs for which the limit of INT32 means the same as a larger number.
_BOUNDS = {("Slice", 1), ("Slice", 2), ("Clip", 1), ("Clip", 2), ("Min", 0), ("Min", 1), ("Max", 0), ("Max", 1)}


class PublishedFacts(OnnxFacts):
    """The facts of a node as documentation means them: what is computed from constants and shapes alone counts as a constant, and may have
    any type, as runtimes compute it when they build the model."""

    def __init__(
        self, graph: Graph, node: Node, operator: Operator, type_of: Any, tree_at: Any, fixed: set[int]
    ) -> None:
        super().__init__(graph, node, operator, type_of, tree_at)
        self._fixed = fixed

    @property
    def is_fixed(self) -> bool:
        return self.node.index in self._fixed

    def of_type(self, name: str) -> Any:
        return UNKNOWN if self.is_fixed else super().of_type(name)

    def of_input(self, name: str) -> Any:
        value = super().of_input(name)
        return UNKNOWN if value == "given" and self.node.inputs[int(name)][0] in self._fixed else value


class Fixed:
    """The nodes that compute from constants and shapes alone, by graph."""

    def __init__(self) -> None:
        self._known: dict[int, set[int]] = {}

    def of(self, graph: Graph) -> set[int]:
        if id(graph) not in self._known:
            found = self._known[id(graph)] = set[int]()
            for node in graph.nodes:
                is_shape = node.kind == "const" or node.op in ("Shape", "Size")
                if is_shape or (node.kind == "call" and _computes_from(node, found)):
                    found.add(node.index)
        return self._known[id(graph)]

    def facts(self, graph: Graph, node: Node, operator: Operator, type_of: Any, tree_at: Any) -> PublishedFacts:
        return PublishedFacts(graph, node, operator, type_of, tree_at, self.of(graph))


def _computes_from(node: Node, known: set[int]) -> bool:
    return bool(node.inputs) and not node.graphs and all(k < 0 or k in known for k, _ in node.inputs)


def published_problems(model: Model, nodes: list[AskedNode], table: Kernels, release: str) -> Iterator[Problem]:
    who = f"{table.title} {release}"
    for asked in nodes:
        if (why := asked.refusal(table, release)) is not None:
            message = f"the documentation of {who} does not list {label(asked.node)}{with_facts(why)} as supported"
            yield _problem(asked, why, message, Severity.WARNING)
    state = table.narrowed(release)
    if state in ("clamped", "refused"):
        for graph in model.graph.walk():
            yield from _too_large(graph, who, state)
    if table.lengths == "profile":
        yield from _without_profile(model, who)


def _too_large(graph: Graph, who: str, state: str) -> Iterator[Problem]:
    """Report constants of INT64 that change where INT32 takes its place."""
    users = graph.consumers()
    does = "clamps INT64 to INT32" if state == "clamped" else "fails to convert INT64 to INT32"
    for node in graph.nodes:
        number = _beyond_int32(node)
        use = None if number is None else _use(graph, node, users[node.index])
        if use is not None:
            message = f"{who} {does}: '{node.name}' has {number}"
            related = [(f"used here by {label(use[0])}", graph.place(use[0], f"input:{use[1]}"))]
            yield Problem(
                R.target_lacks_operator, graph.place(node, "name"), message, node.name, None, related, Severity.WARNING
            )


def _beyond_int32(node: Node) -> int | None:
    data = node.attrs.get("value") if node.kind == "const" else None
    if not isinstance(data, TensorData) or data.dtype != "int64":
        return None
    return next((one for one in data.entries_up_to(_MOST) or () if one not in _INT32), None)


def _use(graph: Graph, node: Node, users: list[int]) -> tuple[Node, int] | None:
    """Return the first input that takes a constant for more than a bound, by its node and number."""
    readers = map(graph.nodes.__getitem__, dict.fromkeys(users))
    uses = ((user, k) for user in readers for k, source in enumerate(user.inputs) if source[0] == node.index)
    return next(((user, k) for user, k in uses if (user.op, k) not in _BOUNDS), None)


def _open_inputs(model: Model) -> list[tuple[Node, Shape]]:
    """Return the inputs of a model with lengths that are not numbers."""
    graph, types = model.graph, model.types if isinstance(model.types, Inference) else None
    inputs = [graph.nodes[k] for k in graph.inputs if graph.nodes[k].kind == "var"]
    shapes = [(node, known_type(types, graph, node, 0).shape) for node in inputs]
    return [(node, shape) for node, shape in shapes if shape is not None and not is_known(shape)]


def _without_profile(model: Model, who: str) -> Iterator[Problem]:
    inputs = _open_inputs(model)
    if not inputs:
        return
    graph, (first, _) = model.graph, inputs[0]
    names = joined(f"'{node.name}'" for node, _ in inputs[:_NAMED])
    more = f" and {len(inputs) - _NAMED:,} more" if len(inputs) > _NAMED else ""
    message = f"{who} needs an optimization profile for the open lengths of {names}{more}"
    ranges = zip(("min", "opt", "max"), (1, 8, 32), strict=True)
    options = " ".join(
        shlex.quote(f"--{word}Shapes={','.join(f'{node.name}:{_shape(shape, batch)}' for node, shape in inputs)}")
        for word, batch in ranges
    )
    related = [(f"give it to trtexec: {options}", graph.place(first))]
    yield Problem(
        R.target_lacks_operator, graph.place(first, "name"), message, first.name, None, related, Severity.INFO
    )


def _shape(shape: Shape, batch: int) -> str:
    """Return a shape as trtexec takes it: a number for an open batch, and a word to replace for other open lengths."""
    return "x".join(_length(axis, dim, batch) for axis, dim in enumerate(shape))


def _length(axis: int, dim: Dim, batch: int) -> str:
    if isinstance(dim, int):
        return str(dim)
    if axis == 0:
        return str(batch)
    return f"<{dim if isinstance(dim, str) else f'axis {axis}'}>"


def fallback_problems(
    model: Model, nodes: list[AskedNode], on_cpu: list[AskedNode], table: Kernels, release: str
) -> Iterator[Problem]:
    """Report what onnxruntime runs on the CPU although a provider is asked for, once; and what neither has a kernel for, by node."""
    cpu = kernels("onnxruntime")
    known = cpu.release(release)
    lost = {id(one.node): why for one in on_cpu if known and (why := one.refusal(cpu, known)) is not None}
    left = [one for one in nodes if not is_fixed(one) and _is_left(one, table, release, lost.get(id(one.node)))]
    for one in left:
        if (why := lost.get(id(one.node))) is not None:
            who = f"neither {table.title} nor the CPU of onnxruntime {release}"
            message = f"{who} has a kernel for {label(one.node)}{with_facts(why)}"
            yield _problem(one, why, message, Severity.WARNING)
    left = [one for one in left if id(one.node) not in lost]
    if table.lengths == "fixed" and (inputs := _open_inputs(model)):
        yield _needs_lengths(model, table, release, inputs)
    if left:
        yield _on_cpu(nodes, left, table, release)


def _is_left(asked: AskedNode, table: Kernels, release: str, lost: dict[str, Any] | None) -> bool:
    """Return whether a provider leaves a node to the CPU; also where the CPU lacks its type, of which the provider's list says nothing."""
    is_of_type = any(fact.startswith("type") for fact in lost or ())
    return asked.refusal(table, release) is not None or (is_of_type and not table.knows_types)


def is_fixed(asked: AskedNode) -> bool:
    """Return whether a node computes from constants and shapes alone."""
    return isinstance(asked.facts, PublishedFacts) and asked.facts.is_fixed


def _problem(asked: AskedNode, why: dict[str, Any], message: str, severity: Severity) -> Problem:
    part = next((asked.facts.place_of(fact) for fact in why), "op")
    at = asked.graph.place(asked.node, part)
    return Problem(R.target_lacks_operator, at, message, asked.node.name, severity=severity)


def _needs_lengths(model: Model, table: Kernels, release: str, inputs: list[tuple[Node, Shape]]) -> Problem:
    names = joined(f"'{node.name}'" for node, _ in inputs[:_NAMED])
    message = f"{table.title} of onnxruntime {release} takes fixed lengths only; those of {names} are open"
    options = "--dim_param NAME --dim_value NUMBER"
    related = [
        (f"fix them: python -m onnxruntime.tools.make_dynamic_shape_fixed {options} IN OUT", model.graph.place(inputs[0][0]))
    ]  # fmt: skip
    at = model.graph.place(inputs[0][0], "name")
    return Problem(R.target_lacks_operator, at, message, inputs[0][0].name, None, related, Severity.INFO)


def _on_cpu(nodes: list[AskedNode], left: list[AskedNode], table: Kernels, release: str) -> Problem:
    total = sum(one.node.kind == "call" for one in nodes)
    operators = Counter(one.node.op for one in left).most_common()
    words = [op if number == 1 else f"{op} ({number:,})" for op, number in operators[:_NAMED]]
    words += [count(len(operators) - _NAMED, "other operator")] if len(operators) > _NAMED else []
    who = f"onnxruntime {release} with provider {table.title}"
    message = f"{who} runs {len(left):,} of {count(total, 'node')} on the CPU: {joined(words)}"
    return _problem(left[0], left[0].refusal(table, release) or {}, message, Severity.INFO)
