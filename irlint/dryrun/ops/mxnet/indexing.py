"""Lookups, orders and masks with attributes: take, pick, one-hot, top-k, sort, sequences of different lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import replaced, show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import fits, normalise_axis
from irlint.dryrun.ops.moving.gathering import by_coordinates
from irlint.dryrun.ops.shaped import FromShape
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class Take(FromShape):
    """Slices along an axis, one per index; indices outside are clipped or wrapped."""

    inputs = "a indices"

    def made(self, shape: Shape, indices: Tensor, *, axis: int | None = 0, **_: Any) -> Shape | None:
        if indices.shape is None or axis is None:
            return indices.shape
        return replaced(shape, normalise_axis(axis, len(shape), "attr:axis"), *indices.shape)

    def run(self, data: Any, indices: Any, *, axis: int | None = 0, mode: str = "clip", **_: Any) -> Any:
        return np.take(data, indices.astype(np.int64), axis, mode="wrap" if mode == "wrap" else "clip")


class Pick(FromShape):
    """One element along an axis for every index."""

    inputs = "data index"
    kernel = "gathering.pick"

    def made(self, shape: Shape, index: Tensor, *, axis: int | None = -1, keepdims: bool = False, **_: Any) -> Shape:
        if axis is None:
            return (1,)
        at = normalise_axis(axis, len(shape), "attr:axis")
        kept, wide = replaced(shape, at), replaced(shape, at, 1)
        # the shape for a single number is not checked
        if index.shape and not (fits(kept, index.shape) or fits(wide, index.shape)):
            message = f"expected shape {show(kept)} for `index` (`data` {show(shape)} without axis {at}), got {show(index.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return wide if keepdims else kept or (1,)


class BatchTake(Operator):
    """One element of every row."""

    inputs = "a:[N,_]/T indices:S -> S/T"
    kernel = "gathering.batch_take"

    def shape(self, data: Tensor, indices: Tensor, **_: Any) -> list[Tensor]:
        found = self.match(data, indices)
        if indices.shape is not None and not dims.compatible(found["N"], dims.product(indices.shape)):
            message = f"expected one number per row of `a` {show(data.shape)} in `indices`, got {show(indices.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return found.results


class GatherNDFirst(FromShape):
    """Lookup with coordinates in the first dimension of the indices."""

    inputs = "data indices:[_,*_]"

    def made(self, shape: Shape, indices: Tensor, **_: Any) -> Shape | None:
        found = by_coordinates(shape, indices.shape, first=True) if indices.shape is not None else None
        return None if found is None else found[1]

    def run(self, data: Any, indices: Any, **_: Any) -> Any:
        return data[tuple(indices.astype(np.int64))]


class ScatterNDFirst(Operator):
    """Zeros with values written at coordinates."""

    inputs = "data:_/T indices -> [*shape]/T"

    def shape(self, data: Tensor, indices: Tensor, *, shape: Sequence[int], **_: Any) -> list[Tensor]:
        depth = indices.shape[0] if indices.shape else None
        if isinstance(depth, int) and indices.shape is not None and data.shape is not None:
            goal: Shape = (*indices.shape[1:], *shape[depth:])
            if depth > len(shape) or not fits(goal, data.shape):
                message = (
                    f"expected shape {show(goal)} for `data` (`indices` {show(indices.shape)}, `shape` "
                    f"{list(shape)}), got {show(data.shape)}"
                )
                raise ShapeError(R.shape_mismatch, message, "input:0", [0, 1])
        return self.match(data, indices, shape=shape).results

    def run(self, data: Any, indices: Any, *, shape: Sequence[int], **_: Any) -> Any:
        result = np.zeros(tuple(shape), data.dtype)
        result[tuple(indices.astype(np.int64))] = data
        return result


class OneHotDepth(Operator):
    """One-hot encoding on a new last axis."""

    inputs = "indices:S -> [*S,depth]/@dtype:float32"
    kernel = "ordering.one_hot_depth"


def _divides(given: Shape, shape: Shape) -> bool:
    """Return whether the number of elements may be a multiple of the number of conditions: the runtime checks no more."""
    count, whole = dims.product(given), dims.product(shape)
    return not (isinstance(count, int) and isinstance(whole, int)) or (0 < count <= whole and whole % count == 0)


class Where(Operator):
    """x where the condition is not zero, else y; a vector of conditions decides about rows."""

    inputs = "condition x:S y:S"

    def shape(self, condition: Tensor, x: Tensor, y: Tensor, **_: Any) -> Tensor:
        given, shape = condition.shape, self.match(condition, x, y).shape("S")
        if given is not None and shape is not None:
            if fits(shape, given):
                shape = tuple(map(dims.merge, shape, given))
            # mxnet 1.9.1: a vector of conditions decides about rows, and has as many elements
            elif not (dims.compatible(given[0], shape[0]) if len(given) == 1 and shape else _divides(given, shape)):
                message = f"expected shape {show(shape)} or one number per row for `condition`, got {show(given)}"
                raise ShapeError(R.shape_mismatch, message, "input:0", [0, 1])
        return Tensor(x.dtype or y.dtype, shape)

    def run(self, condition: Any, x: Any, y: Any, **_: Any) -> Any:
        if condition.shape != x.shape:
            condition = np.repeat(condition.reshape(-1), x.size // condition.size).reshape(x.shape)
        return np.where(condition != 0, x, y)


def asked(found: Any, places: Any, ret_typ: str) -> list[Any]:
    return [found, places] if ret_typ == "both" else [found] if ret_typ == "value" else [places]


class TopKAttr(Operator):
    """The k largest or smallest along an axis: their indices, values, both, or a mask."""

    kernel = "ordering.top_k_by"

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
        part = data.shape
        if part is not None:
            at = 0 if axis is None else normalise_axis(axis, len(part), "attr:axis")
            dim = dims.product(part) if axis is None else part[at]
            high = dims.bounds(dim)[1]
            if k > 0 and high is not None and k > high:
                message = f"`k` {k} is larger than the {show_dim(dim)} elements to choose from in {show(part)}"
                raise ShapeError(R.value_out_of_range, message, "attr:k", [0])
            # mxnet 1.9.1: k=0 gives all, in order
            part = replaced(() if axis is None else part, at, k if k >= 1 else dim)
        if ret_typ == "mask":
            return [data]
        return asked(Tensor(data.dtype, part), Tensor(dtype, part), ret_typ)


class Sort(TopKAttr):
    """All elements in order along an axis, or flattened; `places` gives the order instead of the elements."""

    kernel = "ordering.sort"

    def shape(self, data: Tensor, *, places: bool = False, **attrs: Any) -> list[Tensor]:
        return super().shape(data, k=0, ret_typ="indices" if places else "value", **attrs)


class ArgExtreme(Operator):
    """The index of the largest or smallest along an axis."""

    kernel = "ordering.arg_extreme"

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
        kind, single = dtype or data.dtype, () if scalar else (1,)
        if axis is None and not keepdims:
            return Tensor(kind, single)
        if data.shape is None or axis is None:
            return Tensor(kind, None if data.shape is None else (1,) * len(data.shape))
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        return Tensor(kind, replaced(data.shape, at, *((1,) if keepdims else ())) or single)


class SequenceStep(Operator):
    """Sequences of different lengths: masked, the last step, or reversed."""

    inputs = "data:[_,_,*_] sequence_length?"

    def check(self, data: Tensor, lengths: Tensor | None, axis: int) -> Shape | None:
        self.match(data, lengths)
        if data.shape is not None and lengths is not None and lengths.shape is not None:
            batch = data.shape[1 - axis] if axis in (0, 1) else None
            if not fits((batch,), lengths.shape):
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
    kernel = "gathering.mask_sequences"


class SequenceLast(SequenceStep):
    kernel = "gathering.last_of_sequences"

    def shape(self, data: Tensor, lengths: Tensor | None = None, *, axis: int = 0, **_: Any) -> Tensor:
        shape = self.check(data, lengths, axis)
        return Tensor(data.dtype, None if shape is None else (*shape[:axis], *shape[axis + 1 :]))


class SequenceReverse(SequenceStep):
    kernel = "gathering.reverse_sequences"
