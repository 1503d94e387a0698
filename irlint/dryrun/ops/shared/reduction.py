"""Reductions along axes of an operand or an attribute: sums, means, extremes, norms; softmax, and sums so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import replaced, show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, normalise_axis, number, want_axes
from irlint.dryrun.ops.shared.elementwise import LogicalAnd, LogicalOr
from irlint.dryrun.tensor import Entries, Tensor

reducing: Any = Later("irlint.dryrun.kernels.reducing")

_FOLLOWED: dict[str, Any] = {
    "sum": values.add, "prod": values.multiply, "max": values.larger, "min": values.smaller, "all": LogicalAnd.entry,
    "any": LogicalOr.entry,
}  # fmt: skip


class Reduce(Operator):
    """Elements along the axes that an operand lists, folded into one by a function of kernels/reducing.py, `fold`."""

    inputs = "data:_/numbers axes:[]|[_]/integers"
    reads = (1,)
    takes_no_axes: ClassVar[bool] = False

    def shape(
        self, data: Tensor, axes: Tensor | None = None, *, keep_dims: bool = False, noop: bool = True, **_: Any
    ) -> Tensor:
        """Where no axis is listed, elements are folded along all, or with `noop` along none."""
        self.match(data, axes)
        shape = data.shape
        if shape is None:
            return Tensor(data.dtype, () if axes is None and not noop and not keep_dims else None)
        is_empty = axes is None or axes.shape == (0,)
        if is_empty and not self.takes_no_axes and not keep_dims and len(shape) > 1:
            # OpenVINO's CPU plug-in counts the axes (2026.4.1)
            message = "expected at least one axis in `axes` unless `keep_dims` is true"
            raise ShapeError(R.wrong_value_length, message, "input:1", [1])
        listed = self._axes(axes, len(shape), noop)
        if listed is not None:
            return Tensor(data.dtype, dims.less_axes(shape, listed, keep_dims))
        count = None if axes is None or axes.shape is None else (*axes.shape, 1)[0]
        return Tensor(data.dtype, dims.less_some(shape, count if count or noop else None, keep_dims))

    @staticmethod
    def _axes(axes: Tensor | None, rank: int, noop: bool) -> Sequence[int] | None:
        # OpenVINO 2026.4.1 and onnxruntime 1.32 take an axis that is listed twice
        listed = [] if axes is None else axes_of(axes, rank, 1, unique=False)
        return listed if listed or listed is None or noop else range(rank)

    def value(
        self, data: Tensor, axes: Tensor | None = None, *, fold: str, noop: bool = True, **_: Any
    ) -> Entries | None:
        """All elements of a small tensor folded into one."""
        function, value = fold.partition("_or_")[0], data.value
        listed = None if data.rank is None else self._axes(axes, data.rank, noop)
        if value is None or listed is None or len(set(listed)) != data.rank or function not in _FOLLOWED:
            return None
        if not value:
            return (values.convert(1, data.dtype),) if function == "prod" else None
        return (values.convert(reduce(_FOLLOWED[function], value), data.dtype),)

    def run(
        self,
        data: Any,
        axes: Any = None,
        *,
        fold: str,
        keep_dims: bool = False,
        noop: bool = True,
        as_fractions: bool = False,
        **_: Any,
    ) -> Any:
        """With `as_fractions` integers add up as fractions of 64 bits, and the result is kept to the ends of their type."""
        listed = () if axes is None else tuple(sorted({int(a) % max(data.ndim, 1) for a in np.atleast_1d(axes)}))
        gone = listed if listed or noop else tuple(range(data.ndim))
        function = reducing.folded_as_fractions if as_fractions and data.dtype.kind in "iu" else reducing.folded
        return function(data, gone if data.ndim else (), keep_dims, fold).astype(data.dtype, copy=False)


class ReduceLogical(Reduce):
    inputs = "data:_/bool axes:[]|[_]/integers"


class ReduceListed(Reduce):
    """Axes may be left out."""

    inputs = "data:_/numbers|bool axes?:[_]/index"
    takes_no_axes = True


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
        outputs: int = 1,
        kinds: Mapping[str, str] | None = None,
        dtype: str | None = None,
        exact: bool = False,
        **attrs: Any,
    ) -> Any:
        gone = tuple(sorted(self.axes(data.ndim, axis, exclude, exact)))
        kind = dtype or (kinds or {}).get(data.dtype.name)
        if outputs > 1:
            found = reducing.spread(data, gone, keepdims, fold, **attrs)
        else:
            wide = data if kind is None else data.astype(np.result_type(data.dtype, kind))
            found = [reducing.folded(wide, gone, keepdims, fold)]
        made = [np.asarray(array, kind or data.dtype) for array in found]
        return [array if array.ndim >= least else array.reshape((1,) * least) for array in made]


class Cumulative(Operator):
    """Sums or products of all up to each element along an axis."""

    inputs = "data:S[_,*_]/T axis:one/index -> S/T"
    reads = (1,)

    def shape(self, data: Tensor, axis: Tensor, **_: Any) -> list[Tensor]:
        found = self.match(data, axis)
        axes_of(axis, data.rank, 1, "axis")
        return found.results

    def run(self, data: Any, axis: Any, **attrs: Any) -> Any:
        return reducing.so_far(data, number(axis), **attrs)


class CumSum(Cumulative):
    # OpenVINO 2026.4.1 reads a vector; the CPU plug-in does not support an axis "with non scalar rank"
    inputs = "data:S/T axis:[]/index -> S/T"


class Softmax(Operator):
    """Exponentials along an axis divided by their sum, their logarithms, or 1 for the largest, by `kind`."""

    kernel = "reducing.softmax"

    def shape(
        self,
        data: Tensor,
        length: Tensor | None = None,
        *,
        axis: int = -1,
        negative_axis: bool = True,
        scalars: str = "",
        dtype: str | None = None,
        **_: Any,
    ) -> Tensor:
        """`scalars` are "taken" for lists of one, or "refused", but have no axis for other runtimes."""
        rank = data.rank
        if rank == 0 and scalars == "refused":
            raise ShapeError(R.wrong_rank, "expected rank 1 or higher for `data`, got a scalar", "input:0", [0])
        if rank is not None:
            normalise_axis(axis, max(rank, 1) if scalars else rank, "attr:axis", negative=negative_axis)
        return Tensor(dtype or data.dtype, data.shape)


class SoftmaxWithin(Softmax):
    """Of so many elements, where their number is given."""

    inputs = "data length?"


class ArgExtreme(Operator):
    """The index of the largest or smallest along an axis, or of all elements; the first or the `last` of equals."""

    kernel = "reducing.arg_extreme"

    def shape(
        self,
        data: Tensor,
        *,
        axis: int | None = None,
        keepdims: bool = False,
        dtype: str | None = None,
        scalar: bool = False,
        strict: bool = False,
        **_: Any,
    ) -> Tensor:
        """Without `scalar` a single index is a list of one; `strict`: there has to be an element."""
        kind, single = dtype or data.dtype, () if scalar else (1,)
        if axis is None and not keepdims:
            return Tensor(kind, single)
        if data.shape is None or axis is None:
            return Tensor(kind, None if data.shape is None else (1,) * len(data.shape))
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        kept = replaced(data.shape, at)
        if strict and data.shape[at] == 0 and not any(dims.can_be(dim, 0) for dim in kept):
            message = f"expected at least 1 element along axis {at} of `data`, got {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return Tensor(kind, replaced(data.shape, at, 1) if keepdims else kept or single)


class CumulativeSum(Operator):
    """Sums of all elements up to each one, along an axis or over all."""

    def shape(
        self, data: Tensor, *, axis: int | None = None, dtype: str | None = None, negative: bool = True, **_: Any
    ) -> Tensor:
        want_axes(data, () if axis is None else (axis,), negative=negative)
        whole = None if data.shape is None else dims.product(data.shape)
        return Tensor(dtype or data.dtype, (whole,) if axis is None else data.shape)

    def run(self, data: Any, *, axis: int | None = None, dtype: str | None = None, **_: Any) -> Any:
        return np.cumsum(data, axis, dtype=dtype or data.dtype)
