"""Normalisation, as all dialects have it: less a mean and divided by a deviation, by a length, or by a power of what is around."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.errors import want_least
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.windows import want_parts
from irlint.dryrun.tensor import Tensor


def widened(data: Any) -> Any:
    """Return 16-bit numbers as 32-bit ones, and others as they are."""
    return data.astype(np.float32) if data.dtype == np.float16 else data


def along(numbers: Any, rank: int, axis: int = 1) -> Any:
    """Return one number per element of an axis, ready to broadcast."""
    return numbers.reshape((-1,) + (1,) * (rank - 1 - axis % rank))


def standardised(
    data: Any,
    axes: tuple[int, ...],
    epsilon: float,
    *,
    centred: bool = True,
    divided: bool = True,
    inside: bool = True,
) -> tuple[Any, Any, Any]:
    """Return data less its mean over axes (if `centred`) and divided by its deviation (if `divided`), the mean, and the deviation.
    `inside`: epsilon is added to the variance, not to the root of it."""
    mean = np.mean(data, axes, keepdims=True) if centred else None
    moved = data - mean if centred else data
    if not divided:
        return moved, mean, None
    variance, least = np.mean(np.square(moved), axes, keepdims=True), data.dtype.type(epsilon)
    deviation = np.sqrt(variance + least) if inside else np.sqrt(variance) + least
    return np.multiply(moved, 1 / deviation, out=moved if centred else None), mean, deviation


def by_statistics(data: Any, scale: Any, bias: Any, mean: Any, variance: Any, *, epsilon: float, axis: int = 1) -> Any:
    """Return data less a mean, divided by a deviation, times a scale, plus a bias, of which each channel has its own."""
    factor = scale / np.sqrt(variance + variance.dtype.type(epsilon))
    found = data * along(factor, data.ndim, axis)
    return np.add(found, along(bias - mean * factor, data.ndim, axis), out=found)


def by_length(data: Any, axes: tuple[int, ...], epsilon: float, mode: str = "add") -> Any:
    """Return data divided by its Euclidean length over axes: with epsilon added to the square (`add`), or no smaller than epsilon, as
    square (`max`) or as such (`max_root`)."""
    squares, least = np.square(data), data.dtype.type(epsilon)
    squares = squares.sum(axes, keepdims=True) if axes else squares
    if mode == "max_root":
        return data / np.maximum(np.sqrt(squares), least)
    return data / np.sqrt(np.maximum(squares, least) if mode == "max" else squares + least)


def by_neighbours(
    data: Any, axes: Sequence[int], size: int, alpha: float, beta: float, bias: float, before: int | None = None
) -> Any:
    """Return data divided by a power of the mean of squares of `size` neighbours along axes, `before` of them before each element."""
    total, before = np.square(data), size // 2 if before is None else before
    for axis in axes:
        sides = [(0, 0)] * data.ndim
        sides[axis] = before, size - 1 - before
        total = np.lib.stride_tricks.sliding_window_view(np.pad(total, sides), size, axis).sum(-1)
    kind = data.dtype.type
    return data / np.power(kind(bias) + kind(alpha / size ** len(axes)) * total, kind(beta))


class GroupNorm(Operator):
    """Groups of channels normalised, times a scale, plus a bias: of each channel, or of each group (`by_group`). Further outputs are the
    mean and the deviation of each group."""

    inputs = "data:S[_,C,*_]/T scale:[C]/T bias:[C]/T -> S/T"

    def shape(self, data: Tensor, *rest: Tensor, num_groups: int, by_group: bool = False, **_: Any) -> list[Tensor]:
        channels = self.match(data)["C"]
        want_least(1, num_groups=num_groups)
        want_parts(channels, num_groups, "num_groups")
        says = "data:S[_,_,*_]/T scale:[num_groups]/T bias:[num_groups]/T -> S/T" if by_group else ""
        return self.match(data, *rest, says=says, num_groups=num_groups).results

    def run(
        self,
        data: Any,
        scale: Any,
        bias: Any,
        *,
        num_groups: int,
        epsilon: float = 0.0,
        by_group: bool = False,
        statistics: int = 0,
        **_: Any,
    ) -> Any:
        parts = widened(data).reshape(data.shape[0], num_groups, -1)
        found, mean, deviation = standardised(parts, (2,), epsilon)
        found = found if by_group else found.reshape(data.shape)
        found = found * along(scale, found.ndim) + along(bias, found.ndim)
        return [found.reshape(data.shape).astype(data.dtype), mean[..., 0], deviation[..., 0]][: 1 + statistics]


class InstanceNorm(Operator):
    """Each channel of each image normalised, times a scale, plus a bias."""

    inputs = "data:S[_,C,_,*_]/T scale:[C]/T bias:[C]/T -> S/T"

    def run(self, data: Any, scale: Any, bias: Any, *, epsilon: float, **_: Any) -> Any:
        found = standardised(widened(data), tuple(range(2, data.ndim)), epsilon)[0]
        return (found * along(scale, data.ndim) + along(bias, data.ndim)).astype(data.dtype)


class NeighbourNorm(Operator):
    """Divided by a power of the mean of squares of neighbours along an axis."""

    def run(self, data: Any, *, size: int, alpha: float, beta: float, bias: float, axis: int = 1, **_: Any) -> Any:
        return by_neighbours(widened(data), (axis,), size, alpha, beta, bias).astype(data.dtype, copy=False)
