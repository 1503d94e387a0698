"""Softmax along an axis, and as the loss of a classifier."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_axes
from irlint.dryrun.tensor import Tensor


class SoftmaxAxis(Operator):
    """Softmax, its logarithm, or of the negated data; only the first `length` elements where lengths are given."""

    inputs = "data length?"

    def shape(
        self, data: Tensor, length: Tensor | None = None, *, axis: int = -1, dtype: str | None = None, **_: Any
    ) -> Tensor:
        want_axes(data, [axis])
        return Tensor(dtype or data.dtype, data.shape)

    def run(
        self,
        data: Any,
        length: Any = None,
        *,
        axis: int = -1,
        temperature: float | None = None,
        dtype: str | None = None,
        kind: str = "softmax",
        **_: Any,
    ) -> Any:
        values = -data if kind == "softmin" else data
        values = values / values.dtype.type(temperature) if temperature else values
        inside = None
        if length is not None:
            steps = np.arange(data.shape[axis]).reshape((-1,) + (1,) * (data.ndim - 1 - axis % data.ndim))
            # mxnet 1.9.1 gives 0 beyond the length
            inside = steps < np.expand_dims(length, axis)
            values = np.where(inside, values, -np.inf)
        result = _shares(values, axis, kind)
        if inside is not None:
            result = np.where(inside, result, 0)
        return result.astype(dtype or data.dtype)


def _shares(values: Any, axis: int, kind: str) -> Any:
    values = np.asarray(values - np.max(values, axis, keepdims=True))
    if kind == "log_softmax":
        values -= np.log(np.sum(np.exp(values), axis, keepdims=True))
        return values
    np.exp(values, out=values)
    values /= np.sum(values, axis, keepdims=True)
    return values
