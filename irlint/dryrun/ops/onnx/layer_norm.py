"""Normalisations: of batches, of trailing axes, of groups of channels, of norms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, stretches, want_axes
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


def _by_channel(numbers: Any, rank: int) -> Any:
    return numbers.reshape((-1,) + (1,) * (rank - 2))


def _wide(data: Any) -> Any:
    return data.astype(np.float32) if data.dtype == np.float16 else data


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
        wide = _wide(data)
        more: list[Any] = []
        if training:
            axes = (0, *range(2, data.ndim))
            saved, spread = wide.mean(axes), wide.var(axes)
            more = [
                mean * momentum + saved * (1 - momentum),
                variance * momentum + spread * (1 - momentum),
                saved,
                spread,
            ]
            mean, variance = saved, spread
        shape = data.shape[1:] if by_place else (-1,) + (1,) * (data.ndim - 2)
        scale, bias, mean, variance = (
            array.astype(wide.dtype).reshape(shape) for array in (scale, bias, mean, variance)
        )
        found = (wide - mean) * (scale / np.sqrt(variance + wide.dtype.type(epsilon))) + bias
        return [found.astype(data.dtype), *more]


class InstanceNormChannels(Operator):
    """Each channel of each image normalised."""

    inputs = "data:S[_,C,_,*_]/T scale:[C]/T bias:[C]/T -> S/T"

    def run(self, data: Any, scale: Any, bias: Any, *, epsilon: float, **_: Any) -> Any:
        wide = _wide(data)
        found = _normalised(wide, tuple(range(2, data.ndim)), epsilon)
        return (found * _by_channel(scale, data.ndim) + _by_channel(bias, data.ndim)).astype(data.dtype)


def _normalised(data: Any, axes: tuple[int, ...], epsilon: float) -> Any:
    centred = data - np.mean(data, axes, keepdims=True)
    return centred / np.sqrt(np.mean(np.square(centred), axes, keepdims=True) + data.dtype.type(epsilon))


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
        wide = _wide(data)
        axes = tuple(range(axis % data.ndim, data.ndim))
        mean = np.mean(wide, axes, keepdims=True)
        moved = wide - mean if centred else wide
        scaling = 1 / np.sqrt(np.mean(np.square(moved), axes, keepdims=True) + wide.dtype.type(epsilon))
        found = (moved * scaling).astype(data.dtype) * scale
        found = found if bias is None else found + bias
        return [found, mean, scaling] if centred else [found]


_BY_GROUP = "data:S[_,_,*_]/T scale:[groups] bias:[groups] -> S/T"


class GroupNormScaled(Operator):
    """Groups of channels normalised; the scale and the bias are those of channels or of groups."""

    inputs = "data:S[_,C,*_]/T scale:[C] bias:[C] -> S/T"

    def shape(self, data: Tensor, *rest: Tensor, groups: int, by_group: bool = False, **_: Any) -> list[Tensor]:
        if groups < 1:
            raise too_low("groups", "at least 1", groups)
        channels = self.match(data)["C"]
        if not dims.divisible(channels, groups):
            message = f"channels of `data` ({show_dim(channels)}) are not a multiple of the {groups} groups"
            raise ShapeError(R.shape_mismatch, message, "attr:groups", [0])
        return self.match(data, *rest, says=_BY_GROUP if by_group else "", groups=groups).results

    def run(
        self, data: Any, scale: Any, bias: Any, *, groups: int, epsilon: float, by_group: bool = False, **_: Any
    ) -> Any:
        wide = _wide(data)
        parts = wide.reshape(data.shape[0], groups, -1)
        found = _normalised(parts, (2,), epsilon)
        if by_group:
            found = found * scale[:, None] + bias[:, None]
            return found.reshape(data.shape).astype(data.dtype)
        found = found.reshape(data.shape)
        return (found * _by_channel(scale, data.ndim) + _by_channel(bias, data.ndim)).astype(data.dtype)


class NormAlong(Operator):
    """The data divided by its norm along an axis."""

    def shape(self, data: Tensor, *, axis: int = -1, p: int = 2, **_: Any) -> Tensor:
        want_axes(data, [axis])
        if p not in (1, 2):
            raise ShapeError(R.value_out_of_range, f"expected 1 or 2 for `p`, got {p}", "attr:p")
        return data

    def run(self, data: Any, *, axis: int = -1, p: int = 2, **_: Any) -> Any:
        wide = _wide(data)
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
        wide, listed = _wide(data), tuple(axis for axis in axes if axis < data.ndim)
        deviation = np.sqrt(
            np.mean(np.square(wide), listed, keepdims=True) - np.square(np.mean(wide, listed, keepdims=True))
        )
        return ((wide - np.mean(wide, listed, keepdims=True)) / (deviation + 1e-9)).astype(data.dtype)


class NeighbourNorm(Operator):
    """Local response normalisation over neighbouring channels."""

    inputs = "data:S[_,_,*_]/T -> S/T"

    def shape(self, data: Tensor, *, size: int, **_: Any) -> list[Tensor]:
        found = self.match(data)
        if size < 1 or size % 2 == 0:
            raise too_low("size", "a positive odd number", size)
        return found.results

    def run(self, data: Any, *, size: int, alpha: float, beta: float, bias: float, **_: Any) -> Any:
        before, after = (size - 1) // 2, size - 1 - (size - 1) // 2
        squares = np.pad(np.square(_wide(data)), [(0, 0), (before, after), *[(0, 0)] * (data.ndim - 2)])
        total = sum(squares[:, k : k + data.shape[1]] for k in range(size))
        return (data / (bias + alpha / size * total) ** beta).astype(data.dtype)
