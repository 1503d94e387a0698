"""Regions cut out of feature maps, and proposed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.lazy import np


def ps_roi_pooling(
    data: Any,
    rois: Any,
    *,
    output_dim: int,
    group_size: int = 1,
    pooled_h: int = 0,
    pooled_w: int = 0,
    spatial_scale: float,
    mode: str = "average",
    spatial_bins_x: int = 1,
    spatial_bins_y: int = 1,
    **_: Any,
) -> Any:
    """Every cell of the grid, which may not be a square, or every bin, from channels of its own."""
    cells = (pooled_h or group_size, pooled_w or group_size)
    found = np.zeros((rois.shape[0], output_dim, *cells), np.float64)
    if mode == "bilinear":
        for k, (image, x1, y1, x2, y2) in enumerate(rois.astype(np.float64) * [1, *[spatial_scale] * 4]):
            tall, wide = (y2 - y1) / spatial_bins_y, (x2 - x1) / spatial_bins_x
            for part in range(spatial_bins_y * spatial_bins_x):
                row, column = divmod(part, spatial_bins_x)
                channels = data[int(image), part * output_dim : (part + 1) * output_dim].astype(np.float64)
                top, left = y1 + row * tall, x1 + column * wide
                found[k] += _between(channels, (top, top + tall), (left, left + wide), *cells)
        return (found / (spatial_bins_x * spatial_bins_y)).astype(data.dtype)
    boxes = _away(rois[:, 1:].astype(np.float64) + np.array([0, 0, 1, 1])) * spatial_scale
    for k, (x1, y1, x2, y2) in enumerate(boxes):
        image = data[int(rois[k, 0])].reshape(output_dim, *cells, *data.shape[2:]).astype(np.float64)
        tall, wide = max(y2 - y1, 0.1) / cells[0], max(x2 - x1, 0.1) / cells[1]
        for row, column in np.ndindex(*cells):
            view = (_span(y1 + row * tall, y1 + (row + 1) * tall, data.shape[2]),
                    _span(x1 + column * wide, x1 + (column + 1) * wide, data.shape[3]))  # fmt: skip
            cell = image[:, row, column, view[0], view[1]]
            if cell.size:
                found[k, :, row, column] = cell.mean((1, 2))
    return found.astype(data.dtype)


def _away(x: Any) -> Any:
    """Whole numbers, halves away from zero."""
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def _span(first: float, last: float, size: int) -> slice:
    """The whole pixels that a stretch touches."""
    return slice(min(max(int(np.floor(first)), 0), size), min(max(int(np.ceil(last)), 0), size))


def _between(image: Any, rows: tuple[float, float], columns: tuple[float, float], tall: int, wide: int) -> Any:
    """An image at evenly spaced places; ends are parts of its height and width; places outside count nothing."""
    places = []
    for (low, high), count, size in ((rows, tall, image.shape[1]), (columns, wide, image.shape[2])):
        ends = np.array([low, high]) * (size - 1)
        places.append(np.linspace(*ends, count) if count > 1 else np.array([ends.mean()]))
    inside = [(p >= 0) & (p <= size - 1) for p, size in zip(places, image.shape[1:], strict=True)]
    samples, weights = sampled(image, *np.ix_(*places))
    return (samples * weights).sum(0) * (inside[0][:, None] & inside[1][None])


def roi_align(
    data: Any,
    rois: Any,
    batch: Any,
    *,
    pooled_h: int,
    pooled_w: int,
    spatial_scale: float,
    sampling_ratio: int = 0,
    mode: str = "avg",
    aligned_mode: str = "asymmetric",
    whole: bool = False,
    strict: bool = False,
    **_: Any,
) -> Any:
    """Cells of every region (x1, y1, x2, y2), each sampled at a few places between pixels. Regions that begin
    at the edge of a pixel, or are to be `whole`, have a pixel's size at least; others may have no samples.

    OpenVINO 2026.4.1 takes the largest sample, or 0 if all are less, and the mean of none is NaN; onnxruntime 1.32 (`strict`) takes the
    largest of the pixels around a sample, each times its weight, and the mean of none is 0.
    """
    is_aligned = aligned_mode.startswith("half_pixel")
    shift = 0.5 if is_aligned else 0.0
    before = 0.5 if aligned_mode == "half_pixel" else 0.0  # OpenVINO 2026.4.1 scales the middles of pixels
    found = np.zeros((rois.shape[0], pooled_h, pooled_w, data.shape[1]), np.float32)
    if 0 in data.shape[2:]:  # there is nothing to sample
        return np.moveaxis(found, -1, 1).astype(data.dtype)
    pixels = np.ascontiguousarray(np.moveaxis(data, 1, -1), np.float32) if mode == "avg" else data
    boxes = (rois.astype(np.float64) + before) * spatial_scale - shift
    for k, (box, image) in enumerate(zip(boxes, batch, strict=True)):
        width, height = box[2] - box[0], box[3] - box[1]
        if whole or not is_aligned:
            width, height = max(width, 1.0), max(height, 1.0)
        cell_h, cell_w = height / pooled_h, width / pooled_w
        count_y = sampling_ratio or int(np.ceil(cell_h))
        count_x = sampling_ratio or int(np.ceil(cell_w))
        if min(count_y, count_x) < 1:
            found[k] = np.nan if mode == "avg" and not strict else 0
            continue
        y = box[1] + (np.arange(pooled_h * count_y) + 0.5) * (cell_h / count_y)
        x = box[0] + (np.arange(pooled_w * count_x) + 0.5) * (cell_w / count_x)
        if mode == "avg":
            rows, down = _means(y, count_y, data.shape[2])
            columns, across = _means(x, count_x, data.shape[3])
            lines = np.matmul(across, pixels[int(image), rows, columns])
            np.matmul(down, lines.reshape(len(lines), -1), out=found[k].reshape(pooled_h, -1))
            continue
        samples, weights = sampled(data[int(image)], *np.ix_(y, x))
        shape = (data.shape[1], pooled_h, count_y, pooled_w, count_x)
        parts = samples * weights
        best = parts.max(0) if strict else np.maximum(parts.sum(0), 0)
        found[k] = np.moveaxis(best.reshape(shape).max((2, 4)), 0, -1)
    return np.moveaxis(found, -1, 1).astype(data.dtype)


def _means(places: Any, count: int, size: int) -> tuple[slice, Any]:
    """Return the pixels between which places along an axis are, and the matrix that makes means of `count` samples of them;
    places outside count nothing."""
    inside = (places >= -1) & (places <= size)
    places = np.clip(places, 0, size - 1)
    low = np.floor(places).astype(np.int64)
    high = np.minimum(low + 1, size - 1)
    start, stop = int(low.min()), int(high.max()) + 1
    part = (places - low) * inside / count
    cells = np.arange(len(places)) // count * (stop - start) - start
    length = len(places) // count * (stop - start)
    matrix = np.bincount(cells + low, inside / count - part, length) + np.bincount(cells + high, part, length)
    return slice(start, stop), matrix.reshape(-1, stop - start).astype(np.float32)


def sampled(image: Any, y: Any, x: Any) -> tuple[Any, Any]:
    """The four neighbours of every place (rows and columns, which may be a grid's), and their weights; places outside count nothing."""
    height, width = image.shape[1:]
    inside = (y >= -1) & (y <= height) & (x >= -1) & (x <= width)
    y, x = np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)
    top, left = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
    low, right = np.minimum(top + 1, height - 1), np.minimum(left + 1, width - 1)
    dy, dx = y - top, x - left
    parts = [image[:, a, b] for a in (top, low) for b in (left, right)]
    weights = [a * b * inside for a in (1 - dy, dy) for b in (1 - dx, dx)]
    return np.stack(parts), np.stack(weights)[:, None]


