"""Normalisation."""

from __future__ import annotations

from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, same_dtype, want_dtype, want_least_rank, want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class BatchNorm(Operator):
    """Batch normalisation: per channel, minus mean, by the root of variance, times gamma, plus beta."""

    inputs = "data gamma beta mean variance"

    def shape(self, data: Tensor, *rest: Tensor, epsilon: float = 0.0, **_: Any) -> Tensor:
        dtype = same_dtype((data, *rest), self.names)
        want_dtype(data, "data", 0, "a floating-point type")
        if epsilon < 0:
            raise too_low("epsilon", "at least 0", epsilon)
        want_least_rank(data, "data", 0, 2)
        channels: Dim = None if data.shape is None else data.shape[1]
        for k, tensor in enumerate(rest, 1):
            want_rank(tensor, self.names[k], k, 1)
            if tensor.shape is None:
                continue
            if not dims.compatible(channels, tensor.shape[0]):
                message = (
                    f"expected shape [{show_dim(channels)}] for `{self.names[k]}` (channels of `data` "
                    f"{show(data.shape)}), got {show(tensor.shape)}"
                )
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
            channels = dims.merge(channels, tensor.shape[0])
        if data.shape is None:
            return Tensor(dtype, None)
        return Tensor(dtype, (data.shape[0], channels, *data.shape[2:]))

    def run(self, data: Any, gamma: Any, beta: Any, mean: Any, variance: Any, *, epsilon: float = 0.0, **_: Any) -> Any:
        wide = (-1,) + (1,) * (data.ndim - 2)
        scale = gamma / np.sqrt(variance + data.dtype.type(epsilon))
        result = data * scale.reshape(wide)
        result += (beta - mean * scale).reshape(wide)
        return result


class BatchNormFirst(BatchNorm):
    """Batch normalisation with the data as third operand."""

    inputs = "gamma beta data mean variance"

    def shape(self, gamma: Tensor, beta: Tensor, data: Tensor, mean: Tensor, variance: Tensor, **attrs: Any) -> Tensor:  # type: ignore[override]
        order = (2, 0, 1, 3, 4)
        names, self.names = self.names, tuple(self.names[k] for k in order)
        try:
            return super().shape(data, gamma, beta, mean, variance, **attrs)
        except ShapeError as error:
            word, _, place = error.part.partition(":")
            if word == "input":
                error.part = f"input:{order[int(place)]}"
            error.inputs = tuple(order[k] for k in error.inputs)
            raise
        finally:
            self.names = names

    def run(self, gamma: Any, beta: Any, data: Any, mean: Any, variance: Any, **attrs: Any) -> Any:  # type: ignore[override]
        return super().run(data, gamma, beta, mean, variance, **attrs)


class MVN(Operator):
    """Minus the mean, and optionally by the deviation, over listed axes."""

    inputs = "data axes"
    reads = (1,)

    def shape(self, data: Tensor, axes: Tensor, **_: Any) -> Tensor:
        want_rank(axes, "axes", 1, 1)
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

    def shape(
        self, data: Tensor, *, across_channels: bool = True, reduction_axes: tuple[int, ...] = (), **_: Any
    ) -> Tensor:
        return data

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

    inputs = "data scale bias"

    def shape(
        self, data: Tensor, scale: Tensor, bias: Tensor, *, num_groups: int, epsilon: float = 0.0, **_: Any
    ) -> Tensor:
        same_dtype((data, scale, bias), self.names)
        want_rank(scale, "scale", 1, 1)
        want_rank(bias, "bias", 2, 1)
        want_least_rank(data, "data", 0, 2)
        if num_groups <= 0:
            raise too_low("num_groups", "at least 1", num_groups)
        channels: Dim = None if data.shape is None else data.shape[1]
        for k, tensor in ((1, scale), (2, bias)):
            if tensor.shape is not None and not dims.compatible(channels, tensor.shape[0]):
                message = (
                    f"expected shape [{show_dim(channels)}] for `{self.names[k]}` (channels of `data` "
                    f"{show(data.shape)}), got {show(tensor.shape)}"
                )
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
        if isinstance(channels, int) and (num_groups > channels or channels % num_groups):
            message = f"channels of `data` ({channels}) are not a multiple of `num_groups` ({num_groups})"
            raise ShapeError(R.shape_mismatch, message, "attr:num_groups", [0])
        return data

    def run(self, data: Any, scale: Any, bias: Any, *, num_groups: int, epsilon: float = 0.0, **_: Any) -> Any:
        grouped = data.reshape(data.shape[0], num_groups, prod(data.shape[1:]) // num_groups)
        result = mean_variance(grouped, (2,), epsilon, True, inside=True).reshape(data.shape)
        wide = (-1,) + (1,) * (data.ndim - 2)
        return result * scale.reshape(wide) + bias.reshape(wide)


class NormalizeL2(Operator):
    """By the Euclidean length over listed axes."""

    inputs = "data axes"
    reads = (1,)

    def shape(self, data: Tensor, axes: Tensor, **_: Any) -> Tensor:
        want_dtype(axes, "axes", 1, "an integer type")
        want_rank(axes, "axes", 1, 0, 1)
        axes_of(axes, data.rank, 1, unique=False)
        return data

    def run(self, data: Any, axes: Any, *, eps: float = 0.0, eps_mode: str = "add", **_: Any) -> Any:
        listed = tuple(int(a) for a in np.atleast_1d(axes))
        squares = np.square(data) if not listed else np.sum(np.square(data), listed, keepdims=True)
        eps = data.dtype.type(eps)
        return data / np.sqrt(np.maximum(squares, eps) if eps_mode == "max" else squares + eps)


class LRN(Operator):
    """By a power of the mean of squares of neighbours along listed axes."""

    inputs = "data axes"
    reads = (1,)

    def shape(self, data: Tensor, axes: Tensor, **_: Any) -> Tensor:
        want_dtype(axes, "axes", 1, "an integer type")
        want_rank(axes, "axes", 1, 1)
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

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        want_rank(data, "data", 0, 2, 3, 4)
        return data

    def run(self, data: Any, *, bias: float, **_: Any) -> Any:
        return data / np.sqrt(np.sum(np.square(data), 1, keepdims=True) + data.dtype.type(bias))
