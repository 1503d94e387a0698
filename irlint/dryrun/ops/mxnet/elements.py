"""Elements by their coordinates, and rows that are taken or replaced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis
from irlint.dryrun.tensor import Tensor


def _want_shape(shape: Sequence[int] | None) -> Sequence[int]:
    """Return the shape for coordinates, which is required."""
    if not shape:
        found = "left out" if shape is None else f"{tuple(shape)}"
        raise ShapeError(R.value_out_of_range, f"expected at least one dimension in `shape`, got {found}", "attr:shape")
    return shape


class Ravel(Operator):
    """Coordinates, axis by axis, as indices into a flattened tensor."""

    inputs = "data:[coordinates,*S]/T -> S/T"

    def shape(self, data: Tensor, *, shape: Sequence[int] | None, **_: Any) -> list[Tensor]:
        return self.match(data, coordinates=len(_want_shape(shape))).results

    def run(self, data: Any, *, shape: Sequence[int], **_: Any) -> Any:
        steps = np.cumprod((*shape[1:], 1)[::-1])[::-1]
        return np.tensordot(steps, data, 1).astype(data.dtype)


class Unravel(Operator):
    """Indices into a flattened tensor as coordinates."""

    def shape(self, data: Tensor, *, shape: Sequence[int] | None, **_: Any) -> Tensor:
        shape = _want_shape(shape)
        return Tensor(data.dtype, (len(shape), data.shape[0] if data.shape else None))  # MXNet reads the first row only

    def run(self, data: Any, *, shape: Sequence[int], **_: Any) -> Any:
        left, found = data.reshape(-1)[: len(data)].astype(np.int64), []
        for k, length in reversed(list(enumerate(shape))):
            found.append(left % length if k or length > 0 else left)
            left = left // length
        return np.stack(found[::-1]).astype(data.dtype)


class IndexArray(Operator):
    """The coordinates of every element along the given axes."""

    def shape(self, data: Tensor, *, axes: Sequence[int] | None = None, **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor("int64", None)
        listed = [normalise_axis(a, len(data.shape), "attr:axes", "axes") for a in axes or ()]
        return Tensor("int64", (*data.shape, len(listed) if axes is not None else len(data.shape)))

    def run(self, data: Any, *, axes: Sequence[int] | None = None, **_: Any) -> Any:
        found = np.moveaxis(np.indices(data.shape), 0, -1)
        return found if axes is None else found[..., [a % data.ndim for a in axes]]


class IndexCopy(Operator):
    """A tensor with rows replaced."""

    inputs = "old_tensor:S/T index_vector:[N] new_tensor:[]|[N,*_] -> S/T"

    def run(self, old: Any, index: Any, new: Any, **_: Any) -> Any:
        found = old.copy()
        found[index.astype(np.int64)] = new
        return found


class BooleanMask(Operator):
    """Those slices along an axis where the mask is not zero."""

    inputs = "data index:[_]"

    def shape(self, data: Tensor, index: Tensor, *, axis: int = 0, **_: Any) -> Tensor:
        self.match(data, index)
        if data.shape is None:
            return data
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        if index.shape is not None and not dims.compatible(index.shape[0], data.shape[at]):
            message = f"expected one number per slice of `data` {show(data.shape)} in `index`, got {show(index.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(data.dtype, (*data.shape[:at], None, *data.shape[at + 1 :]))

    def run(self, data: Any, index: Any, *, axis: int = 0, **_: Any) -> Any:
        return np.compress(index != 0, data, axis)
