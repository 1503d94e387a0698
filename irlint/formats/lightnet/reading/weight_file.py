"""LightNet's weight files: tensors by name, as bits in hexadecimal words; and archives of NumPy's in their place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from typing import Any

from irlint.files import npz
from irlint.text.words import count as count_of

_WORD = re.compile(rb"[^ \t\n\v\f\r]+")
_TYPES = {b"0": ("<u4", "<f4", "float32"), b"2": ("u1", "i1", "int8")}  # bits, meaning, name

Types = Mapping[str, tuple[str | None, tuple[int, ...]]]


def tensors(data: bytes, wanted: Types) -> dict[str, Any]:
    """Return the requested tensors by name; raise ValueError if the file is invalid."""
    if npz.is_archive(data):
        archive = npz.Archive(data)
        held = {entry.name: entry for entry in npz.entries(data) if entry.name in wanted}.values()
        return {entry.name: _fitting(entry.name, archive.array(entry.name), wanted[entry.name]) for entry in held}
    words, found, at = _WORD.findall(data), {}, 1
    for _ in range(_number(words, 0, "the number of tensors")):
        if at + 3 > len(words):
            raise ValueError("the file ends before its last tensor")
        name, kind = words[at].decode("utf-8", "surrogateescape"), words[at + 1]
        count = _number(words, at + 2, f"the length of {name!r}")
        start, at = at + 3, at + 3 + count
        if at > len(words):
            raise ValueError(f"expected {count_of(count, 'word')} for {name!r}, got the end of the file")
        if name in wanted:
            found[name] = _fitting(name, _array(name, kind, words[start:at]), wanted[name])
    return found


def _number(words: list[bytes], at: int, what: str) -> int:
    word = words[at] if at < len(words) else b""
    if not word.isdigit() or len(word) > 15:
        raise ValueError(f"expected a number for {what}, got `{word.decode('latin-1')}`")
    return int(word)


def _array(name: str, kind: bytes, words: list[bytes]) -> Any:
    import numpy as np

    if kind not in _TYPES:
        raise ValueError(f"unknown type `{kind.decode('latin-1')}` of {name!r}; expected `0` (float) or `2` (int8)")
    bits, meaning, _ = _TYPES[kind]
    try:
        return np.array([int(word, 16) for word in words], bits).view(meaning)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"invalid word in {name!r}: {error}") from error


def _fitting(name: str, array: Any, wanted: tuple[str | None, tuple[int, ...]]) -> Any:
    """Return the array in the shape that the model declares for it."""
    dtype, shape = wanted
    if array.size != prod(shape) or str(array.dtype) != dtype:
        raise ValueError(f"expected {dtype} {list(shape)} for {name!r}, got {array.size} numbers of {array.dtype}")
    return array.reshape(shape)
