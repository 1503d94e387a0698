"""Shapes that a compiled file writes beside its tensors: where all of them speak against what one operator makes, that operator
is wrong, and whatever follows from it further down is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from irlint.checks.fault import writing
from irlint.findings import Problem, Severity
from irlint.formats.lightnet.checks.memory_plan import beyond_memory
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.constants import constant_problems
from irlint.formats.lightnet.reading.graph import LightNetState, state_of
from irlint.formats.lightnet.shapes.base import KnownTensor, shown
from irlint.formats.lightnet.shapes.infer import UNKNOWNS, LightNetInference, PreparedOperator, Types
from irlint.graph import Graph, label
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Place

Output = tuple[int, int]  # node, output
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
        changes = [] if types is None else list(self._changes(graph, types))
        if len(changes) != 1:
            place = graph.place(node, f"output:{self.output}")
            return Problem(R.declared_shape_differs, place, message, node.name, severity=severity)
        attribute, value, element = changes[0]
        place = graph.place(node, f"attr:{attribute}")
        if element is not None:
            place = Place((*place.path, element))
        message = f"{message}; did you mean `{value}` here?"
        return Problem(R.declared_shape_differs, place, message, node.name, writing(place, value), severity=severity)

    def _changes(self, graph: Graph, types: Types) -> Iterator[tuple[str, int, int | None]]:
        """Yield numbers among the parameters that, if changed, result in the declared shape."""
        from irlint.formats.lightnet.grammar import GRAMMAR  # only files with a wrong shape need it

        node, trial = self.prepared.node, LightNetInference(graph, ())
        trial.types, trial.changed = types.copy(), {node.index}
        for attribute, value in zip(self.prepared.signature.params, self.prepared.values, strict=False):
            listed = isinstance(value, list)
            if listed and len(value) > MANY:  # data, which does not affect shapes
                continue
            for k, old in enumerate(value if listed else [value]):
                if type(old) is not int:
                    continue
                for new in {*range(MOST), *self.declared} - {old}:
                    other: Any = [*value[:k], new, *value[k + 1 :]] if listed else new
                    if any(GRAMMAR.flaws(other, attribute)):
                        continue
                    trial.overrides = {("attr", node.index, attribute.name): other}
                    trial.types[node.index] = UNKNOWNS
                    trial.step(self.prepared)
                    made = trial.types[node.index]
                    if len(made) and tuple(made[self.output].dims or ()) == self.declared:
                        yield attribute.name, new, k if listed else None
                        break


class CorrectedTypes(LightNetInference):
    """Types as they are if every outvoted output is as the file says."""

    def __init__(
        self, graph: Graph, prepared: Sequence[PreparedOperator], declared: dict[Output, tuple[int, ...]]
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
            declared, real = self.declared.get((index, k)), self.types[index][k]
            if declared is not None and real.dims is not None and tuple(real.dims) != declared:
                other = KnownTensor(real.dtype, declared)
                self.outvoted.append(OutvotedOutput(operator, k, real, declared))
                self.corrections["output", index, k] = other
                self.types[index] = [*self.types[index][:k], other, *self.types[index][k + 1 :]]


def corrected(
    graph: Graph, found: LightNetState, prepared: Sequence[PreparedOperator], inference: LightNetInference
) -> CorrectedTypes | None:
    """The types without what is outvoted; None where nothing is."""
    if not found.extended or not any(True for _ in _against(graph, found, inference)):
        return None
    votes = _votes(graph, found)
    better = CorrectedTypes(graph, prepared, votes)
    return better if better.outvoted else None


def _against(graph: Graph, found: LightNetState, inference: LightNetInference) -> Iterator[Output]:
    """Outputs that are not what is written beside them."""
    for index in found.extended:
        types = inference.types[index]
        for k, entry in enumerate(found.ops[index]["tensors_out"]):
            dims = types[k].dims
            if "dims" in entry and dims is not None and entry["dims"] != list(dims):
                yield index, k


def _votes(graph: Graph, found: LightNetState) -> dict[Output, tuple[int, ...]]:
    """The shape of each output of which the file says the same wherever it names it, at least twice."""
    said: dict[Output, list[Any]] = {}
    for index in found.extended:
        for k, entry in enumerate(found.ops[index]["tensors_out"]):
            said.setdefault((index, k), []).append(entry.get("dims"))
        for source, entry in zip(graph.nodes[index].inputs, found.ops[index]["tensors_in"], strict=False):
            said.setdefault((source[0], source[1]), []).append(entry.get("dims"))
    return {
        output: tuple(dims[0])
        for output, dims in said.items()
        if len(dims) > 1 and _is_shape(dims[0]) and all(other == dims[0] for other in dims)
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
