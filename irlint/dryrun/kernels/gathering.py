"""Elements picked by index, and written by index."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.common import number


def gather(data: Any, indices: Any, axis: Any, *, batch_dims: int = 0, **_: Any) -> Any:
    along = number(axis) % data.ndim
    batch = batch_dims + indices.ndim if batch_dims < 0 else batch_dims
    length = data.shape[along]
    if not batch and indices.size == 1 and -length <= (pick := indices.item()) < length:
        one: Any = (slice(None),) * along + (slice(pick % length, pick % length + 1),)
        return data[one].reshape(data.shape[:along] + indices.shape + data.shape[along + 1 :])
    picks = indices.astype(np.int64)
    picks = np.where(picks < 0, picks + length, picks)
    outside = (picks < 0) | (picks >= length)
    safe = np.where(outside, 0, picks) if outside.any() else picks
    if not batch:
        result = np.take(data, safe, along)
    else:
        lead = np.ogrid[tuple(slice(n) for n in data.shape[:batch])]
        lead = [a.reshape(a.shape + (1,) * (indices.ndim - batch)) for a in lead]
        moved = np.moveaxis(data, along, batch)
        where = (*lead, safe)
        result = moved[where]
        width = indices.ndim - batch
        result = np.moveaxis(result, range(batch, batch + width), range(along, along + width))
    if outside.any():
        mask = outside.reshape(
            outside.shape[:batch] + (1,) * (along - batch) + outside.shape[batch:] + (1,) * (data.ndim - along - 1)
        )
        result = np.where(mask, np.zeros((), data.dtype), result)
    return result


def gather_elements(data: Any, indices: Any, *, axis: int, **_: Any) -> Any:
    along = axis % data.ndim
    picks = indices.astype(np.int64)
    picks = np.where(picks < 0, picks + data.shape[along], picks)
    reached: Any = tuple([slice(None) if k == along else slice(n) for k, n in enumerate(picks.shape)])
    return np.take_along_axis(data[reached], picks, along)


def gather_nd(data: Any, indices: Any, *, batch_dims: int = 0, flat: bool = False, **_: Any) -> Any:
    depth = indices.shape[-1]
    lead = np.ogrid[tuple(slice(n) for n in data.shape[:batch_dims])] if batch_dims else []
    lead = [a.reshape(a.shape + (1,) * (indices.ndim - 1 - batch_dims)) for a in lead]
    where = (*lead, *(indices[..., k] for k in range(depth)))
    result = data[where]
    if flat and batch_dims > 1:
        result = result.reshape((-1, *result.shape[batch_dims:]))
    return result


def gather_tree(steps: Any, parents: Any, lengths: Any, end: Any, **_: Any) -> Any:
    time, batch, beam = steps.shape
    result = np.full_like(steps, end)
    limit = np.minimum(lengths.astype(np.int64), time)
    rows = np.arange(batch)[:, None]
    at = np.broadcast_to(np.arange(beam), (batch, beam)).copy()
    for t in range(time - 1, -1, -1):
        inside = (t < limit)[:, None]
        result[t] = np.where(inside, steps[t][rows, at], result[t])
        at = np.where(inside, parents[t].astype(np.int64)[rows, at], at)
    done = np.cumsum(result == end, axis=0) - (result == end) > 0
    return np.where(done, np.asarray(end, steps.dtype), result)


def pick(data: Any, index: Any, *, axis: int = -1, keepdims: bool = False, mode: str = "clip", **_: Any) -> Any:
    length = data.shape[axis]
    picks = index.astype(np.int64)
    # mxnet 1.9.1: -9 picks the first element, 9 the last
    picks = picks % length if mode == "wrap" else np.clip(picks, 0, length - 1)
    if picks.ndim < data.ndim:
        picks = np.expand_dims(picks, axis)
    found = np.take_along_axis(data, picks, axis)
    return found if keepdims else np.atleast_1d(np.squeeze(found, axis))


def batch_take(data: Any, indices: Any, **_: Any) -> Any:
    # mxnet 1.9.1: -9 takes the first element of a row, 9 the last
    picks = np.clip(indices.astype(np.int64), 0, data.shape[1] - 1).reshape(-1)
    return data[np.arange(picks.size), picks].reshape(indices.shape)


def scatter_update(data: Any, indices: Any, updates: Any, axis: Any, **_: Any) -> Any:
    along = number(axis) % data.ndim
    result = data.copy()
    result[(slice(None),) * along + (indices.astype(np.int64),)] = updates
    return result


def scatter_elements(
    data: Any,
    indices: Any,
    updates: Any,
    axis: Any,
    *,
    reduction: str = "none",
    use_init_val: bool = True,
    **_: Any,
) -> Any:
    along = number(axis) % data.ndim
    picks = indices.astype(np.int64)
    picks = np.where(picks < 0, picks + data.shape[along], picks)
    where: list[Any] = list(np.ogrid[tuple(slice(n) for n in picks.shape)]) if picks.ndim else []
    if reduction == "none" and (rows := _whole_rows(picks, along, data.shape)) is not None:
        result = np.moveaxis(data.copy(), along, 0)
        result[rows] = np.moveaxis(updates, along, 0)
        return np.moveaxis(result, 0, along)
    where[along] = picks
    return scatter(data, tuple(np.broadcast_arrays(*where)), updates, reduction, use_init_val)


def _whole_rows(picks: Any, along: int, shape: tuple[int, ...]) -> Any:
    """Return the indices along an axis, if they are the same for all elements of a slice, and slices are whole; else None."""
    moved = np.moveaxis(picks, along, 0)
    first: Any = (slice(None), *(slice(1),) * (moved.ndim - 1))
    if moved.shape[1:] != (*shape[:along], *shape[along + 1 :]) or moved[:1].size < 2:
        return None
    rows = moved[first]
    return rows.reshape(-1) if (moved == rows).all() else None


_REDUCE = {"sum": "add", "prod": "multiply", "min": "minimum", "max": "maximum", "sub": "subtract", "mean": "add"}


def scatter(data: Any, where: tuple[Any, ...], updates: Any, reduction: str, keep: bool = True) -> Any:
    """A copy of the data with updates written or reduced; without `keep` the original elements are excluded."""
    result = data.copy()
    if reduction == "none":
        result[where] = updates
        return result
    if not keep:
        result[where] = _neutral(reduction, data.dtype)
    if data.dtype == bool:
        fold = {
            "sum": np.logical_or,
            "prod": np.logical_and,
            "min": np.logical_and,
            "max": np.logical_or,
            "sub": np.logical_xor,
        }
        fold[reduction].at(result, where, updates)
        return result
    if reduction == "mean":
        total = result.astype(np.float64) if data.dtype.kind == "f" else result.astype(np.int64)
        np.add.at(total, where, updates)
        count = np.full(data.shape, int(keep), np.int64)
        np.add.at(count, where, 1)
        count = np.maximum(count, 1)
        mean = total / count if data.dtype.kind == "f" else np.floor_divide(total, count)
        touched = np.zeros(data.shape, bool)
        touched[where] = True
        return np.where(touched, mean, data).astype(data.dtype)
    getattr(np, _REDUCE[reduction]).at(result, where, updates)
    return result


def _neutral(reduction: str, dtype: Any) -> Any:
    if reduction in ("sum", "mean", "sub"):
        return 0
    if reduction == "prod":
        return 1
    info: Any = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype) if dtype.kind in "iu" else None
    if info is None:
        return reduction == "min"
    return info.max if reduction == "min" else info.min


def scatter_nd(data: Any, indices: Any, updates: Any, *, reduction: str = "none", **_: Any) -> Any:
    where = tuple(indices[..., k].astype(np.int64) for k in range(indices.shape[-1]))
    return scatter(data, where, updates, reduction)


def cache_update(cache: Any, update: Any, places: Any = None, *, axis: int = -2, mode: str = "linear", **_: Any) -> Any:
    result = cache.copy()
    rows, fresh = np.moveaxis(result, axis, 1), np.moveaxis(update, axis, 1)
    for k in range(len(rows)):
        first = 0 if places is None else int(places[k])
        where = first + np.arange(fresh.shape[1])
        rows[k, where % rows.shape[1] if mode == "circular" else where] = fresh[k]
    return result


def reverse_sequence(data: Any, lengths: Any, *, batch_axis: int = 0, seq_axis: int = 1, **_: Any) -> Any:
    moved = np.moveaxis(data, (batch_axis, seq_axis), (0, 1))
    places = np.arange(moved.shape[1])
    wanted = lengths.astype(np.int64)[:, None]
    order = np.where(places < wanted, wanted - 1 - places, places)
    turned = moved[np.arange(moved.shape[0])[:, None], order]
    return np.moveaxis(turned, (0, 1), (batch_axis, seq_axis))


def fill_empty_rows(given: Any, dense: Any, indices: Any, default: Any, **_: Any) -> Any:
    rows = int(dense[0])
    empty = np.ones(rows, bool)
    empty[indices[:, 0]] = False
    extra = np.flatnonzero(empty)
    places = np.concatenate([indices, np.stack([extra, np.zeros_like(extra)], 1).astype(indices.dtype)])
    numbers = np.concatenate([given, np.full(extra.size, default, given.dtype)])
    order = np.lexsort((places[:, 1], places[:, 0]))
    return [places[order], numbers[order], empty]


def mask_sequences(data: Any, lengths: Any = None, *, axis: int = 0, value: float = 0.0, **_: Any) -> Any:
    if lengths is None:
        return data
    steps = np.arange(data.shape[axis])
    inside = steps[:, None] < lengths if axis == 0 else steps < lengths[:, None]
    # mxnet 1.9.1: a length beyond the data masks nothing
    return np.where(inside.reshape(inside.shape + (1,) * (data.ndim - 2)), data, data.dtype.type(value))


def last_of_sequences(data: Any, lengths: Any = None, *, axis: int = 0, **_: Any) -> Any:
    if lengths is None:
        return np.take(data, -1, axis)
    moved = np.moveaxis(data, axis, 0)
    return moved[lengths.astype(np.int64) - 1, np.arange(moved.shape[1])]


def reverse_sequences(data: Any, lengths: Any = None, **_: Any) -> Any:
    return np.flip(data, 0) if lengths is None else reverse_sequence(data, lengths, batch_axis=1, seq_axis=0)
