"""The files that benchmarks are made with are what they are said to be."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest

from irlint.engine import lint

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.delitem(sys.modules, "networks", raising=False)
    import networks

    return networks


@pytest.mark.parametrize("declares", [False, True])
def test_symbols(networks: Any, declares: bool) -> None:
    graph = networks.symbol(400, declares)
    assert lint(networks.written(graph), "net-symbol.json").findings == []
    findings = lint(networks.written(networks.spoiled(graph, 100)), "net-symbol.json").findings
    assert len(findings) == 100
    assert len({finding.code for finding in findings}) == 5


def test_lightnet(networks: Any) -> None:
    assert lint(json.dumps(networks.lightnet(60), indent=2), "net.json").findings == []


def test_exponent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from measure import exponent

    assert exponent([1, 10, 100], [3, 30, 300]) == pytest.approx(1)
    assert exponent([2, 4, 8], [1, 4, 16]) == pytest.approx(2)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS / "models"))
    import agreement
    import summary

    return agreement, summary


@pytest.mark.parametrize(
    ("mine", "theirs", "verdict"),
    [
        ((1, 3), [1, 3], "equal"),
        ((1, (0, 9)), [1, [0, 9]], "equal"),
        ((1, None), [1, [0, -1]], "equal"),
        ((1, None), [1, 3], "coarser"),
        (None, [1, 3], "coarser"),
        ((1, 3), [1, [0, -1]], "finer"),
        ((1, 4), [1, 3], "wrong"),
        ((1,), [1, 3], "wrong"),
    ],
)
def test_types_are_compared_as_ranges(judge: Any, mine: Any, theirs: Any, verdict: str) -> None:
    assert judge[0]._verdict("float32", mine, "float32", theirs) == verdict


def test_values_differ_by_a_share_of_the_largest(judge: Any) -> None:
    def difference(a: list[float], b: list[float]) -> Any:
        return judge[0].difference(numpy.array(a, "float32"), numpy.array(b, "float32"))

    assert difference([1, 100], [1.5, 100]) == pytest.approx(0.005)
    assert difference([numpy.inf, 1], [numpy.inf, 1]) == 0
    assert difference([numpy.nan, 1], [numpy.nan, 1]) == 0
    assert difference([], []) == 0
    assert isinstance(difference([numpy.nan, 1], [2, 1]), str)
    assert isinstance(difference([1], [1, 1]), str)


def test_summary_of_judged_models(judge: Any) -> None:
    summary = judge[1]
    record = {"seconds": 0.01, "openvino": "1", "instructions": ["avx2"]}
    row = {"family": "f", "name": "f/m", "record": record, "outputs": [0.0], "seconds": 0.02, "most": [["Add", 1.0, 3]]}
    rows = [
        row,
        {**row, "name": "f/bad", "outputs": [0.5], "errors": ["A001 wrong"], "seconds": 0.05},
        {**row, "name": "f/tied", "outputs": [0.5], "ties": {"topk": 4}},
        {**row, "name": "f/refused", "record": {"refused": "read", "message": "no"}, "errors": []},
        {**row, "name": "f/short", "record": {**record, "seconds": 0.001}, "seconds": 9.0},
    ]
    text = summary.text(rows)
    assert "5 models, 4 of which OpenVINO runs" in text
    assert "Errors on models that run: 1 models\n  f/bad: A001 wrong" in text
    assert "Unequal: 1 models\n  f/bad: 0.5" in text
    assert "Unequal by rule: 1 models\n  f/tied: ties: 'topk'" in text
    assert "Refused by OpenVINO, without an error: 1 models\n  f/refused" in text
    assert [line.split()[:5] for line in text.splitlines() if line.startswith("all ")] == [
        ["all", "3", "2.0", "5.0", "5.0"]
    ]
