"""A progress bar for long runs, on terminals only; it is removed when the run ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from time import monotonic
from typing import TextIO, TypeVar

T = TypeVar("T")

FROM = 20  # files: fewer need no bar
PAUSE = 0.1  # seconds between two pictures
WIDTH = 30
ERASE = "\r\x1b[K"


def shown(items: Iterator[T], total: int, stream: TextIO | None = None) -> Iterator[T]:
    """Yield items, with a progress bar on stderr while the caller waits for the next one, if that is a terminal."""
    stream = stream or sys.stderr
    if total < FROM or not stream.isatty() or os.environ.get("TERM") == "dumb":
        return items
    return _shown(items, total, stream)


def _shown(items: Iterator[T], total: int, stream: TextIO) -> Iterator[T]:
    begun = drawn = monotonic()
    stands = False
    try:
        for done, item in enumerate(items):
            if stands:  # so that output of the caller begins on an empty line
                stream.write(ERASE)
                stands = False
            yield item
            now = monotonic()
            if now - drawn >= PAUSE and now - begun >= 3 * PAUSE:
                sys.stdout.flush()
                stream.write(ERASE + bar(done + 1, total))
                stream.flush()
                drawn, stands = now, True
    finally:
        if stands:
            stream.write(ERASE)
            stream.flush()


def bar(done: int, total: int) -> str:
    full = done * WIDTH // total
    return f"[{'#' * full}{' ' * (WIDTH - full)}] {done} of {total} files"
