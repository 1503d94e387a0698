"""Elements along axes folded into one: sums, means, extremes, norms; shares and sums so far along an axis."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import saturated


def _log_sum_exp(data: Any, axes: Any, keepdims: bool, cuts: bool = False) -> Any:
    """With `cuts` every exponential is cut to an integer."""
    top = np.max(data, axes, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0)
    powers = np.exp(data - top)
    total = np.log(np.sum(np.trunc(powers) if cuts else powers, axes, keepdims=True)) + top
    return total if keepdims else total.reshape(np.sum(data, axes).shape)


def _mean_or_0(data: Any, axes: Any, keepdims: bool) -> Any:
    count = math.prod(data.shape[a] for a in axes)
    # onnxruntime 1.32 and OpenVINO 2026.4.1 (CPU): the mean of nothing is 0, that of the whole numbers -1 and -2 is -1
    if data.dtype.kind == "f" or not count:
        return (np.mean if count else np.sum)(data, axes, keepdims=keepdims)
    return np.trunc(np.sum(data, axes, keepdims=keepdims, dtype=np.int64) / count)


def _extreme(name: str, is_finite: bool, data: Any, axes: Any, keepdims: bool) -> Any:
    """Return of no elements the limit of the type, or infinity of floats unless it `is_finite`, and of halves."""
    if data.dtype == bool:
        return (np.any if name == "max" else np.all)(data, axes, keepdims=keepdims)
    low, high = -np.inf, np.inf
    if data.dtype.kind != "f" or (is_finite and data.dtype != np.float16):
        known = (np.finfo if data.dtype.kind == "f" else np.iinfo)(data.dtype)
        low, high = known.min, known.max
    return getattr(np, name)(data, axes, keepdims=keepdims, initial=low if name == "max" else high)


_FOLDS: dict[str, Any] = {
    "l1": lambda data, axes, keepdims: np.sum(np.abs(data), axes, keepdims=keepdims),
    "l2": lambda data, axes, keepdims: np.sqrt(np.sum(np.square(data), axes, keepdims=keepdims)),
    "log_sum": lambda data, axes, keepdims: np.log(np.sum(data, axes, keepdims=keepdims)),
    "log_sum_exp": _log_sum_exp,
    "log_sum_cut_exp": partial(_log_sum_exp, cuts=True),
    "log_of_exp": lambda data, axes, keepdims: np.log(np.sum(np.exp(data), axes, keepdims=keepdims)),
    "sum_square": lambda data, axes, keepdims: np.sum(np.square(data), axes, keepdims=keepdims),
    # OpenVINO 2026.4.1 (CPU): the largest of no i32 is -2147483648, of no f32 -3.4028235e+38, of no f16 -inf
    "max_or_limit": partial(_extreme, "max", True),
    "min_or_limit": partial(_extreme, "min", True),
    "max_or_infinity": partial(_extreme, "max", False),
    "min_or_infinity": partial(_extreme, "min", False),
    "mean_or_0": _mean_or_0,
}


def folded(data: Any, axes: tuple[int, ...], keepdims: bool, fold: str) -> Any:
    """Return the elements along axes folded by a function: one of the above, or of NumPy."""
    wide = data.astype(np.float32) if data.dtype == np.float16 else data
    return (_FOLDS.get(fold) or getattr(np, fold))(wide, axes, keepdims=keepdims)


def folded_as_fractions(data: Any, axes: tuple[int, ...], keepdims: bool, fold: str) -> Any:
    """Return integers folded as onnxruntime 1.32 does it: as fractions of 64 bits, but for exponentials, of which those of the largest
    numbers count; the result is kept to the ends of the type."""
    found = folded(data.astype(np.float64), axes, keepdims, "log_sum_cut_exp" if fold == "log_sum_exp" else fold)
    return saturated(np.asarray(found), data.dtype)


def spread(data: Any, axes: tuple[int, ...], keepdims: bool, fold: str, *, ddof: int = 0, **_: Any) -> list[Any]:
    """Return the mean and the variance ("moments"), or the variance or the deviation and the mean."""
    mean = np.mean(data, axes, keepdims=keepdims)
    if fold == "moments":
        return [mean, np.var(data, axes, keepdims=keepdims)]
    return [getattr(np, fold)(data, axes, ddof=ddof, keepdims=keepdims), mean]


def arg_extreme(
    data: Any,
    *,
    axis: int | None = None,
    keepdims: bool = False,
    smallest: bool = False,
    last: bool = False,
    dtype: str | None = None,
    scalar: bool = False,
    **_: Any,
) -> Any:
    find = np.argmin if smallest else np.argmax
    found = find(np.flip(data, axis) if last else data, axis, keepdims=keepdims)
    found = np.asarray(data.shape[axis] - 1 - found if last else found, dtype or data.dtype)
    return found if found.ndim or scalar else found.reshape(1)


def so_far(
    data: Any, axis: int, *, exclusive: bool = False, reverse: bool = False, product: bool = False, **_: Any
) -> Any:
    """Return sums or products of all elements up to each one, which is itself left out if they are `exclusive`."""
    turned = np.flip(data, axis) if reverse else data
    found = (np.cumprod if product else np.cumsum)(turned, axis, dtype=data.dtype)
    if exclusive:
        found = np.roll(found, 1, axis)
        np.moveaxis(found, axis, 0)[:1] = 1 if product else 0
    return np.flip(found, axis) if reverse else found


def softmax(
    data: Any,
    length: Any = None,
    *,
    axis: int = -1,
    kind: str = "softmax",
    flat: bool = False,
    temperature: float | None = None,
    dtype: str | None = None,
    **_: Any,
) -> Any:
    """`kind` is softmax, log_softmax, softmin of the negated data, or hardmax; with `flat` the axis and all after it count as one.
    Only the first `length` elements count where lengths are given."""
    if not data.ndim:
        return softmax(data[None], axis=0, kind=kind)[0]
    if flat:
        rows = data.reshape(math.prod(data.shape[: axis % data.ndim]), -1) if data.size else data
        return softmax(rows, kind=kind).reshape(data.shape)
    if kind == "hardmax":
        found = np.zeros_like(data)
        np.put_along_axis(found, np.argmax(data, axis, keepdims=True), 1, axis)
        return found
    wide = data.astype(np.float32) if data.dtype == np.float16 else data
    wide = -wide if kind == "softmin" else wide
    wide = wide / wide.dtype.type(temperature) if temperature else wide
    inside: Any = True
    if length is not None:
        steps = np.arange(data.shape[axis]).reshape((-1,) + (1,) * (data.ndim - 1 - axis % data.ndim))
        inside = steps < np.expand_dims(length, axis)
        wide = np.where(inside, wide, -np.inf)
    moved = wide - np.max(wide, axis, keepdims=True, initial=-np.inf)
    if kind == "log_softmax":
        moved -= np.log(np.sum(np.exp(moved), axis, keepdims=True))
    else:
        np.exp(moved, out=moved)
        moved /= np.sum(moved, axis, keepdims=True)
    # mxnet 1.9.1 gives 0 beyond the length
    return (moved if inside is True else np.where(inside, moved, 0)).astype(dtype or data.dtype, copy=False)
