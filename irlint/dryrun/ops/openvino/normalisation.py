"""Normalisation."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show_dim
from irlint.dryrun.errors import ShapeError, want_least
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, want_dtype
from irlint.dryrun.ops.shared.normalisation import by_length, by_neighbours, by_statistics, standardised
from irlint.dryrun.tensor import Tensor


class BatchNorm(Operator):
    """Batch normalisation: per channel, minus mean, by the root of variance, times gamma, plus beta."""

    inputs = "data:[N,C,*S]/T=floats gamma:[C]/T beta:[C]/T mean:[C]/T variance:[C]/T -> [N,C,*S]/T"

    def shape(self, *tensors: Tensor, epsilon: float = 0.0, **_: Any) -> list[Tensor]:
        want_least(0, epsilon=epsilon)
        return self.match(*tensors).results

    def run(self, *arrays: Any, epsilon: float = 0.0, **_: Any) -> Any:
        return by_statistics(*arrays, epsilon=epsilon)


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
        listed = tuple(int(a) for a in np.atleast_1d(axes))
        return standardised(data, listed, eps, divided=normalize_variance, inside=eps_mode == "inside_sqrt")[0]


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
        axes = reduction_axes or range(1 if across_channels else 2, data.ndim)
        return standardised(data, tuple(axes), eps, divided=normalize_variance, inside=False)[0]


class NormalizeL2(Operator):
    """By the Euclidean length over listed axes."""

    inputs = "data axes:[]|[_]/integers"
    reads = (1,)

    def shape(self, data: Tensor, axes: Tensor, **_: Any) -> Tensor:
        self.match(data, axes)
        axes_of(axes, data.rank, 1, unique=False)
        return data

    def run(self, data: Any, axes: Any, *, eps: float = 0.0, eps_mode: str = "add", **_: Any) -> Any:
        return by_length(data, tuple(int(a) for a in np.atleast_1d(axes)), eps, eps_mode)


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
        listed = [int(a) for a in np.atleast_1d(axes)]
        return by_neighbours(data, listed, size, alpha, beta, bias, before=(size - 1) // 2)


class GRN(Operator):
    """By the length across channels."""

    inputs = "data:S[_,_]|S[_,_,_]|S[_,_,_,_]/T -> S/T"

    def run(self, data: Any, *, bias: float, **_: Any) -> Any:
        return by_length(data, (1,), bias)
