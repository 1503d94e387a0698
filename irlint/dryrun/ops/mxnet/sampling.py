"""Sampling of images at the points of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_rank
from irlint.dryrun.tensor import Tensor


class BilinearSampler(Operator):
    """The image sampled at the points of a grid (batch, 2, height, width)."""

    inputs = "data:[N,C,_,_]/T grid:[N,2,H,W] -> [N,C,H,W]/T"

    def run(self, data: Any, grid: Any, **_: Any) -> Any:
        from irlint.dryrun.kernels.resampling import grid_sample

        return grid_sample(data, np.moveaxis(grid, 1, -1), align_corners=True, mode="bilinear", padding_mode="zeros")


class GridGenerator(Operator):
    """Places to look up: an affine map of a regular grid, or a regular grid moved by a flow."""

    inputs = "data:[N,6]|[N,2,_,_]"

    def shape(self, data: Tensor, *, transform_type: str, target_shape: Sequence[int] = (0, 0), **_: Any) -> Tensor:
        want_rank(data, "data", 0, 4 if transform_type == "warp" else 2)
        found = self.match(data)
        if transform_type == "warp":
            return data
        return Tensor(data.dtype, (found["N"], 2, *target_shape[:2]))

    def run(self, data: Any, *, transform_type: str, target_shape: Sequence[int] = (0, 0), **_: Any) -> Any:
        height, width = data.shape[2:] if transform_type == "warp" else target_shape
        y, x = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
        if transform_type == "warp":
            step = np.array([(width - 1) / 2, (height - 1) / 2]).reshape(2, 1, 1)
            return (data / step + np.stack([x, y])).astype(data.dtype)
        places = np.stack([x.ravel(), y.ravel(), np.ones(x.size)])
        return (data.reshape(-1, 2, 3) @ places).reshape(-1, 2, height, width).astype(data.dtype)


class SpatialTransformer(Operator):
    """The image sampled at an affine map of a regular grid."""

    inputs = "data:[N,C,_,_]/T loc:[_,6] -> [N,C,height,width]/T"

    def shape(self, data: Tensor, loc: Tensor, *, target_shape: Sequence[int] = (0, 0), **_: Any) -> list[Tensor]:
        height, width = target_shape[:2]
        return self.match(data, loc, height=height, width=width).results

    def run(self, data: Any, loc: Any, *, target_shape: Sequence[int] = (0, 0), **_: Any) -> Any:
        grid = GridGenerator.run(None, loc, transform_type="affine", target_shape=target_shape)  # type: ignore[arg-type]
        return BilinearSampler.run(None, data, grid)  # type: ignore[arg-type]
