"""Shapes that a compiled file writes next to its tensors: where all of them contradict the output of one operator, that operator
is wrong, and whatever follows from it further down is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from irlint.checks.fault import writing
from irlint.findings import Problem, Severity
from irlint.formats.lightnet.checks.memory_plan import beyond_memory
from irlint.formats.lightnet.constants import constant_problems
from irlint.formats.lightnet.reading.graph import LightNetState, state_of
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.shapes.base import Dims, KnownTensor, PreparedOperator, shown
from irlint.formats.lightnet.shapes.infer import UNKNOWNS, LightNetInference, Types
from irlint.formats.lightnet.shapes.suspects import part_place
from irlint.graph import Graph, Node, Source, label
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Place

MOST = 8  # from which on numbers are not tried
MANY = 16  # of longer lists none is
TRIED = 10  # outputs for which it is looked which parameter is wrong


class OutvotedOutput(NamedTuple):
    """An output whose inferred shape differs from all that the file declares for the tensor."""

    prepared: PreparedOperator
    output: int
    real: KnownTensor
    declared: tuple[int, ...]

    def problem(self, graph: Graph, types: Types | None, severity: Severity | None) -> Problem:
        """Return the problem; with `types`, search for the parameter that is wrong."""
        node = self.prepared.node
        name, real, declared = node.outputs[self.output].name, shown(self.real.dims), shown(self.declared)
        message = f"declared shape {declared} of {name!r} does not match inferred shape {real} of {label(node)}"
        place, fix = graph.place(node, f"output:{self.output}"), None
        changes = [] if types is None else list(self._changes(graph, types))
        if len(changes) == 1:
            attribute, value, element = changes[0]
            place = part_place(graph, node, f"attr:{attribute}", element)
            message, fix = f"{message}; did you mean `{value}` here?", writing(place, value)
        return Problem(R.declared_shape_differs, place, message, node.name, fix, severity=severity)

    def _changes(self, graph: Graph, types: Types) -> Iterator[tuple[str, int, int | None]]:
        """Yield numbers among the parameters that, if changed, result in the declared shape."""
        from irlint.formats.lightnet.grammar import GRAMMAR  # only files with a wrong shape need it

        trial = LightNetInference(graph, ())
        trial.types, trial.changed = types.copy(), {self.prepared.node.index}
        for attribute, value in zip(self.prepared.signature.params, self.prepared.values, strict=False):
            numbers = value if isinstance(value, list) else [value]
            for k, old in enumerate(
                numbers if len(numbers) <= MANY else ()
            ):  # more are data, which does not affect shapes
                for new in {*range(MOST), *self.declared} - {old} if type(old) is int else ():
                    other: Any = [*numbers[:k], new, *numbers[k + 1 :]] if numbers is value else new
                    if not any(GRAMMAR.flaws(other, attribute)) and self._makes_declared(trial, attribute.name, other):
                        yield attribute.name, new, k if numbers is value else None
                        break

    def _makes_declared(self, trial: LightNetInference, attribute: str, value: Any) -> bool:
        """Return whether the output has the declared shape with another value of a parameter."""
        index = self.prepared.node.index
        trial.overrides = {("attr", index, attribute): value}
        trial.types[index] = UNKNOWNS
        trial.step(self.prepared)
        made = trial.types[index]
        return len(made) > 0 and tuple(made[self.output].dims or ()) == self.declared


class CorrectedTypes(LightNetInference):
    """Types as they are if every outvoted output is as the file says."""

    def __init__(
        self, graph: Graph, prepared: Sequence[PreparedOperator], declared: dict[Source, tuple[int, ...]]
    ) -> None:
        self.declared = declared
        self.outvoted: list[OutvotedOutput] = []
        self.corrections: dict[Any, KnownTensor] = {}
        super().__init__(graph, prepared)
        self.overrides = self.corrections  # later inference starts from these

    def _store(self, operator: PreparedOperator, outputs: Sequence[KnownTensor]) -> None:
        super()._store(operator, outputs)
        index = operator.node.index
        for k in range(len(operator.node.outputs)):
            declared, real = self.declared.get(Source(index, k)), self.types[index][k]
            if declared is not None and real.dims is not None and tuple(real.dims) != declared:
                other = KnownTensor(real.dtype, declared)
                self.outvoted.append(OutvotedOutput(operator, k, real, declared))
                self.corrections["output", index, k] = other
                self.types[index] = [*self.types[index][:k], other, *self.types[index][k + 1 :]]


def corrected(
    graph: Graph, found: LightNetState, prepared: Sequence[PreparedOperator], inference: LightNetInference
) -> CorrectedTypes | None:
    """The types without what is outvoted; None where nothing is."""
    if not any(key == "tensors_out" for _, key, *_ in _differing(graph, found, inference.types)):
        return None
    better = CorrectedTypes(graph, prepared, _votes(graph, found))
    return better if better.outvoted else None


def _tensors(graph: Graph, found: LightNetState) -> Iterator[tuple[Node, str, int, Source, dict[str, Any]]]:
    """Yield what the file says of tensors wherever it names them: the node, the list and where in it, the tensor, the entry."""
    for index in found.extended:
        node, op = graph.nodes[index], found.ops[index]
        own = [Source(index, k) for k in range(len(node.outputs))]
        for key, sources in (("tensors_in", node.inputs), ("tensors_out", own)):
            for k, (source, entry) in enumerate(zip(sources, op[key], strict=False)):
                yield node, key, k, Source(*source), entry


def _differing(
    graph: Graph, found: LightNetState, types: Types
) -> Iterator[tuple[Node, str, int, dict[str, Any], Dims]]:
    """Yield the tensors whose declared shape is not the inferred one."""
    for node, key, k, source, entry in _tensors(graph, found):
        dims = types[source.node][source.output].dims
        if dims is not None and "dims" in entry and entry["dims"] != list(dims):
            yield node, key, k, entry, dims


def declared_problems(model: Model) -> Iterator[Problem]:
    """Report declared shapes of tensors that differ from the inferred ones."""
    found = state_of(model)
    for node, key, k, entry, dims in _differing(model.graph, found, found.tensors):
        if id(node) not in model.silent:
            place = Place((*node.path, key, k, "dims"))
            declared = f"declared shape {entry['dims']} of {entry['name']!r} in {label(node)}"
            message = f"{declared} does not match inferred shape {shown(dims)}"
            yield Problem(R.declared_shape_differs, place, message, node.name, writing(place, list(dims)))


def _votes(graph: Graph, found: LightNetState) -> dict[Source, tuple[int, ...]]:
    """The shape of each output of which the file says the same wherever it names it, at least twice."""
    said: dict[Source, list[Any]] = {}
    for *_, source, entry in _tensors(graph, found):
        said.setdefault(source, []).append(entry.get("dims"))
    return {
        output: tuple(dims[0])
        for output, dims in said.items()
        if len(dims) > 1 and _is_shape(dims[0]) and dims.count(dims[0]) == len(dims)
    }


def _is_shape(dims: Any) -> bool:
    return isinstance(dims, list) and all(type(size) is int and size > 0 for size in dims)


def outvoted_problems(model: Model, better: CorrectedTypes, before: LightNetInference) -> Iterator[Problem]:
    """What is wrong with these operators: an error where LightNet cannot run the file for it."""
    graph = model.graph
    severity = Severity.ERROR if _harms(model, before) > _harms(model, better) else None
    for k, one in enumerate(better.outvoted):
        yield one.problem(graph, better.types if k < TRIED else None, severity)


def _harms(model: Model, inference: LightNetInference) -> int:
    """How many errors there are with these types."""
    constants = constant_problems(model.graph, state_of(model).prepared, inference.types)
    found = [problem for problem in constants if problem.severity is None]
    return len(inference.failures) + len(found) + len(list(beyond_memory(model, inference.types)))
