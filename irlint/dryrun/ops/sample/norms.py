"""Normalization of one sample (channels, space...), without a batch dimension."""

from __future__ import annotations

from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.sample.common import by_channel, made, want_size
from irlint.dryrun.ops.shaped import Alike
from irlint.dryrun.ops.shared.normalisation import by_length, by_neighbours, standardised
from irlint.dryrun.tensor import Tensor


class _PerChannel(Alike):
    """The base of operators whose second operand has a number per channel; `flat`: what has fewer than three axes is one channel."""

    flat = False

    def check(self, data: Tensor, weight: Any = None, *_: Any, shared: bool = False, **__: Any) -> None:
        if weight is not None and weight.shape is not None and not shared:
            shape = data.shape or ()
            channels = 1 if self.flat and len(shape) < 3 else shape[0]
            want_size(dims.product(weight.shape), channels, self.names[1], data, "input:1")


class SampleBatchNorm(_PerChannel):
    """(data - mean) / sqrt(variance + eps) x slope + bias."""

    inputs = "data slope mean variance bias"

    def run(self, data: Any, slope: Any, mean: Any, variance: Any, bias: Any, *, eps: float, **_: Any) -> Any:
        factor = slope / np.sqrt(variance + data.dtype.type(eps))
        return data * by_channel(factor, data) + by_channel(bias - factor * mean, data)


class Scale(_PerChannel):
    """Data x scale + bias, per channel. The scale may be an input."""

    inputs = "data scale? bias?"

    def run(self, data: Any, scale: Any, bias: Any = None, **_: Any) -> Any:
        found = data * by_channel(scale.reshape(-1), data)
        return found if bias is None else found + by_channel(bias, data)


class Bias(_PerChannel):
    """Data + bias, per channel; of what has fewer than three axes, all is one channel."""

    inputs = "data bias"
    flat = True

    def run(self, data: Any, bias: Any, **_: Any) -> Any:
        return data + (by_channel(bias, data) if data.ndim > 2 else bias[0])


class PReLU(_PerChannel):
    """Data, and below zero data x slope: one for all, or one per channel."""

    inputs = "data slope"

    def check(self, data: Tensor, weight: Any = None, *_: Any, shared: bool = False, **__: Any) -> None:
        super().check(data, weight, shared=weight.shape == (1,))

    def run(self, data: Any, slope: Any, **_: Any) -> Any:
        return np.where(data < 0, data * (by_channel(slope, data) if slope.size > 1 else slope[0]), data)


class SampleLayerNorm(Alike):
    """The last axes, as many as have `size` elements, less their mean and divided by their deviation; `mean=False`: only divided by
    the root of their mean square.
    """

    inputs = "data gamma? beta?"

    def check(self, data: Tensor, *weights: Any, size: int, **__: Any) -> None:
        if not any(weights) or not dims.is_known(data.shape):
            return
        width = _width(data.shape, size)
        if size != width:
            message = f"`size` {size} is not that of the last axes of `data` {show(data.shape)}"
            outputs = [Tensor(data.dtype, data.shape)] if size > width else None  # the rest is not read
            raise ShapeError(R.shape_mismatch, message, "attr:size", [0], outputs)

    def run(
        self, data: Any, gamma: Any = None, beta: Any = None, *, size: int, eps: float, mean: bool = True, **_: Any
    ) -> Any:
        width = _width(data.shape, size)
        found = standardised(data.reshape(-1, width).astype(np.float64), (1,), eps, centred=mean)[0]
        found = found if gamma is None else found * gamma[:width]
        return (found if beta is None else found + beta[:width]).reshape(data.shape).astype(data.dtype)


def _width(shape: Any, size: int) -> int:
    """Return how many elements of the last axes are normalized together: the first count that is the size, or all of a channel."""
    if len(shape) < 3:
        return int(shape[-1])
    counts: list[int] = [prod(shape[k:]) for k in range(len(shape) - 1, 0, -1)]
    return next((count for count in counts if count == size), counts[-1])


class SampleGroupNorm(Alike):
    """Groups of channels less their mean and divided by their deviation; without `groups`, each channel: what has fewer than three axes
    is one.
    """

    inputs = "data gamma? beta?"

    def check(
        self, data: Tensor, gamma: Any = None, *_: Any, groups: int | None = None, channels: int = 0, **__: Any
    ) -> None:
        shape = data.shape or ()
        if channels:
            found = 1 if groups is None and len(shape) < 3 else shape[0]
            want_size(channels, found, "channels", data, "attr:channels", is_all_used=groups is not None)

    def run(
        self,
        data: Any,
        gamma: Any = None,
        beta: Any = None,
        *,
        eps: float,
        groups: int | None = None,
        channels: int = 0,
        **_: Any,
    ) -> Any:
        if groups is not None and not channels:
            return data
        shape = data.shape
        if groups is None and data.ndim < 3:
            data = data[None]
        parts = data.reshape(groups or data.shape[0], -1).astype(np.float64)
        found = standardised(parts, (1,), eps)[0].reshape(data.shape)
        found = found if gamma is None else found * by_channel(gamma, data)
        return (found if beta is None else found + by_channel(beta, data)).astype(data.dtype).reshape(shape)


class SampleMeanVariance(Operator):
    """Channels, or all elements, less their mean, and divided by their deviation + eps. What has fewer than three axes gets others of
    length 1 in front.
    """

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor(data.dtype)
        return Tensor(data.dtype, ((1,) * (3 - len(data.shape)) + tuple(data.shape)))

    def run(self, data: Any, *, deviation: bool, across: bool, eps: float, **_: Any) -> Any:
        data = data.reshape((1,) * (3 - data.ndim) + data.shape)
        parts = data.reshape(1 if across else data.shape[0], -1).astype(np.float64)
        found = standardised(parts, (1,), eps, divided=deviation, inside=False)[0]
        return found.reshape(data.shape).astype(data.dtype)


class SampleNormalize(_PerChannel):
    """Divided by the length of all elements, of each channel, or of each place, times a scale."""

    inputs = "data scale"
    flat = True

    def run(
        self,
        data: Any,
        scale: Any,
        *,
        across_channels: bool,
        across_space: bool,
        shared: bool,
        eps: float,
        mode: int,
        **_: Any,
    ) -> Any:
        if not across_channels and not across_space:
            return data
        flat = data.reshape(data.shape[0] if data.ndim > 2 else 1, -1)
        axes = tuple(k for k, across in enumerate((across_channels, across_space)) if across)
        found = by_length(flat, axes, eps, ("add", "max_root", "max")[mode])
        return (found * (scale[0] if shared else scale[:, None])).reshape(data.shape)


class LocalResponse(Operator):
    """Divided by the power of the sum of squares of neighbors: channels, or places of a square."""

    inputs = "data:S[_,_,_]/T -> S/T"

    def run(self, data: Any, *, within: bool, size: int, alpha: float, beta: float, bias: float, **_: Any) -> Any:
        return by_neighbours(data, (1, 2) if within else (0,), size, alpha, beta, bias)


class SampleStatistics(Operator):
    """The mean of each channel, and its deviation."""

    def shape(self, data: Tensor, *, deviation: bool, **_: Any) -> Tensor:
        channels = data.shape[0] if data.shape and len(data.shape) > 2 else None if data.shape is None else 1
        return made((dims.multiply(channels, 2 if deviation else 1),), dtype=data.dtype)

    def run(self, data: Any, *, deviation: bool, **_: Any) -> Any:
        flat = data.reshape(data.shape[0] if data.ndim > 2 else 1, -1)
        return np.concatenate([flat.mean(1), flat.std(1)]) if deviation else flat.mean(1)
