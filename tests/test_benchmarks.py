"""The files that benchmarks are made with are what they are said to be."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

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
