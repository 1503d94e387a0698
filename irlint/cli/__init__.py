"""The command line: picks the command and imports nothing else. Each other file of this folder is one command."""

from __future__ import annotations

import os
import sys

DEFAULT = "check"

OK, FOUND, USAGE, FAILURE = 0, 1, 2, 3  # exit status: nothing found; something found; wrong usage; irlint's own failure


class UsageError(Exception):
    """Something that the user has to change, in one plain sentence."""


class Refused(Exception):
    """Why there is no model to show, in lines for stderr."""


def main(argv: list[str] | None = None) -> int:
    """Runs irlint with these arguments (those of the process) and gives the exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments in (["--version"], ["-V"]):
        from irlint import __version__

        try:
            print(f"irlint {__version__}", flush=True)
        except OSError as error:
            from irlint.cli._dispatch import failed

            return failed(error)
        return OK
    import gc

    gc.disable()  # the runner looks for garbage between files
    from irlint.cli._dispatch import guarded

    return guarded(arguments)


def commands() -> list[str]:
    """Every command by name: the files of this folder that do not begin with an underscore."""
    names = (entry.partition(".")[0] for entry in os.listdir(os.path.dirname(__file__)) if entry.endswith(".py"))
    return sorted(name for name in names if not name.startswith("_"))
