"""Dimensions of a partial shape as the reader parses them: N, ?, -1 and ranges such as 1..8 (2026.4.1)."""

from __future__ import annotations

import re

from irlint.graph import Dim
from irlint.records import NamedTuple
from irlint.text.numbers import integer

MOST = (1 << 63) - 1  # endless, as the reader writes it
_BLANKS = " \t\n\v\f\r"
_DIGITS = re.compile(r"[0-9-]*")  # which signs may stand in a number; where is not looked at
_NUMBER = re.compile(r"-?[0-9]+")


class DimensionRange(NamedTuple):
    """The allowed dimensions, from `low` to `high`; empty if `high` is less than `low`."""

    low: int
    high: int
    lossy: bool = False  # whether it says something else than what is read

    @property
    def is_empty(self) -> bool:
        return self.high < self.low

    @property
    def dim(self) -> Dim:
        if self.is_empty or (self.low == 0 and self.high == MOST):
            return None
        return self.low if self.low == self.high else (self.low, None if self.high == MOST else self.high)


def dimension(text: str) -> DimensionRange | None:
    """Return a dimension as the reader parses it; None if it refuses the text."""
    text = text.strip(_BLANKS)
    if text in ("?", "-1"):
        return DimensionRange(0, MOST)
    first, dots, second = text.partition("..")
    if _DIGITS.fullmatch(first) is None or _DIGITS.fullmatch(second) is None or not text:
        return None
    low = _number(first, 0)
    high = _number(second, MOST) if dots else low
    lossy = any(word and (_NUMBER.fullmatch(word) is None or not _fits(word)) for word in (first, second))
    # OpenVINO 2026.4.1: '10..1' allows any length, '-2' becomes 0
    if not high >= low < MOST:
        return DimensionRange(1, 0, lossy)
    return DimensionRange(max(low, 0), max(high, 0), lossy)


def _number(word: str, otherwise: int) -> int:
    """Return the number that a text starts with; `otherwise` if there is none, or if it exceeds 64 bits."""
    found = _NUMBER.match(word)
    return integer(found[0]) if found is not None and _fits(found[0]) else otherwise


def _fits(word: str) -> bool:
    return -MOST - 1 <= integer(word) <= MOST
