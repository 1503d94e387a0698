"""Pooling as training frameworks have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.windows import Windows, want_per_axis
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape

_ROUNDING = {"full": "ceil", "same": "begun"}


class PoolConvention(Operator):
    """Pooling over all space or windows, whose number is rounded down (valid), up (full), or by stride alone (same)."""

    inputs = "data:[_,_,*S=1..3]"

    def shape(self, data: Tensor, *, channels_last: bool = False, global_pool: bool = False, **attrs: Any) -> Tensor:
        self.match(data)
        if data.shape is None:
            return data
        first, space = 1 if channels_last else 2, len(data.shape) - 2
        # mxnet 1.9.1 does not look at the kernel of a global pool, not even at one longer than the data
        lengths: list[Dim] = [1] * space if global_pool else self._lengths(data.shape, first, attrs)
        return Tensor(data.dtype, (*data.shape[:first], *lengths, *data.shape[first + space :]))

    def _lengths(self, shape: Shape, first: int, attrs: dict[str, Any]) -> list[Dim]:
        space, settings = len(shape) - 2, self._settings(len(shape) - 2, **attrs)
        want_per_axis("kernel", settings["kernel"], space, least=1)
        windows = Windows(settings["kernel"], **settings)
        want_per_axis("stride", windows.strides, space, least=1)
        want_per_axis("pad", windows.before, space, least=0)
        if windows.rounding_type != "begun":
            return windows.lengths(shape, "attr:kernel", first)
        # mxnet 1.9.1: "Currently 'same' supports Max Pooling 1-D", "disables the use of pad parameter"
        if space != 1:
            message = f"expected rank 3 for `data` with pooling_convention `same`, got {show(shape)}"
            raise ShapeError(R.wrong_rank, message, "attr:pooling_convention", [0])
        return windows.counts(shape[first : first + 1])

    @staticmethod
    def _settings(
        space: int,
        *,
        kernel: Sequence[int] = (),
        stride: Sequence[int] = (),
        pad: Sequence[int] = (),
        pooling_convention: str = "valid",
        **_: Any,
    ) -> dict[str, Any]:
        """Return the settings of the windows; mxnet 1.9.1 ignores what is too much."""
        rounding = _ROUNDING.get(pooling_convention, "floor")
        pads = dict.fromkeys(("pads_begin", "pads_end"), pad[:space])
        return {"kernel": kernel, "strides": stride[:space], **pads, "rounding_type": rounding}

    def run(
        self,
        data: Any,
        *,
        channels_last: bool = False,
        global_pool: bool = False,
        pool_type: str = "max",
        count_include_pad: bool | None = None,
        p_value: int | None = None,
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.kernels.windows import pooling

        images = np.moveaxis(data, -1, 1) if channels_last else data
        wide = images if data.dtype.kind == "f" else images.astype(np.float64)
        space = images.shape[2:]
        windows = {"kernel": space} if global_pool else self._settings(len(space), **attrs)
        if pool_type == "max":
            found = pooling.pool_max(images, is_finite=True, **windows)  # mxnet 1.9.1: -65504 of halves
        elif pool_type == "avg":
            found = pooling.pool_average(wide, exclude_pad=count_include_pad is False, **windows)
        else:
            # mxnet 1.9.1 keeps the sign of odd powers: four times -1 give -1.5874 for p = 3
            power = (p_value or 2) if pool_type == "lp" else 1
            found = pooling.pool_sum(wide**power, **windows)
            found = found if power == 1 else np.sqrt(found) if power == 2 else np.cbrt(found)
        found = found.astype(data.dtype, copy=False)
        return np.moveaxis(found, 1, -1) if channels_last else found


class AvgPoolTo(Operator):
    """Means of as many windows as asked for."""

    inputs = "data:[N,C,_,_]/T -> [N,C,height,width]/T"

    def shape(self, data: Tensor, *, output_size: Sequence[int] = (), **_: Any) -> list[Tensor]:
        height, width = self._size(output_size)
        return self.match(data, height=height, width=width).results

    @staticmethod
    def _size(output_size: Sequence[int]) -> tuple[int, int]:
        return (output_size[0], output_size[-1]) if output_size else (1, 1)

    def run(self, data: Any, *, output_size: Sequence[int] = (), **_: Any) -> Any:
        from irlint.dryrun.kernels.windows.pooling import adaptive_average

        return adaptive_average(data, self._size(output_size))
