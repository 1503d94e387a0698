"""Finds the one place whose change would make a failed check pass, and everything else with it.

A check that fails has several suspects: the operator's own parameter, the input that it names, the operator that
created the tensor. Each suggested repair is tried on the types of the whole graph; the one after which the fewest
checks fail is taken for the root cause, and what it cured is not reported again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from irlint.findings import Fix, Problem, Severity
from irlint.formats.lightnet.infer import Found, Inference, Prepared
from irlint.formats.lightnet.numbers import count
from irlint.formats.lightnet.shapes import Repair, Tensor
from irlint.graph import Graph, Source
from irlint.rules.attributes._check import label
from irlint.text.base import Document, Place

MAX_TRIALS = 60  # how often the types of the graph may be worked out anew

# operators that hand on the shape of their first input and ask nothing of it
_TRANSPARENT = frozenset({"relu", "lrelu", "sigmoid", "forward", "softmax"})
_INDIFFERENT = frozenset({*_TRANSPARENT, "print", "fprint"})
# the parameter that an output's shape comes from
_SHAPE_FROM = {
    "create": "dims",
    "zeros": "dims",
    "arange": "stop",
    "reshape": "dims",
    "resize": "dims",
    "upsample": "scales",
}
_DTYPE_FROM = {"create": "dtype", "zeros": "dtype", "arange": "dtype", "submean": "dtype"}


class Suspect(NamedTuple):
    """One thing that may be the root cause: where it stands, and what the types would be like without it."""

    place: Place
    overrides: dict[tuple[str, int, Any], Any]
    source: Source | None = None  # the tensor whose type would be another one
    vague: bool = False  # the repair says only "something else"
    better: Any = None  # what to write at the place, if that is known


def blamed(graph: Graph, prepared: Sequence[Prepared], inference: Inference) -> tuple[Inference, list[Problem]]:
    """The types as they would be without the mistakes, and the mistakes."""
    problems = [_noted(graph, note) for note in inference.notes]
    judge = _Judge(graph, prepared)
    while inference.failures:
        first, before = inference.failures[0], len(inference.failures)
        suspect, inference = judge.sentence(first, inference)
        cured = judge.cured(first, suspect, before - len(inference.failures))
        problems.append(_problem(graph, first, suspect, cured))
    return inference, problems


class _Judge:
    def __init__(self, graph: Graph, prepared: Sequence[Prepared]) -> None:
        self.graph = graph
        self.prepared = prepared
        self.settled: dict[tuple[str, int, Any], Any] = {}
        self.trials = 0
        self._readers: dict[Source, list[int]] | None = None

    def sentence(self, first: Found, before: Inference) -> tuple[Suspect, Inference]:
        """The likeliest suspect of a failed check, and the types without it."""
        best: tuple[tuple[int, int, int], Suspect, Inference] | None = None
        if self.trials < MAX_TRIALS:
            for order, suspect in enumerate(self._suspects(first, before)):
                after = self._try(suspect.overrides)
                remaining = len(after.failures)
                if remaining >= len(before.failures) or (suspect.vague and self._vouched(first, suspect)):
                    continue
                score = (remaining, -self._evidence(suspect), order)
                if best is None or score < best[0]:
                    best = score, suspect, after
        if best is None:
            suspect = self._in_place(first)
            after = self._try(suspect.overrides)
        else:
            _, suspect, after = best
        self.settled.update(suspect.overrides)
        return suspect, after

    def _try(self, overrides: dict[tuple[str, int, Any], Any]) -> Inference:
        self.trials += 1
        return Inference(self.graph, self.prepared, {**self.settled, **overrides})

    def cured(self, first: Found, suspect: Suspect, number: int) -> str:
        return f" (and {number - 1} more check{'s' * (number > 2)} that follow from it)" if number > 1 else ""

    def _in_place(self, found: Found) -> Suspect:
        node = found.prepared.node
        place = _place(self.graph, found)
        return Suspect(place, {("hush", node.index, 0): True})

    def _suspects(self, found: Found, before: Inference) -> Iterator[Suspect]:
        prepared, failure = found
        misread = self._misread(found, before)
        if misread is not None:
            yield misread
        for repair in failure.repairs:
            kind, _, which = repair.part.partition(":")
            if kind == "attr":
                yield self._parameter(prepared, which, repair)
            elif kind == "input" and (suspect := self._creator(found, int(which), repair.value)) is not None:
                yield suspect

    def _parameter(self, prepared: Prepared, name: str, repair: Repair) -> Suspect:
        place = self.graph.place(prepared.node, f"attr:{name}")
        old = prepared.node.attrs.get(name)
        element = repair.element
        if element is None and isinstance(repair.value, list) and isinstance(old, list):
            element = _only_difference(old, repair.value)
        if element is not None:
            place = Place((*place.path, element))
        better = repair.value if element is None or repair.value is None else repair.value[element]
        key = ("attr", prepared.node.index, name)
        return Suspect(place, {key: repair.value}, vague=False, better=better)

    def _source(self, prepared: Prepared, k: int) -> Source:
        source = prepared.node.inputs[prepared.inputs[k] if prepared.inputs else k]
        return Source(*source)

    def _creator(self, found: Found, k: int, tensor: Tensor) -> Suspect | None:
        """The parameter that gave an input its type, if it comes straight from one."""
        source = self._source(found.prepared, k)
        types = self._types_of(source)
        changes_dtype = tensor.dtype is not None and types.dtype != tensor.dtype
        origins = _DTYPE_FROM if changes_dtype else _SHAPE_FROM
        while not changes_dtype and self._name(source) in _TRANSPARENT and self.graph.nodes[source.node].inputs:
            inner = Source(*self.graph.nodes[source.node].inputs[0])
            if not 0 <= inner.node < source.node:
                return None
            source = inner
        name = origins.get(self._name(source))
        if name is None or not 0 <= source.node < found.prepared.node.index:
            return None
        creator = self.graph.nodes[source.node]
        place = self.graph.place(creator, f"attr:{name}")
        better: Any = None
        if tensor.dims is not None and name == "dims" and types.dims is not None:
            element = _only_difference(list(types.dims), list(tensor.dims))
            better = list(tensor.dims) if element is None else tensor.dims[element]
            if element is not None:
                place = Place((*place.path, element))
        elif changes_dtype:
            better = tensor.dtype
        key = ("output", source.node, source.output)
        return Suspect(place, {key: tensor}, source, tensor.dims is None, better)

    def _misread(self, found: Found, before: Inference) -> Suspect | None:
        """The input itself, if a tensor that nothing reads has just the type that would fit."""
        part = found.failure.repairs[0].part if found.failure.repairs else ""
        wanted = found.failure.repairs[0].value if part.startswith("input:") else None
        if not isinstance(wanted, Tensor) or wanted.dims is None:
            return None
        node = found.prepared.node
        for index in range(node.index):
            for output, value in enumerate(self.graph.nodes[index].outputs):
                if Source(index, output) in self.readers or value.name is None:
                    continue
                tensor = before.types[index][output]
                if tensor.dims is not None and tensor.dtype == wanted.dtype and list(tensor.dims) == list(wanted.dims):
                    k = int(part.partition(":")[2])
                    at = found.prepared.inputs[k] if found.prepared.inputs else k
                    place = self.graph.place(node, f"input:{at}")
                    return Suspect(place, {("input", node.index, at): wanted}, better=value.name)
        return None

    @property
    def readers(self) -> dict[Source, list[int]]:
        if self._readers is None:
            self._readers = {}
            for node in self.graph.nodes:
                for source in node.inputs:
                    self._readers.setdefault(Source(*source), []).append(node.index)
        return self._readers

    def _vouched(self, found: Found, suspect: Suspect) -> bool:
        """Whether another operator that asks something of the tensor is content with it as it is."""
        if suspect.source is None:
            return False
        others = [at for at in self.readers.get(suspect.source, ()) if at != found.prepared.node.index]
        return any(self._name(Source(at)) not in _INDIFFERENT for at in others)

    def _evidence(self, suspect: Suspect) -> int:
        """1 if a constant's data does not fit its shape as it is, -1 if it would no longer fit, else 0."""
        if suspect.source is None or self._name(suspect.source) != "create":
            return 0
        creator = self.graph.nodes[suspect.source.node]
        data, dims = creator.attrs.get("data"), creator.attrs.get("dims")
        if not isinstance(data, list) or not isinstance(dims, list) or len(data) == 1:
            return 0
        try:
            fits_now = len(data) == count(dims)
        except TypeError:
            return 0
        tensor = next(iter(suspect.overrides.values()))
        fits_then = tensor.dims is None or len(data) == count(tensor.dims)
        return int(fits_then) - int(fits_now)

    def _types_of(self, source: Source) -> Tensor:
        key = ("output", source.node, source.output)
        if key in self.settled:
            settled: Tensor = self.settled[key]
            return settled
        return self._first.types[source.node][source.output]

    @property
    def _first(self) -> Inference:
        if not hasattr(self, "_base"):
            self._base = Inference(self.graph, self.prepared)
        return self._base

    def _name(self, source: Source) -> str:
        from irlint.formats.lightnet.signature import signature

        known = signature(self.graph.nodes[source.node].op) if source.node >= 0 else None
        return known.operator.name if known else ""


