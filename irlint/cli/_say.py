"""Notes for people, on stderr."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """A note, each of its lines with the name of the program before it."""
    sys.stderr.write("".join(f"irlint: {line}\n" for line in text.split("\n")))
