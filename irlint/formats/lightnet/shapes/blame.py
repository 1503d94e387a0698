"""Finds the one place whose change would make a failed check pass, and everything else with it.

A check that fails has several suspects: the operator's own parameter, the input that it names, the operator that
created the tensor. Each suspect is tried on the types of the whole graph; the one without which the fewest checks fail
is taken for the root cause, and what it cured is not reported again.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from irlint.checks.fault import writing
from irlint.findings import Problem, Severity
from irlint.formats.lightnet.shapes.base import PreparedOperator
from irlint.formats.lightnet.shapes.infer import FoundFailure, LightNetInference
from irlint.formats.lightnet.shapes.suspects import Change, FailureSuspects, OperatorLookup, Suspect, failure_place
from irlint.graph import Graph, label
from irlint.text.base import Place
from irlint.text.words import count

WORK = 400_000  # operators whose outputs may be inferred again
MOST, LEAST = 150, 8  # trials of a whole graph


def blamed(
    graph: Graph, prepared: Sequence[PreparedOperator], inference: LightNetInference
) -> tuple[LightNetInference, list[Problem]]:
    """The types as they would be without the mistakes, and the mistakes."""
    problems = [_noted(graph, note) for note in inference.notes]
    if not inference.failures:
        return inference, problems
    trials = _Trials(graph, prepared, inference)
    while inference.failures and trials.left > 0:
        first, before = inference.failures[0], len(inference.failures)
        suspect, inference = trials.likeliest(first, inference)
        problems.append(_problem(graph, first, suspect, before - len(inference.failures) - 1))
    for found in inference.failures:
        suspect = FailureSuspects(trials.lookup, found, inference.types).in_place()
        problems.append(_problem(graph, found, suspect, 0))
    return inference, problems


class _Trials:
    def __init__(self, graph: Graph, prepared: Sequence[PreparedOperator], inference: LightNetInference) -> None:
        self.graph, self.prepared = graph, prepared
        self.lookup = OperatorLookup(graph, prepared)
        self.repaired: dict[Change, Any] = dict(inference.overrides)
        self.left = min(MOST, max(LEAST, WORK // max(1, len(prepared))))

    def likeliest(self, first: FoundFailure, before: LightNetInference) -> tuple[Suspect, LightNetInference]:
        """Return the likeliest suspect of a failed check, and the types without it."""
        suspects = FailureSuspects(self.lookup, first, before.types)
        best: tuple[tuple[int, int, bool, int], Suspect, LightNetInference] | None = None
        for order, suspect in enumerate(suspects):
            if self.left <= 0:
                break
            evidence = self._evidence(suspect)
            if (suspect.distant and evidence <= 0) or self._is_cleared(suspect, first):
                continue
            after = self._types_without(suspect)
            score = (len(after.failures), -evidence, suspect.vague, order)
            if len(after.failures) < len(before.failures) and (best is None or score < best[0]):
                best = score, suspect, after
        if best is None:
            suspect = suspects.in_place()
            best = (0, 0, True, 0), suspect, self._types_without(suspect)
        self.repaired.update(best[1].overrides)
        return best[1:]

    def _is_cleared(self, suspect: Suspect, found: FoundFailure) -> bool:
        """Return whether another operator is content with a tensor of which it is not known how else it should be."""
        return (
            suspect.vague and suspect.source is not None and self.lookup.are_content(suspect.source, found.node.index)
        )

    def _types_without(self, suspect: Suspect) -> LightNetInference:
        self.left -= 1
        return LightNetInference(self.graph, self.prepared, {**self.repaired, **suspect.overrides})

    def _evidence(self, suspect: Suspect) -> int:
        """Return 1 for a constant whose data does not fit its shape as it is, or whose type is rarer than the other; -1 if its data
        would no longer fit."""
        if suspect.source is None or self.lookup.name(suspect.source.node) != "create":
            return 0
        creator, tensor = self.graph.nodes[suspect.source.node], next(iter(suspect.overrides.values()))
        data, dims, dtype = (creator.attrs.get(name) for name in ("data", "dims", "dtype"))
        if dtype != tensor.dtype:
            usual = [node.attrs["dtype"] for node in self.graph.nodes if "dtype" in node.attrs]
            return int(usual.count(tensor.dtype) > usual.count(dtype))
        if not isinstance(data, list) or not isinstance(dims, list) or len(data) == 1:
            return 0
        fits_then = tensor.dims is None or len(data) == prod(tensor.dims)
        return int(fits_then) - int(len(data) == prod(dims))


def _noted(graph: Graph, note: FoundFailure) -> Problem:
    return Problem(
        note.fault.rule, failure_place(graph, note), _message(note), note.node.name, severity=note.fault.severity
    )


def _message(found: FoundFailure) -> str:
    return f"{label(found.node)}: {found.fault.message}"


def _problem(graph: Graph, found: FoundFailure, suspect: Suspect, others: int) -> Problem:
    own, message, better = failure_place(graph, found), _message(found), suspect.better
    is_elsewhere = not _are_in_one(suspect.place, own)
    related = [(f"found in {label(found.node)}", own)] if is_elsewhere else []
    related += _origins(graph, found, suspect)
    fix = None if better is None else writing(suspect.place, better)
    if suspect.place.path[-1:] == ("name",) and better is not None:
        message += f"; did you mean the unused tensor {better!r}?"
    elif is_elsewhere and better is not None:
        message += f"; expected `{better}` here"
    if others > 0:
        message += f" (this also resolves {count(others, 'other mismatch', 'other mismatches')})"
    severity = found.fault.severity or Severity.ERROR
    return Problem(found.fault.rule, suspect.place, message, found.node.name, fix, related, severity)


def _origins(graph: Graph, found: FoundFailure, suspect: Suspect) -> list[tuple[str, Place]]:
    """Return where the mismatching tensors are defined."""
    origins = []
    for k in dict.fromkeys(repair.which for repair in found.repairs if repair.kind == "input"):
        source, output = found.node.inputs[found.prepared.position(k)]
        place = graph.place(source, f"output:{output}")
        if source >= 0 and not _are_in_one(place, suspect.place):
            origins.append((f"{graph.nodes[source].outputs[output].name!r} defined here", place))
    return origins


def _are_in_one(place: Place, other: Place) -> bool:
    """Return whether two places are in one operator."""
    return place.path[:2] == other.path[:2]
