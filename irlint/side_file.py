"""A file next to a model: opened once, only if it is a regular file inside the model's folder, and read in pieces."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Literal

State = Literal["open", "missing", "outside", "odd", "unreadable"]


class StoredBytes:
    """The bytes of an open file, read when a slice of them is asked for. A slice is shorter where the file has become so
    meanwhile; a memory map would end the process there.
    """

    def __init__(self, descriptor: int, size: int) -> None:
        self._descriptor, self._size = descriptor, size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(self._size)
        pieces: list[bytes] = []
        while start < stop and (piece := self._read(start, min(stop - start, _AT_ONCE))):
            pieces.append(piece)
            start += len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _read(self, offset: int, size: int) -> bytes:
        try:
            if hasattr(os, "pread"):
                return os.pread(self._descriptor, size, offset)
            os.lseek(self._descriptor, offset, os.SEEK_SET)
            return os.read(self._descriptor, size)
        except OSError:
            return b""

    def __del__(self) -> None:
        os.close(self._descriptor)


_LFS = b"version https://git-lfs.github.com/spec/"
_AT_ONCE = 1 << 30  # bytes: no system reads 2 GiB or more in one go


class SideFile:
    """`state`: outside: its real path leaves the model's folder; odd: no regular file."""

    def __init__(self, path: Path, model: Path | None) -> None:
        """`model` is None where the user named the file, wherever it is."""
        self.path = path
        self.state: State = "missing"
        self.data: StoredBytes | bytes = b""
        if model is not None and not inside(path, model):
            self.state = "outside"
            return
        try:
            descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        except FileNotFoundError:
            return
        except OSError:
            self.state = "odd" if os.path.isdir(path) else "unreadable"  # a name may be too long to ask for more
            return
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            os.close(descriptor)
            self.state = "odd"
            return
        self.data, self.state = StoredBytes(descriptor, found.st_size), "open"


def inside(path: Path, model: Path) -> bool:
    """Return whether a file is really inside the model's folder: that of its name, or of the file that the name links to."""
    real = os.path.realpath(path)
    folders = (os.path.realpath(os.path.dirname(os.path.abspath(model))), os.path.dirname(os.path.realpath(model)))
    return any(os.path.commonpath([real, folder]) == folder for folder in folders)


def is_pointer(data: StoredBytes | bytes) -> bool:
    """Return whether a file is a Git LFS pointer."""
    return data[: len(_LFS)] == _LFS


def foreign(data: StoredBytes | bytes) -> str | None:
    """Return what a file seems to be instead of weights, by its first bytes."""
    if is_pointer(data):
        return "a Git LFS pointer; run `git lfs pull` to fetch the file"
    start = data[:256].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "an HTML page, perhaps saved in place of the download"
    if start.startswith((b"{", b"<?xml")):
        return "a text file"
    return None
