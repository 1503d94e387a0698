"""Layers of training frameworks: pooling by convention, normalisation with an axis, activations by name, losses, fused RNN."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, same_dtype, want_least_rank, want_rank
from irlint.dryrun.ops.windows import want_per_axis
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


def fits(goal: Shape, shape: Shape) -> bool:
    return len(goal) == len(shape) and all(map(dims.compatible, goal, shape))


class PoolConvention(Operator):
    """Pooling over all space or windows, whose number is rounded down (valid), up (full), or by stride alone (same)."""

    def shape(
        self,
        data: Tensor,
        *,
        kernel: Sequence[int] = (),
        stride: Sequence[int] = (),
        pad: Sequence[int] = (),
        global_pool: bool = False,
        pooling_convention: str = "valid",
        channels_last: bool = False,
        **_: Any,
    ) -> Tensor:
        if data.shape is None:
            return data
        want_rank(data, "data", 0, 3, 4, 5)
        space = len(data.shape) - 2
        first = 1 if channels_last else 2
        if global_pool:
            lengths: list[Dim] = [1] * space
        else:
            want_per_axis("kernel", kernel, space, least=1)
            strides, pads = tuple(stride) or (1,) * space, tuple(pad) or (0,) * space
            want_per_axis("stride", strides[:space], space, least=1)  # what is too much is not looked at
            want_per_axis("pad", pads[:space], space, least=0)
            lengths = [
                self._count(data.shape, first + k, kernel[k], strides[k], pads[k], pooling_convention)
                for k in range(space)
            ]
        return Tensor(data.dtype, (*data.shape[:first], *lengths, *data.shape[first + space :]))

    @staticmethod
    def _count(shape: Shape, axis: int, kernel: int, stride: int, pad: int, convention: str) -> Dim:
        dim = shape[axis]
        total = dims.add(dim, 2 * pad)
        if convention == "same":
            return dims.ceil_divide(total, stride)
        high = dims.bounds(total)[1]
        if high is not None and kernel > high:
            raise ShapeError(
                R.shape_mismatch,
                f"a window that is {kernel} long does not fit into dimension {axis} of {show(shape)}, which is {show_dim(dim)}"
                + (f" padded by {pad} on both sides" if pad else ""),
                "attr:kernel",
                [0],
            )
        divide = dims.ceil_divide if convention == "full" else dims.floor_divide
        return dims.add(divide(dims.subtract(total, kernel), stride), 1)

    def run(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.pooling import pool_by_convention

        return pool_by_convention(data, self.shape(Tensor(None, data.shape), **attrs).shape, **attrs)


class ChannelNorm(Operator):
    """Normalisation with scale and bias per channel of some axis; more operands (mean, variance) are per channel too."""

    inputs = "data gamma beta more*"
    strict = False  # operands of another shape are refused; else they are passed over

    def shape(
        self,
        data: Tensor,
        *rest: Tensor,
        axis: int = 1,
        statistics: int = 0,
        reduced: Sequence[int] | None = None,
        **_: Any,
    ) -> list[Tensor]:
        """`statistics` outputs follow that have one number per channel, or per position if `reduced` names the axes."""
        if data.shape is None:
            return [data, *[Tensor(data.dtype, None)] * statistics]
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        channels = data.shape[at]
        each: Shape = (channels,)
        if reduced is not None:
            gone = {normalise_axis(a, len(data.shape), "attr:axis") for a in reduced}
            each = tuple(1 if k in gone else dim for k, dim in enumerate(data.shape))
        more = [Tensor(data.dtype, each)] * statistics
        for k, tensor in enumerate(rest, 1):
            if tensor.shape is not None and not fits((channels,), tensor.shape):
                raise ShapeError(
                    R.shape_mismatch,
                    f"{self.input_name(k)} {show(tensor.shape)} must have one number for each of the {show_dim(channels)} channels of data "
                    f"{show(data.shape)}",
                    f"input:{k}",
                    [0, k],
                    None if self.strict else [data, *more],
                )
            channels = dims.merge(channels, tensor.shape[0]) if tensor.shape is not None else channels
        return [Tensor(data.dtype, (*data.shape[:at], channels, *data.shape[at + 1 :])), *more]


class BatchNormAxis(ChannelNorm):
    inputs = "data gamma beta moving_mean moving_var"

    def run(
        self,
        data: Any,
        gamma: Any,
        beta: Any,
        mean: Any,
        variance: Any,
        *,
        axis: int = 1,
        eps: float = 1e-3,
        fix_gamma: bool = False,
        without_beta: bool = False,
        statistics: int = 0,
        **_: Any,
    ) -> Any:
        wide = [1] * data.ndim
        wide[axis] = -1
        scale = (np.ones_like(gamma) if fix_gamma else gamma) / np.sqrt(variance + eps)
        shift = (0 if without_beta else beta) - mean * scale
        result = (data * scale.reshape(wide) + shift.reshape(wide)).astype(data.dtype)
        return [result, mean, 1 / np.sqrt(variance + eps)][: 1 + statistics]


class BatchNormRelu(BatchNormAxis):
    def run(self, *arrays: Any, **attrs: Any) -> Any:
        result, *rest = super().run(*arrays, **attrs)
        return [np.maximum(result, 0), *rest]


class LayerNorm(ChannelNorm):
    inputs = "data gamma beta"
    strict = True

    def run(
        self, data: Any, gamma: Any, beta: Any, *, axis: int = -1, eps: float = 1e-5, statistics: int = 0, **_: Any
    ) -> Any:
        mean = data.mean(axis, keepdims=True)
        deviation = np.sqrt(np.square(data - mean).mean(axis, keepdims=True) + data.dtype.type(eps))
        wide = [1] * data.ndim
        wide[axis] = -1
        result = (data - mean) / deviation * gamma.reshape(wide) + beta.reshape(wide)
        return [result, mean, deviation][: 1 + statistics]


class InstanceNorm(ChannelNorm):
    inputs = "data gamma beta"

    def run(self, data: Any, gamma: Any, beta: Any, *, eps: float = 1e-3, **_: Any) -> Any:
        axes = tuple(range(2, data.ndim))
        mean = data.mean(axes, keepdims=True)
        variance = np.square(data - mean).mean(axes, keepdims=True)
        wide = (1, -1) + (1,) * (data.ndim - 2)
        return [(data - mean) / np.sqrt(variance + data.dtype.type(eps)) * gamma.reshape(wide) + beta.reshape(wide)]


class GroupNormGroups(Operator):
    """Normalisation over groups of channels, with scale and bias per group."""

    inputs = "data gamma beta"

    def shape(
        self, data: Tensor, gamma: Tensor, beta: Tensor, *, num_groups: int = 1, statistics: int = 0, **_: Any
    ) -> list[Tensor]:
        want_least_rank(data, "data", 0, 3)
        each: Shape = (data.shape[0] if data.shape is not None else None, num_groups)
        for k, tensor in ((1, gamma), (2, beta)):
            if tensor.shape is not None and not fits((num_groups,), tensor.shape):
                raise ShapeError(
                    R.shape_mismatch,
                    f"{self.names[k]} {show(tensor.shape)} must have one number per group, that is {num_groups}",
                    f"input:{k}",
                    [k],
                    [data, *[Tensor(data.dtype, each)] * statistics],
                )
        if data.shape is not None:
            if num_groups < 1 or not dims.divisible(data.shape[1], num_groups):
                raise ShapeError(
                    R.shape_mismatch,
                    f"the {show_dim(data.shape[1])} channels of data {show(data.shape)} cannot be split into {num_groups} "
                    "equal groups",
                    "attr:num_groups",
                    [0],
                )
        return [data, *[Tensor(data.dtype, each)] * statistics]

    def run(
        self,
        data: Any,
        gamma: Any,
        beta: Any,
        *,
        num_groups: int = 1,
        eps: float = 1e-5,
        statistics: int = 0,
        **_: Any,
    ) -> Any:
        grouped = data.reshape(data.shape[0], num_groups, -1)
        mean = grouped.mean(2, keepdims=True)
        deviation = np.sqrt(np.square(grouped - mean).mean(2, keepdims=True) + data.dtype.type(eps))
        result = (grouped - mean) / deviation * gamma.reshape(1, -1, 1) + beta.reshape(1, -1, 1)
        return [result.reshape(data.shape), mean[..., 0], deviation[..., 0]][: 1 + statistics]


class L2NormalizationMode(Operator):
    """By the Euclidean length of each sample, each position's channels, or each channel's space."""

    def shape(self, data: Tensor, *, mode: str = "instance", **_: Any) -> Tensor:
        if data.shape is not None and mode != "instance" and len(data.shape) < 3:
            raise ShapeError(
                R.wrong_rank,
                f"with mode {mode} data must have at least 3 dimensions, but it is {show(data.shape)}",
                "input:0",
                [0],
            )
        return data

    def run(self, data: Any, *, mode: str = "instance", eps: float = 1e-10, **_: Any) -> Any:
        axes = {"instance": tuple(range(1, data.ndim)), "channel": (1,), "spatial": tuple(range(2, data.ndim))}[mode]
        return data / np.sqrt(np.square(data).sum(axes, keepdims=True) + data.dtype.type(eps))


class LRNChannels(Operator):
    """By a power of the mean of squares over neighbouring channels."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        want_rank(data, "data", 0, 2, 4)
        return data

    def run(self, data: Any, *, alpha: float, beta: float, knorm: float, nsize: int, **_: Any) -> Any:
        half = nsize // 2
        wide = np.pad(np.square(data), [(0, 0), (half, half), *[(0, 0)] * (data.ndim - 2)])
        total = sum(wide[:, k : k + data.shape[1]] for k in range(nsize))
        kind = data.dtype.type
        return data / np.power(kind(knorm) + kind(alpha / nsize) * total, kind(beta))


