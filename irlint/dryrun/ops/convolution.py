"""Convolutions: plain, grouped, transposed, deformable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import same_dtype, want_dtype, want_rank
from irlint.dryrun.ops.windows import SAME, dilated, filled, want_per_axis, want_window, want_windows, windows
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape
from irlint.text import words


def _spatial(data: Tensor, filters: Tensor, name: str, lead: int, *lists: Sequence[int]) -> int | None:
    """Return the number of spatial axes, if known; `lead` is the number of other axes of the filters, `name` what they are called."""
    want_rank(data, "data", 0, 3, 4, 5)
    want_rank(filters, name, 1, lead + 1, lead + 2, lead + 3)
    if data.shape is not None and filters.shape is not None and len(data.shape) - 2 != len(filters.shape) - lead:
        message = (
            f"spatial axes of `data` ({len(data.shape) - 2}) and `{name}` ({len(filters.shape) - lead}) do not match"
        )
        raise ShapeError(R.wrong_rank, message, "input:1", [0, 1])
    if data.shape is not None:
        return len(data.shape) - 2
    if filters.shape is not None:
        return len(filters.shape) - lead
    return next((len(numbers) for numbers in lists if numbers), None)


class Convolution(Operator):
    """Filters (out channels, in channels / groups, window...) slid over data (batch, in channels, space...)."""

    inputs = "data filters"
    filters_name = "filters"
    grouped = False  # filters begin with an axis of groups

    def shape(self, data: Tensor, filters: Tensor, **attrs: Any) -> Tensor:
        dtype = same_dtype((data, filters), self.names)
        want_dtype(data, "data", 0, "a numeric type")
        return Tensor(dtype, self.result(data, filters, **attrs))

    def result(
        self,
        data: Tensor,
        filters: Tensor,
        *,
        strides: Sequence[int] = (),
        dilations: Sequence[int] = (),
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        auto_pad: str = "explicit",
        groups: int = 1,
        **_: Any,
    ) -> Shape | None:
        lead = 3 if self.grouped else 2
        space = _spatial(data, filters, self.filters_name, lead, strides, dilations, pads_begin, pads_end)
        if space is None:
            return None
        strides, dilations = filled(strides, space, 1), filled(dilations, space, 1)
        begin, end = filled(pads_begin, space, 0), filled(pads_end, space, 0)
        want_windows(space, auto_pad, strides, dilations, begin, end)
        channels = self._channels(data, filters, groups)
        if auto_pad == "valid":
            begin = end = (0,) * space
        lengths: list[Dim] = []
        for k in range(space):
            dim = data.shape[k + 2] if data.shape is not None else None
            kernel = dilated(filters.shape[k + lead] if filters.shape is not None else None, dilations[k])
            if auto_pad in SAME:
                lengths.append(dims.ceil_divide(dim, strides[k]))
                continue
            if data.shape is not None and isinstance(dim, int):
                want_window(data.shape, k + 2, kernel, begin[k], end[k], "input:1")
            lengths.append(windows(dim, kernel, begin[k], end[k], strides[k]))
        return (data.shape[0] if data.shape is not None else None, channels, *lengths)

    def _channels(self, data: Tensor, filters: Tensor, groups: int) -> Dim:
        """Return the number of output channels."""
        if filters.shape is None:
            return None
        if not self.grouped:
            inner, outer = dims.multiply(filters.shape[1], groups), filters.shape[0]
            if groups > 1 and isinstance(outer, int) and outer % groups:
                message = (
                    f"output channels of `{self.filters_name}` ({outer}) are not a multiple of the {groups} groups"
                )
                raise ShapeError(R.shape_mismatch, message, "attr:groups", [1])
        else:
            count = self._group_count(data, filters)
            inner, outer = dims.multiply(count, filters.shape[2]), dims.multiply(count, filters.shape[1])
        if data.shape is not None and not dims.compatible(data.shape[1], inner):
            split = (
                f" for {show_dim(filters.shape[0] if self.grouped else groups)} groups"
                if self.grouped or groups > 1
                else ""
            )
            message = f"channels of `data` ({show_dim(data.shape[1])}) and `{self.filters_name}` ({show_dim(inner)}{split}) do not match"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return outer

    @staticmethod
    def _group_count(data: Tensor, filters: Tensor) -> Dim:
        """Return the groups of the filters; if unknown, those that follow from the data's channels."""
        assert filters.shape is not None
        count, per_group = filters.shape[0], filters.shape[2]
        channels = None if data.shape is None else data.shape[1]
        if not isinstance(count, int) and isinstance(channels, int) and isinstance(per_group, int) and per_group:
            return channels // per_group
        return count

    def run(self, data: Any, filters: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.convolution import convolve

        if self.grouped:
            attrs["groups"] = filters.shape[0]
            filters = filters.reshape((-1, *filters.shape[2:]))
        return convolve(data, filters, **attrs)


class GroupConvolution(Convolution):
    """Filters (groups, out channels / groups, in channels / groups, window...)."""

    grouped = True


class BinaryConvolution(Convolution):
    """Binary convolution: products by xnor, sums by counting bits."""

    def shape(self, data: Tensor, filters: Tensor, **attrs: Any) -> Tensor:
        want_dtype(data, "data", 0, "a numeric type")
        return Tensor(data.dtype, self.result(data, filters, **attrs))

    def run(self, data: Any, filters: Any, *, pad_value: float = 0.0, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.convolution import convolve

        signs = [(2 * array.astype("float32") - 1).astype("float32") for array in (data, filters)]
        return convolve(*signs, pad_value=2 * pad_value - 1, **attrs).astype(data.dtype)


class ConvolutionBackpropData(Operator):
    """Transposed convolution; filters are (in channels, out channels / groups, window...)."""

    inputs = "data filters output_shape?"
    reads = (2,)
    filters_name = "filters"
    grouped = False

    def shape(self, data: Tensor, filters: Tensor, output_shape: Tensor | None = None, **attrs: Any) -> Tensor:
        dtype = same_dtype((data, filters), self.names)
        want_dtype(data, "data", 0, "a numeric type")
        if output_shape is not None:
            want_dtype(output_shape, "output_shape", 2, "an integer type")
            want_rank(output_shape, "output_shape", 2, 1)
        return Tensor(dtype, self._result(data, filters, output_shape, **attrs))

    def _result(
        self,
        data: Tensor,
        filters: Tensor,
        wanted: Tensor | None,
        *,
        strides: Sequence[int] = (),
        dilations: Sequence[int] = (),
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        output_padding: Sequence[int] = (),
        auto_pad: str = "explicit",
        groups: int = 1,
        **_: Any,
    ) -> Shape | None:
        lead = 3 if self.grouped else 2
        space = _spatial(data, filters, self.filters_name, lead, strides, dilations, pads_begin, pads_end)
        if space is None and wanted is not None and wanted.shape and isinstance(wanted.shape[0], int):
            space = wanted.shape[0]
        if space is None:
            return None
        strides, dilations = filled(strides, space, 1), filled(dilations, space, 1)
        begin, end, extra = filled(pads_begin, space, 0), filled(pads_end, space, 0), filled(output_padding, space, 0)
        want_windows(space, auto_pad, strides, dilations, begin, end)
        want_per_axis("output_padding", extra, space)
        if wanted is not None and wanted.shape and not dims.can_be(wanted.shape[0], space):
            message = (
                f"expected {words.count(space, 'number')} in `output_shape` (one per spatial axis), got "
                f"{show_dim(wanted.shape[0])}"
            )
            raise ShapeError(R.wrong_value_length, message, "input:2", [0, 2])
        if auto_pad in (*SAME, "valid"):
            begin = end = (0,) * space
        channels = self._channels(data, filters, groups)
        batch = data.shape[0] if data.shape is not None else None
        goal = values.as_dims(wanted) if wanted is not None else None
        for k, entry in enumerate(goal or ()):
            if not values.fits(entry, 0):
                raise ShapeError(
                    R.value_out_of_range,
                    f"expected no negative number in `output_shape`, got {show_dim(entry)} at position {k}",
                    "input:2",
                    [2],
                )
        if wanted is not None:
            return (batch, channels, *(map(values.to_dim, goal) if goal is not None else (None,) * space))
        lengths: list[Dim] = []
        for k in range(space):
            dim = data.shape[k + 2] if data.shape is not None else None
            kernel = dilated(filters.shape[k + lead] if filters.shape is not None else None, dilations[k])
            reach = dims.add(dims.multiply(dims.subtract(dim, 1), strides[k]), kernel)
            lengths.append(_shifted(reach, extra[k] - begin[k] - end[k], k))
        return (batch, channels, *lengths)

    def _channels(self, data: Tensor, filters: Tensor, groups: int) -> Dim:
        if filters.shape is None:
            return None
        channels = None if data.shape is None else data.shape[1]
        if self.grouped:
            count, per_group, outer = filters.shape[0], filters.shape[1], filters.shape[2]
            if not isinstance(count, int) and isinstance(channels, int) and isinstance(per_group, int) and per_group:
                count = channels // per_group
            inner, outer = dims.multiply(count, per_group), dims.multiply(count, outer)
        else:
            inner, outer = filters.shape[0], dims.multiply(filters.shape[1], groups)
        if not dims.compatible(channels, inner):
            message = f"channels of `data` ({show_dim(channels)}) and `filters` ({show_dim(inner)}) do not match"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return outer

    def run(self, data: Any, filters: Any, output_shape: Any = None, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.convolution import convolve_back

        if self.grouped:
            attrs["groups"] = filters.shape[0]
            filters = filters.reshape((-1, *filters.shape[2:]))
        return convolve_back(data, filters, output_shape, **attrs)


class GroupConvolutionBackpropData(ConvolutionBackpropData):
    """Filters (groups, in channels / groups, out channels / groups, window...)."""

    grouped = True


def _shifted(dim: Dim, by: int, axis: int) -> Dim:
    if isinstance(dim, int):
        if dim + by < 0:
            message = f"padding is larger than the output along spatial axis {axis}"
            raise ShapeError(R.empty_output, message, "attr:pads_begin", [0])
        return dim + by
    return dims.add(dim, by) if by >= 0 else dims.subtract(dim, -by)


class DeformableConvolution(Convolution):
    """Convolution whose window positions are moved by offsets, and weighted by a mask."""

    inputs = "data offsets filters mask?"

    def shape(self, data: Tensor, offsets: Tensor, filters: Tensor, mask: Tensor | None = None, **attrs: Any) -> Tensor:  # type: ignore[override]
        dtype = same_dtype((data, offsets, filters), self.names)
        want_dtype(data, "data", 0, "a numeric type")
        group, deformable = attrs.get("group", 1), attrs.get("deformable_group", 1)
        for name, number in (("group", group), ("deformable_group", deformable)):
            if number <= 0:
                raise too_low(name, "at least 1", number)
        for k, tensor in ((0, data), (1, offsets), (2, filters), (3, mask)):
            want_rank(tensor, self.names[k], k, 4)
        result = self._whole(data, filters, group, attrs)
        reach = dims.product(filters.shape[2:]) if filters.shape is not None else None
        for k, tensor, per_tap in ((1, offsets, 2), (3, mask, 1)):
            if tensor is None or tensor.shape is None:
                continue
            self._check_field(tensor, k, data, deformable, dims.multiply(reach, per_tap), result)
            if result is not None:
                result = (dims.merge(result[0], tensor.shape[0]), *result[1:])
        for name, number, k, tensor in (
            ("deformable_group", deformable, 0, data),
            ("group", group, 0, data),
            ("group", group, 2, filters),
        ):
            count = tensor.shape[1 if k == 0 else 0] if tensor.shape is not None else None
            if isinstance(count, int) and count % number:
                message = (
                    f"channels of `{self.names[k]}` {show(tensor.shape)} ({count}) are not a multiple of `{name}` "
                    f"({number})"
                )
                raise ShapeError(R.shape_mismatch, message, f"attr:{name}", [k])
        return Tensor(dtype, result)

    def _whole(self, data: Tensor, filters: Tensor, group: int, attrs: dict[str, Any]) -> Shape | None:
        try:
            return self.result(data, filters, groups=group, **attrs)
        except ShapeError as error:
            error.part = {"input:1": "input:2", "attr:groups": "attr:group"}.get(error.part, error.part)
            error.inputs = tuple({1: 2}.get(k, k) for k in error.inputs)
            raise

    def _check_field(
        self, tensor: Tensor, k: int, data: Tensor, deformable: int, taps: Dim, result: Shape | None
    ) -> None:
        assert tensor.shape is not None
        goal: Shape = (
            data.shape[0] if data.shape is not None else None,
            dims.multiply(taps, deformable),
            *(result[2:] if result is not None else (None, None)),
        )
        if not all(map(dims.compatible, goal, tensor.shape)):
            message = (
                f"expected shape {show(goal)} for `{self.names[k]}` (batch, offsets per window position, output "
                f"size), got {show(tensor.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, 2, k])

    def run(self, data: Any, offsets: Any, filters: Any, mask: Any = None, **attrs: Any) -> Any:  # type: ignore[override]
        from irlint.dryrun.kernels.deformable import convolve_deformed

        return convolve_deformed(data, offsets, filters, mask, **attrs)
