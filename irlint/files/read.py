"""Reading of regular files only: irlint never waits for a FIFO or a device."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

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


def _what_it_is(path: str) -> str | None:
    """Return the error for something that cannot be opened, such as a socket or a device without a driver."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return None
    return None if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else _not_regular(mode)


def _not_regular(mode: int) -> str:
    return f"{_KINDS.get(stat.S_IFMT(mode), 'a special file')}, not a regular file"
