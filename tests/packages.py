"""Packages of examples/ as pip would install them, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from irlint.formats import base
from irlint.tools import installed


def site_with(folder: Path, package: Path, points: str) -> Path:
    """Return a folder of installed packages: one, with its entry points."""
    info = folder / f"site/{package.name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "entry_points.txt").write_text(points)
    (folder / "site" / package.name).symlink_to(package)
    return info.parent


@contextmanager
def formats_of(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have irlint know the formats of a folder of packages."""
    with known(site, monkeypatch, base.all_formats, base.extensions):
        yield


@contextmanager
def known(site: Path, monkeypatch: pytest.MonkeyPatch, *found: Any) -> Iterator[None]:
    """Have irlint know a folder of packages; `found`: the functions that keep what they found of others."""
    caches = installed._declared, *found
    monkeypatch.syspath_prepend(str(site))
    for cached in caches:
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in caches:
        cached.cache_clear()
