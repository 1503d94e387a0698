"""The values of a parameter file's arrays, read when they are asked for."""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import Any

from irlint.dryrun.running.arrays import from_bytes
from irlint.files import npz
from irlint.files.side_files import StoredBytes
from irlint.formats.nnvm.reading.params import Array


class Values:
    """The values of one parameter file of a kind as its index names it."""

    def __init__(self, data: StoredBytes | bytes, kind: str) -> None:
        self.data, self.kind = data, kind

    @cached_property
    def _archive(self) -> npz.Archive:
        return npz.Archive(self.data)

    def __getitem__(self, array: Array) -> Any:
        """An array as NumPy has it; raises LookupError for one that is empty."""
        if self.kind == "npz":
            return self._archive.array(array.name)
        if array.dtype is None or array.shape is None:
            raise LookupError(array.name)
        if array.sparse is not None:
            return self._dense(array)
        return self._read(array.dtype, array.shape, array.offset)

    def _read(self, dtype: str, shape: tuple[int, ...], offset: int) -> Any:
        import numpy as np

        width = 2 if dtype == "bfloat16" else np.dtype(dtype).itemsize
        data = self.data[offset : offset + width * prod(shape)]
        if len(data) < width * prod(shape):
            raise LookupError("the file is shorter than before")
        if dtype == "bfloat16":
            return from_bytes(data, dtype, shape)
        return np.frombuffer(data, np.dtype(dtype).newbyteorder("<")).reshape(shape)

    def _dense(self, array: Array) -> Any:
        """Rows where their indices say, or the numbers of a matrix compressed by rows; zeros elsewhere."""
        import numpy as np

        assert array.sparse is not None
        assert array.shape is not None
        assert array.dtype is not None
        values = self._read(array.dtype, array.sparse.shape, array.offset)
        indices = [self._read(*part).astype(np.int64) for part in array.sparse.indices]
        found = np.zeros(array.shape, values.dtype)
        if len(indices) == 1:
            found[indices[0]] = values
        else:
            ends, columns = indices
            found[np.repeat(np.arange(array.shape[0]), np.diff(ends)), columns] = values
        return found
