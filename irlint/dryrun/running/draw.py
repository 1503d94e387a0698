"""Random values for missing inputs and weights: the same for the same seed and name, on every machine."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from math import prod
from typing import Any

from irlint.dryrun.dtypes import BITS, FLOATS
from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import cast


def _generator(seed: int, name: str) -> Any:
    return np.random.default_rng([seed, zlib.crc32(name.encode("utf-8", "surrogatepass"))])


def variable(seed: int, name: str, dtype: str, shape: Sequence[int]) -> Any:
    """Return values for an input: normally distributed, pixels, booleans, or small numbers that can be indices into a table."""
    random = _generator(seed, name)
    if dtype == "string":
        return np.full(shape, "", object)
    if dtype in FLOATS:
        return cast(random.standard_normal(shape, np.float32), dtype)
    if dtype.startswith("complex"):
        return (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(dtype)
    is_small = dtype != "bool" and BITS[dtype] <= 8  # as pixels are
    return cast(random.integers(0, 1 << (BITS[dtype] - (not dtype.startswith("u"))) if is_small else 2, shape), dtype)


def weight(seed: int, name: str, dtype: str, shape: Sequence[int]) -> Any:
    """Return values for a weight: matrices that preserve the scale of their input, vectors of positive numbers, and zeros
    for integers that may be places or axes."""
    if dtype not in FLOATS:
        wide = dtype not in ("bool", "string") and BITS[dtype] > 8
        return cast(np.zeros(shape, np.int64), dtype) if wide or dtype == "bool" else variable(seed, name, dtype, shape)
    random = _generator(seed, name)
    count = prod(shape)
    if count == max(shape, default=1):
        return cast(random.uniform(0.1, 1.0, shape).astype(np.float32), dtype)
    scale = (max(shape[0], 1) / max(count, 1)) ** 0.5
    return cast(random.standard_normal(shape, np.float32) * np.float32(scale), dtype)
