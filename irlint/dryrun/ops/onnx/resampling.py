"""Images and volumes resized along axes, sampled at the places of a grid, and such grids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.dtypes import keep
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_rank
from irlint.dryrun.ops.moving.padding import unique_axes
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape
from irlint.text import words

_MODES = {
    "nearest": ("nearest",),
    "linear": ("linear", "bilinear", "trilinear"),
    "cubic": ("cubic", "bicubic"),
}
# Axes that a mode resizes, by rank: onnxruntime 1.32 refuses others ("'Linear' mode only supports: * 2-D inputs or * 3-D inputs ...")
_TOGETHER: dict[str, dict[int, tuple[tuple[int, ...], ...]]] = {
    "linear": {2: ((0, 1),), 3: ((0, 1, 2),), 4: ((2, 3), (1, 2)), 5: ((2, 3, 4),)},
    "cubic": {2: ((0, 1),), 4: ((2, 3), (1, 2))},
}
MODE_OF = {word: mode for mode, all_ in _MODES.items() for word in all_}


class ResizeAxes(Operator):
    """Every axis, or each of the listed ones, resized by a scale or to a size; one of both is given."""

    inputs = "data roi? scales? sizes?"
    reads = (1, 2, 3)

    def shape(
        self,
        data: Tensor,
        roi: Tensor | None = None,
        scales: Tensor | None = None,
        sizes: Tensor | None = None,
        *,
        axes: Sequence[int] | None = None,
        way: str = "half_pixel",
        policy: str = "stretch",
        mode: str = "nearest",
        **_: Any,
    ) -> Tensor:
        place, given = _given(scales, sizes)
        want_rank(given, self.names[place], place, 1)
        if data.shape is None:
            return data
        rank = len(data.shape)
        if rank not in _TOGETHER.get(mode, (rank,)):
            ranks = words.joined(map(str, _TOGETHER[mode]), "or")
            message = f"expected rank {ranks} for `data` with the mode `{mode}`, got {show(data.shape)}"
            raise ShapeError(R.wrong_rank, message, "input:0", [0])
        listed, wanted = unique_axes(axes, rank), values.as_dims(given)
        if way == "tf_crop_and_resize" and (count := dims.numel(roi.shape) if roi else 0) not in (
            None,
            2 * len(listed),
        ):
            message = f"expected {2 * len(listed)} numbers in `roi` (two per axis), got {count}"
            raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
        if wanted is None:
            return Tensor(data.dtype, (None,) * rank)
        if len(wanted) != len(listed):
            message = f"expected {len(listed)} numbers in `{self.names[place]}` (one per axis), got {len(wanted)}"
            raise ShapeError(R.wrong_value_length, message, f"input:{place}", [0, place])
        self._want_positive(wanted, place, data.shape)
        lengths = [data.shape[axis] for axis in listed]
        # Of cropped axes, too: onnx 1.23.2 and onnxruntime 1.32 scale the whole length, although ONNX's specification says otherwise.
        goal = list(map(_scaled, lengths, wanted)) if place == 2 else _sized(lengths, wanted, policy)
        now, then = ((1,) * len(wanted), wanted) if place == 2 else (lengths, goal)
        changed = [axis for axis, one, other in zip(listed, now, then, strict=True) if _differ(one, other)]
        self._want_together(changed, mode, place, data.shape)
        result = list(data.shape)
        for axis, length in zip(listed, goal, strict=True):
            result[axis] = length
        return Tensor(data.dtype, tuple(result))

    def _want_together(self, changed: Sequence[int], mode: str, place: int, shape: Shape) -> None:
        """Raise unless axes whose lengths change are some of those that the runtime interpolates together."""
        groups = _TOGETHER[mode][len(shape)] if mode in _TOGETHER else (changed,)
        if not any(set(changed) <= set(group) for group in groups):
            some = words.joined((str(list(group)) for group in groups), "or")
            axes = f"axes {sorted(changed)} of {show(shape)}"
            message = f"`{self.names[place]}` changes the {axes}, of which the mode `{mode}` resizes {some}"
            raise ShapeError(R.shape_mismatch, message, f"input:{place}", [0, place])

    def _want_positive(self, wanted: Sequence[Any], place: int, shape: Shape) -> None:
        """Raise unless scales and, where there is anything to resize, sizes are positive."""
        for entry in wanted:
            is_low = not values.fits(entry, 1) and 0 not in shape
            if is_low if place == 3 else not values.fits(entry, 0) or entry == 0:
                message = f"expected a positive number in `{self.names[place]}`, got {show_dim(entry)}"
                raise ShapeError(R.value_out_of_range, message, f"input:{place}", [place])

    def run(
        self,
        data: Any,
        roi: Any = None,
        scales: Any = None,
        sizes: Any = None,
        *,
        axes: Sequence[int] | None = None,
        policy: str = "stretch",
        way: str = "half_pixel",
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.kernels.resampling import resize_axes

        listed = range(data.ndim) if axes is None else [a % data.ndim for a in axes]
        lengths = [data.shape[axis] for axis in listed]
        regions = None
        if way == "tf_crop_and_resize":
            half = len(roi) // 2
            regions = [(float(a), float(b)) for a, b in zip(roi[:half], roi[half:], strict=True)]
        if scales is not None and scales.size:
            by = [float(s) for s in scales]
            goal = [int(keep(n * s, "float32")) for n, s in zip(lengths, by, strict=True)]
        else:
            wanted = [int(n) for n in sizes]
            goal, by = _kept_ratio(lengths, wanted, policy)
        return resize_axes(data, listed, goal, by, regions=regions, way=way, **attrs)


def _given(scales: Tensor | None, sizes: Tensor | None) -> tuple[int, Tensor]:
    """Return which of both is given, and its place; old files leave an operand out by an empty one."""
    present = [(k, one) for k, one in ((2, scales), (3, sizes)) if one is not None and one.shape != (0,)]
    if len(present) != 1:
        which = "both" if present else "neither"
        raise ShapeError(R.wrong_input_count, f"expected one of `scales` and `sizes`, got {which}", "node")
    return present[0]


def _differ(one: Any, other: Any) -> bool:
    return values.is_number(one) and values.is_number(other) and one != other


def _sized(lengths: Sequence[Dim], wanted: Sequence[Any], policy: str) -> list[Dim]:
    """Return sizes that are asked for, if need be with one scale for all axes."""
    if policy == "stretch":
        return list(map(values.to_dim, wanted))
    if all(isinstance(n, int) and n for n in lengths) and all(isinstance(n, int) for n in wanted):
        return list(_kept_ratio(lengths, wanted, policy)[0])
    return [None] * len(lengths)


def _kept_ratio(lengths: Sequence[Any], wanted: Sequence[int], policy: str) -> tuple[list[int], list[float]]:
    """Return sizes and scales; unless they `stretch`, with one scale for all axes."""
    scales = [size / length for size, length in zip(wanted, lengths, strict=True)]
    if policy == "stretch":
        return list(wanted), scales
    scale = min(scales) if policy == "not_larger" else max(scales)
    return [int(scale * length + 0.5) for length in lengths], [scale] * len(scales)


def _scaled(dim: Dim, scale: Any) -> Dim:
    """Return a length times a scale, rounded down as in 32 bits."""
    if scale == 1:
        return dim
    if not isinstance(dim, int) or not values.is_number(scale):
        return None
    return int(keep(dim * scale, "float32"))


class SampleGrid(Operator):
    """Data (batch, channels, space...) at the places of a grid (batch, points..., coordinates)."""

    inputs = "data:[N,C,*S=1..] grid:[N,*#S=1..,_]/floats"
    kernel = "resampling.sample_grid"

    def shape(self, data: Tensor, grid: Tensor, **_: Any) -> Tensor:
        found = self.match(data, grid)
        if data.shape is None or grid.shape is None:
            return Tensor(data.dtype, None)
        if 0 in data.shape[2:]:  # onnxruntime 1.32 refuses that, OpenVINO 2026.4.1 reads memory that is not its own
            message = f"expected at least 1 element along each spatial axis of `data`, got {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        if not dims.can_be(grid.shape[-1], len(data.shape) - 2):
            message = f"expected {len(data.shape) - 2} coordinates per place of `grid`, got {show(grid.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(data.dtype, (found["N"], found["C"], *grid.shape[1:-1]))


class AffineGrid(Operator):
    """The places of an image or a volume, transformed by a matrix per batch."""

    inputs = "theta:[_,_,_] size:[_]"
    reads = (1,)

    def shape(self, theta: Tensor, size: Tensor, **_: Any) -> Tensor:
        """The matrices are (batch, axes, axes + 1)."""
        self.match(theta, size)
        wanted = values.as_dims(size)
        if wanted is None:
            return Tensor(theta.dtype)
        if len(wanted) not in (4, 5):
            message = f"expected 4 or 5 numbers in `size`, got {len(wanted)}"
            raise ShapeError(R.wrong_value_length, message, "input:1", [1])
        # onnxruntime 1.32 and OpenVINO 2026.4 ignore the channels
        if not values.fits(wanted[0], 0):
            message = f"expected a batch size of at least 0 in `size`, got {show_dim(wanted[0])}"
            raise ShapeError(R.value_out_of_range, message, "input:1", [1])
        if (low := next((entry for entry in wanted[2:] if not values.fits(entry, 1)), None)) is not None:
            message = f"expected positive lengths of axes in `size`, got {show_dim(low)}"
            raise ShapeError(R.value_out_of_range, message, "input:1", [1])
        space = tuple(map(values.to_dim, wanted[2:]))
        goal = (values.to_dim(wanted[0]), len(space), len(space) + 1)
        if theta.shape is not None and not all(map(dims.compatible, theta.shape, goal)):
            raise ShapeError(
                R.shape_mismatch, f"expected shape {show(goal)} for `theta`, got {show(theta.shape)}", "input:0", [0, 1]
            )
        return Tensor(theta.dtype, (values.to_dim(wanted[0]), *space, len(space)))

    def run(self, theta: Any, size: Any, *, corners: bool = False, **_: Any) -> Any:
        lines = []
        for length in (int(n) for n in size[2:]):
            half = np.arange(length, dtype=np.float64)
            # onnxruntime 1.32 has the end of a line of one place
            line = 1 - 2 * half[::-1] / max(length - 1, 1) if corners else (half * 2 + 1) / length - 1
            lines.append(line)
        axes = np.meshgrid(*lines, indexing="ij")
        points = np.stack([*axes[::-1], np.ones_like(axes[0])], -1)
        found = points.reshape(-1, points.shape[-1]) @ np.swapaxes(theta, 1, 2).astype(np.float64)
        return found.reshape(len(theta), *points.shape[:-1], points.shape[-1] - 1).astype(theta.dtype)
