"""Weight files beside a model."""

from __future__ import annotations

from pathlib import Path


def beside(path: Path) -> Path | None:
    return None
