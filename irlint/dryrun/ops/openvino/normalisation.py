"""Normalisation."""

from __future__ import annotations

from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, want_dtype
from irlint.dryrun.tensor import Tensor


class BatchNorm(Operator):
    """Batch normalisation: per channel, minus mean, by the root of variance, times gamma, plus beta."""

    inputs = "data:[N,C,*S]/T=floats gamma:[C]/T beta:[C]/T mean:[C]/T variance:[C]/T -> [N,C,*S]/T"

    def shape(self, *tensors: Tensor, epsilon: float = 0.0, **_: Any) -> list[Tensor]:
        if epsilon < 0:
            raise too_low("epsilon", "at least 0", epsilon)
        return self.match(*tensors).results

    def run(self, data: Any, gamma: Any, beta: Any, mean: Any, variance: Any, *, epsilon: float = 0.0, **_: Any) -> Any:
        wide = (-1,) + (1,) * (data.ndim - 2)
        scale = gamma / np.sqrt(variance + data.dtype.type(epsilon))
        result = data * scale.reshape(wide)
        result += (beta - mean * scale).reshape(wide)
        return result


class BatchNormFirst(BatchNorm):
    """Batch normalisation with the data as third operand."""

    inputs = "gamma:[C]/T beta:[C]/T data:[N,C,*S]/T=floats mean:[C]/T variance:[C]/T -> [N,C,*S]/T"

    def run(self, gamma: Any, beta: Any, data: Any, mean: Any, variance: Any, **attrs: Any) -> Any:  # type: ignore[override]
        return super().run(data, gamma, beta, mean, variance, **attrs)


class MVN(Operator):
    """Minus the mean, and optionally by the deviation, over listed axes."""

    inputs = "data axes:[_]"
    reads = (1,)

    def shape(self, data: Tensor, axes: Tensor, **_: Any) -> Tensor:
        self.match(data, axes)
        if axes.shape and data.shape is not None and dims.bounds(axes.shape[0])[0] > len(data.shape):
            message = f"expected at most {len(data.shape or ())} axes in `axes`, got {show_dim(axes.shape[0])}"
            raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
        listed = axes_of(axes, data.rank, 1, unique=False)
        if listed is not None and not self._is_native(listed, data.rank or 0):
            want_dtype(axes, "axes", 1, "an integer type")
        return data

    @staticmethod
    def _is_native(axes: list[int], rank: int) -> bool:
        """Return whether OpenVINO's CPU plug-in (2026.4.1) runs the operation directly: it decomposes others, which needs integers."""
        if rank == 1:
            return axes == [0]
        return rank < 6 and sorted(axes) in (list(range(1, rank)), list(range(2, rank)))

    def run(
        self,
        data: Any,
        axes: Any,
        *,
        eps: float = 0.0,
        normalize_variance: bool = True,
        eps_mode: str = "inside_sqrt",
        **_: Any,
    ) -> Any:
        return mean_variance(
            data, tuple(int(a) for a in np.atleast_1d(axes)), eps, normalize_variance, eps_mode == "inside_sqrt"
        )


def mean_variance(data: Any, axes: tuple[int, ...], eps: float, scale: bool, inside: bool) -> Any:
    centred = data - np.mean(data, axes, keepdims=True)
    if not scale:
        return centred
    variance = np.mean(np.square(centred), axes, keepdims=True)
    eps = data.dtype.type(eps)
    centred /= np.sqrt(variance + eps) if inside else np.sqrt(variance) + eps
    return centred


class MVNFirst(Operator):
    """Over the spatial axes, or over the channels too."""

    inputs = "data:S/T -> S/T"

    def run(
        self,
        data: Any,
        *,
        eps: float = 1e-9,
        across_channels: bool = True,
        normalize_variance: bool = True,
        reduction_axes: tuple[int, ...] = (),
        **_: Any,
    ) -> Any:
        axes = reduction_axes or tuple(range(1 if across_channels else 2, data.ndim))
        return mean_variance(data, tuple(axes), eps, normalize_variance, inside=False)


class GroupNormalization(Operator):
    """MVN over groups of channels, then scale and bias per channel."""

    inputs = "data:[N,C,*S]/T scale:[C]/T bias:[C]/T -> [N,C,*S]/T"

    def shape(self, *tensors: Tensor, num_groups: int, **_: Any) -> list[Tensor]:
        found = self.match(*tensors)
        if num_groups <= 0:
            raise too_low("num_groups", "at least 1", num_groups)
        channels = found["C"]
        if isinstance(channels, int) and (num_groups > channels or channels % num_groups):
            message = f"channels of `data` ({channels}) are not a multiple of `num_groups` ({num_groups})"
            raise ShapeError(R.shape_mismatch, message, "attr:num_groups", [0])
        return found.results

    def run(self, data: Any, scale: Any, bias: Any, *, num_groups: int, epsilon: float = 0.0, **_: Any) -> Any:
        grouped = data.reshape(data.shape[0], num_groups, prod(data.shape[1:]) // num_groups)
        result = mean_variance(grouped, (2,), epsilon, True, inside=True).reshape(data.shape)
        wide = (-1,) + (1,) * (data.ndim - 2)
        return result * scale.reshape(wide) + bias.reshape(wide)


class NormalizeL2(Operator):
    """By the Euclidean length over listed axes."""

    inputs = "data axes:[]|[_]/integers"
    reads = (1,)

    def shape(self, data: Tensor, axes: Tensor, **_: Any) -> Tensor:
        self.match(data, axes)
        axes_of(axes, data.rank, 1, unique=False)
        return data

    def run(self, data: Any, axes: Any, *, eps: float = 0.0, eps_mode: str = "add", **_: Any) -> Any:
        listed = tuple(int(a) for a in np.atleast_1d(axes))
        squares = np.square(data) if not listed else np.sum(np.square(data), listed, keepdims=True)
        eps = data.dtype.type(eps)
        return data / np.sqrt(np.maximum(squares, eps) if eps_mode == "max" else squares + eps)


class LRN(Operator):
    """By a power of the mean of squares of neighbours along listed axes."""

    inputs = "data axes:[_]/integers"
    reads = (1,)

    def shape(self, data: Tensor, axes: Tensor, **_: Any) -> Tensor:
        self.match(data, axes)
        if axes.shape == (0,):
            raise ShapeError(R.wrong_value_length, "expected at least one axis in `axes`", "input:1", [1])
        axes_of(axes, data.rank, 1, unique=False)
        return data

    def run(self, data: Any, axes: Any, *, alpha: float, beta: float, bias: float, size: int, **_: Any) -> Any:
        listed = [int(a) % data.ndim for a in np.atleast_1d(axes)]
        total = np.square(data)
        for axis in listed:
            total = _window_sum(total, axis, size)
        kind = data.dtype.type
        return data / np.power(kind(bias) + kind(alpha / size ** len(listed)) * total, kind(beta))


def _window_sum(data: Any, axis: int, size: int) -> Any:
    """Sums of `size` neighbours around each element."""
    before = (size - 1) // 2
    pads = [(0, 0)] * data.ndim
    pads[axis] = (before, size - 1 - before)
    wide = np.pad(data, pads)
    return np.lib.stride_tricks.sliding_window_view(wide, size, axis).sum(-1)


class GRN(Operator):
    """By the length across channels."""

    inputs = "data:S[_,_]|S[_,_,_]|S[_,_,_,_]/T -> S/T"

    def run(self, data: Any, *, bias: float, **_: Any) -> Any:
        return data / np.sqrt(np.sum(np.square(data), 1, keepdims=True) + data.dtype.type(bias))
