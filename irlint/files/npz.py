"""Archives of NumPy arrays: types and shapes without reading values, and values by name."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import prod
from typing import Any

from irlint.files.side_files import StoredBytes
from irlint.records import NamedTuple

MAGIC = b"PK\x03\x04"
_LONGEST = 10_000  # bytes of a header that NumPy reads
_WORDS = 2_048  # and of those that are not blanks: more than a type and the most axes need


class ArchiveEntry(NamedTuple):
    name: str
    dtype: str
    shape: tuple[int, ...]


def is_archive(data: StoredBytes | bytes) -> bool:
    return data[:4] == MAGIC


class _File(io.RawIOBase):
    """Bytes as a file that is read on demand."""

    def __init__(self, data: StoredBytes | bytes) -> None:
        self._data, self._at = data, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        at = offset + (0, self._at, len(self._data))[whence]
        if at < 0:
            raise ValueError("negative seek position")
        self._at = at
        return at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        piece = self._data[self._at : self._at + len(buffer)]
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)


def _zip(data: StoredBytes | bytes) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BufferedReader(_File(data)))


@contextmanager
def _damage_told(name: str = "") -> Iterator[None]:
    """Raise ValueError for whatever damaged data raises: zipfile, zlib and NumPy each have their own errors."""
    try:
        yield
    except Exception as error:
        raise ValueError((name and f"{name}: " + str(error)) or str(error)) from error


def entries(data: StoredBytes | bytes) -> Iterator[ArchiveEntry]:
    """Yield the arrays of an archive; raise ValueError if it is damaged or has other content."""
    with _damage_told():
        archive = _zip(data)
    with archive:
        for info in archive.infolist():
            with _damage_told():
                head = _head(archive, info)
                entry = ArchiveEntry(info.filename.removesuffix(".npy"), *_header(head, info.filename))
            yield entry


def members(data: StoredBytes | bytes) -> list[zipfile.ZipInfo]:
    """Return what a zip archive says of its members; raise ValueError if it is damaged."""
    with _damage_told(), _zip(data) as archive:
        return archive.infolist()


def member(data: StoredBytes | bytes, name: str, most: int) -> bytes:
    """Return the content of a member of a zip archive, at most so many bytes; raise ValueError if it is damaged."""
    with _damage_told(name), _zip(data) as archive, archive.open(name) as file:
        return file.read(most)


def _head(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return the start of a member. NumPy stores or deflates; other methods could expand a few bytes to any number."""
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{info.filename} has a compression that NumPy does not use")
    with archive.open(info) as file:
        return file.read(12 + _LONGEST)


def _header(head: bytes, name: str) -> tuple[str, tuple[int, ...]]:
    """Return type and shape of an array from its header."""
    if head[:6] != b"\x93NUMPY" or len(head) < 12:
        raise ValueError(f"{name} is not an array")
    wide = head[6] > 1
    length = struct.unpack_from("<I" if wide else "<H", head, 8)[0]
    start = 12 if wide else 10
    try:
        dtype, shape = _said(head[start : start + length].strip())
    except (SyntaxError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{name} has an unreadable header") from error
    plain = isinstance(dtype, str) and "O" not in dtype
    if not plain or not isinstance(shape, tuple) or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError(f"{name} is not an array of plain numbers")
    return dtype, shape


@lru_cache(64)
def _said(text: bytes) -> tuple[Any, Any]:
    """Return type and shape in a header. Reading Python's literals takes a thousand times as long as inflating them."""
    from ast import literal_eval

    if len(text) > _WORDS:
        raise ValueError("longer than the header of any array of plain numbers")
    found = literal_eval(text.decode("utf-8", "replace"))
    return found["descr"], found["shape"]


class Archive:
    """The values of an archive, by name."""

    def __init__(self, data: StoredBytes | bytes) -> None:
        import numpy as np

        with _damage_told():
            self._zip = _zip(data)
            self._names = {name.removesuffix(".npy"): name for name in self._zip.namelist()}
        self._numpy = np

    def array(self, name: str) -> Any:
        """Return an array; raise LookupError if it is missing, ValueError if it is damaged or too short."""
        info = self._zip.getinfo(self._names[name])
        with _damage_told(name):
            dtype, shape = _header(_head(self._zip, info), name)
            if prod(shape) * self._numpy.dtype(dtype).itemsize > info.file_size:
                raise ValueError("it is shorter than its shape requires")
            with self._zip.open(info) as file:
                return self._numpy.lib.format.read_array(file, allow_pickle=False)
