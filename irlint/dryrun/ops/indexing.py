"""Lookups, orders and masks told by attributes: take, pick, one-hot, top-k, sort, sequences of different lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import merge_shapes, normalise_axis, want_least_rank, want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


class Take(Operator):
    """Slices along an axis, one per index; indices outside are clipped or wrapped."""

    inputs = "a indices"

    def shape(self, data: Tensor, indices: Tensor, *, axis: int | None = 0, **_: Any) -> Tensor:
        if data.shape is None or indices.shape is None:
            return Tensor(data.dtype, None)
        if axis is None:
            return Tensor(data.dtype, indices.shape)
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        return Tensor(data.dtype, (*data.shape[:at], *indices.shape, *data.shape[at + 1 :]))

    def run(self, data: Any, indices: Any, *, axis: int | None = 0, mode: str = "clip", **_: Any) -> Any:
        return np.take(data, indices.astype(np.int64), axis, mode="wrap" if mode == "wrap" else "clip")


class Pick(Operator):
    """One element along an axis for every index."""

    inputs = "data index"

    def shape(self, data: Tensor, index: Tensor, *, axis: int | None = -1, keepdims: bool = False, **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor(data.dtype, None)
        if axis is None:
            return Tensor(data.dtype, (1,))
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        kept = (*data.shape[:at], *data.shape[at + 1 :])
        wide = (*data.shape[:at], 1, *data.shape[at + 1 :])
        if index.shape and not any(  # of a single number nobody looks at the shape
            len(goal) == len(index.shape) and all(map(dims.compatible, goal, index.shape)) for goal in (kept, wide)
        ):
            message = (
                f"expected shape {show(kept)} for `index` (`data` {show(data.shape)} without axis {at}), got "
                f"{show(index.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(data.dtype, wide if keepdims else kept or (1,))

    def run(
        self, data: Any, index: Any, *, axis: int = -1, keepdims: bool = False, mode: str = "clip", **_: Any
    ) -> Any:
        length = data.shape[axis]
        picks = index.astype(np.int64)
        picks = picks % length if mode == "wrap" else np.clip(picks, 0, length - 1)
        if picks.ndim < data.ndim:
            picks = np.expand_dims(picks, axis)
        found = np.take_along_axis(data, picks, axis)
        return found if keepdims else np.squeeze(found, axis)


class BatchTake(Operator):
    """One element of every row."""

    inputs = "a indices"

    def shape(self, data: Tensor, indices: Tensor, **_: Any) -> Tensor:
        want_rank(data, "a", 0, 2)
        if (
            data.shape is not None
            and indices.shape is not None
            and not dims.compatible(data.shape[0], dims.product(indices.shape))
        ):
            message = f"expected one number per row of `a` {show(data.shape)} in `indices`, got {show(indices.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(data.dtype, indices.shape)

    def run(self, data: Any, indices: Any, **_: Any) -> Any:
        picks = np.clip(indices.astype(np.int64), 0, data.shape[1] - 1).reshape(-1)
        return data[np.arange(picks.size), picks].reshape(indices.shape)


class GatherNDFirst(Operator):
    """Coordinates stand in the first dimension of the indices."""

    inputs = "data indices"

    def shape(self, data: Tensor, indices: Tensor, **_: Any) -> Tensor:
        if data.shape is None or indices.shape is None:
            return Tensor(data.dtype, None)
        want_least_rank(indices, "indices", 1, 1)
        depth = indices.shape[0]
        if not isinstance(depth, int):
            return Tensor(data.dtype, None)
        if depth > len(data.shape):
            message = (
                f"first dimension of `indices` ({depth} coordinates per index) is larger than the rank of `data` "
                f"{show(data.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(data.dtype, (*indices.shape[1:], *data.shape[depth:]))

    def run(self, data: Any, indices: Any, **_: Any) -> Any:
        return data[tuple(indices.astype(np.int64))]


class ScatterNDFirst(Operator):
    """Zeros with values written at coordinates."""

    inputs = "data indices"

    def shape(self, data: Tensor, indices: Tensor, *, shape: Sequence[int], **_: Any) -> Tensor:
        if indices.shape is not None and isinstance(indices.shape[0], int) and data.shape is not None:
            depth = indices.shape[0]
            goal: Shape = (*indices.shape[1:], *shape[depth:])
            if depth > len(shape) or len(goal) != len(data.shape) or not all(map(dims.compatible, goal, data.shape)):
                message = (
                    f"expected shape {show(goal)} for `data` (`indices` {show(indices.shape)}, `shape` "
                    f"{list(shape)}), got {show(data.shape)}"
                )
                raise ShapeError(R.shape_mismatch, message, "input:0", [0, 1])
        return Tensor(data.dtype, tuple(shape))

    def run(self, data: Any, indices: Any, *, shape: Sequence[int], **_: Any) -> Any:
        result = np.zeros(tuple(shape), data.dtype)
        result[tuple(indices.astype(np.int64))] = data
        return result


class OneHotDepth(Operator):
    """A new last axis on which each index switches one place on."""

    inputs = "indices"

    def shape(self, indices: Tensor, *, depth: int, dtype: str | None = "float32", **_: Any) -> Tensor:
        return Tensor(dtype, None if indices.shape is None else (*indices.shape, depth))

    def run(
        self,
        indices: Any,
        *,
        depth: int,
        on_value: float = 1.0,
        off_value: float = 0.0,
        dtype: str = "float32",
        **_: Any,
    ) -> Any:
        hot = indices.astype(np.int64)[..., None] == np.arange(depth)
        return np.where(hot, on_value, off_value).astype(dtype)


def _divides(given: Shape, shape: Shape) -> bool:
    """Whether there are equally many elements for each of the conditions, or that may be: nobody looks any closer."""
    count, whole = dims.product(given), dims.product(shape)
    return not (isinstance(count, int) and isinstance(whole, int)) or (0 < count <= whole and whole % count == 0)


class Where(Operator):
    """x where the condition is not zero, else y; a vector of conditions decides about rows."""

    inputs = "condition x y"

    def shape(self, condition: Tensor, x: Tensor, y: Tensor, **_: Any) -> Tensor:
        shape = merge_shapes(x, y, ("x", "y"), (1, 2))
        given = condition.shape
        if given is None or shape is None:
            return Tensor(x.dtype or y.dtype, shape)
        if len(given) == len(shape) and all(map(dims.compatible, given, shape)):
            shape = merge_shapes(Tensor(None, shape), condition, ("x", "condition"), (1, 0))
        elif not (dims.compatible(given[0], shape[0]) if len(given) == 1 and shape else _divides(given, shape)):
            message = f"expected shape {show(shape)} or one number per row for `condition`, got {show(condition.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0, 1])
        return Tensor(x.dtype or y.dtype, shape)

    def run(self, condition: Any, x: Any, y: Any, **_: Any) -> Any:
        if condition.shape != x.shape:
            condition = np.repeat(condition.reshape(-1), x.size // condition.size).reshape(x.shape)
        return np.where(condition != 0, x, y)


class TopKAttr(Operator):
    """The k largest or smallest along an axis: their places, values, both, or a mask."""

    def shape(
        self,
        data: Tensor,
        *,
        axis: int | None = -1,
        k: int = 1,
        ret_typ: str = "indices",
        dtype: str | None = "float32",
        **_: Any,
    ) -> list[Tensor]:
        if data.shape is None:
            part: Shape | None = None
        elif axis is None:
            total = dims.product(data.shape)
            part = (self._count(data.shape, total, k, "attr:k"),)
        else:
            at = normalise_axis(axis, len(data.shape), "attr:axis")
            part = (*data.shape[:at], self._count(data.shape, data.shape[at], k, "attr:k"), *data.shape[at + 1 :])
        if ret_typ == "mask":
            return [data]
        found, places = Tensor(data.dtype, part), Tensor(dtype, part)
        return [found, places] if ret_typ == "both" else [found] if ret_typ == "value" else [places]

    @staticmethod
    def _count(shape: Shape, dim: Dim, k: int, part: str) -> Dim:
        high = dims.bounds(dim)[1]
        if k > 0 and high is not None and k > high:
            message = f"`k` {k} is larger than the {show_dim(dim)} elements to choose from in {show(shape)}"
            raise ShapeError(R.value_out_of_range, message, part, [0])
        return k if k >= 1 else dim

    def run(
        self,
        data: Any,
        *,
        axis: int | None = -1,
        k: int = 1,
        ret_typ: str = "indices",
        is_ascend: bool = False,
        dtype: str = "float32",
        **_: Any,
    ) -> Any:
        flat = data.reshape(-1) if axis is None else data
        at = 0 if axis is None else axis
        count = k if k >= 1 else flat.shape[at]
        order = np.argsort(flat if is_ascend else -flat, at, kind="stable")
        picks = np.take(order, np.arange(count), at)
        if ret_typ == "mask":
            mask = np.zeros(flat.shape, data.dtype)
            np.put_along_axis(mask, picks, 1, at)
            return [mask.reshape(data.shape)]
        found, places = np.take_along_axis(flat, picks, at), picks.astype(dtype)
        return [found, places] if ret_typ == "both" else [found] if ret_typ == "value" else [places]


class Sort(Operator):
    """Sorted along an axis, or flattened; `places` gives the order instead of the elements."""

    def shape(
        self, data: Tensor, *, axis: int | None = -1, places: bool = False, dtype: str | None = "float32", **_: Any
    ) -> Tensor:
        kind = dtype if places else data.dtype
        if data.shape is None:
            return Tensor(kind, None)
        if axis is None:
            return Tensor(kind, (dims.product(data.shape),))
        normalise_axis(axis, len(data.shape), "attr:axis")
        return Tensor(kind, data.shape)

    def run(
        self,
        data: Any,
        *,
        axis: int | None = -1,
        places: bool = False,
        is_ascend: bool = True,
        dtype: str = "float32",
        **_: Any,
    ) -> Any:
        flat, at = (data.reshape(-1), 0) if axis is None else (data, axis)
        order = np.argsort(flat if is_ascend else -flat, at, kind="stable")
        return order.astype(dtype) if places else np.take_along_axis(flat, order, at)


class ArgExtreme(Operator):
    """Where the largest or smallest stands along an axis."""

    def shape(
        self,
        data: Tensor,
        *,
        axis: int | None = None,
        keepdims: bool = False,
        dtype: str | None = None,
        scalar: bool = False,
        **_: Any,
    ) -> Tensor:
        kind = dtype or data.dtype
        single: Shape = () if scalar else (1,)
        if axis is None:
            return Tensor(kind, single if not keepdims else None if data.shape is None else (1,) * len(data.shape))
        if data.shape is None:
            return Tensor(kind, None)
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        part = (1,) if keepdims else ()
        return Tensor(kind, (*data.shape[:at], *part, *data.shape[at + 1 :]) or single)

    def run(
        self,
        data: Any,
        *,
        axis: int | None = None,
        keepdims: bool = False,
        smallest: bool = False,
        dtype: str | None = None,
        scalar: bool = False,
        **_: Any,
    ) -> Any:
        find = np.argmin if smallest else np.argmax
        found = find(data, axis, keepdims=keepdims).astype(dtype or data.dtype)
        return found if found.ndim or scalar else found.reshape(1)


class SequenceStep(Operator):
    """Sequences of different lengths: what lies beyond masked, the last step, or the order turned round."""

    inputs = "data sequence_length?"

    def check(self, data: Tensor, lengths: Tensor | None, axis: int) -> Shape | None:
        want_least_rank(data, "data", 0, 2)
        if data.shape is None:
            return None
        if lengths is not None and lengths.shape is not None:
            batch = data.shape[1 - axis] if axis in (0, 1) else None
            if len(lengths.shape) != 1 or not dims.compatible(lengths.shape[0], batch):
                message = (
                    f"expected shape [{show_dim(batch)}] for `sequence_length` (one number per sequence of `data` "
                    f"{show(data.shape)}), got {show(lengths.shape)}"
                )
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return data.shape

    def shape(self, data: Tensor, lengths: Tensor | None = None, *, axis: int = 0, **_: Any) -> Tensor:
        self.check(data, lengths, axis)
        return data


class SequenceMask(SequenceStep):
    def run(self, data: Any, lengths: Any = None, *, axis: int = 0, value: float = 0.0, **_: Any) -> Any:
        if lengths is None:
            return data
        steps = np.arange(data.shape[axis])
        inside = steps[:, None] < lengths if axis == 0 else steps < lengths[:, None]
        return np.where(inside.reshape(inside.shape + (1,) * (data.ndim - 2)), data, data.dtype.type(value))


class SequenceLast(SequenceStep):
    def shape(self, data: Tensor, lengths: Tensor | None = None, *, axis: int = 0, **_: Any) -> Tensor:
        shape = self.check(data, lengths, axis)
        return Tensor(data.dtype, None if shape is None else (*shape[:axis], *shape[axis + 1 :]))

    def run(self, data: Any, lengths: Any = None, *, axis: int = 0, **_: Any) -> Any:
        if lengths is None:
            return np.take(data, -1, axis)
        moved = np.moveaxis(data, axis, 0)
        return moved[lengths.astype(np.int64) - 1, np.arange(moved.shape[1])]


class SequenceReverse(SequenceStep):
    def run(self, data: Any, lengths: Any = None, **_: Any) -> Any:
        if lengths is None:
            return np.flip(data, 0)
        steps = np.arange(data.shape[0])[:, None]
        counts = lengths.astype(np.int64)[None, :]
        order = np.where(steps < counts, counts - 1 - steps, steps)
        return data[order, np.arange(data.shape[1])]
