"""Exit statuses and errors of commands."""

from __future__ import annotations

OK, FOUND, USAGE, FAILURE = 0, 1, 2, 3  # exit status: nothing found; something found; wrong usage; irlint's own failure


class UsageError(Exception):
    """An error in the usage, in one sentence."""


class Refused(Exception):
    """The reason why a model cannot be shown, in lines for stderr."""
