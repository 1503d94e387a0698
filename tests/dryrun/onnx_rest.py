"""Why some of onnx's backend node tests are not equal: reasons by the names of tests, as docs/run.md lists them."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "run.md"
_ROW = re.compile(r"^\| ([^|]+) \| (`test_[^|]+) \|$", re.MULTILINE)


def reasons() -> dict[str, list[str]]:
    """Patterns of test names by reason."""
    return {row[1]: re.findall(r"`(test_[^`]+)`", row[2]) for row in _ROW.finditer(PAGE.read_text())}


def reason(name: str) -> str | None:
    return next((why for why, names in reasons().items() if any(fnmatchcase(name, each) for each in names)), None)
