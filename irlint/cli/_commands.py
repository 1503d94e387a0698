"""The commands: the files of this folder that do not begin with an underscore."""

from __future__ import annotations

import os

DEFAULT = "check"
ALIASES = {"explain": "rule"}  # other names, by which some look for a command


def commands() -> list[str]:
    """Return all commands by name."""
    names = (entry.partition(".")[0] for entry in os.listdir(os.path.dirname(__file__)) if entry.endswith(".py"))
    return sorted(name for name in names if not name.startswith("_"))
