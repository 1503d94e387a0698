"""Companions: files that say something about a model, such as how a server runs it. Each folder here is one kind: `PATTERNS` are the names
of its files, and `companion` returns it. Packages add others by the entry point `irlint.companions`, as a module of this kind.
"""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from irlint.tools import installed

if TYPE_CHECKING:
    from irlint.formats.base import Format


@cache
def _kinds() -> dict[str, ModuleType]:
    folders = (folder for folder in sorted(Path(__file__).parent.iterdir()) if (folder / "__init__.py").exists())
    found = {folder.name: import_module(f"irlint.companions.{folder.name}") for folder in folders}
    for name, module in installed.entry_points("irlint.companions"):
        if not (hasattr(module, "PATTERNS") and hasattr(module, "companion")):
            raise installed.PluginError(
                f"the plug-in {name!r} is no companion: expected a module with PATTERNS and companion()"
            )
        found[name] = module
    return found


@cache
def _companion(kind: ModuleType) -> Format:
    found: Format = kind.companion()
    return found


def named_like(name: str) -> dict[str, Format]:
    """Return the kinds of companions that a file with this name may be. Others are not imported."""
    base = os.path.basename(name).lower()
    fitting = (kind for kind in _kinds().values() if any(fnmatchcase(base, pattern) for pattern in kind.PATTERNS))
    return {found.name: found for found in map(_companion, fitting)}
