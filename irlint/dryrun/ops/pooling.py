"""Windows slid over space, each folded into one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, want_computed_lengths, want_dtype, want_rank
from irlint.dryrun.ops.windows import SAME, dilated, filled, same_pads, want_window, want_windows
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape
from irlint.text import words


class Pool(Operator):
    """The base: data (batch, channels, space...)."""

    takes_empty = False
    whole_windows = True  # the runtime refuses a window larger than the data, even one that the rounding completes

    def result(
        self,
        data: Tensor,
        *,
        kernel: Sequence[int],
        strides: Sequence[int] = (),
        dilations: Sequence[int] = (),
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        auto_pad: str = "explicit",
        rounding_type: str = "floor",
        **_: Any,
    ) -> Shape | None:
        want_rank(data, "data", 0, 3, 4, 5)
        space = len(kernel)
        if data.shape is not None and len(data.shape) - 2 != space:
            message = (
                f"expected {words.count(len(data.shape) - 2, 'number')} in `kernel` (one per spatial axis of "
                f"`data` {show(data.shape)}), got {space}"
            )
            raise ShapeError(R.wrong_value_length, message, "attr:kernel", [0])
        strides, dilations = tuple(strides), filled(dilations, space, 1)
        begin, end = filled(pads_begin, space, 0), filled(pads_end, space, 0)
        want_windows(space, auto_pad, strides, dilations, begin, end)
        if data.shape is None:
            return (None,) * (space + 2)
        for k, what in ((0, "batch size"), (1, "number of channels")):
            # OpenVINO 2026.4.1, MaxPool-8: Batch size is zero
            if data.shape[k] == 0 and (k or not self.takes_empty):
                raise ShapeError(R.empty_output, f"{what} of `data` {show(data.shape)} is 0", "input:0", [0])
        if auto_pad == "valid":
            begin = end = (0,) * space
        lengths: list[Dim] = []
        for k, dim in enumerate(data.shape[2:]):
            reach = dilated(kernel[k], dilations[k])
            before, after = begin[k], end[k]
            if auto_pad in SAME:
                if not isinstance(dim, int):
                    lengths.append(None)
                    continue
                before, after = same_pads(dim, kernel[k], strides[k], dilations[k])
            count = self._count(dim, reach, before, after, strides[k], rounding_type)
            if self.whole_windows or (isinstance(count, int) and count < 1):
                want_window(data.shape, k + 2, reach, before, after, "attr:kernel")
            lengths.append(count)
        return (*data.shape[:2], *lengths)

    @staticmethod
    def _count(dim: Dim, reach: Dim, before: int, after: int, stride: int, rounding: str) -> Dim:
        total = dims.subtract(dims.add(dim, before + after), reach)
        divide = dims.floor_divide if rounding == "floor" else dims.ceil_divide
        count = dims.add(divide(total, stride), 1)
        if (
            rounding == "ceil_torch"
            and isinstance(count, int)
            and isinstance(dim, int)
            and (count - 1) * stride >= dim + before
        ):
            count -= 1  # the last window must not begin in the padding
        return count


class MaxPool(Pool):
    def shape(self, data: Tensor, **attrs: Any) -> Tensor:
        return Tensor(data.dtype, self.result(data, **attrs))

    def run(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.pooling import pool_max

        return pool_max(data, **attrs)


class MaxPoolIndices(Pool):
    """The largest number of each window, and its index."""

    def shape(
        self, data: Tensor, *, index_element_type: str | None = "int64", axis: int = 0, **attrs: Any
    ) -> list[Tensor]:
        want_index_type(index_element_type, "index_element_type")
        if data.shape is not None:
            normalise_axis(axis, len(data.shape), "attr:axis")
        result = self.result(data, **attrs)
        return [Tensor(data.dtype, result), Tensor(index_element_type, result)]

    def run(self, data: Any, *, index_element_type: str = "int64", axis: int = 0, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.pooling import pool_max_indices

        return pool_max_indices(data, axis, index_element_type, **attrs)

    def run_first(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.pooling import pool_max

        return pool_max(data, **attrs)


class AvgPool(Pool):
    counts_all = True  # OpenVINO 2026.4.1 (CPU) divides by all elements of a window that ends beyond the padding; onnxruntime 1.32 does not

    def shape(self, data: Tensor, *, exclude_pad: bool = False, **attrs: Any) -> Tensor:
        result = self.result(data, **attrs)
        if exclude_pad and result is not None and attrs.get("auto_pad") not in (*SAME, "valid"):
            self._want_no_empty_window(**attrs)
        return Tensor(data.dtype, result)

    @staticmethod
    def _want_no_empty_window(
        *,
        kernel: Sequence[int],
        pads_begin: Sequence[int],
        pads_end: Sequence[int],
        dilations: Sequence[int] = (),
        **_: Any,
    ) -> None:
        """Report padding as wide as the window, which leaves windows with nothing to average."""
        for k, reach in enumerate(map(dilated, kernel, filled(dilations, len(kernel), 1))):
            for name, pads in (("pads_begin", pads_begin), ("pads_end", pads_end)):
                # OpenVINO 2026.4.1 refuses it only with exclude-pad: "Kernel after dilation is sometimes entirely in the padding area"
                if pads and isinstance(reach, int) and pads[k] >= reach:
                    message = (
                        f"`{name}` {pads[k]} on spatial axis {k} leaves windows of length {reach} with padding only; "
                        "`exclude-pad` would divide by 0"
                    )
                    raise ShapeError(R.value_out_of_range, message, f"attr:{name}")

    def run(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.pooling import pool_average

        return pool_average(data, counts_all=self.counts_all, **attrs)


def want_index_type(dtype: str | None, attr: str) -> None:
    if dtype not in ("int32", "int64"):
        raise ShapeError(
            R.value_not_in_enum,
            f"expected `i32` or `i64` for `{attr}`, got {f'`{dtype}`' if dtype else 'nothing'}",
            f"attr:{attr}",
        )


class AdaptivePool(Operator):
    """Adaptive pooling: windows for a given output size."""

    inputs = "data output_shape"
    reads = (1,)

    def result(self, data: Tensor, goal: Tensor) -> Shape | None:
        want_rank(data, "data", 0, 3, 4, 5)
        want_dtype(goal, "output_shape", 1, "an integer type")
        want_computed_lengths(goal, "output_shape", 1)
        if data.shape is None:
            return None
        space = len(data.shape) - 2
        count = goal.shape[0] if goal.shape else None
        if not dims.can_be(count, space):
            message = (
                f"expected {words.count(space, 'number')} in `output_shape` (one per spatial axis of `data` "
                f"{show(data.shape)}), got {show_dim(count)}"
            )
            raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
        wanted = values.as_dims(goal)
        lengths = (None,) * space if wanted is None else tuple(map(values.to_dim, wanted))
        return (*data.shape[:2], *lengths)


class AdaptiveAvgPool(AdaptivePool):
    def shape(self, data: Tensor, goal: Tensor, **_: Any) -> Tensor:
        return Tensor(data.dtype, self.result(data, goal))

    def run(self, data: Any, goal: Any, **_: Any) -> Any:
        from irlint.dryrun.kernels.pooling import adaptive_average

        return adaptive_average(data, [int(n) for n in goal])


class AdaptiveMaxPool(AdaptivePool):
    def shape(self, data: Tensor, goal: Tensor, *, index_element_type: str | None = "int64", **_: Any) -> list[Tensor]:
        want_index_type(index_element_type, "index_element_type")
        result = self.result(data, goal)
        return [Tensor(data.dtype, result), Tensor(index_element_type, result)]

    def run(self, data: Any, goal: Any, *, index_element_type: str = "int64", **_: Any) -> Any:
        from irlint.dryrun.kernels.pooling import adaptive_max

        return adaptive_max(data, [int(n) for n in goal], index_element_type)
