"""Reading of regular files only: irlint never waits for a FIFO or a device."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class Unreadable(Exception):
    """The reason why a file cannot be read or written, to follow its name and a colon."""


def plainly(error: OSError) -> str:
    """Return the message of a system error."""
    words = {FileNotFoundError: "no such file or folder", PermissionError: "permission denied"}
    return words.get(type(error)) or (error.strerror or str(error)).lower() or type(error).__name__


def open_regular(path: str) -> int:
    """Return a descriptor of a regular file, opened without blocking."""
    try:
        descriptor = os.open(path, _FLAGS)
    except ValueError as error:  # a NUL in the name
        raise Unreadable("no such file or folder") from error
    except OSError as error:
        raise Unreadable(_what_it_is(path) or plainly(error)) from error
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise Unreadable(_not_regular(mode))
    return descriptor


def read(path: str, limit: int = -1) -> bytes:
    """Return the content of a regular file, or its first `limit` bytes."""
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            return (file.readall() if limit < 0 else file.read(limit)) or b""
    except OSError as error:
        raise Unreadable(plainly(error)) from error


def read_or_nothing(path: str, limit: int = -1) -> bytes:
    """Return what `read` returns; nothing for a file that cannot be read."""
    try:
        return read(path, limit)
    except Unreadable:
        return b""


def read_if(path: str, wanted: Callable[[bytes], bool], head_size: int) -> bytes | None:
    """Return the content of a regular file; None, with only its head read, if that is rejected."""
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            head = file.read(head_size) or b""
            if not wanted(head):
                return None
            file.seek(0)  # to read the head again costs less than to copy a large file behind it
            return file.readall() or b""
    except OSError as error:
        raise Unreadable(plainly(error)) from error


def stat_of(path: str) -> os.stat_result | None:
    """Return what the system says of a file; None if it is not there."""
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def size_of(path: str) -> int:
    """Return the bytes of a file; 0 if it is not there."""
    found = stat_of(path)
    return 0 if found is None else found.st_size


def folder_and_above(folder: str) -> Iterator[str]:
    """Yield a folder, the one that it is in, and so on up to the root."""
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        yield folder


def _what_it_is(path: str) -> str | None:
    """Return the error for something that cannot be opened, such as a socket or a device without a driver."""
    found = stat_of(path)
    if found is None or stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode):
        return None
    return _not_regular(found.st_mode)


def _not_regular(mode: int) -> str:
    return f"{_KINDS.get(stat.S_IFMT(mode), 'a special file')}, not a regular file"
