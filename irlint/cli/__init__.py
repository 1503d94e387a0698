"""The command line: picks the command and imports nothing else. Each other file of this folder is one command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

DEFAULT = "check"


def commands() -> list[str]:
    """Every command by name: the modules of this folder that do not begin with an underscore."""
    names = (entry.partition(".")[0] for entry in os.listdir(os.path.dirname(__file__)) if entry.endswith(".py"))
    return sorted(name for name in names if not name.startswith("_"))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs irlint with these arguments; gives the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments in (["--version"], ["-V"]):
        from irlint import __version__

        print(f"irlint {__version__}")
        return 0
    from irlint.cli._dispatch import dispatch

    return dispatch(arguments)
