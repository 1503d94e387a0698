"""Files next to a model: on disk, unless the caller of a lint says where else they are.

All that a lint learns about files other than the model itself goes through here, so that a model from an object store is
linted with what is next to it in the store, and no file of this machine is opened because a model names it.
"""

from __future__ import annotations

import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Literal

State = Literal["open", "missing", "outside", "odd", "unreadable"]


class StoredBytes(ABC):
    """The bytes of an open file, read when a slice of them is asked for. A slice is shorter where bytes cannot be read."""

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(self._size)
        pieces: list[bytes] = []
        while start < stop and (piece := self._read(start, min(stop - start, _AT_ONCE))):
            pieces.append(piece)
            start += len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    @abstractmethod
    def _read(self, offset: int, size: int) -> bytes:
        """Return up to `size` bytes; none if they cannot be read."""


_AT_ONCE = 1 << 30  # bytes: no system reads 2 GiB or more in one go


class FileSource(ABC):
    """The files next to models."""

    has_git = False  # whether a missing file may be in a git repository

    @abstractmethod
    def open(self, path: Path, model: Path | None) -> tuple[State, StoredBytes | bytes]:
        """Return the state of a file, and its bytes if it is open. `model`: the file must be inside that model's folder."""

    @abstractmethod
    def names(self, folder: Path, beginning: str = "") -> list[str]:
        """Return the names in a folder that begin like this; none if it cannot be listed."""

    @abstractmethod
    def is_there(self, path: Path) -> bool: ...

    @abstractmethod
    def is_folder(self, path: Path) -> bool: ...

    @abstractmethod
    def real(self, path: Path) -> str:
        """Return where a file really is, if it is a link."""


class DiskBytes(StoredBytes):
    """The bytes of a file on disk. A memory map would end the process where the file has become shorter meanwhile."""

    def __init__(self, descriptor: int, size: int) -> None:
        super().__init__(size)
        self._descriptor = descriptor

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


class Disk(FileSource):
    """The files of this machine."""

    has_git = True

    def open(self, path: Path, model: Path | None) -> tuple[State, StoredBytes | bytes]:
        if model is not None and not inside(path, model):
            return "outside", b""
        try:
            descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        except (FileNotFoundError, ValueError):  # no file has a name with a NUL
            return "missing", b""
        except OSError:
            # a name may be too long to ask for more
            return "odd" if os.path.isdir(path) else "unreadable", b""
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            os.close(descriptor)
            return "odd", b""
        return "open", DiskBytes(descriptor, found.st_size)

    def names(self, folder: Path, beginning: str = "") -> list[str]:
        try:
            return [name for name in os.listdir(folder) if name.startswith(beginning)]
        except (OSError, ValueError):
            return []

    def is_there(self, path: Path) -> bool:
        return path.exists()

    def is_folder(self, path: Path) -> bool:
        return path.is_dir()

    def real(self, path: Path) -> str:
        return os.path.realpath(path)


def inside(path: Path, model: Path) -> bool:
    """Return whether a file is really inside the model's folder: that of its name, or of the file that the name links to."""
    real = os.path.realpath(path)
    folders = (os.path.realpath(os.path.dirname(os.path.abspath(model))), os.path.dirname(os.path.realpath(model)))
    return any(os.path.commonpath([real, folder]) == folder for folder in folders)


DISK = Disk()

_current: ContextVar[FileSource] = ContextVar("file_source", default=DISK)


def file_source() -> FileSource:
    """Return where the files next to models are."""
    return _current.get()


@contextmanager
def reading_from(place: FileSource) -> Iterator[None]:
    """Lint models with the files next to them in another place than on disk."""
    token = _current.set(place)
    try:
        yield
    finally:
        _current.reset(token)


class SideFile:
    """`state`: outside: its real path leaves the model's folder; odd: no regular file."""

    def __init__(self, path: Path, model: Path | None) -> None:
        """`model` is None where the user named the file, wherever it is."""
        self.path = path
        self.state, self.data = file_source().open(path, model)


def is_pointer(data: StoredBytes | bytes) -> bool:
    """Return whether a file is a Git LFS pointer. A longer one than git writes need not be read to know that it is none."""
    return data[: len(_LFS)] == _LFS if len(data) < _POINTER_SIZE or isinstance(data, bytes) else False


_LFS = b"version https://git-lfs.github.com/spec/"
_POINTER_SIZE = 1024  # bytes: what git-lfs takes for a pointer is shorter


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
