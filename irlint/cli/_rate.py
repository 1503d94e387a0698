"""Progress of a run over stores: objects, bytes and the time that is left, while batches come back only now and then."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import TextIO

from irlint.cli._output import columns
from irlint.cli._progress import ERASE
from irlint.cli._say import say
from irlint.text.safe import emit
from irlint.zoo.run import Counts

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
def shown(picture: Callable[[], str], stream: TextIO | None = None) -> Iterator[None]:
    """Show a picture on stderr again and again; without a terminal, as a line each minute."""
    out = stream or sys.stderr
    is_terminal = out.isatty() and os.environ.get("TERM") != "dumb"
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
