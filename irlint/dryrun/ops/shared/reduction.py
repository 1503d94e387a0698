"""Reductions: sums, means, extremes, norms; and cumulative sums."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, normalise_axis, number
from irlint.dryrun.tensor import Entries, Tensor


class Reduce(Operator):
    """Base: reduction over axes from an operand."""

    inputs = "data:_/numbers axes:[]|[_]/integers"
    reads = (1,)
    function: ClassVar[str] = ""  # of NumPy, where there is one
    pair: ClassVar[Any] = None  # a function of two elements that may be ranges
    total: ClassVar[Any] = None  # a function of a list of numbers
    of_none: ClassVar[Any] = None  # the result for no elements, where it is followed

    def shape(self, data: Tensor, axes: Tensor, *, keep_dims: bool = False, **_: Any) -> Tensor:
        self.match(data, axes)
        shape = data.shape
        if shape is None:
            return data
        if axes.shape == (0,) and not keep_dims and len(shape) > 1:  # OpenVINO's CPU plug-in counts the axes (2026.4.1)
            raise ShapeError(
                R.wrong_value_length, "expected at least one axis in `axes` unless `keep_dims` is true", "input:1", [1]
            )
        # OpenVINO 2026.4.1 takes an axis that is listed twice
        listed = axes_of(axes, len(shape), 1, unique=False)
        if listed is not None:
            return Tensor(data.dtype, dims.less_axes(shape, listed, keep_dims))
        count = None if axes.shape is None else (*axes.shape, 1)[0]
        return Tensor(data.dtype, dims.less_some(shape, count, keep_dims))

    def run(self, data: Any, axes: Any, *, keep_dims: bool = False, **_: Any) -> Any:
        listed = tuple(int(a) % max(data.ndim, 1) for a in np.atleast_1d(axes)) if data.ndim else ()
        return self.fold(data, listed, keep_dims).astype(data.dtype, copy=False)

    def fold(self, data: Any, axes: tuple[int, ...], keep: bool) -> Any:
        return getattr(np, self.function)(data, axes, keepdims=keep)

    def value(self, data: Tensor, axes: Tensor, *, keep_dims: bool = False, **_: Any) -> Entries | None:
        """All elements of a small tensor folded into one."""
        value, listed = data.value, axes_of(axes, data.rank, 1, unique=False)
        if value is None or listed is None or len(set(listed)) != data.rank:
            return None
        if not value:
            result = self.of_none
        elif self.total is not None and values.numbers(data) is not None:
            result = self.total(value)
        else:
            result = None if self.pair is None else functools.reduce(self.pair, value)
        return None if result is None and self.of_none is None else (values.convert(result, data.dtype),)


class ReduceMean(Reduce):
    def fold(self, data: Any, axes: tuple[int, ...], keep: bool) -> Any:
        if data.dtype.kind in "iu":
            total = np.sum(data, axes, keepdims=keep, dtype=np.int64)
            count = math.prod(data.shape[a] for a in axes)
            # OpenVINO 2026.4.1 (CPU): the mean of the whole numbers -1 and -2 is -1
            return np.trunc(total / count) if count else total
        if 0 in data.shape and not all(data.shape[a] for a in axes):
            return np.sum(data, axes, keepdims=keep)  # OpenVINO 2026.4.1 (CPU): the mean of nothing is 0
        return np.mean(data, axes, keepdims=keep)


def _limits(dtype: Any) -> tuple[Any, Any]:
    """Return the smallest and the largest number of a type; infinity of halves."""
    if dtype == np.float16:
        return -np.inf, np.inf
    known = (np.finfo if dtype.kind == "f" else np.iinfo)(dtype)
    return known.min, known.max


class ReduceMax(Reduce):
    pair = staticmethod(values.larger)
    total = staticmethod(max)

    def fold(self, data: Any, axes: tuple[int, ...], keep: bool) -> Any:
        # OpenVINO 2026.4.1 (CPU): the largest of no i32 is -2147483648, of no f32 -3.4028235e+38, of no f16 -inf
        initial = {"initial": _limits(data.dtype)[0]} if 0 in data.shape else {}
        return np.max(data, axes, keepdims=keep, **initial)


class ReduceMin(Reduce):
    pair = staticmethod(values.smaller)
    total = staticmethod(min)

    def fold(self, data: Any, axes: tuple[int, ...], keep: bool) -> Any:
        initial = {"initial": _limits(data.dtype)[1]} if 0 in data.shape else {}
        return np.min(data, axes, keepdims=keep, **initial)


class ReduceL1(Reduce):
    def fold(self, data: Any, axes: tuple[int, ...], keep: bool) -> Any:
        return np.sum(np.abs(data), axes, keepdims=keep)


class ReduceL2(Reduce):
    def fold(self, data: Any, axes: tuple[int, ...], keep: bool) -> Any:
        return np.sqrt(np.sum(np.square(data), axes, keepdims=keep))


class _Logical(Reduce):
    inputs = "data:_/bool axes:[]|[_]/integers"


def _numpy(base: type[Reduce], function: str, total: Any, **more: Any) -> type[Reduce]:
    """Return the reduction by a function of NumPy."""
    return type(function, (base,), {"function": function, "total": staticmethod(total), **more})


ReduceSum = _numpy(Reduce, "sum", sum, pair=staticmethod(values.add))
ReduceProd = _numpy(Reduce, "prod", math.prod, pair=staticmethod(values.multiply), of_none=1)
ReduceLogicalAnd = _numpy(_Logical, "all", all)
ReduceLogicalOr = _numpy(_Logical, "any", any)


class CumSum(Operator):
    """Cumulative sums along an axis."""

    # OpenVINO 2026.4.1 reads a vector; the CPU plug-in does not support an axis "with non scalar rank"
    inputs = "data:S/T axis:[]/index -> S/T"
    reads = (1,)

    def shape(self, data: Tensor, axis: Tensor, **_: Any) -> list[Tensor]:
        found = self.match(data, axis)
        axes_of(axis, data.rank, 1, "axis")
        return found.results

    def run(self, data: Any, axis: Any, *, exclusive: bool = False, reverse: bool = False, **_: Any) -> Any:
        along = number(axis)
        turned = np.flip(data, along) if reverse else data
        sums = np.cumsum(turned, along, dtype=data.dtype)
        if exclusive:
            sums = np.roll(sums, 1, along)
            first: Any = (slice(None),) * (along % data.ndim) + (slice(1),)
            sums[first] = 0
        return np.flip(sums, along) if reverse else sums


class Softmax(Operator):
    """Exponentials along an axis, divided by their sum."""

    def shape(self, data: Tensor, *, axis: int = 1, negative_axis: bool = True, **_: Any) -> Tensor:
        # OpenVINO 2026.4.1: Softmax takes a single number for a list of one; Softmax-1 takes no negative axis
        if data.shape is not None:
            normalise_axis(axis, max(len(data.shape), 1), "attr:axis", negative=negative_axis)
        return data

    def run(self, data: Any, *, axis: int = 1, **_: Any) -> Any:
        if not data.ndim:
            return np.ones_like(data)
        result = data - np.max(data, axis, keepdims=True, initial=-np.inf)
        np.exp(result, out=result)
        result /= np.sum(result, axis, keepdims=True)
        return result


class LogSoftmax(Softmax):
    """The logarithm of Softmax, without its loss of digits."""

    def run(self, data: Any, *, axis: int = 1, **_: Any) -> Any:
        result = data - np.max(data, axis, keepdims=True, initial=-np.inf)
        result -= np.log(np.sum(np.exp(result), axis, keepdims=True))
        return result


class ReduceAxes(Operator):
    """Reduction over axes from an attribute: all without it, all others with `exclude`."""

    def shape(
        self,
        data: Tensor,
        *,
        axis: Sequence[int] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        least: int = 0,
        outputs: int = 1,
        kinds: Mapping[str, str] | None = None,
        dtype: str | None = None,
        exact: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        """`least` is the number of dimensions that a result has at least; `kinds` are the types of results that are not the data's,
        unless `dtype` says it. With `exact` an empty list means no axis, not all."""
        kind = dtype or (kinds or {}).get(data.dtype or "", data.dtype)
        if data.shape is None:
            return [Tensor(kind, (1,) * least if axis is None and not keepdims else None)] * outputs
        kept = dims.less_axes(data.shape, self.axes(len(data.shape), axis, exclude, exact), keepdims)
        # mxnet 1.9.1 knows no tensor without dimensions: the sum of all elements has the shape (1,)
        return [Tensor(kind, kept if len(kept) >= least else (1,) * least)] * outputs

    @staticmethod
    def axes(rank: int, axis: Sequence[int] | None, exclude: bool, exact: bool = False) -> set[int]:
        # mxnet 1.9.1: sum with axis=() adds up everything
        if axis is None or not (axis or exclude or exact):
            return set(range(rank))
        listed = {normalise_axis(a, rank, "attr:axis") for a in axis}
        # mxnet 1.9.1: Reduction axes have duplicates [0,0]
        if len(listed) != len(axis):
            raise ShapeError(R.axis_out_of_range, f"duplicate axis in `axis` {tuple(axis)}", "attr:axis")
        return set(range(rank)) - listed if exclude else listed

    def run(
        self,
        data: Any,
        *,
        fold: str,
        axis: Sequence[int] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        least: int = 0,
        ord: int = 2,
        kinds: Mapping[str, str] | None = None,
        dtype: str | None = None,
        exact: bool = False,
        **_: Any,
    ) -> Any:
        kind = dtype or (kinds or {}).get(data.dtype.name)
        data = data if kind is None else data.astype(np.result_type(data.dtype, kind))
        gone = tuple(sorted(self.axes(data.ndim, axis, exclude, exact)))
        if fold == "norm":
            powers = np.abs(data) if ord == 1 else np.square(data)
            found = np.sum(powers, gone, keepdims=keepdims)
            found = found if ord == 1 else np.sqrt(found)
        elif fold == "moments":
            mean = np.mean(data, gone, keepdims=True)
            variance = np.mean(np.square(data - mean), gone, keepdims=keepdims)
            return [np.atleast_1d(mean if keepdims else np.mean(data, gone)), np.atleast_1d(variance)]
        else:
            found = getattr(np, fold)(data, gone, keepdims=keepdims)
        found = np.asarray(found, kind or data.dtype)
        return found if found.ndim >= least else found.reshape((1,) * least)
