"""Rows of a table, added up."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.common import number


def bags_at_offsets(
    table: Any,
    indices: Any,
    offsets: Any,
    default: Any = None,
    weights: Any = None,
    *,
    reduction: str = "sum",
    **_: Any,
) -> Any:
    ends = [*(int(n) for n in offsets[1:]), indices.size]
    result = np.zeros((len(offsets), *table.shape[1:]), table.dtype)
    for k, (first, last) in enumerate(zip(offsets, ends, strict=True)):
        result[k] = bag(
            table,
            indices[int(first) : last],
            default,
            None if weights is None else weights[int(first) : last],
            reduction,
        )
    return result


def bag(table: Any, picks: Any, default: Any, weights: Any, reduction: str = "sum") -> Any:
    if not picks.size:
        if default is None or number(default) < 0:
            return np.zeros(table.shape[1:], table.dtype)
        return table[number(default)]
    rows = table[picks.astype(np.int64)]
    if weights is not None:
        rows = rows * weights.reshape((-1,) + (1,) * (rows.ndim - 1))
    return rows.mean(0) if reduction == "mean" else rows.sum(0)


def bags_in_rows(table: Any, indices: Any, weights: Any = None, *, reduction: str = "sum", **_: Any) -> Any:
    rows = table[indices.astype(np.int64)]
    if weights is not None:
        rows = rows * weights.reshape(weights.shape + (1,) * (rows.ndim - 2))
    return rows.mean(1) if reduction == "mean" else rows.sum(1)


def segment_sums(
    table: Any, indices: Any, segments: Any, count: Any, default: Any = None, weights: Any = None, **_: Any
) -> Any:
    result = np.zeros((number(count), *table.shape[1:]), table.dtype)
    rows = table[indices.astype(np.int64)]
    if weights is not None:
        rows = rows * weights.reshape((-1,) + (1,) * (rows.ndim - 1))
    np.add.at(result, segments.astype(np.int64), rows)
    if default is not None and number(default) >= 0:
        empty = np.bincount(segments.astype(np.int64), minlength=number(count))[: number(count)] == 0
        result[empty] = table[number(default)]
    return result


def segment_max(data: Any, segments: Any, count: Any = None, *, fill_mode: str = "zero", **_: Any) -> Any:
    rows = number(count) if count is not None else int(segments[-1]) + 1 if segments.size else 0
    lowest = np.finfo(data.dtype).min if data.dtype.kind == "f" else np.iinfo(data.dtype).min
    result = np.full((rows, *data.shape[1:]), lowest, data.dtype)
    inside = segments < rows
    np.maximum.at(result, segments[inside].astype(np.int64), data[inside])
    if fill_mode == "zero":
        empty = np.bincount(segments.astype(np.int64), minlength=rows)[:rows] == 0
        result[empty] = 0
    return result