def _only_difference(old: list[Any], new: list[Any]) -> int | None:
    """The one index at which two lists of one length differ."""
    if len(old) != len(new):
        return None
    different = [k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    return different[0] if len(different) == 1 else None


def _place(graph: Graph, found: Found) -> Place:
    prepared, failure = found
    kind, _, which = failure.part.partition(":")
    if kind == "input":
        k = int(which)
        return graph.place(prepared.node, f"input:{prepared.inputs[k] if prepared.inputs else k}")
    place = graph.place(prepared.node, failure.part)
    return place if failure.element is None else Place((*place.path, failure.element))


def _noted(graph: Graph, note: Found) -> Problem:
    failure = note.failure
    return Problem(
        failure.rule, _place(graph, note), failure.message, note.prepared.node.name, severity=failure.severity
    )


def _problem(graph: Graph, found: Found, suspect: Suspect, cured: str) -> Problem:
    failure, node = found.failure, found.prepared.node
    own = _place(graph, found)
    related = [(f"{label(node)} finds this", own)] if suspect.place.path[:2] != own.path[:2] else []
    fix = None
    if suspect.better is not None:
        better, place = suspect.better, suspect.place

        def fix(document: Document) -> Fix:
            return Fix(f"Write {better!r}", document.write(place, better), "unsafe")

    message = failure.message
    if suspect.place.path[-1:] == ("name",) and suspect.better is not None:
        message += f"; did you mean {suspect.better!r}, which nothing reads?"
    return Problem(
        failure.rule, suspect.place, message + cured, node.name, fix, related, failure.severity or Severity.ERROR
    )
