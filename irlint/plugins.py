"""Entry points of installed packages; importlib.metadata would find them too, but its import takes longer than a lint."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from typing import Any


class PluginError(Exception):
    """Which plug-in cannot be used, and why."""


@cache
def _declared() -> dict[str, tuple[tuple[str, str], ...]]:
    """Group -> (name, "module:attribute") of the irlint.* groups of installed packages, first on the path first.

    The working folder is left out even where Python would import from it: what merely lies in a repository is not installed.
    """
    found: dict[str, dict[str, str]] = {}
    for folder in dict.fromkeys(sys.path):
        if os.path.abspath(folder) == os.getcwd():
            continue
        try:
            entries = sorted(e for e in os.listdir(folder or ".") if e.endswith((".dist-info", ".egg-info")))
        except OSError:
            continue
        for entry in entries:
            try:
                with open(os.path.join(folder, entry, "entry_points.txt"), encoding="utf-8") as file:
                    text = file.read()
            except (OSError, UnicodeDecodeError):
                continue
            if "[irlint." in text:
                for group, name, target in _parse(text):
                    found.setdefault(group, {}).setdefault(name, target)
    return {group: tuple(points.items()) for group, points in found.items()}


def _parse(text: str) -> list[tuple[str, str, str]]:
    """Lines `name = module:attribute` below `[group]` lines, as packaging tools write them."""
    group, found = "", []
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            group = line.strip("[] ")
        elif "=" in line and not line.startswith(("#", ";")) and group.startswith("irlint."):
            name, _, target = line.partition("=")
            found.append((group, name.strip(), target.split("[")[0].strip()))
    return found


def load(group: str) -> list[tuple[str, Any]]:
    """Name and object of each entry point of a group."""
    return [(name, _loaded(name, target)) for name, target in _declared().get(group, ())]


def _loaded(name: str, target: str) -> Any:
    module, _, attribute = target.partition(":")
    try:
        value: Any = import_module(module)
        for part in filter(None, attribute.split(".")):
            value = getattr(value, part)
    except (Exception, SystemExit) as error:
        why = f"{type(error).__name__}: {error}"
        raise PluginError(f"the plug-in {name!r} ({target}) cannot be loaded: {why}") from error
    return value
