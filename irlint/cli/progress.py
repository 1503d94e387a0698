"""Progress of long runs: a bar of files on terminals, which is removed at the end, and the rate of a run over stores."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TextIO, TypeVar

from irlint.cli.output import can_draw
from irlint.cli.status import say
from irlint.text.safe import columns, emit

if TYPE_CHECKING:
    from irlint.zoo.run import Counts


T = TypeVar("T")

FROM = 20  # files: fewer need no bar
PAUSE = 0.1  # seconds between two pictures
WIDTH = 30
ERASE = "\r\x1b[K"


class Meter:
    """A line on stderr that is drawn again every while, if that is a terminal."""

    def __init__(self, quiet: bool = False, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._is_on = not quiet and can_draw(self._stream)
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


def with_bar(items: Iterator[T], total: int, stream: TextIO | None = None) -> Iterator[T]:
    """Yield items, with a progress bar on stderr while the caller waits for the next one, if that is a terminal."""
    stream = stream or sys.stderr
    if total < FROM or not can_draw(stream):
        return items
    return _with_bar(items, total, Meter(stream=stream))


def _with_bar(items: Iterator[T], total: int, meter: Meter) -> Iterator[T]:
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


_EVERY = 0.25  # seconds between two pictures on a terminal
_EVERY_LINE = 60.0  # seconds between two lines where there is no terminal
_SURE = 64  # objects, and
_SURE_SECONDS = 5.0  # after which a rate means something


class Rate:
    """The picture of a run's progress."""

    def __init__(self, counts: Counts, clock: Callable[[], float] = monotonic) -> None:
        self._counts, self._clock = counts, clock
        self._began = clock()

    def __call__(self) -> str:
        counts = self._counts
        seconds = self._clock() - self._began
        words = f"{min(counts.done, counts.objects):,} of {counts.objects:,} objects"
        if counts.fresh < _SURE or seconds < _SURE_SECONDS:
            return words
        speed = counts.fresh_size / seconds
        words += f", {counts.fresh / seconds:,.0f}/s, {speed / (1 << 20):.1f} MiB/s"
        left = max(counts.size - counts.done_size, 0)
        return f"{words}, {_time(left / speed)} left" if speed and counts.done < counts.objects else words


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


@contextmanager
def rate_shown(picture: Callable[[], str], stream: TextIO | None = None) -> Iterator[None]:
    """Show a picture on stderr again and again; without a terminal, as a line each minute."""
    from threading import Event, Thread

    out = stream or sys.stderr
    is_terminal = can_draw(out)
    ended = Event()

    def draw() -> None:
        while not ended.wait(_EVERY if is_terminal else _EVERY_LINE):
            if is_terminal:
                emit(out, ERASE + picture()[: (columns(out) or 80) - 1])
                out.flush()
            else:
                say(picture())

    thread = Thread(target=draw, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        if is_terminal:
            emit(out, ERASE)
            out.flush()
