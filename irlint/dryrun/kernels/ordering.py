"""Elements chosen, put in order, drawn and looked up."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.common import number
from irlint.dryrun.ops.mxnet.indexing import asked


def _order(data: Any, axis: int, falls: bool) -> Any:
    """Return the places of elements in order, from the largest on if it `falls`; equal ones stay as they are."""
    if falls:
        data = -data if data.dtype.kind == "f" else ~data  # for which integers have room in their type
    return np.argsort(data, axis, kind="stable")


def top_k(
    data: Any,
    k: Any,
    *,
    axis: int,
    mode: str = "max",
    sort: str = "value",
    index_element_type: str = "int32",
    **_: Any,
) -> Any:
    count, at = number(k), axis % data.ndim
    if not data.size:
        shape = (*data.shape[:at], count, *data.shape[at + 1 :])  # OpenVINO 2026.4.1 sets no elements
        return [np.zeros(shape, data.dtype), np.zeros(shape, index_element_type)]
    picks = np.take(_order(data, at, mode == "max"), np.arange(count), at)
    if sort == "index":
        picks = np.sort(picks, at)
    return [np.take_along_axis(data, picks, at), picks.astype(index_element_type)]


def unique(
    data: Any,
    axis: Any = None,
    *,
    sorted: bool = True,
    index_element_type: str = "int64",
    count_element_type: str = "int64",
    **_: Any,
) -> Any:
    at = None if axis is None else number(axis)
    if at is not None and data.dtype == object:  # NumPy compares slices only of numbers
        codes = np.unique(data, return_inverse=True)[1].reshape(data.shape)
        _, *places = np.unique(codes, True, True, True, axis=at)
        found = np.take(data, places[0], at)
    else:
        found, *places = np.unique(data, True, True, True, axis=at)
    first, inverse, counts = places[0], places[1].reshape(-1), places[2]
    if not sorted:
        order = np.argsort(first, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(order.size)
        found = np.take(found, order, 0 if at is None else at)
        first, counts, inverse = first[order], counts[order], rank[inverse]
    return [
        found,
        first.astype(index_element_type),
        inverse.astype(index_element_type),
        counts.astype(count_element_type),
    ]


def search_sorted(rows: Any, wanted: Any, *, output_type: str = "int64", right_mode: bool = False, **_: Any) -> Any:
    side = "right" if right_mode else "left"
    if rows.ndim == 1:
        return np.searchsorted(rows, wanted, side).astype(output_type)
    flat, goal = rows.reshape(-1, rows.shape[-1]), wanted.reshape(-1, wanted.shape[-1])
    found = [np.searchsorted(row, values, side) for row, values in zip(flat, goal, strict=True)]
    return np.array(found, output_type).reshape(wanted.shape)


def one_hot(
    indices: Any,
    depth: Any,
    on: Any,
    off: Any,
    *,
    axis: int = -1,
    negative_indices_mode: str = "ignore_negative",
    **_: Any,
) -> Any:
    count = number(depth)
    picks = indices.astype(np.int64)
    if negative_indices_mode == "normalize":
        picks = np.where(picks < 0, picks + count, picks)
    hot = np.expand_dims(picks, axis) == np.arange(count).reshape(
        (-1,) + (1,) * ((-axis - 1) if axis < 0 else indices.ndim - axis)
    )
    return np.where(hot, on, off)


def multinomial(
    probs: Any,
    samples: Any,
    *,
    convert_type: str = "int64",
    with_replacement: bool = False,
    log_probs: bool = False,
    global_seed: int = 0,
    op_seed: int = 0,
    **_: Any,
) -> Any:
    """By a generator of NumPy's: the largest of the logarithms, each made larger by chance."""
    with np.errstate(divide="ignore"):
        shares = probs.astype(np.float64) if log_probs else np.log(probs.astype(np.float64))
    random, count = np.random.default_rng([global_seed, op_seed]), number(samples)
    if with_replacement:
        return (
            (shares[:, None] + random.gumbel(size=(len(probs), count, probs.shape[1]))).argmax(-1).astype(convert_type)
        )
    return np.argsort(-(shares + random.gumbel(size=shares.shape)), 1)[:, :count].astype(convert_type)


def one_hot_pair(indices: Any, depth: Any, pair: Any, **attrs: Any) -> Any:
    return one_hot(indices, depth, pair[1], pair[0], negative_indices_mode="normalize", **attrs)


def one_hot_depth(
    indices: Any, *, depth: int, on_value: float = 1.0, off_value: float = 0.0, dtype: str = "float32", **_: Any
) -> Any:
    # mxnet 1.9.1: an index that is not there switches nothing on
    return one_hot(indices, depth, on_value, off_value).astype(dtype)


def top_k_by(
    data: Any,
    *,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: str = "indices",
    is_ascend: bool = False,
    dtype: str = "float32",
    **_: Any,
) -> Any:
    flat = data.reshape(-1) if axis is None else data
    at = 0 if axis is None else axis
    count = k if k >= 1 else flat.shape[at]
    picks = np.take(_order(flat, at, not is_ascend), np.arange(count), at)
    if ret_typ == "mask":
        mask = np.zeros(flat.shape, data.dtype)
        np.put_along_axis(mask, picks, 1, at)
        return [mask.reshape(data.shape)]
    return asked(np.take_along_axis(flat, picks, at), picks.astype(dtype), ret_typ)


def sort(data: Any, *, places: bool = False, is_ascend: bool = True, **attrs: Any) -> Any:
    return top_k_by(data, k=0, ret_typ="indices" if places else "value", is_ascend=is_ascend, **attrs)
