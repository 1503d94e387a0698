"""One image (channels, height, width): resized, sampled at a grid or in regions, its anchors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import NoKernel, ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.sample.common import Settled, activated, by_channel, made, resolved
from irlint.dryrun.ops.sample.windows import SampleConvolution
from irlint.dryrun.ops.shared.attention import Einsum as Sums
from irlint.dryrun.tensor import Tensor

Lengths = Callable[[Sequence[Any]], Sequence[int]]


class SampleResize(Settled):
    """Images, rows (channels, width) or numbers (channels,) at another size: `target(shapes)` returns height and width. Of volumes,
    the first image is taken.

    `scales` are those of coordinates where the size follows from them, None where they follow from the size.
    """

    inputs = "data sizes*"

    def result(self, data: Tensor, *others: Tensor, target: Lengths, **_: Any) -> Tensor:
        shape: Any = data.shape
        height, width = resolved(target, [tensor.shape for tensor in (data, *others)], "attr:target")
        if len(shape) == 4 and tuple(shape[2:]) == (height, width):
            return Tensor(data.dtype, shape)
        goal = (shape[0], width) if len(shape) == 2 else (shape[0], height, width)
        return made(goal, "attr:target", dtype=data.dtype)

    def run(
        self,
        data: Any,
        *others: Any,
        target: Lengths,
        mode: str,
        corners: bool,
        scales: tuple[float | None, float | None],
        **_: Any,
    ) -> Any:
        height, width = resolved(target, [array.shape for array in (data, *others)], "attr:target")
        if data.ndim == 1:
            return np.broadcast_to(data[:, None, None], (data.size, height, width)).copy()
        if data.ndim == 2:
            return data @ _weights(data.shape[1], width, scales[1], mode, corners).T
        if data.ndim == 4:
            if data.shape[2:] == (height, width):
                return data
            data = data[:, 0]
        if data.shape[1:] == (height, width) and (mode != "cubic" or corners or scales in ((None, None), (1.0, 1.0))):
            return data
        rows = _weights(data.shape[1], height, scales[0], mode, corners)
        columns = _weights(data.shape[2], width, scales[1], mode, corners)
        return np.matmul(np.matmul(rows, data), columns.T)


def _weights(size: int, goal: int, scale: float | None, mode: str, corners: bool) -> Any:
    """Return the share (goal, size) of each element in each element of the result."""
    step = np.float32(size) / np.float32(goal) if scale is None else np.float32(1) / np.float32(scale)
    places = np.arange(goal)
    found = np.zeros((goal, size), np.float32)
    if mode == "nearest":
        found[places, np.minimum((places.astype(np.float32) * step).astype(np.int64), size - 1)] = 1
        return found
    step = size / goal if scale is None else 1 / scale
    if mode == "linear" and size == goal:
        step = 1.0
    ends = (size - 1) / (goal - 1) if goal > 1 else 0.0
    at = (places * ends if corners else (places + 0.5) * step - 0.5).astype(np.float32)
    low = np.floor(at).astype(np.int64)
    part = (at - low).astype(np.float64)
    taps = [1 - part, part] if mode == "linear" else _cubic(part)
    first = 0 if mode == "linear" else -1
    for k, share in enumerate(taps):
        np.add.at(found, (places, np.clip(low + first + k, 0, size - 1)), share)
    return found


def _cubic(part: Any) -> list[Any]:
    a, far, rest = -0.75, part + 1, 1 - part
    found = [a * far**3 - 5 * a * far**2 + 8 * a * far - 4 * a]
    found += [(a + 2) * x**3 - (a + 3) * x**2 + 1 for x in (part, rest)]
    return [*found, 1 - sum(found)]


class SampleGridSample(Settled):
    """An image, or a volume, at the places of a grid: (space..., 2 or 3), or with the coordinates first."""

    inputs = "data:[C,*S=2..3] grid:[_,*#S]"

    def result(self, data: Tensor, grid: Tensor, *, first: bool, **_: Any) -> Tensor:
        self.match(data, grid)
        shape: Any = data.shape
        places: Any = grid.shape
        count, space = (places[0], places[1:]) if first else (places[-1], places[:-1])
        if count != len(shape) - 1:
            message = f"expected {len(shape) - 1} coordinates per place of `grid`, got {show(places)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(data.dtype, (shape[0], *space))

    def run(self, data: Any, grid: Any, *, first: bool, mode: str, padding: str, corners: bool, **_: Any) -> Any:
        from irlint.dryrun.kernels.resize import grid_sample

        if data.ndim == 4:
            raise NoKernel
        places = np.moveaxis(grid, 0, -1) if first else grid
        return grid_sample(data[None], places[None], align_corners=corners, mode=mode, padding_mode=padding)[0]


class SampleDeformableConvolution(SampleConvolution):
    """Convolution whose taps are moved by offsets (2 x taps, height, width) and weighted by a mask (taps, height, width)."""

    inputs = "data offsets mask? weight? bias?"
    place = 3

    def shape(self, data: Tensor, *others: Any, **attrs: Any) -> Tensor:
        offsets, mask, weight = (*others, None, None)[:3]
        found = super().shape(data, weight, **attrs)
        taps = prod(attrs["kernel"])
        for k, tensor, count in ((1, offsets, 2 * taps), (2, mask, taps)):
            if tensor is None or tensor.shape is None or found.shape is None:
                continue
            goal = (count, *found.shape[1:])
            if len(tensor.shape) != 3 or not all(map(dims.compatible, goal, tensor.shape)):
                message = f"expected shape {show(goal)} for `{self.names[k]}`, got {show(tensor.shape)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
        return found

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.deformable import convolve_deformed

        data, offsets, mask, weight, bias = (*arrays, None, None)[:5]
        _how, begin, end = attrs.pop("pads")
        pads = {"pads_begin": begin, "pads_end": end}
        batch = (data[None], offsets[None], weight, None if mask is None else mask[None])
        found = convolve_deformed(*batch, bilinear_interpolation_pad=True, **{**attrs, **pads})[0]
        return activated(found if bias is None else found + by_channel(bias, found), attrs.get("activation"))


class SampleRegionPool(Settled):
    """One region (x, y, x, y) of an image, as a grid of cells: the largest element or the mean of each.

    `way`: max, shares (each cell has channels of its own), aligned or clipped (samples between elements).
    """

    inputs = "data:[C,_,_] region"

    def result(
        self, data: Tensor, region: Tensor, *, size: tuple[int, int], way: str, channels: int = 0, **_: Any
    ) -> Tensor:
        depth = self.match(data, region)["C"]
        if (dims.numel(region.shape) or 0) < 4:
            message = f"expected 4 numbers for `region`, got {show(region.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [1])
        if way == "shares" and depth != channels * prod(size):
            message = (
                f"expected {channels * prod(size)} channels of `data` ({channels} x {size[0]} x {size[1]}), got {depth}"
            )
            raise ShapeError(R.shape_mismatch, message, "attr:channels", [0])
        return made((channels if way == "shares" else depth, *size), "attr:size", dtype=data.dtype)

    def run(
        self,
        data: Any,
        region: Any,
        *,
        size: tuple[int, int],
        way: str,
        scale: float,
        channels: int = 0,
        samples: int = 0,
        centered: bool = False,
        **_: Any,
    ) -> Any:
        box = region.reshape(-1)[:4].astype(np.float64)
        if way in ("aligned", "clipped"):
            return _aligned(data, box * scale - (0.5 if centered else 0), size, samples, centered, way == "clipped")
        if way == "max":
            left, top, right, bottom = (_away(number * scale) for number in box)
            width, height = max(right - left + 1, 1), max(bottom - top + 1, 1)
        else:
            left, top, right, bottom = (
                _away(number + late) * scale for number, late in zip(box, (0, 0, 1, 1), strict=True)
            )
            width, height = max(right - left, 0.1), max(bottom - top, 0.1)
        limit_h, limit_w = data.shape[1:]
        found = np.zeros((channels or data.shape[0], *size), data.dtype)
        for i, j in np.ndindex(*size):
            rows = [
                _clip(np.floor(top + i * height / size[0]), limit_h),
                _clip(np.ceil(top + (i + 1) * height / size[0]), limit_h),
            ]
            columns = [
                _clip(np.floor(left + j * width / size[1]), limit_w),
                _clip(np.ceil(left + (j + 1) * width / size[1]), limit_w),
            ]
            part = data[:, rows[0] : rows[1], columns[0] : columns[1]]
            if part[0].size:
                found[:, i, j] = part.max((1, 2)) if way == "max" else part[i * size[1] + j :: prod(size)].mean((1, 2))
        return found


def _away(number: float) -> float:
    return float(np.trunc(number + np.copysign(0.5, number)))


def _clip(number: float, limit: int) -> int:
    return int(min(max(number, 0), limit))


def _aligned(data: Any, box: Any, size: tuple[int, int], samples: int, centered: bool, clipped: bool) -> Any:
    left, top, right, bottom = box
    width, height = (right - left, bottom - top) if centered else (max(right - left, 1.0), max(bottom - top, 1.0))
    limit_h, limit_w = data.shape[1:]
    found = np.zeros((data.shape[0], *size), data.dtype)
    for i, j in np.ndindex(*size):
        rows = _samples(top, height / size[0], i, samples, limit_h if clipped else None)
        columns = _samples(left, width / size[1], j, samples, limit_w if clipped else None)
        total = np.zeros(data.shape[0], np.float64)
        for row, column in product(rows, columns):
            if clipped or (-1 <= row <= limit_h and -1 <= column <= limit_w):
                total += _between(data, max(row, 0), max(column, 0))
        found[:, i, j] = total / max(len(rows) * len(columns), 1)
    return found


def _samples(first: float, step: float, cell: int, count: int, limit: int | None) -> list[float]:
    """Return the places in a cell along an axis that are sampled; with a limit the cell is cut to what lies inside the image."""
    start, end = first + cell * step, first + (cell + 1) * step
    length = step
    if limit is not None:
        start, end = (min(max(place, 0), limit) for place in (start, end))
        length = end - start
        if length <= 0:
            return []
    count = count or int(np.ceil(length))
    return [start + (k + 0.5) * step / count for k in range(count)]


def _between(data: Any, row: float, column: float) -> Any:
    """Return the elements at a place between others; beyond the last row or column these."""
    y, x = int(row), int(column)
    below, right = y + 1, x + 1
    shares = [right - column, column - x], [below - row, row - y]
    if right >= data.shape[2]:
        right, shares = data.shape[2] - 1, ([1.0, 0.0], shares[1])
    if below >= data.shape[1]:
        below, shares = data.shape[1] - 1, (shares[0], [1.0, 0.0])
    upper, lower = (
        data[:, k, min(x, right)] * shares[0][0] + data[:, k, right] * shares[0][1] for k in (min(y, below), below)
    )
    return upper * shares[1][0] + lower * shares[1][1]


class PriorBoxes(Operator):
    """Boxes around each place of a feature map, as fractions of an image, with their variances; `bare`: without these."""

    inputs = "data image?"

    def shape(self, data: Tensor, image: Tensor | None = None, *, per_place: int, bare: bool, **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor(data.dtype, (None,) if bare else (2, None))
        height, width = ((1, *data.shape)[-2:]) if len(data.shape) < 2 else data.shape[-2:]
        count = dims.product((4, height, width, per_place))
        return made((count,) if bare else (2, count), "attr:per_place", dtype=data.dtype)

    def run(
        self,
        data: Any,
        image: Any = None,
        *,
        bare: bool,
        clipped: bool,
        size: tuple[int, int],
        step: tuple[float, float],
        offset: float,
        variances: Sequence[float],
        whole_steps: bool = False,
        late: bool = False,
        **attrs: Any,
    ) -> Any:
        lengths = data.shape[-2:] if data.ndim > 1 else (1, data.shape[0])
        full = [n or (1 if bare else image.shape[k - 2]) for k, n in enumerate(size)]
        own = [(1 if bare else n) / m for n, m in zip(full, lengths, strict=True)]
        steps = [given or (float(np.ceil(s)) if whole_steps else s) for given, s in zip(step, own, strict=True)]
        boxes = self._bare(*lengths, **attrs) if bare else self._boxes(**attrs)
        y, x = (np.arange(n) * s + offset * (s - 1 if late else s) for n, s in zip(lengths, steps, strict=True))
        wide, tall = np.array(boxes, np.float64).T / 2
        grid = np.broadcast_arrays(y[:, None, None], x[None, :, None])
        found = np.stack([grid[1] - wide, grid[0] - tall, grid[1] + wide, grid[0] + tall], -1)
        found = (found / np.array([full[1], full[0]] * 2)).reshape(-1)
        found = np.clip(found, 0, 1) if clipped else found
        return found if bare else np.stack([found, np.resize(np.array(variances), found.size)])

    @staticmethod
    def _bare(
        height: int, width: int, *, smallest: Sequence[float], ratios: Sequence[float], **_: Any
    ) -> list[tuple[float, float]]:
        """Return widths and heights of boxes as fractions."""
        boxes = [(s * height / width, s) for s in smallest]
        return boxes + [(smallest[0] * height / width * r**0.5, smallest[0] / r**0.5) for r in ratios[1:]]

    @staticmethod
    def _boxes(
        *, smallest: Sequence[float], largest: Sequence[float], ratios: Sequence[float], flipped: bool, **_: Any
    ) -> list[tuple[float, float]]:
        """Return widths and heights of boxes in pixels."""
        boxes: list[tuple[float, float]] = []
        for k, s in enumerate(smallest):
            boxes.append((s, s))
            if largest:
                boxes.append(((s * largest[k]) ** 0.5,) * 2)
            for r in ratios:
                boxes.append((s * r**0.5, s / r**0.5))
                if flipped:
                    boxes.append((s / r**0.5, s * r**0.5))
        return boxes


class SampleRows(Operator):
    """A list whose length depends on the numbers."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, sizes: Sequence[Sequence[int | None]], count: int, **_: Any) -> list[Tensor]:
        return [Tensor("float32", tuple(size)) for size in sizes[:count]]


class Pyramid(Settled):
    """Windows of an image in levels, each with twice as many along each side."""

    inputs = "data:[_,_,_]"

    def result(self, data: Tensor, *, levels: int, **_: Any) -> Tensor:
        self.match(data)
        return made((2, 1, (4**levels - 1) // 3), "attr:levels", dtype=data.dtype)


class SampleEinsum(Sums):
    """A sum of products; what is left of all dimensions is one element."""

    def shape(self, *tensors: Tensor, equation: str, **_: Any) -> Tensor:
        found = super().shape(*tensors, equation=equation)
        return Tensor(found.dtype, found.shape or (1,)) if found.shape is not None else found

    def run(self, *arrays: Any, equation: str, **_: Any) -> Any:
        found = super().run(*arrays, equation=equation)
        return found if found.ndim else found.reshape(1)
