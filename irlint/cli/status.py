"""How commands end: notes on stderr, errors, exit statuses."""

from __future__ import annotations

import sys
from contextlib import suppress

from irlint.text.safe import Command, columns, emit, led, visible
from irlint.tools import UserError

OK, FOUND, USAGE, FAILURE = 0, 1, 2, 3  # exit status: nothing found; something found; wrong usage; irlint's own failure


class UsageError(UserError):
    """An error in the usage."""


class Refused(Exception):
    """The reasons why a model cannot be shown: its arguments are lines for stderr."""


def say(*lines: str) -> None:
    """Write notes to stderr after the name of the program, wrapped only on a terminal, whatever names they hold."""
    from irlint.text.wrap import fitted

    with suppress(OSError):  # without stderr, the exit status has to do
        shown = fitted([led("irlint: ", _visible(line)) for line in lines], columns(sys.stderr))
        emit(sys.stderr, "".join(f"{row}\n" for row in shown))


def _visible(line: str) -> str:
    return Command(visible(line.before), visible(line.command)) if isinstance(line, Command) else visible(line)
