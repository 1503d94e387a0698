"""The text formats, letter by letter. IRLINT_UPDATE=1 writes golden/ again; read the difference before you keep it."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from irlint import report

from .cases import CASES

GOLDEN = Path(__file__).parent / "golden"
FORMATS = {
    "full": {"format": "full"},
    "color": {"format": "full", "color": True},
    "full-60": {"format": "full", "columns": 60},
    "full-80": {"format": "full", "columns": 80},
    "full-all": {"format": "full", "show_all": True},
    "concise": {"format": "concise"},
    "concise-60": {"format": "concise", "columns": 60},
    "concise-color": {"format": "concise", "color": True, "unsafe_fixes": True},
    "github": {"format": "github"},
    "junit": {"format": "junit"},
}


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("case", CASES)
def test_golden(case: str, kind: str) -> None:
    stream = io.StringIO()
    report.write(CASES[case](), stream=stream, **FORMATS[kind])  # type: ignore[arg-type]
    path = GOLDEN / f"{case}.{kind}.txt"
    if os.environ.get("IRLINT_UPDATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(stream.getvalue(), encoding="utf-8", newline="\n")
    assert stream.getvalue() == path.read_text(encoding="utf-8")
