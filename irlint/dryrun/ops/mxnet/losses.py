"""Loss functions."""

from __future__ import annotations

import math
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import fits
from irlint.dryrun.ops.mxnet.softmax import SoftmaxAxis
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class SoftmaxOutput(Operator):
    """Softmax of the data; the label is only used for training."""

    inputs = "data label"

    def shape(self, data: Tensor, label: Tensor, *, multi_output: bool = False, **_: Any) -> Tensor:
        if data.shape and label.shape is not None:
            batch, *rest = data.shape
            goals: list[Shape] = [data.shape[:-1], data.shape]
            if multi_output and rest:
                goals = [(batch, *rest[1:]), (batch, dims.product(rest[1:])), (batch, 1, *rest[1:]), data.shape]
            if not any(fits(goal, label.shape) for goal in goals):
                message = f"expected shape {show(goals[0])} for `label` (`data` is {show(data.shape)}), got {show(label.shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return data

    def run(
        self, data: Any, label: Any = None, *, multi_output: bool = False, preserve_shape: bool = False, **_: Any
    ) -> Any:
        if multi_output:
            return SoftmaxAxis.run(None, data, axis=1)  # type: ignore[arg-type]
        if preserve_shape:
            return SoftmaxAxis.run(None, data, axis=-1)  # type: ignore[arg-type]
        rows = data.reshape(data.shape[0], math.prod(data.shape[1:]))
        return SoftmaxAxis.run(None, rows, axis=-1).reshape(data.shape)  # type: ignore[arg-type]


class Regression(Operator):
    """The data, or its sigmoid; the label is only used for training."""

    inputs = "data label"

    def shape(self, data: Tensor, label: Tensor, **_: Any) -> Tensor:
        if data.shape is not None and label.shape is not None:
            short = len(data.shape) == len(label.shape) + 1 and dims.can_be(data.shape[-1], 1)
            if not fits(data.shape[:-1] if short else data.shape, label.shape):
                message = f"shapes of `data` {show(data.shape)} and `label` {show(label.shape)} do not match"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return data

    def run(self, data: Any, label: Any = None, *, logistic: bool = False, **_: Any) -> Any:
        with np.errstate(over="ignore"):
            return 1 / (1 + np.exp(-data)) if logistic else data


class CrossEntropy(Operator):
    """Cross-entropy, summed over rows."""

    inputs = "data:[N,_]/T label:[N] -> [1]/T"

    def run(self, data: Any, label: Any, **_: Any) -> Any:
        moved = data - data.max(1, keepdims=True)
        share = moved - np.log(np.exp(moved).sum(1, keepdims=True))
        return -share[np.arange(len(data)), label.astype(np.int64)].sum(keepdims=True)


class CtcLoss(Operator):
    """CTC loss of every sequence of (time, batch, classes)."""

    inputs = "data:S[_,N,_]/T label:[N,_] data_lengths? label_lengths? -> [N]/T S/T"

    def run(
        self, data: Any, label: Any, lengths: Any = None, counts: Any = None, *, first: bool = True, **_: Any
    ) -> Any:
        from irlint.dryrun.kernels.sequence import log_probability

        moved = data - data.max(2, keepdims=True)
        shares = (moved - np.log(np.exp(moved).sum(2, keepdims=True))).astype(np.float64)
        blank = 0 if first else data.shape[2] - 1
        found = []
        for k in range(data.shape[1]):
            row = label[k].astype(np.int64)
            size = int(counts[k]) if counts is not None else self._length(row, first)
            time = int(lengths[k]) if lengths is not None else data.shape[0]
            found.append(-log_probability(shares[:time, k], row[:size], blank))
        return [np.array(found, data.dtype), np.exp(shares).astype(data.dtype)]

    @staticmethod
    def _length(row: Any, first: bool) -> int:
        """Return the length of a row without its padding, which is 0 if the blank is first, else -1."""
        ends = np.flatnonzero(row == (0 if first else -1))
        return int(ends[0]) if len(ends) else len(row)
