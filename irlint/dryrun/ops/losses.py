"""Losses of networks that are trained."""

from __future__ import annotations

import math
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_rank
from irlint.dryrun.ops.softmax import SoftmaxAxis
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class SoftmaxOutput(Operator):
    """Softmax of the data; the label only trains."""

    inputs = "data label"

    def shape(self, data: Tensor, label: Tensor, *, multi_output: bool = False, **_: Any) -> Tensor:
        if data.shape is not None and label.shape is not None and len(data.shape) > 0:
            batch, *rest = data.shape
            if multi_output and rest:
                goals: list[Shape] = [(batch, *rest[1:]), (batch, dims.product(rest[1:])), (batch, 1, *rest[1:])]
            else:
                goals = [data.shape[:-1]]
            goals.append(data.shape)
            if not any(len(g) == len(label.shape) and all(map(dims.compatible, g, label.shape)) for g in goals):
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
    """The data as it is, or through a sigmoid; the label only trains."""

    inputs = "data label"

    def shape(self, data: Tensor, label: Tensor, **_: Any) -> Tensor:
        if data.shape is not None and label.shape is not None:
            short = len(data.shape) == len(label.shape) + 1 and dims.can_be(data.shape[-1], 1)
            goal = data.shape[:-1] if short else data.shape
            if len(goal) != len(label.shape) or not all(map(dims.compatible, goal, label.shape)):
                message = f"shapes of `data` {show(data.shape)} and `label` {show(label.shape)} do not match"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return data

    def run(self, data: Any, label: Any = None, *, logistic: bool = False, **_: Any) -> Any:
        with np.errstate(over="ignore"):
            return 1 / (1 + np.exp(-data)) if logistic else data


class CrossEntropy(Operator):
    """The sum over rows of the negated logarithm of the right class's share."""

    inputs = "data label"

    def shape(self, data: Tensor, label: Tensor, **_: Any) -> Tensor:
        want_rank(data, "data", 0, 2)
        want_rank(label, "label", 1, 1)
        if data.shape is not None and label.shape is not None and not dims.compatible(data.shape[0], label.shape[0]):
            message = f"expected one number per row of `data` {show(data.shape)} in `label`, got {show(label.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(data.dtype, (1,))

    def run(self, data: Any, label: Any, **_: Any) -> Any:
        moved = data - data.max(1, keepdims=True)
        share = moved - np.log(np.exp(moved).sum(1, keepdims=True))
        return -share[np.arange(len(data)), label.astype(np.int64)].sum(keepdims=True)


class CtcLoss(Operator):
    """The loss of a labelling without alignment, for every sequence of (time, batch, classes)."""

    inputs = "data label data_lengths? label_lengths?"

    def shape(self, data: Tensor, label: Tensor, *_: Any, **__: Any) -> list[Tensor]:
        want_rank(data, "data", 0, 3)
        want_rank(label, "label", 1, 2)
        if data.shape is not None and label.shape is not None and not dims.compatible(data.shape[1], label.shape[0]):
            message = (
                f"expected {show_dim(data.shape[1])} rows in `label` (one per sequence of `data` "
                f"{show(data.shape)}), got {show(label.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return [Tensor(data.dtype, (data.shape[1] if data.shape is not None else None,)), data]

    def run(
        self, data: Any, label: Any, lengths: Any = None, counts: Any = None, *, first: bool = True, **_: Any
    ) -> Any:
        moved = data - data.max(2, keepdims=True)
        shares = (moved - np.log(np.exp(moved).sum(2, keepdims=True))).astype(np.float64)
        blank = 0 if first else data.shape[2] - 1
        found = []
        for k in range(data.shape[1]):
            row = label[k].astype(np.int64)
            size = int(counts[k]) if counts is not None else self._length(row, first)
            time = int(lengths[k]) if lengths is not None else data.shape[0]
            found.append(-self._likelihood(shares[:time, k], row[:size], blank))
        return [np.array(found, data.dtype), np.exp(shares).astype(data.dtype)]

    @staticmethod
    def _length(row: Any, first: bool) -> int:
        """Where the padding begins: 0 where the blank is first, else -1."""
        ends = np.flatnonzero(row == (0 if first else -1))
        return int(ends[0]) if len(ends) else len(row)

    @staticmethod
    def _likelihood(shares: Any, row: Any, blank: int) -> Any:
        """The logarithm of the chance of a labelling, by all alignments with blanks between its labels."""
        states = np.full(2 * len(row) + 1, blank)
        states[1::2] = row
        jump = np.zeros(len(states), bool)
        jump[3::2] = row[1:] != row[:-1]
        alpha = np.full(len(states), -np.inf)
        alpha[:2] = shares[0, states[:2]]
        for t in range(1, len(shares)):
            before = np.concatenate([[-np.inf], alpha[:-1]])
            skipped = np.where(jump, np.concatenate([[-np.inf, -np.inf], alpha])[: len(states)], -np.inf)
            alpha = np.logaddexp(np.logaddexp(alpha, before), skipped) + shares[t, states]
        return np.logaddexp.reduce(alpha[-2:])
