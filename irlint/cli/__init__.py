"""The command line: picks the command and imports nothing else. Each file in `commands` is a command."""

from __future__ import annotations

import sys


def main(argv: list[str] | None = None) -> int:
    """Run irlint with these arguments (default: those of the process) and return the exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments in (["--version"], ["-V"]):
        from irlint import __version__

        try:
            print(f"irlint {__version__}", flush=True)
        except OSError as error:
            from irlint.cli.dispatch import failed

            return failed(error)
        return 0
    import gc

    gc.disable()  # the runner looks for garbage between files
    from irlint.cli.dispatch import guarded

    return guarded(arguments)
