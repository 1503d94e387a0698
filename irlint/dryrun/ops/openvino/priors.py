"""Prior boxes of detectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class _Priors(Operator):
    """The base: anchor boxes around every cell of a grid, and their variances."""

    inputs = "output_size:[2]/integers image_size:[_]/integers"
    reads = (0,)

    def check(self, grid: Tensor, image: Tensor) -> None:
        if grid.shape is not None and image.shape is not None and len(grid.shape) != len(image.shape):
            message = f"shapes of `output_size` {show(grid.shape)} and `image_size` {show(image.shape)} do not match"
            raise ShapeError(R.wrong_rank, message, "input:1", [0, 1])
        self.match(grid, image)

    def total(self, grid: Tensor, each: int) -> Dim:
        size = values.as_dims(grid)
        if size is None or grid.value is None or len(size) < 2:
            return None
        return dims.multiply(dims.multiply(values.to_dim(size[0]), values.to_dim(size[1])), 4 * each)


class PriorBox(_Priors):
    """Anchor boxes of several sizes around every cell of a grid, and their variances."""

    def shape(
        self,
        grid: Tensor,
        image: Tensor,
        *,
        step: float = 0.0,
        offset: float = 0.0,
        variance: Sequence[float] = (),
        **attrs: Any,
    ) -> Tensor:
        self.check(grid, image)
        is_folded = grid.value is not None and image.value is not None
        wrong = [number for number in variance if number <= 0] if len(variance) == 4 and not is_folded else []
        if wrong:  # the CPU plug-in 2026.4.1 looks at four numbers, unless the operation is folded; PriorBoxClustered takes any
            message = f"expected numbers above 0 in `variance`, got {wrong[0]}"
            raise ShapeError(R.value_out_of_range, message, "attr:variance")
        return Tensor("float32", (2, self.total(grid, self.boxes_per_cell(**attrs))))

    @staticmethod
    def boxes_per_cell(
        *,
        min_size: Sequence[float] = (),
        max_size: Sequence[float] = (),
        aspect_ratio: Sequence[float] = (),
        flip: bool = False,
        fixed_size: Sequence[float] = (),
        fixed_ratio: Sequence[float] = (),
        density: Sequence[float] = (),
        scale_all_sizes: bool = True,
        **_: Any,
    ) -> int:
        ratios = len(aspect_ratios(aspect_ratio, flip))
        total = ratios * len(min_size) + len(max_size) if scale_all_sizes else ratios + len(min_size) - 1
        if fixed_size:
            total = ratios * len(fixed_size)
        for count in density:
            total += (len(fixed_ratio) or ratios) * (int(count) ** 2 - 1)
        return total

    def run(self, grid: Any, image: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.boxes.priors import prior_box

        ratios = aspect_ratios(attrs.get("aspect_ratio", ()), attrs.get("flip", False))
        return prior_box(grid, image, ratios, self.boxes_per_cell(**attrs), **attrs)


def aspect_ratios(given: Sequence[float], flip: bool) -> list[float]:
    """1, and every other ratio once; with `flip` its reciprocal too."""
    found = [1.0]
    for ratio in given:
        if any(abs(ratio - known) < 1e-6 for known in found):
            continue
        found.append(ratio)
        if flip:
            found.append(1.0 / ratio if ratio else float("inf"))
    return found


class PriorBoxClustered(_Priors):
    """Anchor boxes of listed widths and heights."""

    kernel = "boxes/priors.prior_box_clustered"

    def shape(
        self,
        grid: Tensor,
        image: Tensor,
        *,
        width: Sequence[float] = (),
        height: Sequence[float] = (),
        **_: Any,
    ) -> Tensor:
        if len(width) != len(height):
            message = f"lengths of `width` ({len(width)}) and `height` ({len(height)}) do not match"
            raise ShapeError(R.wrong_value_length, message, "attr:width")
        self.check(grid, image)
        return Tensor("float32", (2, self.total(grid, len(width))))
