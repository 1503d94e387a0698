"""Sums over the slices of an array along each of its axes, in two passes however many axes there are."""

from __future__ import annotations

from math import prod
from typing import Any

from irlint.dryrun.lazy import np
from irlint.records import NamedTuple


class AxisSums(NamedTuple):
    axes: list[Any]  # for each axis the sums of its slices
    merged: list[Any]  # the same of several first axes as one: of two, of three, but not of all


def sums(array: Any) -> AxisSums:
    """Return the sums of the slices of an array of numbers; its elements if it has one axis or none."""
    if array.ndim < 2:
        return AxisSums([array.astype(np.float64).reshape(-1)], [])
    last = _matrix(array).sum(axis=0, dtype=np.float64)
    return _from(array.sum(axis=-1), last)


def squares(array: Any) -> AxisSums:
    """Return the sums of the squares of the slices of an array of numbers."""
    if array.ndim < 2:
        return AxisSums([np.square(array, dtype=np.float64).reshape(-1)], [])
    flat = _matrix(array)
    # einsum needs no memory for the squares
    return _from(np.einsum("...i,...i->...", array, array), np.einsum("ij,ij->j", flat, flat))


def _matrix(array: Any) -> Any:
    return array.reshape(prod(array.shape[:-1]), array.shape[-1])


def _from(rows: Any, last: Any) -> AxisSums:
    """Return all sums: those of the other axes consist of sums over the last one."""
    rows, found, merged = rows.astype(np.float64), [last.astype(np.float64)], []
    while rows.ndim > 1:
        merged.append(rows.reshape(-1))
        found.append(rows.sum(axis=tuple(range(rows.ndim - 1))))
        rows = rows.sum(axis=-1)
    return AxisSums([rows, *reversed(found)], merged[::-1])
