"""Reading of regular files only: irlint never waits for a FIFO or a device."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from io import FileIO
from typing import cast

MAPPED = 1 << 24  # bytes from which on a file may be mapped

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


def read(path: str, limit: int = -1, mapped: bool = False) -> bytes:
    """Return the content of a regular file, or its first `limit` bytes; `mapped`: as `_all` returns it."""
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            return _all(file, mapped) if limit < 0 else file.read(limit) or b""
    except OSError as error:
        raise Unreadable(plainly(error)) from error


def _all(file: FileIO, mapped: bool) -> bytes:
    """Return the content of a file. If `mapped`, that of a large one is a view of it, of which only what is looked at is read: most
    weights are not. It is for a process that is soon over, because the system ends one that looks at a file that was cut meanwhile."""
    if mapped and os.fstat(file.fileno()).st_size >= MAPPED:
        import mmap

        return cast("bytes", mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    return file.readall() or b""


def read_or_nothing(path: str, limit: int = -1) -> bytes:
    """Return what `read` returns; nothing for a file that cannot be read."""
    try:
        return read(path, limit)
    except Unreadable:
        return b""


def read_if(path: str, wanted: Callable[[bytes], bool], head_size: int, mapped: bool = False) -> bytes | None:
    """Return what `read` returns; None, with only the head of the file read, if that is rejected."""
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            head = file.read(head_size) or b""
            if not wanted(head):
                return None
            file.seek(0)  # to read the head again costs less than to copy a large file behind it
            return _all(file, mapped)
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
