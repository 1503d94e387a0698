"""irlint takes every case as the real LightNet does, and says what is wrong on the right line."""

from __future__ import annotations

from pathlib import Path

import pytest

from irlint import engine
from irlint.findings import Severity

from . import oracle
from .cases import CASES, Case
from .layout import LAYOUTS, render
from .models import create, show


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdict_and_line(case: Case, layout: str) -> None:
    document, path = case.document()
    rendered = render(document, layout)
    result = engine.lint(rendered.text)
    lines = [result.lines.position(f.span.start).line for f in result.findings]
    errors = [line for f, line in zip(result.findings, lines, strict=True) if f.severity == Severity.ERROR]
    told = [(f.code, f.message, line) for f, line in zip(result.findings, lines, strict=True)]
    if case.outcome == "valid":
        assert not errors, told
    elif case.outcome == "ok":
        assert not errors, told
        assert result.findings
    else:
        lines_of_defect = rendered.line_range(path)
        assert any(line in lines_of_defect for line in errors), (lines_of_defect, told)


ONE_NAME = [
    c for c in CASES if c.base != "rarities" and any(word in c.name for word in ("misnamed", "twice", "output"))
]


@pytest.mark.parametrize("case", ONE_NAME, ids=lambda case: case.name)
def test_one_wrong_name_is_one_error(case: Case) -> None:
    found = engine.lint(render(case.document()[0]).text).findings
    assert len([(f.code, f.message) for f in found if f.severity == Severity.ERROR]) <= 1, found


@pytest.mark.skipif(oracle.BINARY is None, reason="IRLINT_LIGHTNET does not name a LightNet binary")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_real_loader_agrees(case: Case, tmp_path: Path) -> None:
    document, _ = case.document()
    data = render(document).text.encode()
    loaded, _ = oracle.verdict(data, tmp_path, run=False)
    ran, message = oracle.verdict(data, tmp_path, run=True)
    if loaded == "ok" and "unsupported optype" in message and "_cpu" not in message:
        pytest.skip("the cpu target lacks an operator of this model")
    assert (loaded == ran == "ok") == (case.outcome != "error"), (loaded, ran, message)


def test_another_optype_is_one_error() -> None:
    model = render({"ops": [create("a", [2]), show("a")]}).text.replace('"print"', '"gather"')
    found = engine.lint(model).findings
    assert [f.name for f in found if f.severity == Severity.ERROR] == ["wrong-operator"]


def test_a_lost_output_is_not_another_name() -> None:
    document = {"ops": [create("w1", [2]), create("w2", [2]), show("w1"), show("w2")]}
    document["ops"][0]["tensors_out"] = []
    found = engine.lint(render(document).text).findings
    assert [f.name for f in found if f.severity == Severity.ERROR] == ["wrong-output-count"]
