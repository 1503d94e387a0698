"""Fresh mutants before irlint and before the real runtimes. Needs IRLINT_OPENVINO_PYTHON or IRLINT_MXNET_PYTHON; test_ncnn.py is for ncnn."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oracle import figures, judges, mutants
from oracle.cases import store
from oracle.plant import plant
from oracle.sources import ROOT

COUNT = int(os.environ.get("IRLINT_MUTANTS", "200"))
SEED = int(os.environ.get("IRLINT_SEED", "4"))


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("runtime", sorted(judges.PYTHONS.keys() - {"ncnn"}))
def test_mutants(runtime: str, tmp_path: Path) -> None:
    if not judges.available(runtime):
        pytest.skip(f"{judges.PYTHONS[runtime]} names no Python with {runtime}")
    ask = judges.judge(runtime)
    sound = mutants.running(ask, plant(runtime, 0, SEED), tmp_path / "bases")
    store(plant(runtime, COUNT, SEED, only=sound), tmp_path / "cases")
    found = list(mutants.rows(ask, tmp_path / "cases", ROOT, tmp_path / "fixed"))
    print(figures.table(found))
    measured = figures.figures([row for row in found if row.case.family])
    assert measured["rejected"] > COUNT / 5
    assert measured["accepted"] > COUNT / 5
    assert measured["recall %"] >= 94  # of few; the goals are for thousands
    assert measured["line %"] >= 80  # words that are legal: the finding is where they do harm
    assert measured["false errors"] <= 0.01 * measured["accepted"]
    assert not [(row.case.path, row.case.change) for row in found if row.is_harmed("safe")]
