"""Operators are named by texts, "family.Name", in the tables of formats: each of them is there."""

from __future__ import annotations

import re
from pathlib import Path
from pkgutil import iter_modules

import pytest

from irlint.dryrun import ops
from irlint.dryrun.operator import operator

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = {module.name for module in iter_modules(ops.__path__)}
TABLES = sorted((ROOT / "irlint/formats").glob("*/dryrun*.py"))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_operators_of_a_table_are_there(path: Path) -> None:
    words = re.findall(r'"([a-z_]+)\.([A-Z]\w*)"', path.read_text("utf-8"))
    for family, name in words:
        assert family in FAMILIES, f"{family}.{name}"
        operator(f"{family}.{name}")


def test_files_of_operators_are_short() -> None:
    files = (ROOT / "irlint/dryrun").rglob("*.py")
    assert [path.name for path in files if path.read_text("utf-8").count("\n") > 500] == []
