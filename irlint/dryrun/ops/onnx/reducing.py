"""Reductions over axes that an optional operand lists, places of extremes, and shares of a sum."""

from __future__ import annotations

import math
from functools import partial, reduce
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, normalise_axis, number, want_axes
from irlint.dryrun.running.arrays import saturated
from irlint.dryrun.tensor import Entries, Tensor


def _log_sum_exp(data: Any, axes: Any, keepdims: bool, cuts: bool = False) -> Any:
    top = np.max(data, axes, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0)
    powers = np.exp(data - top)
    total = np.log(np.sum(np.trunc(powers) if cuts else powers, axes, keepdims=True)) + top
    return total if keepdims else total.reshape(np.sum(data, axes).shape)


def _extreme(name: str) -> Any:
    def fold(data: Any, axes: Any, keepdims: bool) -> Any:
        if data.dtype.kind == "f":
            return getattr(np, name)(data, axes, keepdims=keepdims, initial=-np.inf if name == "max" else np.inf)
        if data.dtype == bool:
            return (np.any if name == "max" else np.all)(data, axes, keepdims=keepdims)
        info = np.iinfo(data.dtype)
        return getattr(np, name)(data, axes, keepdims=keepdims, initial=info.min if name == "max" else info.max)

    return fold


def _mean(data: Any, axes: Any, keepdims: bool) -> Any:
    count = math.prod(data.shape[a] for a in axes)
    return (np.mean if count else np.sum)(data, axes, keepdims=keepdims)  # onnxruntime 1.32: the mean of nothing is 0


_FOLDS: dict[str, Any] = {
    "ReduceL1": lambda data, axes, keepdims: np.sum(np.abs(data), axes, keepdims=keepdims),
    "ReduceL2": lambda data, axes, keepdims: np.sqrt(np.sum(np.square(data), axes, keepdims=keepdims)),
    "ReduceLogSum": lambda data, axes, keepdims: np.log(np.sum(data, axes, keepdims=keepdims)),
    "ReduceLogSumExp": _log_sum_exp,
    "ReduceMax": _extreme("max"),
    "ReduceMean": _mean,
    "ReduceMin": _extreme("min"),
    "ReduceProd": lambda data, axes, keepdims: np.prod(data, axes, keepdims=keepdims),
    "ReduceSum": lambda data, axes, keepdims: np.sum(data, axes, keepdims=keepdims),
    "ReduceSumSquare": lambda data, axes, keepdims: np.sum(np.square(data), axes, keepdims=keepdims),
}
_OF_INTEGERS = {
    **_FOLDS,
    # onnxruntime 1.32 cuts every exponential to an integer: those of the largest numbers count
    "ReduceLogSumExp": partial(_log_sum_exp, cuts=True),
}
_PAIRS = {
    "ReduceMax": values.larger,
    "ReduceMin": values.smaller,
    "ReduceProd": values.multiply,
    "ReduceSum": values.add,
}


class ReduceListed(Operator):
    """One number for all along the listed axes; along all where none is listed, or none with `noop`."""

    inputs = "data:_/numbers|bool axes?:[_]/index"
    reads = (1,)

    def shape(
        self, data: Tensor, axes: Tensor | None = None, *, keep_dims: bool = True, noop: bool = False, **_: Any
    ) -> Tensor:
        self.match(data, axes)
        if data.shape is None:
            return Tensor(data.dtype, () if axes is None and not noop and not keep_dims else None)
        listed = [] if axes is None else axes_of(axes, len(data.shape), 1, unique=False)
        if listed is None:
            count = axes.shape[0] if axes is not None and axes.shape else None
            return Tensor(data.dtype, dims.less_some(data.shape, count or None, keep_dims))
        gone = listed if listed or noop else range(len(data.shape))
        return Tensor(data.dtype, dims.less_axes(data.shape, gone, keep_dims))

    def value(
        self,
        data: Tensor,
        axes: Tensor | None = None,
        *,
        fold: str,
        noop: bool = False,
        **_: Any,
    ) -> Entries | None:
        """All elements of a small tensor folded into one."""
        pair, value = _PAIRS.get(fold), data.value
        if pair is None or not value or data.rank is None:
            return None
        listed = [] if axes is None else axes_of(axes, data.rank, 1, unique=False)
        if listed is None or (noop and not listed) or (listed and len(set(listed)) < data.rank):
            return None
        return (values.convert(reduce(pair, value), data.dtype),)

    def run(
        self, data: Any, axes: Any = None, *, fold: str, keep_dims: bool = True, noop: bool = False, **_: Any
    ) -> Any:
        listed = () if axes is None else tuple(sorted({int(a) % max(data.ndim, 1) for a in np.atleast_1d(axes)}))
        gone = listed if listed or noop else tuple(range(data.ndim))
        # onnxruntime 1.32 computes with fractions of 64 bits what integers add up to, and keeps to the ends of the type
        is_whole = data.dtype.kind in "iu" and fold not in ("ReduceMax", "ReduceMin")
        wide = data.astype(np.float64 if is_whole else np.float32) if is_whole or data.dtype == np.float16 else data
        folds = _OF_INTEGERS if is_whole else _FOLDS
        found = np.asarray(folds[fold](wide, gone if data.ndim else (), keepdims=keep_dims))
        return saturated(found, data.dtype) if is_whole else found.astype(data.dtype)


