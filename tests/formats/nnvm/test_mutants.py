"""What irlint says of files with one planted defect, against what mxnet 1.9.1 was seen to do with them."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from irlint import engine, fixes
from irlint.findings import Finding, Severity

from . import models, oracle, tvm_models
from .mutants import CHANGES, TEXT_CHANGES, Mutant, mutants
from .writer import render

# Verdicts of mxnet by seed and kind, and a digest of the text; `python -m tests.formats.nnvm.test_mutants` writes them anew
VERDICTS = Path(__file__).parent / "verdicts.json"

# What only shapes or dtypes tell belongs to the dry run; so does what depends on them by way of a declared shape
_BY_SHAPE = ("hidden_shape", "hidden_dtype", "hidden_storage_type", "op_other", "variable_attr_any", "op_null")


_BY_PYTHON = ("json_name_latin1",)  # MXNet reads it; only its Python front end cannot list such a name


def lint(text: str) -> list[Finding]:
    return engine.lint_bytes(text.encode("utf-8", "surrogateescape"), "model.json").findings


def errors(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity == Severity.ERROR]


def planted(seed: int, per_model: int) -> Iterator[Mutant]:
    rng = random.Random(seed)
    graph = models.model(rng)
    kinds = rng.sample([*CHANGES, *TEXT_CHANGES], per_model)
    yield from mutants(graph, rng, kinds)


def base(seed: int) -> str:
    return render(models.model(random.Random(seed)))


def digest(text: str) -> str:
    return hashlib.sha1(text.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def record(seeds: range, per_model: int) -> None:
    """Asks mxnet."""
    judge, lines = oracle.Oracle(), []
    for seed in seeds:
        plain = judge(base(seed))
        if plain.get("forward") == "ok":
            said = {m.kind: [oracle.outcome(judge(m.text), plain), digest(m.text)] for m in planted(seed, per_model)}
            lines.append(f'"{seed}": {json.dumps(said)}')
    judge.close()
    VERDICTS.write_text(f'{{"kinds per model": {per_model}, "verdicts": {{\n' + ",\n".join(lines) + "\n}}\n")


def _tally(rows: list[tuple[Mutant, str]]) -> tuple[Counter[str], list[str]]:
    count: Counter[str] = Counter()
    wrong = []
    for mutant, outcome in rows:
        found = errors(lint(mutant.text))
        if outcome in oracle.FAILURES and (outcome == "load" or not mutant.kind.startswith(_BY_SHAPE + _BY_PYTHON)):
            count["fails"] += 1
            if not found:
                count["missed"] += 1
                wrong.append(f"missed {mutant.kind} ({outcome})")
        elif outcome == "same":
            count["same"] += 1
            if found:
                count["false"] += 1
                wrong.append(f"false {mutant.kind}: {found[0].message}")
    return count, wrong


def _hold(rows: list[tuple[Mutant, str]]) -> None:
    count, wrong = _tally(rows)
    assert count["fails"] > 100
    assert count["same"] > 50
    assert count["missed"] <= 0.03 * count["fails"], wrong
    assert count["false"] <= 0.01 * count["same"], wrong


def test_recorded_verdicts() -> None:
    recorded = json.loads(VERDICTS.read_text())
    known = []
    for seed, verdicts in recorded["verdicts"].items():
        for mutant in planted(int(seed), recorded["kinds per model"]):
            outcome, mark = verdicts.get(mutant.kind, ("", ""))
            if mark == digest(mutant.text):
                known.append((mutant, outcome))
    expected = sum(map(len, recorded["verdicts"].values()))
    assert len(known) > 0.9 * expected, "the generator has changed: record the verdicts again"
    _hold(known)


@pytest.mark.skipif(not oracle.available(), reason="no mxnet here (set IRLINT_MXNET_PYTHON, see make oracle)")
def test_fresh_mutants_against_mxnet() -> None:
    judge, rows = oracle.Oracle(), []
    for seed in range(50_000, 50_030):
        plain = judge(base(seed))
        if plain.get("forward") == "ok":
            rows += [(m, oracle.outcome(judge(m.text), plain)) for m in planted(seed, 40)]
    judge.close()
    _hold(rows)


@pytest.mark.skipif(not oracle.available(), reason="no mxnet here (set IRLINT_MXNET_PYTHON, see make oracle)")
def test_safe_fixes_load_in_mxnet() -> None:
    """All of files that can be read; of others nearly all: what stood in the place of broken syntax is a guess."""
    judge = oracle.Oracle()
    loads: Counter[tuple[bool, bool]] = Counter()
    for seed in range(60_000, 60_015):
        for mutant in planted(seed, 40):
            found = errors(lint(mutant.text))
            if found and all(f.fix and f.fix.safety == "safe" for f in found) and judge(mutant.text)["load"] != "ok":
                fixed = fixes.fix(mutant.text, lint)
                loads[any(f.code == "S001" for f in found), judge(fixed.text)["load"] == "ok"] += 1
    judge.close()
    assert not loads[False, False], loads
    assert loads[True, False] <= 0.1 * loads[True, True], loads


@pytest.mark.parametrize("seed", range(40))
def test_clean_models_have_no_error(seed: int) -> None:
    assert not errors(lint(base(seed)))
    assert not errors(lint(render(tvm_models.tvm_graph(random.Random(seed)))))


def _everything(seed: int) -> Iterator[Mutant]:
    rng = random.Random(seed)
    yield from mutants(models.model(rng), rng, rng.sample([*CHANGES, *TEXT_CHANGES], 60))
    graph = tvm_models.tvm_graph(rng)
    kinds = [*rng.sample(sorted(tvm_models.TVM_CHANGES), 20), *rng.sample(sorted(CHANGES), 20)]
    yield from mutants(graph, rng, kinds, {**CHANGES, **tvm_models.TVM_CHANGES})


@pytest.mark.parametrize("seed", range(12))
def test_findings_lie_in_the_text_and_fixing_twice_changes_nothing(seed: int) -> None:
    for mutant in _everything(seed):
        found = lint(mutant.text)
        for finding in found:
            assert 0 <= finding.span.start <= finding.span.end <= len(mutant.text), mutant.kind
            assert finding.message, mutant.kind
        if any(finding.fix for finding in found):
            once = fixes.fix(mutant.text, lint)
            assert len(errors(once.findings)) <= len(errors(found)), mutant.kind
            assert fixes.fix(once.text, lint).text == once.text, mutant.kind


def test_same_findings_in_any_order_of_hashes() -> None:
    texts = [mutant.text for mutant in _everything(3)]
    assert [lint(text) for text in texts] == [lint(text) for text in texts]


if __name__ == "__main__":
    record(range(40), 45)
