"""Versions of a model that a target does not load."""

from __future__ import annotations

from irlint.records import NamedTuple
from irlint.text.base import Place


class Excess(NamedTuple):
    """A version that is newer than a target loads."""

    at: Place
    domain: str | None  # None: the IR version
    what: str  # it is, in the plural
    number: int
    most: int
    words: str  # with a number

    @property
    def got(self) -> str:
        return self.words.format(self.number)

    @property
    def lowered(self) -> str:
        return self.words.format(self.most)
