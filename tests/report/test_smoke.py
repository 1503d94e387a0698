"""Every output format writes something for findings and for a clean file."""

from __future__ import annotations

import io

import pytest

from irlint import report
from irlint.engine import Result
from irlint.findings import Finding, Fix, Severity
from irlint.text.base import Edit, Span

FINDING = Finding(
    "R006", "index-out-of-range", Severity.ERROR, "too high", Span(1, 2), "/0", fix=Fix("", (Edit(Span(1, 2), "0"),))
)


@pytest.mark.parametrize("format_", report.FORMATS)
def test_writes(format_: str) -> None:
    stream = io.StringIO()
    totals = report.write([Result("a.json", [FINDING], text="[5]"), Result("b.json", [])], format_, stream)
    assert stream.getvalue().endswith("\n")
    assert (totals.errors, totals.files, totals.files_with_findings, totals.safe_fixes) == (1, 2, 1, 1)
