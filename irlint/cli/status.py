"""How commands end: notes on stderr, errors, exit statuses."""

from __future__ import annotations

import sys
from contextlib import suppress

from irlint.text.safe import columns, emit, visible
from irlint.tools import UserError

OK, FOUND, USAGE, FAILURE = 0, 1, 2, 3  # exit status: nothing found; something found; wrong usage; irlint's own failure


class UsageError(UserError):
    """An error in the usage."""


class Command(str):
    """A line that ends with a command to copy: it is not wrapped."""

    __slots__ = ()


class Refused(Exception):
    """The reasons why a model cannot be shown: its arguments are lines for stderr."""


def say(*lines: str) -> None:
    """Write notes to stderr after the name of the program, wrapped only on a terminal, whatever names they hold."""
    from irlint.text.wrap import fitted

    with suppress(OSError):  # without stderr, the exit status has to do
        wide = columns(sys.stderr)
        shown = (
            row
            for line in lines
            for row in fitted([f"irlint: {visible(line)}"], None if isinstance(line, Command) else wide)
        )
        emit(sys.stderr, "".join(f"{row}\n" for row in shown))
