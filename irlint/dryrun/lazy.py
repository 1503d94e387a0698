"""Modules imported when a kernel first runs: inference needs neither NumPy nor kernels."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Later:
    missed = False  # whether it was needed and is not installed, since somebody set this to False

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        try:
            value = getattr(import_module(self._module), name)
        except ModuleNotFoundError:
            self.missed = True
            raise
        setattr(self, name, value)
        return value


np: Any = Later("numpy")
