"""Chains of operators: sound ones have no errors, and of one wrong number there is one error, where MXNet stumbles."""

from __future__ import annotations

import json
import random
import re

import pytest

from irlint import engine
from irlint.findings import Finding, Severity

from . import oracle
from .chains import Chain, planted
from .changes import Graph


def _errors(graph: Graph) -> list[Finding]:
    found = engine.lint(json.dumps(graph), "model-symbol.json").findings
    return [f for f in found if f.severity == Severity.ERROR]


@pytest.mark.parametrize("seed", range(60))
def test_sound_chains_and_one_mistake(seed: int) -> None:
    rng = random.Random(seed)
    graph = Chain(rng).graph
    assert _errors(graph) == []
    for _ in range(3):
        assert len(_errors(planted(rng, graph))) <= 1


@pytest.mark.skipif(not oracle.available(), reason="no mxnet here (set IRLINT_MXNET_PYTHON, see make oracle)")
def test_chains_against_mxnet() -> None:
    judge, failures, wrong, elsewhere = oracle.Oracle(), 0, [], []
    for seed in range(1000, 1040):
        rng = random.Random(seed)
        graph = Chain(rng).graph
        assert judge(json.dumps(graph))["forward"] == "ok", seed
        for _ in range(3):
            changed = planted(rng, graph)
            verdict = judge(json.dumps(changed))
            said = next((str(verdict[s]) for s in oracle.STAGES if verdict.get(s) not in ("ok", "partial", None)), "")
            errors = _errors(changed)
            harmless = all(
                f.name in ("element-count-mismatch", "value-out-of-range") for f in errors
            )  # it reads other memory
            failures += bool(said)
            if len(errors) != bool(said) and not (harmless and not said):
                wrong.append((seed, said, [f.message for f in errors]))
            blamed = re.search(r"Error in operator (\w+)", said)
            if errors and blamed and f"'{blamed[1]}'" not in errors[0].message:
                elsewhere.append((seed, said, errors[0].message))
    judge.close()
    assert failures > 40
    assert len(wrong) <= 0.02 * failures + 1, wrong
    assert len(elsewhere) <= 0.1 * failures, elsewhere
