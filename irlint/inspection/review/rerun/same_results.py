"""Nodes and parts of two forms of a network that make something else of what they read. Runs of both show that, whatever names their
formats have for an attribute, and whether they write it as an input, as an attribute or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import cast
from irlint.graph import Source
from irlint.inspection.review.difference import Rewritten
from irlint.inspection.review.form import FormGraph
from irlint.inspection.review.form_changes import Pairing
from irlint.inspection.review.layers.weight_marks import HUGE
from irlint.inspection.review.rerun.drawn import USUAL_RUNS, RunNumbers
from irlint.inspection.review.rerun.runnable import RunnablePart, groups, parts
from irlint.inspection.review.roles import SHAPES
from irlint.inspection.rounding import EXACT, Rounding, coarser

_RUNS = (0, 2)  # usual ones
_FEW = 0.05  # of integers and truth values: so many may differ because of rounded constants


def computing_others(pairing: Pairing, rewritten: Sequence[Rewritten]) -> dict[int, int]:
    """Return the last nodes of parts that make something else of what they read, each with that of the new form."""
    found: dict[int, int] = {}
    if pairing.a.form.weights and pairing.b.form.weights:
        for group in groups(parts(pairing, rewritten)):
            nodes = [one.inside for one in group if not one.has_ties]
            named = [number for ours, theirs in nodes for number in (*pairing.a.named(ours), *pairing.b.named(theirs))]
            for drawn in (*map(RunNumbers, _RUNS), RunNumbers(USUAL_RUNS + 1, 0, named)):
                found.update(one.ends for one in _different(pairing, group, drawn))
    return found


def _different(pairing: Pairing, group: Sequence[RunnablePart], drawn: RunNumbers) -> list[RunnablePart]:
    """Return the parts whose results are apart in one run."""
    asked = [one for one in group if drawn.is_usual or not one.has_ties]
    feeds = _fed(pairing, asked, drawn)
    results = [
        side.results(feed, {Source(one.ends[k], output) for one in asked for output in one.outputs})
        for k, (side, feed) in enumerate(zip((pairing.a, pairing.b), feeds, strict=True))
    ]
    return [one for one in asked if _is_other(one, results, _rounding(pairing, one))]


def _fed(pairing: Pairing, asked: Sequence[RunnablePart], drawn: RunNumbers) -> tuple[dict[int, Any], dict[int, Any]]:
    """Return what both forms are given: the same numbers, in the types of each."""
    feeds: tuple[dict[int, Any], dict[int, Any]] = ({}, {})
    sides = pairing.a, pairing.b
    for read, type_ in ((read, type_) for one in asked for read, type_ in zip(one.read, one.types, strict=True)):
        if read[0][0] not in feeds[0]:
            array = drawn.numbers(str(type_.dtype), drawn.shape(type_.shape), len(feeds[0]))
            for feed, side, source in zip(feeds, sides, read, strict=True):
                feed[source[0]] = cast(array.copy(), side.type(Source(source[0])).dtype)
    for k, side in enumerate(sides):
        inside = feeds[k].keys() | {index for one in asked for index in one.inside[k]}
        feeds[k].update(_lengths(side, inside, drawn))
    return feeds


def _is_other(part: RunnablePart, results: Sequence[Mapping[Source, Any]], rounding: Rounding) -> bool:
    for k in part.outputs:
        was, now = (found.get(Source(end, k)) for found, end in zip(results, part.ends, strict=True))
        if was is None or now is None or (was.size != now.size and not part.is_sized):
            continue
        if was.size != now.size or _are_apart(was.reshape(-1), now.reshape(-1), rounding):
            return True
    return False


def _lengths(side: FormGraph, inside: Set[int], drawn: RunNumbers) -> Iterator[tuple[int, Any]]:
    """Yield the shapes that nodes ask for of values that no run has."""
    for index in side.reduced.shaped:
        node, found = side.graph.nodes[index], side.lengths(Source(index))
        if found is not None and side.form.names.of(node) in SHAPES and inside.isdisjoint(s[0] for s in node.inputs):
            yield index, np.asarray([drawn.length(entry) for entry in found[1]]).reshape(drawn.shape(found[0]))


def _rounding(pairing: Pairing, part: RunnablePart) -> Rounding:
    sides = zip((pairing.a, pairing.b), part.inside, strict=True)
    return coarser(*(side.rounding[k] for side, inside in sides for k in inside))


def _are_apart(a: Any, b: Any, rounding: Rounding) -> bool:
    """Return whether two results differ by more than their types explain; not if they are mostly no numbers."""
    if "f" not in (a.dtype.kind, b.dtype.kind):
        return bool(a.size) and float((a != b).mean()) > (_FEW if rounding != EXACT else 0)
    a, b = a.astype(np.float64), b.astype(np.float64)
    is_told = np.isfinite(a) & np.isfinite(b) & ((np.abs(a) < HUGE) | (np.abs(b) < HUGE))
    if 2 * is_told.sum() < a.size or not a.size:
        return False
    a, b = a[is_told], b[is_told]
    return bool(np.abs(a - b).max() > rounding.limit * max(np.abs(a).max(), np.abs(b).max()))
