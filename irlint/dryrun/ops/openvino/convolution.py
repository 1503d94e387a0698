"""Convolutions: plain, grouped, transposed, deformable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, want_least
from irlint.dryrun.matching import Match
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.windows import Windows, filled, want_channels, want_output, want_parts, want_per_axis
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape

_LISTS = ("strides", "dilations", "pads_begin", "pads_end")


def grouped_channels(channels: Dim, inner: Dim, outer: Dim, count: Dim, name: str, place: int = 1) -> Dim:
    """Return the number of output channels of `count` groups of filters; an unknown count follows from the channels of the data."""
    if not isinstance(count, int) and isinstance(channels, int) and isinstance(inner, int) and inner:
        count = channels // inner
    split = "" if count == 1 else f" for {show_dim(count)} groups"
    want_channels(channels, dims.multiply(count, inner), name, place, split)
    return dims.multiply(count, outer)


class Convolution(Operator):
    """Filters (out channels, in channels / groups, window...) slid over data (batch, in channels, space...)."""

    inputs = "data:[N,C,*S=1..3]/T filters:[O,I,*#S=1..3]/T -> _/T=numbers"
    grouped = False  # filters begin with an axis of groups
    place: ClassVar[int] = 1  # of the filters

    def shape(self, *operands: Any, **attrs: Any) -> Tensor:
        found = self.match(*operands)
        return Tensor(found.results[0].dtype, self.result(found, operands, **attrs))

    def result(self, found: Match, operands: Sequence[Tensor], *, groups: int = 1, **attrs: Any) -> Shape | None:
        windows = self.windows(found, operands[self.place].shape or (), attrs)
        if windows is None:
            return None
        data = operands[0].shape or (None,) * (windows.space + 2)
        channels = self.channels(found, groups)
        return (data[0], channels, *windows.lengths(data, f"input:{self.place}", strict=False))

    def windows(self, found: Match, filters: Shape, attrs: Mapping[str, Any]) -> Windows | None:
        """Return the windows, checked; None unless the number of spatial axes is known."""
        window: Sequence[Dim] = filters[3 if self.grouped else 2 :]
        if not window:
            space = found["#S"]
            if not isinstance(space, int):
                space = next((len(attrs[name]) for name in _LISTS if attrs.get(name)), 0)
            window = (None,) * space
        if not window:
            return None
        windows = Windows(window, **attrs)
        windows.check()
        return windows

    def channels(self, found: Match, groups: int) -> Dim:
        """Return the number of output channels."""
        name, outer = self.names[self.place], found["O"]
        if self.grouped:
            return grouped_channels(found["C"], found["I"], outer, found["G"], name, self.place)
        if groups > 1:
            want_parts(outer, groups, "groups", f"output channels of `{name}`", self.place, f"the {groups} groups")
        grouped_channels(found["C"], found["I"], outer, groups, name, self.place)
        return outer

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.convolution import convolve

        return convolve(*self.flat(attrs, *arrays), **attrs)

    def flat(self, attrs: dict[str, Any], data: Any, filters: Any, *others: Any) -> list[Any]:
        """Return the arrays, of which the filters lose their axis of groups; the number of these becomes an attribute."""
        if self.grouped:
            attrs["groups"] = filters.shape[0]
            filters = filters.reshape((-1, *filters.shape[2:]))
        return [data, filters, *others]


class GroupConvolution(Convolution):
    """Filters (groups, out channels / groups, in channels / groups, window...)."""

    inputs = "data:[N,C,*S=1..3]/T filters:[G,O,I,*#S=1..3]/T -> _/T=numbers"
    grouped = True


class BinaryConvolution(Convolution):
    """Binary convolution: products by xnor, sums by counting bits."""

    inputs = "data:[N,C,*S=1..3]/T filters:[O,I,*#S=1..3] -> _/T=numbers"

    def run(self, data: Any, filters: Any, *, pad_value: float = 0.0, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.convolution import convolve

        signs = [(2 * array.astype("float32") - 1).astype("float32") for array in (data, filters)]
        return convolve(*signs, pad_value=2 * pad_value - 1, **attrs).astype(data.dtype)


class ConvolutionBackpropData(Convolution):
    """Transposed convolution; filters are (in channels, out channels / groups, window...)."""

    inputs = "data:[N,C,*S=1..3]/T filters:[I,O,*#S=1..3]/T output_shape?:[#S]/integers -> _/T=numbers"
    reads = (2,)

    def result(
        self,
        found: Match,
        operands: Sequence[Any],
        *,
        output_padding: Sequence[int] = (),
        groups: int = 1,
        **attrs: Any,
    ) -> Shape | None:
        data, filters, wanted = (*operands, None)[:3]
        windows = self.windows(found, filters.shape or (), attrs)
        if windows is None:
            return None
        extra = filled(output_padding, windows.space, 0)
        want_per_axis("output_padding", extra, windows.space)
        channels = self.channels(found, groups)
        if wanted is None:
            lengths = windows.spread(data.shape[2:] if data.shape else (None,) * windows.space, extra)
            want_output(lengths, 0)
        else:
            lengths = self._wanted(wanted) or [None] * windows.space
        return (found["N"], channels, *lengths)

    @staticmethod
    def _wanted(wanted: Tensor) -> list[Dim]:
        goal = values.as_dims(wanted) or ()
        for k, entry in enumerate(goal):
            if not values.fits(entry, 0):
                message = f"expected no negative number in `output_shape`, got {show_dim(entry)} at position {k}"
                raise ShapeError(R.value_out_of_range, message, "input:2", [2])
        return list(map(values.to_dim, goal))

    def channels(self, found: Match, groups: int) -> Dim:
        if self.grouped:
            return grouped_channels(found["C"], found["I"], found["O"], found["G"], "filters")
        want_channels(found["C"], found["I"], "filters")
        return dims.multiply(found["O"], groups)

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.convolution import convolve_back

        return convolve_back(*self.flat(attrs, *arrays), **attrs)


class GroupConvolutionBackpropData(ConvolutionBackpropData):
    """Filters (groups, in channels / groups, out channels / groups, window...)."""

    inputs = "data:[N,C,*S=1..3]/T filters:[G,I,O,*#S=1..3]/T output_shape?:[#S]/integers -> _/T=numbers"
    grouped = True


class DeformableConvolution(Convolution):
    """Convolution whose window positions are moved by offsets, and weighted by a mask."""

    inputs = "data:[N,C,_,_]/T offsets:[N,_,_,_]/T filters:[O,I,_,_]/T mask?:[N,_,_,_] -> _/T=numbers"
    place = 2
    fields: ClassVar[tuple[tuple[int, int], ...]] = (
        (1, 2),
        (3, 1),
    )  # places of offsets and mask, their numbers per tap

    def result(
        self,
        found: Match,
        operands: Sequence[Any],
        *,
        group: int = 1,
        deformable_group: int = 1,
        **attrs: Any,
    ) -> Shape | None:
        want_least(1, group=group, deformable_group=deformable_group)
        data, filters = operands[0], operands[self.place]
        windows = self.windows(found, filters.shape or (None,) * 4, attrs)
        assert windows is not None
        lengths = windows.lengths(data.shape or (None,) * 4, f"input:{self.place}", strict=False)
        grouped_channels(found["C"], found["I"], found["O"], group, self.names[self.place], self.place)
        goal = (found["N"], found["O"], *lengths)
        for k, per_tap in self.fields:
            if k < len(operands):
                self._want_field(
                    operands[k], k, dims.multiply(dims.product(windows.kernel), per_tap * deformable_group), goal
                )
        for name, number, k, count in (
            ("deformable_group", deformable_group, 0, found["C"]),
            ("group", group, 0, found["C"]),
            ("group", group, self.place, found["O"]),
        ):
            want_parts(count, number, name, f"channels of `{self.names[k]}`", k)
        return goal

    def _want_field(self, tensor: Tensor | None, k: int, depth: Dim, result: Shape) -> None:
        goal = (result[0], depth, *result[2:])
        if tensor is not None and tensor.shape is not None and not all(map(dims.compatible, goal, tensor.shape)):
            message = (
                f"expected shape {show(goal)} for `{self.names[k]}` (batch, offsets per window position, output "
                f"size), got {show(tensor.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, self.place, k])

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.deformable import convolve_deformed

        return convolve_deformed(*arrays, **attrs)
