"""Pooling as training frameworks have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_rank
from irlint.dryrun.ops.windows import want_per_axis
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


class PoolConvention(Operator):
    """Pooling over all space or windows, whose number is rounded down (valid), up (full), or by stride alone (same)."""

    def shape(
        self,
        data: Tensor,
        *,
        kernel: Sequence[int] = (),
        stride: Sequence[int] = (),
        pad: Sequence[int] = (),
        global_pool: bool = False,
        pooling_convention: str = "valid",
        channels_last: bool = False,
        **_: Any,
    ) -> Tensor:
        if data.shape is None:
            return data
        want_rank(data, "data", 0, 3, 4, 5)
        space = len(data.shape) - 2
        first = 1 if channels_last else 2
        if global_pool:
            # mxnet 1.9.1 does not look at the kernel then, not even at one longer than the data
            lengths: list[Dim] = [1] * space
        else:
            want_per_axis("kernel", kernel, space, least=1)
            strides, pads = tuple(stride) or (1,) * space, tuple(pad) or (0,) * space
            want_per_axis("stride", strides[:space], space, least=1)  # mxnet 1.9.1 ignores what is too much
            want_per_axis("pad", pads[:space], space, least=0)
            if pooling_convention == "same":
                self._check_same(data, pads)
            lengths = [
                self._count(data.shape, first + k, kernel[k], strides[k], pads[k], pooling_convention)
                for k in range(space)
            ]
        return Tensor(data.dtype, (*data.shape[:first], *lengths, *data.shape[first + space :]))

    @staticmethod
    def _check_same(data: Tensor, pads: Sequence[int]) -> None:
        """mxnet 1.9.1: "Currently 'same' supports Max Pooling 1-D", "disables the use of pad parameter"."""
        if data.shape is not None and len(data.shape) != 3:
            message = f"expected rank 3 for `data` with pooling_convention `same`, got {show(data.shape)}"
            raise ShapeError(R.wrong_rank, message, "attr:pooling_convention", [0])
        if any(pads):
            message = f"expected no padding with pooling_convention `same`, got {tuple(pads)}"
            raise ShapeError(R.value_out_of_range, message, "attr:pad")

    @staticmethod
    def _count(shape: Shape, axis: int, kernel: int, stride: int, pad: int, convention: str) -> Dim:
        dim = shape[axis]
        total = dims.add(dim, 2 * pad)
        if convention == "same":
            return dims.ceil_divide(total, stride)
        high = dims.bounds(total)[1]
        if high is not None and kernel > high:
            raise ShapeError(
                R.shape_mismatch,
                f"window of {kernel} is larger than dimension {axis} of {show(shape)}"
                + (f" with padding {pad} on both sides" if pad else ""),
                "attr:kernel",
                [0],
            )
        divide = dims.ceil_divide if convention == "full" else dims.floor_divide
        return dims.add(divide(dims.subtract(total, kernel), stride), 1)

    def run(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.pooling import pool_by_convention

        return pool_by_convention(data, self.shape(Tensor(None, data.shape), **attrs).shape, **attrs)


class AvgPoolTo(Operator):
    """Means of as many windows as asked for."""

    def shape(self, data: Tensor, *, output_size: Sequence[int] = (), **_: Any) -> Tensor:
        want_rank(data, "data", 0, 4)
        size = (1, 1) if not output_size else (output_size[0], output_size[-1])
        return Tensor(data.dtype, None if data.shape is None else (*data.shape[:2], *size[:2]))

    def run(self, data: Any, *, output_size: Sequence[int] = (), **_: Any) -> Any:
        from irlint.dryrun.kernels.pooling import adaptive_average

        size = (1, 1) if not output_size else (output_size[0], output_size[-1])
        return adaptive_average(data, list(size))
