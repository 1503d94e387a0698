"""Notes for people, on stderr."""

from __future__ import annotations

import sys

from irlint.text.safe import visible


def say(text: str) -> None:
    """A note, each of its lines with the name of the program before it, and safe for a terminal."""
    sys.stderr.write("".join(f"irlint: {visible(line)}\n" for line in text.split("\n")))
