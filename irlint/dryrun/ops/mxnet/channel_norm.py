"""Normalisation along channels or an axis that an attribute names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import operand, show, show_dim
from irlint.dryrun.errors import ShapeError, want_least
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import fits, normalise_axis, want_axes
from irlint.dryrun.ops.shared.normalisation import (
    GroupNorm,
    NeighbourNorm,
    along,
    by_length,
    by_statistics,
    standardised,
)
from irlint.dryrun.ops.windows import want_parts
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class ChannelNorm(Operator):
    """Normalisation with scale and bias per channel of some axis; more operands (mean, variance) are per channel too."""

    inputs = "data gamma beta more*"
    strict = False  # mxnet 1.9.1: LayerNorm refuses a gamma of another size, BatchNorm runs with it

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
            gone = [normalise_axis(a, len(data.shape), "attr:axis") for a in reduced]
            each = dims.less_axes(data.shape, gone, keep=True)
        more = [Tensor(data.dtype, each)] * statistics
        for k, tensor in enumerate(rest, 1):
            if tensor.shape is None:
                continue
            if not fits((channels,), tensor.shape):
                wanted = (
                    f"[{show_dim(channels)}] for {operand(self.input_name(k))} (channels of `data` {show(data.shape)})"
                )
                message = f"expected shape {wanted}, got {show(tensor.shape)}"
                outputs = None if self.strict else [data, *more]
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k], outputs)
            channels = dims.merge(channels, tensor.shape[0])
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
        # mxnet 1.9.1: with fix_gamma, its default, gamma counts as 1, whatever it holds
        scale, shift = np.ones_like(gamma) if fix_gamma else gamma, np.zeros_like(beta) if without_beta else beta
        result = by_statistics(data, scale, shift, mean, variance, epsilon=eps, axis=axis).astype(data.dtype)
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
        result, mean, deviation = standardised(data, (axis,), eps)
        result = result * along(gamma, data.ndim, axis) + along(beta, data.ndim, axis)
        return [result, mean, deviation][: 1 + statistics]


class InstanceNorm(ChannelNorm):
    inputs = "data gamma beta"

    def run(self, data: Any, gamma: Any, beta: Any, *, eps: float = 1e-3, **_: Any) -> Any:
        result = standardised(data, tuple(range(2, data.ndim)), eps)[0]
        return [result * along(gamma, data.ndim) + along(beta, data.ndim)]


class GroupNormGroups(GroupNorm):
    """Normalisation over groups of channels, with scale and bias per group."""

    inputs = "data:S[_,C,_,*_]/T gamma beta"

    def shape(self, data: Tensor, *rest: Tensor, num_groups: int = 1, statistics: int = 0, **_: Any) -> list[Tensor]:
        channels = self.match(data)["C"]
        each: Shape = (data.shape[0] if data.shape is not None else None, num_groups)
        outputs = [data, *[Tensor(data.dtype, each)] * statistics]
        for k, tensor in enumerate(rest, 1):
            if tensor.shape is not None and not fits((num_groups,), tensor.shape):
                wanted = f"shape [{num_groups}] for `{self.names[k]}` (one number per group)"
                message = f"expected {wanted}, got {show(tensor.shape)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k], outputs)
        if data.shape is not None:
            want_least(1, num_groups=num_groups)
            want_parts(channels, num_groups, "num_groups")
        return outputs

    def run(self, *arrays: Any, eps: float = 1e-5, num_groups: int = 1, **attrs: Any) -> Any:
        return super().run(*arrays, epsilon=eps, num_groups=num_groups, by_group=True, **attrs)


class L2NormalizationMode(Operator):
    """By the Euclidean length of each sample, each position's channels, or each channel's space."""

    def shape(self, data: Tensor, *, mode: str = "instance", **_: Any) -> Tensor:
        if data.shape is not None and mode != "instance" and len(data.shape) < 3:
            message = f"expected rank 3 or higher for `data` with `mode` {mode}, got {show(data.shape)}"
            raise ShapeError(R.wrong_rank, message, "input:0", [0])
        return data

    def run(self, data: Any, *, mode: str = "instance", eps: float = 1e-10, **_: Any) -> Any:
        axes = {"instance": tuple(range(1, data.ndim)), "channel": (1,), "spatial": tuple(range(2, data.ndim))}[mode]
        return by_length(data, axes, eps)


class LRNChannels(NeighbourNorm):
    """By a power of the mean of squares over neighbouring channels."""

    inputs = "data:S[_,_]|S[_,_,_,_]/T -> S/T"


class L2NormalizeAxes(Operator):
    """By the Euclidean length over listed axes, but never by less than a root."""

    def shape(self, data: Tensor, *, axis: Sequence[int], **_: Any) -> Tensor:
        want_axes(data, axis)
        return data

    def run(self, data: Any, *, axis: Sequence[int], eps: float, **_: Any) -> Any:
        return by_length(data, tuple(axis), eps, "max")


class LRNAxis(NeighbourNorm):
    def shape(self, data: Tensor, *, axis: int, **_: Any) -> Tensor:
        want_axes(data, [axis])
        return data
