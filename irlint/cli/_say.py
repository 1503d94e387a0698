"""Notes for people, on stderr."""

from __future__ import annotations

import sys
from contextlib import suppress

from irlint.text.safe import emit, visible


def say(*lines: str) -> None:
    """Write notes to stderr, each of them on one line whatever names it holds, after the name of the program."""
    with suppress(OSError):  # without stderr, the exit status has to do
        emit(sys.stderr, "".join(f"irlint: {visible(line)}\n" for line in lines))
