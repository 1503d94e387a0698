"""Pooling by attributes: any window, whole images, norms, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import merge_shapes, want_rank
from irlint.dryrun.ops.shared.pooling import MaxPoolIndices, Pool
from irlint.dryrun.ops.windows import Windows
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class Pads(Pool):
    """The base of pooling whose padding is smaller than the window."""

    rounded = True
    takes_empty = True  # onnxruntime 1.32 outputs nothing for a batch of nothing

    def result(self, data: Tensor, *, kernel: Sequence[int], **attrs: Any) -> Shape:
        for name in ("pads_begin", "pads_end"):
            for k, (pad, size) in enumerate(zip(attrs.get(name, ()), kernel, strict=False)):
                if pad >= size > 0 and attrs.get("auto_pad") == "explicit":
                    message = f"padding of {pad} on spatial axis {k} is not smaller than the window of {size}"
                    raise ShapeError(R.value_out_of_range, message, f"attr:{name}")
        found = super().result(data, kernel=kernel, **attrs)
        if data.shape is not None:
            self._want_some(data.shape, data.dtype, found)
        return found

    @staticmethod
    def _want_some(shape: Shape, kind: str | None, found: Shape) -> None:
        """Raise if no window fits: onnxruntime 1.32 outputs nothing, if it counts not fewer than none."""
        pairs = enumerate(zip(shape, found, strict=True))
        axis = next((k for k, (length, count) in pairs if k > 1 and count == 0 and not dims.can_be(length, 0)), None)
        if axis is not None:
            message = f"windows are larger than dimension {axis} of {show(shape)}; the output is empty"
            outputs = [Tensor(kind, found), Tensor("int64", found)]
            raise ShapeError(R.empty_output, message, "attr:kernel", outputs=outputs)


class MaxPoolPlaces(Pads, MaxPoolIndices):
    """The largest number of each window, and where it is among all elements; `by_columns` counts rows first."""

    def shape(self, data: Tensor, **attrs: Any) -> list[Tensor]:
        result = self.result(data, **attrs)
        return [Tensor(data.dtype, result), Tensor("int64", result)]

    def run(self, data: Any, *, by_columns: bool = False, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.pooling import pool_max_indices

        found, places = pool_max_indices(data, 0, "int64", of_padding=-1, **attrs)
        if by_columns and data.ndim > 3:
            size = prod(data.shape[2:])
            index = np.unravel_index(places % size, data.shape[2:])
            places = places // size * size + np.ravel_multi_index(index, data.shape[2:], order="F")
        return [found, places]


class MeanPool(Pads):
    """Means of windows; without `exclude_pad` padding counts as zeros."""

    kernel = "windows/pooling.pool_average"


class NormPool(Pads):
    """The norm of each window."""

    def run(self, data: Any, *, p: int = 2, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.pooling import pool_sum

        return pool_sum(np.abs(data) ** data.dtype.type(p), **attrs) ** data.dtype.type(1 / p)


class WholePool(Operator):
    """The mean, the largest or the norm of all positions of each channel."""

    inputs = "data:[N,C,*S]"

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        self.match(data)
        if data.shape is None:
            return data
        if 0 in data.shape[2:] and not dims.can_be(data.shape[0], 0):
            message = f"expected at least 1 element along each spatial axis of `data`, got {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return Tensor(data.dtype, (*data.shape[:2], *(1,) * (len(data.shape) - 2)))

    def run(self, data: Any, *, fold: str, p: int = 2, **_: Any) -> Any:
        axes = tuple(range(2, data.ndim))
        if fold == "norm":
            return np.sum(np.abs(data) ** data.dtype.type(p), axes, keepdims=True) ** data.dtype.type(1 / p)
        return getattr(np, fold)(data, axes, keepdims=True)


class Unpool(Operator):
    """The numbers of a maximum pooling, back where they were; zeros elsewhere."""

    inputs = "data:[*D=3..] places:[*#D] output_shape?:[#D]"
    reads = (1, 2)

    def shape(self, data: Tensor, places: Tensor, wanted: Tensor | None = None, **attrs: Any) -> Tensor:
        self.match(data, places, wanted)
        merge_shapes(data, places, ("data", "places"))
        own = None if data.shape is None else self._own(data.shape, **attrs)
        goal = own if wanted is None else self._wanted(own, wanted)
        if (count := dims.numel(goal)) is not None:
            for place in places.value or ():
                if not values.fits(place, 0, count - 1):
                    message = f"index {show_dim(place)} in `places` is out of range for {show(goal)}"
                    raise ShapeError(R.value_out_of_range, message, "input:1", [1])
        return Tensor(data.dtype, goal)

    @staticmethod
    def _own(shape: Shape, *, kernel: Sequence[int], dilations: Sequence[int] = (), **attrs: Any) -> Shape:
        """Return the shape that the pooling had been given, as far as its output shows."""
        want_rank(Tensor(None, shape), "data", 0, len(kernel) + 2)
        return (*shape[:2], *Windows(kernel, **attrs).spread(shape[2:], (0,) * len(kernel)))

    @staticmethod
    def _wanted(own: Shape | None, wanted: Tensor) -> Shape | None:
        lengths = values.as_dims(wanted)
        goal = None if lengths is None else tuple(map(values.to_dim, lengths))
        for k, (least, length) in enumerate(zip(own or (), goal or (), strict=False)):
            most = dims.bounds(length)[1]
            if most is not None and dims.bounds(least)[0] > most:
                message = f"expected at least {show_dim(least)} in `output_shape` for axis {k}, got {show(goal)}"
                raise ShapeError(R.value_out_of_range, message, "input:2", [0, 2])
        return goal

    def run(self, data: Any, places: Any, wanted: Any = None, **attrs: Any) -> Any:
        own: Any = self.shape(Tensor(None, data.shape), Tensor(), None, **attrs).shape
        goal = own if wanted is None else tuple(int(n) for n in wanted)  # onnxruntime 1.32 counts places in it
        result = np.zeros(prod(goal), data.dtype)
        result[places.reshape(-1)] = data.reshape(-1)
        return result.reshape(goal)
