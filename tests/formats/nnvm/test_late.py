"""What MXNet notices only at inference, binding or running, and irlint in the file; and random changes of shapes and numbers."""

from __future__ import annotations

import difflib
import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from irlint import engine
from irlint.findings import Severity

from . import models, oracle
from .changes import Graph
from .changes_shapes import SHAPE_CHANGES
from .late_rows import ROWS
from .mutants import mutants
from .writer import render


class Said(NamedTuple):
    error: bool
    there: bool  # on a line of the defect
    near: bool  # or the finding names a place there


def changed(old: str, new: str) -> set[int]:
    """The lines of `new` that are not those of `old`."""
    a, b = ([line.rstrip(", ") for line in text.split("\n")] for text in (old, new))
    found: set[int] = set()
    for tag, _, _, start, end in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            found |= set(range(start + 1, end + 1)) or {start, start + 1}
    return found


def said(text: str, lines: set[int]) -> Said:
    result = engine.lint(text, "model-symbol.json")
    errors = [f for f in result.findings if f.severity == Severity.ERROR]

    def on(start: int, end: int) -> bool:
        first, last = (result.lines.position(at).line for at in (start, max(start, end - 1)))
        return any(first <= line <= last for line in lines)

    there = any(on(f.span.start, f.span.end) for f in errors)
    related = any(on(r.span.start, r.span.end) for f in errors for r in f.related)
    return Said(bool(errors), there, there or related)


@pytest.mark.parametrize("make", sorted({make for make, _ in ROWS.values()}, key=lambda make: make.__name__))
def test_without_a_defect(make: object) -> None:
    assert not said(render(make()), set()).error  # type: ignore[operator]


def test_late_rows() -> None:
    counts = []
    for make, change in ROWS.values():
        base, graph = render(make()), make()
        change(graph)
        counts.append(said(render(graph), changed(base, render(graph))))
    assert all(found.error for found in counts)
    assert sum(found.there for found in counts) >= 0.85 * len(counts)
    assert sum(found.near for found in counts) >= 0.95 * len(counts)


@pytest.mark.skipif(not oracle.available(), reason="no mxnet here (set IRLINT_MXNET_PYTHON, see make oracle)")
def test_late_rows_are_late() -> None:
    judge = oracle.Oracle()
    for name, (make, change) in ROWS.items():
        graph = make()
        change(graph)
        outcome = oracle.outcome(judge(render(graph)), judge(render(make())))
        assert outcome in oracle.FAILURES[1:], (name, outcome)
    judge.close()


def _changes(seeds: range) -> Iterator[tuple[str, str, str]]:
    """Base, changed text and kind, of networks and of single operators."""
    for seed in seeds:
        rng = random.Random(seed)
        graph = models.model(rng)
        for _ in range(8):
            for mutant in mutants(graph, rng, [rng.choice(sorted(SHAPE_CHANGES))], SHAPE_CHANGES):
                yield mutant.base, mutant.text, f"{seed} {mutant.kind}"


@pytest.mark.skipif(not oracle.available(), reason="no mxnet here (set IRLINT_MXNET_PYTHON, see make oracle)")
def test_changed_shapes_against_mxnet() -> None:
    judge, late, runs, missed, false = oracle.Oracle(), 0, 0, [], []
    known: dict[str, dict[str, object]] = {}
    for base, text, kind in _changes(range(70_000, 70_060)):
        plain = known.get(base) or known.setdefault(base, judge(base))
        if plain.get("forward") != "ok":
            continue
        outcome = oracle.outcome(judge(text), plain)
        found = said(text, changed(base, text))
        if outcome in oracle.FAILURES:
            late += 1
            missed += [] if found.error else [(kind, outcome)]
        elif outcome == "same":
            runs += 1
            false += [kind] if found.error else []
    judge.close()
    print(f"{late} fail, {len(missed)} missed: {missed}; {runs} run alike, {len(false)} false: {false}")
    assert len(missed) <= 0.12 * late, missed
    assert len(false) <= 0.02 * runs + 1, false


def _retyped(rng: random.Random, graph: Graph) -> None:
    """All variables, or one of them, of another element type."""
    variables = [node for node in graph["nodes"] if node["op"] == "null"]
    for node in variables:
        node.setdefault("attrs", {})["__dtype__"] = "0"
    kind = str(rng.choice((1, 2, 3, 4, 5, 6, 7)))
    for node in variables if rng.random() < 0.5 else rng.sample(variables, min(1, len(variables))):
        node["attrs"]["__dtype__"] = kind


@pytest.mark.skipif(not oracle.available(), reason="no mxnet here (set IRLINT_MXNET_PYTHON, see make oracle)")
def test_single_operators_against_mxnet() -> None:
    """Drawn evenly over all operators that are known to run: other shapes and numbers, other element types."""
    judge, late, runs, missed, false = oracle.Oracle(), 0, 0, [], []
    for seed in range(80_000, 80_150):
        rng = random.Random(seed)
        graph = models.single(rng, models.Builder())
        base = render(graph)
        plain = judge(base)
        if plain.get("forward") != "ok":
            continue
        typed = models.single(random.Random(seed), models.Builder())
        _retyped(rng, typed)
        texts = [render(typed)]
        texts += [m.text for m in mutants(graph, rng, rng.choices(sorted(SHAPE_CHANGES), k=3), SHAPE_CHANGES)]
        for text in texts:
            verdict = judge(text)
            outcome = oracle.outcome(verdict, plain)
            found = said(text, set())
            half = "float16" in str(verdict.get("forward")) or "FP16" in str(
                verdict.get("forward")
            )  # a matter of the device
            if outcome in oracle.FAILURES[1:] and not half and "cannot decide" not in str(verdict.get(outcome)):
                late += 1
                missed += [] if found.error else [(seed, outcome, verdict[outcome])]
            elif outcome in ("same", "differs"):
                runs += 1
                false += [(seed, text)] if found.error and '"Reshape"' not in text else []  # it reads what lies behind
    judge.close()
    print(f"{late} fail, {len(missed)} missed: {missed}; {runs} run, {len(false)} false: {false}")
    assert len(missed) <= 0.1 * late, missed
    assert not false
