"""Archives of NumPy arrays: what they hold, told without reading a value, and the values by name."""

from __future__ import annotations

import ast
import io
import mmap
import struct
import zipfile
from collections.abc import Iterator
from typing import Any, NamedTuple

MAGIC = b"PK\x03\x04"
_LONGEST = 1 << 16  # bytes of a header


class Entry(NamedTuple):
    name: str
    dtype: str
    shape: tuple[int, ...]


def is_archive(data: mmap.mmap | bytes) -> bool:
    return data[:4] == MAGIC


def entries(data: mmap.mmap | bytes) -> Iterator[Entry]:
    """The arrays of an archive; raises ValueError where it is damaged or holds something else."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                with archive.open(info) as file:
                    yield Entry(info.filename.removesuffix(".npy"), *_header(file.read(_LONGEST), info.filename))
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(str(error)) from error


def _header(head: bytes, name: str) -> tuple[str, tuple[int, ...]]:
    """Type and shape of an array by its header."""
    if head[:6] != b"\x93NUMPY" or len(head) < 12:
        raise ValueError(f"{name} is no array")
    wide = head[6] > 1
    length = struct.unpack_from("<I" if wide else "<H", head, 8)[0]
    start = 12 if wide else 10
    try:
        found = ast.literal_eval(head[start : start + length].decode("utf-8", "replace").strip())
        dtype, shape = found["descr"], found["shape"]
    except (SyntaxError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{name} has a header that cannot be read") from error
    if not isinstance(dtype, str) or not isinstance(shape, tuple) or not all(isinstance(n, int) for n in shape):
        raise ValueError(f"{name} is no array of plain numbers")
    return dtype, shape


class Archive:
    """The values of an archive, by name."""

    def __init__(self, data: mmap.mmap | bytes) -> None:
        import numpy as np

        self._file = np.load(io.BytesIO(data), allow_pickle=False)

    def array(self, name: str) -> Any:
        """Raises LookupError for one that is not there, or is damaged."""
        try:
            return self._file[name]
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            raise LookupError(name) from error
