"""docs/assurance.md names tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_every_test_that_is_named_exists() -> None:
    text = (ROOT / "docs/assurance.md").read_text("utf-8")
    named = NAMED.findall(text)
    assert len(named) > 50
    rows = [line for line in text.splitlines() if line.startswith("| ") and "---" not in line and "tests/" in line]
    assert len(rows) == len(named), "each row names one test"
    for file, name in named:
        body = ast.parse((ROOT / file).read_text("utf-8")).body
        assert name in {node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}, (
            file,
            name,
        )


def test_it_is_linked() -> None:
    for file in ("README.md", "SECURITY.md", "mkdocs.yml"):
        text = (ROOT / file).read_text("utf-8")
        assert "assurance.md" in text or "irlint.readthedocs.io/assurance/" in text, file
