"""Modules imported when a kernel first runs: inference needs neither NumPy nor kernels."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Later:
    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self._module), name)
        setattr(self, name, value)
        return value


np: Any = Later("numpy")
