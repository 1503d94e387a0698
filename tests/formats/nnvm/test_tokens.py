"""Defects in the text of own models and of real files, against what mxnet 1.9.1 does with them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from irlint import fixes
from irlint.operators import table

from . import models, oracle
from .test_mutants import errors, lint
from .tokens import Defect, Ground, plant
from .writer import render

needs_mxnet = pytest.mark.skipif(
    not oracle.available(), reason="no mxnet here (set IRLINT_MXNET_PYTHON, see make oracle)"
)
_SMALL = 60_000  # characters: real files beyond are left alone


def defects(rng: random.Random, text: str, count: int) -> Iterator[Defect]:
    ground = Ground(text, table("mxnet").names)
    for _ in range(count):
        defect = plant(ground, rng)
        if defect is not None:
            yield defect


@pytest.mark.parametrize("seed", range(8))
def test_defects_of_the_text_are_read_and_fixing_twice_changes_nothing(seed: int) -> None:
    rng = random.Random(seed)
    for defect in defects(rng, render(models.model(rng)), 40):
        if any(finding.fix for finding in lint(defect.text)):
            once = fixes.fix(defect.text, lint)
            assert fixes.fix(once.text, lint).text == once.text, defect.kind


@needs_mxnet
def test_defects_in_own_models() -> None:
    judge, count, wrong = oracle.Oracle(), Counter[str](), []
    for seed in range(20):
        rng = random.Random(seed)
        text = render(models.model(rng))
        plain = judge(text)
        if plain.get("forward") != "ok":
            continue
        for defect in defects(rng, text, 40):
            outcome, found = oracle.outcome(judge(defect.text), plain), errors(lint(defect.text))
            count[outcome] += 1
            if (outcome == "load" and not found) or (outcome == "same" and found):
                wrong.append((seed, outcome, defect.kind, found and found[0].message))
    judge.close()
    assert count["load"] > 200
    assert len(wrong) <= 0.01 * count.total(), wrong


@needs_mxnet
def test_defects_in_real_files(corpus: Path) -> None:
    """Whether they load: what comes after depends on shapes that only their owners know."""
    judge, failed, wrong = oracle.Oracle(), 0, []
    paths = [path for path in sorted((corpus / "nnvm").glob("*symbol*.json")) if path.stat().st_size < _SMALL]
    for seed, path in enumerate(paths):
        text = path.read_text(encoding="utf-8")
        if judge(text, only="load")["load"] != "ok":
            continue
        for defect in defects(random.Random(seed), text, 20):
            if judge(defect.text, only="load")["load"] != "ok":
                failed += 1
                if not errors(lint(defect.text)):
                    wrong.append((path.name, defect.kind))
    judge.close()
    assert failed > 100
    assert len(wrong) <= 0.01 * failed, wrong
