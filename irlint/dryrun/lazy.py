"""NumPy, imported when a kernel first runs: inference does not need it."""

from __future__ import annotations

from typing import Any


class _Later:
    def __getattr__(self, name: str) -> Any:
        import numpy

        value = getattr(numpy, name)
        setattr(self, name, value)
        return value


np: Any = _Later()
