"""Whole numbers in texts, of any length."""

from __future__ import annotations

LARGEST = 10**4299  # longer integers are neither read from text by Python nor written


def integer(text: str) -> int:
    """The integer that a text of digits spells; of those that Python refuses to print, the largest that it prints."""
    try:
        return int(text)
    except ValueError:
        return -LARGEST if text[0] == "-" else LARGEST


def told(number: int) -> str:
    """A number in a message; of one with more digits than anybody reads, how large it is."""
    return str(number) if number.bit_length() <= 256 else f"{'-' * (number < 0)}2^{number.bit_length() - 1} or more"
