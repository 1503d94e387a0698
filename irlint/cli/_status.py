"""Exit statuses and errors of commands."""

from __future__ import annotations

OK, FOUND, USAGE, FAILURE = 0, 1, 2, 3  # exit status: nothing found; something found; wrong usage; irlint's own failure


class UsageError(Exception):
    """An error in the usage: its arguments are lines for stderr."""


class Refused(Exception):
    """The reasons why a model cannot be shown: its arguments are lines for stderr."""
