"""How a command ends: its exit status, or a sentence for its user."""

from __future__ import annotations

OK, FOUND, USAGE, FAILURE = 0, 1, 2, 3  # exit status: nothing found; something found; wrong usage; irlint's own failure


class UsageError(Exception):
    """Something that the user has to change, in one plain sentence."""


class Refused(Exception):
    """Why there is no model to show, in lines for stderr."""
