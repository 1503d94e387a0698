"""Notes for people, on stderr."""

from __future__ import annotations

import sys
from contextlib import suppress

from irlint.text.safe import visible


def say(text: str) -> None:
    """A note, each of its lines with the name of the program before it, and safe for a terminal."""
    with suppress(OSError):  # where nobody can be told, the exit status has to do
        sys.stderr.write("".join(f"irlint: {visible(line)}\n" for line in text.split("\n")))


def count(number: int, noun: str, plural: str = "") -> str:
    """A number and its noun."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"
