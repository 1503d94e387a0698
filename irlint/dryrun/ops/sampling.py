"""Images looked up at the places of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_rank
from irlint.dryrun.tensor import Tensor


class BilinearSampler(Operator):
    """The image looked up at the places of a grid (batch, 2, height, width)."""

    inputs = "data grid"

    def shape(self, data: Tensor, grid: Tensor, **_: Any) -> Tensor:
        want_rank(data, "data", 0, 4)
        want_rank(grid, "grid", 1, 4)
        if grid.shape is not None and not dims.can_be(grid.shape[1], 2):
            raise ShapeError(
                R.shape_mismatch, f"expected 2 channels (x, y) for `grid`, got {show(grid.shape)}", "input:1", [1]
            )
        if data.shape is None or grid.shape is None:
            return Tensor(data.dtype, None)
        if not dims.compatible(data.shape[0], grid.shape[0]):
            message = f"batch sizes of `data` {show(data.shape)} and `grid` {show(grid.shape)} do not match"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(data.dtype, (*data.shape[:2], *grid.shape[2:]))

    def run(self, data: Any, grid: Any, **_: Any) -> Any:
        from irlint.dryrun.kernels.resize import grid_sample

        return grid_sample(data, np.moveaxis(grid, 1, -1), align_corners=True, mode="bilinear", padding_mode="zeros")


class GridGenerator(Operator):
    """Places to look up: an affine map of a regular grid, or a regular grid moved by a flow."""

    def shape(self, data: Tensor, *, transform_type: str, target_shape: Sequence[int] = (0, 0), **_: Any) -> Tensor:
        if transform_type == "warp":
            want_rank(data, "data", 0, 4)
            if data.shape is not None and not dims.can_be(data.shape[1], 2):
                raise ShapeError(
                    R.shape_mismatch, f"expected 2 channels (a flow) for `data`, got {show(data.shape)}", "input:0", [0]
                )
            return data
        want_rank(data, "data", 0, 2)
        if data.shape is not None and not dims.can_be(data.shape[1], 6):
            raise ShapeError(
                R.shape_mismatch,
                f"expected 6 numbers (an affine map) in dimension 1 of `data`, got {show(data.shape)}",
                "input:0",
                [0],
            )
        if min(target_shape) < 1:
            raise ShapeError(
                R.value_out_of_range,
                f"expected numbers above 0 in `target_shape`, got {tuple(target_shape)}",
                "attr:target_shape",
            )
        return Tensor(data.dtype, (data.shape[0] if data.shape is not None else None, 2, *target_shape[:2]))

    def run(self, data: Any, *, transform_type: str, target_shape: Sequence[int] = (0, 0), **_: Any) -> Any:
        height, width = data.shape[2:] if transform_type == "warp" else target_shape
        y, x = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
        if transform_type == "warp":
            step = np.array([(width - 1) / 2, (height - 1) / 2]).reshape(2, 1, 1)
            return (data / step + np.stack([x, y])).astype(data.dtype)
        places = np.stack([x.ravel(), y.ravel(), np.ones(x.size)])
        return (data.reshape(-1, 2, 3) @ places).reshape(-1, 2, height, width).astype(data.dtype)


class SpatialTransformer(Operator):
    """An affine map of a regular grid, and the image looked up there."""

    inputs = "data loc"

    def shape(self, data: Tensor, loc: Tensor, *, target_shape: Sequence[int] = (0, 0), **_: Any) -> Tensor:
        want_rank(data, "data", 0, 4)
        want_rank(loc, "loc", 1, 2)
        if loc.shape is not None and not dims.can_be(loc.shape[1], 6):
            raise ShapeError(
                R.shape_mismatch,
                f"expected 6 numbers (an affine map) in dimension 1 of `loc`, got {show(loc.shape)}",
                "input:1",
                [1],
            )
        return Tensor(data.dtype, None if data.shape is None else (*data.shape[:2], *target_shape[:2]))

    def run(self, data: Any, loc: Any, *, target_shape: Sequence[int] = (0, 0), **_: Any) -> Any:
        grid = GridGenerator.run(None, loc, transform_type="affine", target_shape=target_shape)  # type: ignore[arg-type]
        return BilinearSampler.run(None, data, grid)  # type: ignore[arg-type]
