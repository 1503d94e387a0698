"""How many bits an element takes, by the name of its dtype as NumPy and the formats' loaders write it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod

_BITS = re.compile(r"(?:float|bfloat|int|uint|complex|bool|nf|f|i|u|bf)([0-9]+)(?:_?e[0-9]m[0-9][a-z]*)?")
_NAMED = {"bool": 8, "boolean": 8, "half": 16, "single": 32, "double": 64}


def bits(dtype: str) -> int | None:
    """Bits per element: 32 for float32, 4 for int4, 8 for bool; None for what has no fixed size, such as strings."""
    if (known := _NAMED.get(dtype)) is not None:
        return known
    match = _BITS.fullmatch(dtype)
    return int(match[1]) if match and 0 < int(match[1][:4]) <= 256 else None


def size(dtype: str | None, shape: Sequence[object] | None) -> int | None:
    """Bytes of a tensor, elements below a byte packed; None if dtype or a dimension is not known."""
    each = None if dtype is None else bits(dtype)
    if each is None or shape is None or not all(type(dim) is int and dim >= 0 for dim in shape):
        return None
    return (prod(dim for dim in shape if isinstance(dim, int)) * each + 7) // 8
