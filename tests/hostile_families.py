"""All families of hostile files, those of every module in tests/hostile."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from tests.hostile.family import Family as Family

_MODULES = sorted(path.stem for path in (Path(__file__).parent / "hostile").glob("*.py"))

FAMILIES: dict[str, Family] = {}
for _name in _MODULES:
    FAMILIES.update(getattr(import_module(f"tests.hostile.{_name}"), "FAMILIES", {}))
