"""Inputs for a model by their names and types, the same ones every time."""

from __future__ import annotations

from typing import Any

import numpy as np

TOKENS = 400  # vocabularies are larger
DYNAMIC = 4  # a length that nothing determines


def shape_of(port: Any, place: int, shapes: Any) -> list[int]:
    """Return the lengths of an input: those that were kept with the model, or the smallest ones."""
    if isinstance(shapes, dict):
        name = next((name for name in port.get_names() if name in shapes), None)
        told = None if name is None else shapes[name]
    else:
        told = shapes[place] if place < len(shapes) else None
    if told is not None:
        return list(told)
    lengths = enumerate(port.partial_shape)
    return [d.get_length() if d.is_static else max(d.get_min_length(), DYNAMIC if k else 1) for k, d in lengths]


def values(name: str, kind: str, shape: list[int], seed: int) -> np.ndarray[Any, Any]:
    """Return an input's values. Masks are ones, positions count, tokens are within any vocabulary, images are random."""
    random = np.random.default_rng(seed)
    if "mask" in name and "pixel" not in name:
        return np.ones(shape, kind)
    if "position" in name or name == "beam_idx":
        return np.broadcast_to(np.arange(shape[-1] if shape else 1), shape).astype(kind)
    if "token_type" in name:
        return np.zeros(shape, kind)
    if kind == "bool":
        return random.random(shape) < 0.5
    if np.dtype(kind).kind in "iu":
        return random.integers(5, min(TOKENS, np.iinfo(kind).max), shape).astype(kind)
    return random.random(shape).astype(kind)
