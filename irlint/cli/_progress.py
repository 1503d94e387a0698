"""Progress of long runs, on terminals only; it is removed when the run ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from time import monotonic
from typing import TextIO, TypeVar

from irlint.text.safe import emit

T = TypeVar("T")

FROM = 20  # files: fewer need no bar
PAUSE = 0.1  # seconds between two pictures
WIDTH = 30
ERASE = "\r\x1b[K"


class Meter:
    """A line on stderr that is drawn again every while, if that is a terminal."""

    def __init__(self, quiet: bool = False, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._is_on = not quiet and self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._begun = self._drawn = monotonic()
        self._is_there = False

    def show(self, picture: str) -> None:
        self.draw(lambda: picture)

    def draw(self, picture: Callable[[], str]) -> None:
        now = monotonic()
        if self._is_on and now - self._drawn >= PAUSE and now - self._begun >= 3 * PAUSE:
            sys.stdout.flush()
            emit(self._stream, ERASE + picture())
            self._stream.flush()
            self._drawn, self._is_there = now, True

    def clear(self, flush: bool = False) -> None:
        if self._is_there:
            emit(self._stream, ERASE)
            self._is_there = False
            if flush:
                self._stream.flush()


def shown(items: Iterator[T], total: int, stream: TextIO | None = None) -> Iterator[T]:
    """Yield items, with a progress bar on stderr while the caller waits for the next one, if that is a terminal."""
    stream = stream or sys.stderr
    if total < FROM or not stream.isatty() or os.environ.get("TERM") == "dumb":
        return items
    return _shown(items, total, Meter(stream=stream))


def _shown(items: Iterator[T], total: int, meter: Meter) -> Iterator[T]:
    try:
        for done, item in enumerate(items, 1):
            meter.clear()  # so that output of the caller begins on an empty line
            yield item
            meter.draw(lambda done=done: bar(done, total))  # type: ignore[misc]
    finally:
        meter.clear(flush=True)


def bar(done: int, total: int) -> str:
    full = done * WIDTH // total
    return f"[{'#' * full}{' ' * (WIDTH - full)}] {done} of {total} files"
