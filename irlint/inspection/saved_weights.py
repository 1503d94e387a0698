"""Weights as .npy files: their bytes, and names for their files."""

from __future__ import annotations

import io
from hashlib import sha256
from typing import Any

from irlint.tools import later

_LONGEST = 100  # letters of a name, without what tells it from others
_UNSAFE = later(r"[^A-Za-z0-9._-]+")
_DEVICES = later(r"(?i)(?:con|prn|aux|nul|(?:com|lpt)\d)(?:\..*)?")  # names that Windows keeps for devices


def npy(array: Any) -> bytes:
    """Return an array as the content of a .npy file; raises ValueError if NumPy has no such file for it, as of strings."""
    import numpy

    if array.dtype.hasobject:
        raise ValueError("only numbers can be saved")
    out = io.BytesIO()
    numpy.lib.format.write_array(out, numpy.ascontiguousarray(array).reshape(array.shape), allow_pickle=False)
    return out.getvalue()


def saved_as(dtype: str | None, array: Any) -> str:
    """Return the element type of the file where NumPy lacks that of the weight, else nothing: `float32` for bfloat16."""
    return "" if dtype is None or dtype == array.dtype.name else str(array.dtype.name)


class FileNames:
    """Names for the files of weights: any system takes them, none leads to another folder, and no two are the same in any letter case."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def of(self, name: str) -> str:
        start = name[: 4 * _LONGEST]
        stem = _UNSAFE.sub("_", start).strip("._-") or "weight"
        if len(stem) > _LONGEST or start != name or _DEVICES.fullmatch(stem) or stem.lower() in self._taken:
            digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
            stem = f"{stem[-_LONGEST:].lstrip('._-')}-{digest}"
        while stem.lower() in self._taken:  # weights of one name
            count = self._counts[stem] = self._counts.get(stem, 1) + 1
            stem = f"{stem}-{count}"
        self._taken.add(stem.lower())
        return f"{stem}.npy"