class Activation(Operator):
    """A function by name."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return data

    def run(self, data: Any, *, act_type: str, **_: Any) -> Any:
        if act_type == "relu":
            return np.maximum(data, 0)
        if act_type == "sigmoid":
            with np.errstate(over="ignore"):
                return 1 / (1 + np.exp(-data))
        if act_type == "tanh":
            return np.tanh(data)
        if act_type == "softrelu":
            return np.logaddexp(data, data.dtype.type(0))
        if act_type == "log_sigmoid":
            return -np.logaddexp(-data, data.dtype.type(0))
        if act_type == "mish":
            return data * np.tanh(np.logaddexp(data, data.dtype.type(0)))
        return data / (1 + np.abs(data))


class LeakyRelu(Operator):
    """Below zero: a slope, a learned one per channel, or an exponential."""

    inputs = "data gamma?"

    def shape(
        self, data: Tensor, gamma: Tensor | None = None, *, act_type: str = "leaky", axis: int = 1, **_: Any
    ) -> Tensor | list[Tensor]:
        if (
            gamma is not None
            and gamma.shape is not None
            and data.shape is not None
            and act_type == "prelu"
            and len(gamma.shape) == 1
        ):
            channels = data.shape[axis] if -len(data.shape) <= axis < len(data.shape) else data.shape[0]
            if not (dims.can_be(gamma.shape[0], 1) or dims.compatible(gamma.shape[0], channels)):
                raise ShapeError(
                    R.shape_mismatch,
                    f"gamma {show(gamma.shape)} must have one number, or one per channel of data {show(data.shape)}",
                    "input:1",
                    [0, 1],
                    [data] if dims.compatible(gamma.shape[0], data.shape[0]) else None,  # one per row is taken, too
                )
        return [data, data] if act_type == "rrelu" else data

    def run(
        self,
        data: Any,
        gamma: Any = None,
        *,
        act_type: str = "leaky",
        axis: int = 1,
        slope: float = 0.25,
        lower_bound: float = 0.125,
        upper_bound: float = 0.334,
        **_: Any,
    ) -> Any:
        kind = data.dtype.type
        if act_type == "prelu":
            if gamma.ndim == 1 and data.ndim > 1:
                wide = [1] * data.ndim
                wide[axis] = -1
                gamma = gamma.reshape(wide)
            return np.where(data > 0, data, data * gamma)
        if act_type == "elu":
            return np.where(data > 0, data, kind(slope) * np.expm1(np.minimum(data, 0)))
        if act_type == "selu":
            return kind(1.0507009873554804) * np.where(
                data > 0, data, kind(1.6732632423543772) * np.expm1(np.minimum(data, 0))
            )
        if act_type == "gelu":
            from irlint.dryrun.special import erf

            return kind(0.5) * data * (1 + erf(data * kind(math.sqrt(0.5))))
        if act_type == "rrelu":
            mask = np.where(data > 0, kind(1), kind((lower_bound + upper_bound) / 2))
            return [data * mask, mask]
        return np.where(data > 0, data, data * kind(slope))


class SoftmaxAxis(Operator):
    """Softmax, its logarithm, or of the negated data; only the first `length` elements where lengths are given."""

    inputs = "data length?"

    def shape(
        self, data: Tensor, length: Tensor | None = None, *, axis: int = -1, dtype: str | None = None, **_: Any
    ) -> Tensor:
        if data.shape is not None:
            normalise_axis(axis, len(data.shape), "attr:axis")
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
            inside = steps < np.expand_dims(length, axis)
            values = np.where(inside, values, -np.inf)
        values = values - np.max(values, axis, keepdims=True)
        powers = np.exp(values)
        total = np.sum(powers, axis, keepdims=True)
        result = values - np.log(total) if kind == "log_softmax" else powers / total
        if inside is not None:
            result = np.where(inside, result, 0)
        return result.astype(dtype or data.dtype)


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
                raise ShapeError(
                    R.shape_mismatch,
                    f"label must have the shape {show(goals[0])} for data {show(data.shape)}, but it is {show(label.shape)}",
                    "input:1",
                    [0, 1],
                )
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
                raise ShapeError(
                    R.shape_mismatch,
                    f"label {show(label.shape)} must have the shape of data {show(data.shape)}",
                    "input:1",
                    [0, 1],
                )
        return data

    def run(self, data: Any, label: Any = None, *, logistic: bool = False, **_: Any) -> Any:
        with np.errstate(over="ignore"):
            return 1 / (1 + np.exp(-data)) if logistic else data


class FusedRNN(Operator):
    """Many layers of a recurrent network with all weights in one vector; time first."""

    inputs = "data parameters state more*"

    def shape(
        self,
        data: Tensor,
        parameters: Tensor,
        state: Tensor,
        *more: Tensor,
        state_size: int,
        num_layers: int,
        mode: str,
        bidirectional: bool = False,
        state_outputs: bool = False,
        projection_size: int | None = None,
        **_: Any,
    ) -> list[Tensor]:
        dtype = same_dtype((data, parameters, state), ("data", "parameters", "state"))
        want_rank(data, "data", 0, 3)
        want_rank(state, "state", 2, 3)
        ways = 2 if bidirectional else 1
        out = projection_size or state_size
        if data.shape is None:
            time, batch, width = None, None, None
        else:
            time, batch, width = data.shape
        if isinstance(width, int):
            wanted = self.parameter_count(mode, num_layers, ways, state_size, width, projection_size)
            if parameters.shape is not None and not (
                len(parameters.shape) == 1 and dims.can_be(parameters.shape[0], wanted)
            ):
                raise ShapeError(
                    R.shape_mismatch,
                    f"parameters must be a vector of {wanted} numbers, but its shape is {show(parameters.shape)}",
                    "input:1",
                    [0, 1],
                )
        goal: Shape = (num_layers * ways, batch, out)
        if state.shape is not None and not all(map(dims.compatible, goal, state.shape)):
            raise ShapeError(
                R.shape_mismatch,
                f"state must have the shape {show(goal)} (layers, batch, size), but it is {show(state.shape)}",
                "input:2",
                [0, 2],
            )
        cell: Shape = (num_layers * ways, batch, state_size)
        if mode == "lstm" and more and more[0].shape is not None and not fits(cell, more[0].shape):
            raise ShapeError(
                R.shape_mismatch,
                f"state_cell must have the shape {show(cell)}, but it is {show(more[0].shape)}",
                "input:3",
                [0, 3],
            )
        found = [Tensor(dtype, (time, batch, ways * out))]
        if state_outputs:
            found.append(Tensor(dtype, goal))
            if mode == "lstm":
                found.append(Tensor(dtype, cell))
        return found

    @staticmethod
    def parameter_count(mode: str, layers: int, ways: int, size: int, width: int, projection: int | None) -> int:
        gates = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}[mode]
        out = projection or size
        total = 0
        for layer in range(layers):
            inner = width if layer == 0 else ways * out
            total += ways * gates * size * (inner + out + 2)
            if projection:
                total += ways * projection * size
        return total

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.fused import run_fused

        return run_fused(*arrays, **attrs)


class LikeSecond(Operator):
    """A gradient in the shape of what the forward operator was given."""

    inputs = "ograd input output"

    def shape(self, gradient: Tensor, data: Tensor, output: Tensor, **_: Any) -> Tensor:
        return data


class SameShape(Operator):
    """Boxes and scores worked on where they are; of boxes that are left there may be indices only."""

    inputs = "data count?"

    def shape(self, data: Tensor, *_: Tensor, return_indices: bool = False, **__: Any) -> Tensor:
        return Tensor() if return_indices else data


class L2NormalizeAxes(Operator):
    """By the Euclidean length over listed axes, but never by less than a root."""

    def shape(self, data: Tensor, *, axis: Sequence[int], **_: Any) -> Tensor:
        if data.shape is not None:
            for a in axis:
                normalise_axis(a, len(data.shape), "attr:axis")
        return data

    def run(self, data: Any, *, axis: Sequence[int], eps: float, **_: Any) -> Any:
        squares = np.square(data).sum(tuple(axis), keepdims=True)
        return data / np.sqrt(np.maximum(squares, data.dtype.type(eps)))


class LRNAxis(Operator):
    """By a power of the mean of squares of neighbours along an axis."""

    def shape(self, data: Tensor, *, axis: int, **_: Any) -> Tensor:
        if data.shape is not None:
            normalise_axis(axis, len(data.shape), "attr:axis")
        return data

    def run(self, data: Any, *, size: int, axis: int, alpha: float, beta: float, bias: float, **_: Any) -> Any:
        squares = np.moveaxis(np.square(data), axis, -1)
        half = size // 2
        wide = np.pad(squares, [(0, 0)] * (data.ndim - 1) + [(half, half)])
        total = np.moveaxis(sum(wide[..., k : k + squares.shape[-1]] for k in range(size)), -1, axis)
        kind = data.dtype.type
        return data / np.power(kind(bias) + kind(alpha / size) * total, kind(beta))
