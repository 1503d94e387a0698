"""LightNet's weight files: tensors by name, as bits in hexadecimal words; and archives of NumPy's in their place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from irlint import npz

_WORD = re.compile(rb"[^ \t\n\v\f\r]+")
_TYPES = {b"0": ("<u4", "<f4", "float32"), b"2": ("u1", "i1", "int8")}  # bits, meaning, name

Types = Mapping[str, tuple[str | None, tuple[int, ...]]]


def tensors(data: bytes, wanted: Types) -> dict[str, Any]:
    """The tensors that are wanted, by name; ValueError says what is wrong with the file."""
    if npz.is_archive(data):
        archive = npz.Archive(data)
        held = {entry.name: entry for entry in npz.entries(data) if entry.name in wanted}.values()
        return {entry.name: _fitting(entry.name, archive.array(entry.name), wanted[entry.name]) for entry in held}
    words, found, at = _WORD.findall(data), {}, 1
    for _ in range(_number(words, 0, "the number of tensors")):
        if at + 3 > len(words):
            raise ValueError("the file ends before all its tensors are there")
        name, kind = words[at].decode("utf-8", "surrogateescape"), words[at + 1]
        count = _number(words, at + 2, f"the length of {name!r}")
        start, at = at + 3, at + 3 + count
        if at > len(words):
            raise ValueError(f"{name!r} should have {count} words, but the file ends")
        if name in wanted:
            found[name] = _fitting(name, _array(name, kind, words[start:at]), wanted[name])
    return found


def _number(words: list[bytes], at: int, what: str) -> int:
    word = words[at] if at < len(words) else b""
    if not word.isdigit() or len(word) > 15:
        raise ValueError(f"{what} is {word.decode('latin-1')!r}")
    return int(word)


def _array(name: str, kind: bytes, words: list[bytes]) -> Any:
    import numpy as np

    if kind not in _TYPES:
        raise ValueError(f"{name!r} has the type {kind.decode('latin-1')!r}; LightNet reads 0 (float) and 2 (int8)")
    bits, meaning, _ = _TYPES[kind]
    try:
        return np.array([int(word, 16) for word in words], bits).view(meaning)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{name!r} has a word that is no number of its type: {error}") from error


def _fitting(name: str, array: Any, wanted: tuple[str | None, tuple[int, ...]]) -> Any:
    """The array in the shape that the model has for it."""
    dtype, shape = wanted
    size = 1
    for length in shape:
        size *= length
    if array.size != size or str(array.dtype) != dtype:
        raise ValueError(f"{name!r} has {array.size} numbers of {array.dtype}; the model has {dtype} {list(shape)}")
    return array.reshape(shape)
