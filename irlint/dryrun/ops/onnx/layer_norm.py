"""Normalisations: of batches, of trailing axes, of groups of channels, of norms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, stretches, want_axes
from irlint.dryrun.ops.shared.normalisation import NeighbourNorm, by_statistics, standardised, widened
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class BatchNormTraining(Operator):
    """Batch normalisation, whose further outputs are the mean and the variance of this batch and what is known so far. Before it was
    told that this is training it was as many outputs as a node has."""

    inputs = "data:[_]|[_,channels,*_] scale:[channels] bias:[channels] mean:[channels] variance:[channels]"

    def shape(
        self, data: Tensor, *rest: Tensor, training: bool = False, outputs: int = 1, by_place: bool = False, **_: Any
    ) -> list[Tensor]:
        operands = (data,) if by_place else (data, *rest)
        self.match(*operands, channels=1 if data.rank == 1 else None)
        statistics = rest[2]
        return [data, *[Tensor(statistics.dtype, statistics.shape)] * ((outputs - 1) if training or outputs > 3 else 0)]

    def run(
        self,
        data: Any,
        scale: Any,
        bias: Any,
        mean: Any,
        variance: Any,
        *,
        epsilon: float,
        momentum: float = 0.9,
        training: bool = False,
        by_place: bool = False,
        **_: Any,
    ) -> Any:
        wide, more = widened(data), []
        if training:
            axes = (0, *range(2, data.ndim))
            saved, spread = wide.mean(axes), wide.var(axes)
            known = ((mean, saved), (variance, spread))
            more = [*(old * momentum + new * (1 - momentum) for old, new in known), saved, spread]
            mean, variance = saved, spread
        scale, bias, mean, variance = (array.astype(wide.dtype) for array in (scale, bias, mean, variance))
        if by_place:
            flat = [array.reshape(-1) for array in (scale, bias, mean, variance)]
            return [
                by_statistics(wide.reshape(len(wide), -1), *flat, epsilon=epsilon)
                .reshape(data.shape)
                .astype(data.dtype)
            ]
        return [by_statistics(wide, scale, bias, mean, variance, epsilon=epsilon).astype(data.dtype), *more]


class TrailingNorm(Operator):
    """The axes from one on normalised together; further outputs are the mean and the reciprocal of the deviation. `centred`, or
    divided by the root of the mean square only."""

    inputs = "data:_/T=floats scale bias?:_/T"

    def shape(
        self,
        data: Tensor,
        *rest: Tensor | None,
        axis: int = -1,
        centred: bool = True,
        stash: str | None = "float32",
        **_: Any,
    ) -> list[Tensor]:
        self.match(data, *rest)
        count = 3 if centred else 1
        if data.shape is None:
            return [data, Tensor(stash), Tensor(stash)][:count]
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        for k, tensor in enumerate(rest, 1):
            if tensor is not None and tensor.shape is not None and not stretches(tensor.shape, data.shape):
                wanted = f"shape {show(data.shape[at:])} for `{self.names[k]}`, or one that broadcasts to it"
                message = f"expected {wanted}, got {show(tensor.shape)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
        kept: Shape = (*data.shape[:at], *(1,) * (len(data.shape) - at))
        return [data, Tensor(stash, kept), Tensor(stash, kept)][:count]

    def run(
        self, data: Any, scale: Any, bias: Any = None, *, axis: int = -1, epsilon: float, centred: bool = True, **_: Any
    ) -> Any:
        axes = tuple(range(axis % data.ndim, data.ndim))
        found, mean, deviation = standardised(widened(data), axes, epsilon, centred=centred)
        found = found.astype(data.dtype) * scale
        found = found if bias is None else found + bias
        return [found, mean, 1 / deviation] if centred else [found]


class NormAlong(Operator):
    """The data divided by its norm along an axis."""

    def shape(self, data: Tensor, *, axis: int = -1, **_: Any) -> Tensor:
        want_axes(data, [axis])
        return data

    def run(self, data: Any, *, axis: int = -1, p: int = 2, **_: Any) -> Any:
        wide = widened(data)
        size = np.sum(np.abs(wide) ** p, axis, keepdims=True)
        size = np.sqrt(size) if p == 2 else size
        return np.where(size == 0, 0, wide / np.where(size == 0, 1, size)).astype(data.dtype)


class MeanVariance(Operator):
    """The data less its mean, divided by its deviation, over listed axes."""

    def shape(self, data: Tensor, *, axes: Sequence[int], strict: bool = True, **_: Any) -> Tensor:
        if not axes:
            raise ShapeError(R.wrong_value_length, "expected values for `axes`, got none", "attr:axes")
        want_axes(data, axes if strict else (), "attr:axes")
        return data

    def run(self, data: Any, *, axes: Sequence[int], **_: Any) -> Any:
        wide, listed = widened(data), tuple(axis for axis in axes if axis < data.ndim)
        mean = np.mean(wide, listed, keepdims=True)
        deviation = np.sqrt(np.mean(np.square(wide), listed, keepdims=True) - np.square(mean))
        return ((wide - mean) / (deviation + 1e-9)).astype(data.dtype)


class OddNeighbourNorm(NeighbourNorm):
    """Local response normalisation over an odd number of channels."""

    inputs = "data:S[_,_,*_]/T -> S/T"

    def shape(self, data: Tensor, *, size: int, **_: Any) -> list[Tensor]:
        found = self.match(data)
        if size < 1 or size % 2 == 0:
            raise too_low("size", "a positive odd number", size)
        return found.results