def roi_pooling(
    data: Any,
    rois: Any,
    *,
    pooled_h: int = 0,
    pooled_w: int = 0,
    output_size: Sequence[int] = (),
    spatial_scale: float,
    method: str = "max",
    **_: Any,
) -> Any:
    """The largest number in every cell of a region, or samples between pixels."""
    tall, wide = (pooled_h, pooled_w) if pooled_h else output_size
    found = np.zeros((rois.shape[0], data.shape[1], tall, wide), data.dtype)
    for k, (image, x1, y1, x2, y2) in enumerate(rois):
        if not 0 <= int(image) < len(data):  # mxnet 1.9.1 leaves zeros
            continue
        pixels = data[int(image)]
        if method == "bilinear":
            found[k] = _between(pixels, (float(y1), float(y2)), (float(x1), float(x2)), tall, wide)
            continue
        left, top, right, low = _away(rois[k, 1:5] * rois.dtype.type(spatial_scale))
        # mxnet 1.9.1: a region that ends before it begins is one pixel, one beyond the image gives zeros
        cell_h, cell_w = max(low - top + 1, 1) / tall, max(right - left + 1, 1) / wide
        for row, column in np.ndindex(tall, wide):
            down = _span(top + np.floor(row * cell_h), top + np.ceil((row + 1) * cell_h), data.shape[2])
            across = _span(left + np.floor(column * cell_w), left + np.ceil((column + 1) * cell_w), data.shape[3])
            cell = pixels[:, down, across]
            if cell.size:
                found[k, :, row, column] = cell.max((1, 2))
    return found


def clipped_align(image: Any, box: Any, size: Sequence[int], samples: int, is_small: bool) -> Any:
    """Return the mean of samples in each cell of a region of one image. A cell begins inside the image and has samples for what is
    inside, as far apart as if all of it were. Unless it may be small, the region has a pixel's size at least."""
    found, lengths = np.zeros((len(image), *size), image.dtype), image.shape[1:]
    least = -np.inf if is_small else 1.0
    steps = [max(box[3 - axis] - box[1 - axis], least) / size[axis] for axis in (0, 1)]
    for cell in np.ndindex(*size):
        places = []
        for axis in (0, 1):
            first = box[1 - axis] + cell[axis] * steps[axis]
            start, end = np.clip((first, first + steps[axis]), 0, lengths[axis])
            count = samples or int(np.ceil(end - start))
            middles = (np.arange(count if end > start else 0) + 0.5) * (steps[axis] / max(count, 1))
            places.append(np.minimum(start + middles, lengths[axis]))
        pixels, weights = sampled(image, *np.ix_(*places))
        found[:, cell[0], cell[1]] = (pixels * weights).sum((0, 2, 3)) / max(len(places[0]) * len(places[1]), 1)
    return found
