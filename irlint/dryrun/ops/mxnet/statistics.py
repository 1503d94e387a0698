"""Variances, differences of neighbours, sums so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun import dims
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, want_axes
from irlint.dryrun.ops.shared.reduction import ReduceAxes
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class Diff(Operator):
    """Between neighbours, n times."""

    inputs = "a:[_,*_]"

    def shape(self, data: Tensor, *, n: int = 1, axis: int = -1, **_: Any) -> Tensor:
        self.match(data)
        if data.shape is None:
            return data
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        return Tensor(data.dtype, (*data.shape[:at], dims.interval(*_less(data.shape[at], n)), *data.shape[at + 1 :]))

    def run(self, data: Any, *, n: int = 1, axis: int = -1, **_: Any) -> Any:
        return np.diff(data, min(n, data.shape[axis]), axis)  # what is empty stays so


def _less(dim: Dim, by: int) -> tuple[int, int | None]:
    low, high = dims.bounds(dim)
    return max(low - by, 0), None if high is None else max(high - by, 0)


class CumulativeSum(Operator):
    """Sums of all elements up to each one, along an axis or over all."""

    def shape(self, data: Tensor, *, axis: int | None = None, dtype: str | None = None, **_: Any) -> Tensor:
        want_axes(data, () if axis is None else (axis,))
        whole = None if data.shape is None else dims.product(data.shape)
        return Tensor(dtype or data.dtype, (whole,) if axis is None else data.shape)

    def run(self, data: Any, *, axis: int | None = None, dtype: str | None = None, **_: Any) -> Any:
        return np.cumsum(data, axis, dtype=dtype or data.dtype)


class Spread(Operator):
    """Variance or deviation over axes."""

    def shape(
        self,
        data: Tensor,
        *,
        axis: Sequence[int] | None = None,
        keepdims: bool = False,
        dtype: str | None = None,
        **_: Any,
    ) -> list[Tensor]:
        found = ReduceAxes().shape(data, axis=axis, keepdims=keepdims, exact=True)[0]
        return [Tensor(dtype or data.dtype, found.shape)] * 2

    def run(
        self,
        data: Any,
        *,
        function: str,
        axis: Sequence[int] | None = None,
        ddof: int = 0,
        keepdims: bool = False,
        dtype: str | None = None,
        **_: Any,
    ) -> Any:
        axes = None if axis is None else tuple(axis)
        kind = dtype or data.dtype
        mean = np.mean(data, axes, keepdims=keepdims)
        found = getattr(np, function)(data, axes, ddof=ddof, keepdims=keepdims)
        return [np.asarray(found, kind), np.asarray(mean, kind)]


class AnyOrAll(Operator):
    """Any or all elements true, over axes."""

    def shape(self, data: Tensor, *, axis: Sequence[int] | None = None, keepdims: bool = False, **_: Any) -> Tensor:
        return Tensor("bool", ReduceAxes().shape(data, axis=axis, keepdims=keepdims, exact=True)[0].shape)

    def run(
        self, data: Any, *, function: str, axis: Sequence[int] | None = None, keepdims: bool = False, **_: Any
    ) -> Any:
        return getattr(np, function)(data, None if axis is None else tuple(axis), keepdims=keepdims)
