"""Windows slid over space, each folded into one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator, Shapes
from irlint.dryrun.ops.common import normalise_axis, want_computed_lengths
from irlint.dryrun.ops.windows import Windows, want_per_axis
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape
from irlint.text import words


class Pool(Operator):
    """The base: data (batch, channels, space...)."""

    takes_empty = False
    inputs = "data:[N,C,*S=1..3]"
    rounded = False  # the runtime takes a window larger than the data, if the rounding completes it

    def shape(self, *operands: Any, **attrs: Any) -> Shapes:
        return Tensor(operands[0].dtype, self.result(*operands, **attrs))

    def result(self, data: Tensor, *, kernel: Sequence[int], **attrs: Any) -> Shape:
        self.match(data)
        windows = Windows(kernel, **attrs)
        if data.shape is not None and len(data.shape) - 2 != windows.space:
            message = (
                f"expected {words.count(len(data.shape) - 2, 'number')} in `kernel` (one per spatial axis of "
                f"`data` {show(data.shape)}), got {windows.space}"
            )
            raise ShapeError(R.wrong_value_length, message, "attr:kernel", [0])
        want_per_axis("strides", attrs.get("strides", ()), windows.space)
        windows.check()
        if data.shape is None:
            return (None,) * (windows.space + 2)
        for k, what in ((0, "batch size"), (1, "number of channels")):
            # OpenVINO 2026.4.1, MaxPool-8: Batch size is zero
            if data.shape[k] == 0 and (k or not self.takes_empty):
                raise ShapeError(R.empty_output, f"{what} of `data` {show(data.shape)} is 0", "input:0", [0])
        return (*data.shape[:2], *windows.lengths(data.shape, "attr:kernel", rounded=self.rounded))


class MaxPool(Pool):
    kernel = "windows/pooling.pool_max"


class MaxPoolIndices(Pool):
    """The largest number of each window, and its index."""

    def shape(
        self, data: Tensor, *, index_element_type: str | None = "int64", axis: int = 0, **attrs: Any
    ) -> list[Tensor]:
        if data.shape is not None:
            normalise_axis(axis, len(data.shape), "attr:axis")
        result = self.result(data, **attrs)
        return [Tensor(data.dtype, result), Tensor(index_element_type, result)]

    def run(self, data: Any, *, index_element_type: str = "int64", axis: int = 0, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.pooling import pool_max_indices

        return pool_max_indices(data, axis, index_element_type, **attrs)

    def run_first(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.pooling import pool_max

        return pool_max(data, **attrs)


class AvgPool(Pool):
    def shape(self, data: Tensor, *, kernel: Sequence[int], exclude_pad: bool = False, **attrs: Any) -> Shapes:
        result = super().shape(data, kernel=kernel, **attrs)
        if exclude_pad:
            self._want_no_empty_window(Windows(kernel, **attrs))
        return result

    @staticmethod
    def _want_no_empty_window(windows: Windows) -> None:
        """Report padding as wide as the window, which leaves windows with nothing to average."""
        for k, reach in enumerate(windows.reach):
            for name, pads in (("pads_begin", windows.before), ("pads_end", windows.after)):
                # OpenVINO 2026.4.1 refuses it only with exclude-pad: "Kernel after dilation is sometimes entirely in the padding area"
                if windows.auto_pad == "explicit" and pads[k] >= reach:
                    message = (
                        f"`{name}` {pads[k]} on spatial axis {k} leaves windows of length {reach} with padding only; "
                        "`exclude-pad` would divide by 0"
                    )
                    raise ShapeError(R.value_out_of_range, message, f"attr:{name}")

    def run(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.pooling import pool_average

        # OpenVINO 2026.4.1 (CPU) divides by all elements of a window that ends beyond the padding; onnxruntime 1.32 does not
        return pool_average(data, counts_all=True, **attrs)


class AdaptivePool(Operator):
    """Adaptive pooling: windows for a given output size."""

    inputs = "data:[N,C,*S=1..3] output_shape:_/integers"
    reads = (1,)

    def shape(self, data: Tensor, goal: Tensor, **_: Any) -> Shapes:
        return Tensor(data.dtype, self.result(data, goal))

    def result(self, data: Tensor, goal: Tensor) -> Shape | None:
        self.match(data, goal)
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
    kernel = "windows/pooling.adaptive_average"


class AdaptiveMaxPool(AdaptivePool):
    def shape(self, data: Tensor, goal: Tensor, *, index_element_type: str | None = "int64", **_: Any) -> list[Tensor]:
        result = self.result(data, goal)
        return [Tensor(data.dtype, result), Tensor(index_element_type, result)]

    def run(self, data: Any, goal: Any, *, index_element_type: str = "int64", **_: Any) -> Any:
        from irlint.dryrun.kernels.windows.pooling import adaptive_max

        return adaptive_max(data, [int(n) for n in goal], index_element_type)
