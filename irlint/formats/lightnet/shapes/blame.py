"""Finds the one place whose change would make a failed check pass, and everything else with it.

A check that fails has several suspects: the operator's own parameter, the input that it names, the operator that
created the tensor. Each suspect is tried on the types of the whole graph; the one without which the fewest checks fail
is taken for the root cause, and what it cured is not reported again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.checks.fault import writing
from irlint.findings import Problem, Severity
from irlint.formats.lightnet.reading.numbers import count
from irlint.formats.lightnet.shapes.infer import FoundFailure, LightNetInference, PreparedOperator
from irlint.formats.lightnet.shapes.suspects import Change, Suspect, Suspects, failure_place
from irlint.graph import Graph, label
from irlint.text.base import Place
from irlint.text.words import count as count_of

WORK = 400_000  # operators whose outputs may be inferred again
MOST, LEAST = 150, 8  # trials of a whole graph


def blamed(
    graph: Graph, prepared: Sequence[PreparedOperator], inference: LightNetInference
) -> tuple[LightNetInference, list[Problem]]:
    """The types as they would be without the mistakes, and the mistakes."""
    problems = [_noted(graph, note) for note in inference.notes]
    if not inference.failures:
        return inference, problems
    judge = _Judge(graph, prepared, inference)
    while inference.failures:
        if judge.trials >= judge.allowed:
            problems += [_problem(graph, found, judge.in_place(found), 0) for found in inference.failures]
            break
        first, before = inference.failures[0], len(inference.failures)
        suspect, inference = judge.sentence(first, inference)
        problems.append(_problem(graph, first, suspect, before - len(inference.failures) - 1))
    return inference, problems


class _Judge:
    def __init__(self, graph: Graph, prepared: Sequence[PreparedOperator], inference: LightNetInference) -> None:
        self.graph = graph
        self.prepared = prepared
        self.suspects = Suspects(graph, prepared)
        self.settled: dict[Change, Any] = dict(inference.overrides)
        self.trials = 0
        self.allowed = min(MOST, max(LEAST, WORK // max(1, len(prepared))))

    def sentence(self, first: FoundFailure, before: LightNetInference) -> tuple[Suspect, LightNetInference]:
        """The likeliest suspect of a failed check, and the types without it."""
        best: tuple[tuple[int, int, bool, int], Suspect, LightNetInference] | None = None
        for order, suspect in enumerate(self.suspects.of(first, before)):
            if self.trials >= self.allowed:
                break
            if suspect.vague and self.suspects.is_vouched(first, suspect):
                continue
            evidence = self._evidence(suspect)
            if suspect.distant and evidence <= 0:
                continue
            after = self._try(suspect.overrides)
            remaining = len(after.failures)
            if remaining >= len(before.failures):
                continue
            score = (remaining, -evidence, suspect.vague, order)
            if best is None or score < best[0]:
                best = score, suspect, after
        if best is None:
            suspect = self.in_place(first)
            after = self._try(suspect.overrides)
        else:
            _, suspect, after = best
        self.settled.update(suspect.overrides)
        return suspect, after

    def in_place(self, found: FoundFailure) -> Suspect:
        return Suspect(failure_place(self.graph, found), {("hush", found.prepared.node.index, 0): True})

    def _try(self, overrides: dict[Change, Any]) -> LightNetInference:
        self.trials += 1
        return LightNetInference(self.graph, self.prepared, {**self.settled, **overrides})

    def _evidence(self, suspect: Suspect) -> int:
        """1 for a constant whose data does not fit its shape as it is, or whose type is rarer than the other; -1 if its data
        would no longer fit."""
        if suspect.source is None or self.suspects.name(suspect.source.node) != "create":
            return 0
        creator, tensor = self.graph.nodes[suspect.source.node], next(iter(suspect.overrides.values()))
        data, dims, dtype = (creator.attrs.get(name) for name in ("data", "dims", "dtype"))
        if dtype != tensor.dtype:
            usual = [node.attrs["dtype"] for node in self.graph.nodes if "dtype" in node.attrs]
            return int(usual.count(tensor.dtype) > usual.count(dtype))
        if not isinstance(data, list) or not isinstance(dims, list) or len(data) == 1:
            return 0
        fits_then = tensor.dims is None or len(data) == count(tensor.dims)
        return int(fits_then) - int(len(data) == count(dims))


def _origins(graph: Graph, found: FoundFailure, suspect: Suspect) -> list[tuple[str, Place]]:
    """Return where the mismatching tensors are defined."""
    prepared, failure = found
    origins = []
    for k in dict.fromkeys(int(r.part[6:]) for r in failure.repairs if r.part.startswith("input:")):
        source, output = prepared.node.inputs[prepared.inputs[k] if prepared.inputs else k]
        if source < 0:
            continue
        place = graph.place(source, f"output:{output}")
        if place.path[:2] != suspect.place.path[:2]:
            origins.append((f"{graph.nodes[source].outputs[output].name!r} defined here", place))
    return origins


def _noted(graph: Graph, note: FoundFailure) -> Problem:
    failure, node = note.failure, note.prepared.node
    return Problem(failure.rule, failure_place(graph, note), failure.message, node.name, severity=failure.severity)


def _problem(graph: Graph, found: FoundFailure, suspect: Suspect, others: int) -> Problem:
    failure, node = found.failure, found.prepared.node
    own = failure_place(graph, found)
    related = [(f"found in {label(node)}", own)] if suspect.place.path[:2] != own.path[:2] else []
    related += _origins(graph, found, suspect)
    fix = None if suspect.better is None else writing(suspect.place, suspect.better)
    message = failure.message
    if suspect.place.path[-1:] == ("name",) and suspect.better is not None:
        message += f"; did you mean the unused tensor {suspect.better!r}?"
    elif suspect.place.path[:2] != own.path[:2] and suspect.better is not None:
        message += f"; expected `{suspect.better}` here"
    if others > 0:
        message += f" (this also resolves {count_of(others, 'other mismatch', 'other mismatches')})"
    severity = failure.severity or Severity.ERROR
    return Problem(failure.rule, suspect.place, message, node.name, fix, related, severity)
