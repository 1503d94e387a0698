"""How commands end: notes on stderr, errors, exit statuses."""

from __future__ import annotations

import sys
from contextlib import suppress

from irlint.text.safe import emit, visible
from irlint.tools import UserError

OK, FOUND, USAGE, FAILURE = 0, 1, 2, 3  # exit status: nothing found; something found; wrong usage; irlint's own failure


class UsageError(UserError):
    """An error in the usage."""


class Refused(Exception):
    """The reasons why a model cannot be shown: its arguments are lines for stderr."""


def say(*lines: str) -> None:
    """Write notes to stderr, each of them on one line whatever names it holds, after the name of the program."""
    with suppress(OSError):  # without stderr, the exit status has to do
        emit(sys.stderr, "".join(f"irlint: {visible(line)}\n" for line in lines))
