"""Companions: files that say something about a model, such as how a server runs it. Each folder here is one kind; packages add others
by the entry point `irlint.companions`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from irlint.tools import installed

if TYPE_CHECKING:
    from irlint.companions.base import Companion


@cache
def companions() -> dict[str, Companion]:
    """Return every kind by name."""
    found: dict[str, Companion] = {}
    for folder in sorted(Path(__file__).parent.iterdir()):
        if (folder / "__init__.py").exists():
            found[folder.name] = import_module(f"irlint.companions.{folder.name}").COMPANION
    from irlint.companions.base import Companion

    for name, companion in installed.entry_points("irlint.companions"):
        if not isinstance(companion, Companion):
            raise installed.PluginError(
                f"the plug-in {name!r} is no companion: that is an instance of a subclass of Companion"
            )
        found[name] = companion
    return found