class ArgAlong(Operator):
    """The index of the largest or smallest along an axis, the first or the last of equals."""

    def shape(self, data: Tensor, *, axis: int = 0, keepdims: bool = True, **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor("int64")
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        part = (1,) if keepdims else ()
        others = (*data.shape[:at], *data.shape[at + 1 :])
        if data.shape[at] == 0 and not any(dims.can_be(dim, 0) for dim in others):
            message = f"expected at least 1 element along axis {at} of `data`, got {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return Tensor("int64", (*data.shape[:at], *part, *data.shape[at + 1 :]))

    def run(
        self, data: Any, *, axis: int = 0, keepdims: bool = True, last: bool = False, smallest: bool = False, **_: Any
    ) -> Any:
        find = np.argmin if smallest else np.argmax
        if not last:
            return find(data, axis, keepdims=keepdims).astype(np.int64)
        return data.shape[axis] - 1 - find(np.flip(data, axis), axis, keepdims=keepdims).astype(np.int64)


class Cumulative(Operator):
    """Sums or products of all up to each element along an axis."""

    inputs = "data:S[_,*_]/T axis:one/index -> S/T"
    reads = (1,)

    def shape(self, data: Tensor, axis: Tensor, **_: Any) -> list[Tensor]:
        found = self.match(data, axis)
        axes_of(axis, data.rank, 1, "axis")
        return found.results

    def run(
        self,
        data: Any,
        axis: Any,
        *,
        exclusive: bool = False,
        reverse: bool = False,
        product: bool = False,
        **_: Any,
    ) -> Any:
        along = number(axis)
        turned = np.flip(data, along) if reverse else data
        found = (np.cumprod if product else np.cumsum)(turned, along, dtype=data.dtype)
        if exclusive:
            found = np.roll(found, 1, along)
            first: Any = (slice(None),) * (along % data.ndim) + (0,)
            found[first] = 1 if product else 0
        return np.flip(found, along) if reverse else found


class Shares(Operator):
    """Exponentials divided by their sum along an axis, their logarithms, or 1 for the largest. With `flat` the axis and all after
    it count as one."""

    def shape(self, data: Tensor, *, axis: int = -1, has_scalars: bool = True, **_: Any) -> Tensor:
        if data.shape == () and not has_scalars:
            raise ShapeError(R.wrong_rank, "expected rank 1 or higher for `data`, got a scalar", "input:0", [0])
        want_axes(Tensor(None, (1,)) if data.shape == () else data, [axis])
        return data

    def run(self, data: Any, *, kind: str, axis: int = -1, flat: bool = False, **_: Any) -> Any:
        if flat:
            rows = math.prod(data.shape[: axis % max(data.ndim, 1)])
            return self._along(data.reshape(rows, -1) if data.size else data, kind, -1).reshape(data.shape)
        return self._along(data, kind, axis) if data.ndim else self._along(data[None], kind, 0)[0]

    @staticmethod
    def _along(data: Any, kind: str, axis: int) -> Any:
        if kind == "hardmax":
            found = np.zeros_like(data)
            np.put_along_axis(found, np.argmax(data, axis, keepdims=True), 1, axis)
            return found
        wide = data.astype(np.float32) if data.dtype == np.float16 else data
        result = wide - np.max(wide, axis, keepdims=True, initial=-np.inf)
        powers = np.exp(result)
        total = np.sum(powers, axis, keepdims=True)
        return (result - np.log(total) if kind == "log_softmax" else powers / total).astype(data.dtype)
