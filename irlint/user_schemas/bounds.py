"""What bounds the validation by a user's schema: which files it may read, and how long anything may take."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

MOST = 1000  # errors of one document
TICK = 0.5  # seconds of a regular expression
MEMORY = 4 << 30
SIZE, FILES = 2_000_000, 200  # bytes of a file of a schema, and how many files it may have
PUBLISHED = "https://irlint.readthedocs.io/schemas/"


class Mistake(Exception):
    """Why a schema cannot be used: the file, where in it (a path or a line), and what is wrong."""

    def __init__(self, path: str, at: Any, words: str) -> None:
        super().__init__(path, at, words)


class Slow(BaseException):
    """A regular expression, or all of a check, that took too long."""

    def __init__(self, pattern: str | None) -> None:
        self.pattern = pattern


class Files:
    """The files of a schema, all of them below one folder or published ones."""

    def __init__(self, base: str, published: str) -> None:
        self.base, self.published = os.path.realpath(base), os.path.realpath(published)
        self.read: dict[str, bytes] = {}

    def path_of(self, location: str, folder: str) -> str | None:
        """Return the path that a reference means; None if it leads to the network or out of the folder."""
        from urllib.parse import unquote, urlsplit

        location, _, _ = location.partition("#")
        if location.startswith(PUBLISHED):
            location = os.path.join(self.published, unquote(location[len(PUBLISHED) :]))
        parts = urlsplit(location)
        if parts.scheme == "file" and parts.netloc in ("", "localhost"):
            from urllib.request import url2pathname

            location = url2pathname(parts.path)
        elif len(parts.scheme) > 1 or parts.netloc:  # one letter is a drive
            return None
        else:
            location = unquote(location)
        if "\0" in location:
            return None
        path = os.path.realpath(os.path.join(folder, location))
        is_inside = any(path.startswith(os.path.join(root, "")) for root in (self.base, self.published))
        return path if is_inside else None

    def content(self, path: str) -> bytes:
        if path not in self.read:
            name = os.path.basename(path)
            if not os.path.isfile(path):
                raise Mistake(path, None, f"{name} is not a file")
            if os.path.getsize(path) > SIZE or len(self.read) == FILES:
                raise Mistake(path, None, f"expected at most {FILES} files of {SIZE:,} bytes, got more with {name}")
            with open(path, "rb") as file:
                self.read[path] = file.read(SIZE)
        return self.read[path]

    @property
    def digest(self) -> str:
        seen = blake2b(digest_size=16)
        for path in sorted(self.read):
            seen.update(path.encode("utf-8", "surrogateescape") + b"\0" + blake2b(self.read[path]).digest())
        return seen.hexdigest()


class Clock:
    """The time of a check, and what was running when it was last looked at."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds
        self.search: Any = None  # the frame of a regular expression

    def tick(self, _number: int, frame: Any) -> None:
        """End a regular expression that was running at the last tick, too, or a check whose time is over."""
        self.left -= TICK
        before, self.search = self.search, _search(frame)
        if self.search is not None and self.search is before:
            raise Slow(str(self.search.f_locals["pattern"]))
        if self.left < 0:
            raise Slow(None)


def _search(frame: Any) -> Any:
    """Return the innermost call of `re.search` that is running, if any."""
    while frame is not None and frame.f_code is not re.search.__code__:
        frame = frame.f_back
    return frame


@contextmanager
def clocked(seconds: float) -> Iterator[None]:
    """Run a check against the clock, where the system has one that counts the time of the process."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGVTALRM, Clock(seconds).tick)
    signal.setitimer(signal.ITIMER_VIRTUAL, TICK, TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
