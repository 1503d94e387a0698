"""Integers of any length in texts."""

from __future__ import annotations

MANY = (
    1 << 16
)  # items that a number of a file can ask for: no runtime lists more outputs, dimensions or layers of one node
LARGEST = 10**4299  # Python neither parses nor prints longer integers


def integer(text: str) -> int:
    """Return the integer that a text of digits spells, limited to what Python can print."""
    try:
        return int(text)
    except ValueError:
        return -LARGEST if text[0] == "-" else LARGEST


def decimal(text: str, most: int = 19) -> int | None:
    """Return the number that a text of at most so many ASCII digits spells; None for others: Python takes the digits of all scripts."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= most else None


def told(number: int) -> str:
    """Return a number for a message; of a huge one, its magnitude."""
    return str(number) if number.bit_length() <= 256 else f"{'-' * (number < 0)}2^{number.bit_length() - 1} or more"
