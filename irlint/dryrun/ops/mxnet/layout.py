"""Axes: flatten, swap, move, insert and remove; reshape by codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, counted
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis
from irlint.dryrun.ops.shaped import Reordered, Reshaped, without_ones
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape
from irlint.text.numbers import told


class Flatten(Reshaped):
    """Flatten all dimensions but the first."""

    inputs = "data:[_,*_]"

    def made(self, shape: Shape, /, **_: Any) -> Shape:
        # mxnet 1.9.1 makes (3, 1) of (3,)
        return shape[0], dims.product(shape[1:])

    def unmade(self, **_: Any) -> Shape:
        return None, None


class ReshapeCodes(Reshaped):
    """Reshape: 0 keeps a dimension, -1 is inferred, -2 keeps all the rest, -3 merges two, -4 splits one into the next two."""

    keep, rest, merge, split = 0, -2, -3, -4
    drop: int | None = None

    def unmade(self, *, shape: Sequence[int], **_: Any) -> Shape | None:
        plain = all(code > 0 or code == -1 for code in shape)
        return tuple(code if code > 0 else None for code in shape) if plain else None

    def made(self, given: Shape, /, *, shape: Sequence[int], reverse: bool = False, **_: Any) -> Shape:
        # mxnet 1.9.1 reads all codes from right to left: with `reverse` the two parts of a split come before its -4
        found = self.decode(given[::-1], shape[::-1]) if reverse else self.decode(given, shape)
        result = found[::-1] if reverse else found
        total, asked = dims.product(given), dims.product(result)
        if isinstance(total, int) and isinstance(asked, int) and total != asked:
            # mxnet 1.9.1 infers this shape for a symbol and runs it, reading beyond the data
            message = (
                f"{show(given)} has {told(total)} elements, but `shape` {tuple(shape)} needs {told(asked)} "
                f"for {show(result)}"
            )
            raise ShapeError(R.element_count_mismatch, message, "attr:shape", [0])
        return result

    def decode(self, shape: Shape, codes: Sequence[int]) -> Shape:
        result: list[Dim] = []
        left: list[Dim] = list(shape)
        hole = -1
        queue = list(codes)

        def take(code: int) -> Dim:
            if not left:
                message = f"code {code} of `shape` {tuple(codes)} is past the last dimension of {show(shape)}"
                raise ShapeError(R.axis_out_of_range, message, "attr:shape", [0])
            return left.pop(0)

        while queue:
            code = queue.pop(0)
            if code == self.keep:
                result.append(take(code))
            elif code == self.drop:
                _want_one(take(code), code)
            elif code >= -1:
                if code == -1 and hole >= 0:
                    raise _several_holes(codes)
                hole = len(result) if code == -1 else hole
                result.append(None if code == -1 else code)
                del left[:1]
            elif code == self.rest:
                result += left
                left = []
            elif code == self.merge:
                result.append(dims.multiply(take(code), take(code)))
            elif code == self.split and len(queue) > 1:
                result += self._split(take(code), queue.pop(0), queue.pop(0), codes)
            else:
                wrong = f"unknown code {code} in `shape` {tuple(codes)}"
                if code == self.split:
                    wrong = f"expected two numbers after {code} in `shape`, got {tuple(codes)}"
                raise ShapeError(R.value_out_of_range, wrong, "attr:shape")
        if hole >= 0:
            result[hole] = self._rest(shape, result, hole, codes)
        return tuple(result)

    @staticmethod
    def _split(dim: Dim, first: int, second: int, codes: Sequence[int]) -> list[Dim]:
        if first == second == -1 or min(first, second) < -1:
            wrong = f"both parts of a split are -1 in `shape` {tuple(codes)}"
            if min(first, second) < -1:
                wrong = f"expected numbers of at least -1 for the parts of a split in `shape`, got {tuple(codes)}"
            raise ShapeError(R.value_out_of_range, wrong, "attr:shape")
        known = second if first == -1 else first
        is_divided = known <= 0 or dims.divisible(dim, known)
        if not is_divided or (first > 0 and second > 0 and not dims.can_be(dim, first * second)):
            message = f"dimension of length {show_dim(dim)} cannot be split into {first} and {second}"
            raise ShapeError(R.element_count_mismatch, message, "attr:shape", [0])
        rest = dims.exact_divide(dim, known) if known > 0 else None
        return [rest, second] if first == -1 else [first, rest if second == -1 and known > 0 else second]

    @staticmethod
    def _rest(shape: Shape, result: list[Dim], hole: int, codes: Sequence[int]) -> Dim:
        total = dims.product(shape)
        part = dims.product(dim for k, dim in enumerate(result) if k != hole)
        if not isinstance(part, int) or part == 0:
            return None
        if not dims.divisible(total, part):
            message = (
                f"elements of {show(shape)} ({show_dim(total)}) are not a multiple of the other lengths in "
                f"`shape` {tuple(codes)}"
            )
            raise ShapeError(R.element_count_mismatch, message, "attr:shape", [0])
        return dims.exact_divide(total, part)


def _several_holes(codes: Sequence[int]) -> ShapeError:
    # mxnet 1.9.1: One and only one dim can be inferred
    return ShapeError(R.value_out_of_range, f"expected at most one -1 in `shape`, got {tuple(codes)}", "attr:shape")


def _want_one(dim: Dim, code: int) -> None:
    if not dims.can_be(dim, 1):
        message = f"expected a dimension of length 1 for code {code}, got {show_dim(dim)}"
        raise ShapeError(R.element_count_mismatch, message, "attr:shape", [0])


class ReshapeNumpyCodes(ReshapeCodes):
    """Reshape of mxnet.np: 0 is a length, -2 keeps a dimension, -3 drops one of length 1, -4 keeps all the rest, -5 merges two,
    -6 splits one."""

    keep, rest, merge, split, drop = -2, -4, -5, -6, -3

    def decode(self, shape: Shape, codes: Sequence[int]) -> Shape:
        if codes.count(-1) > 1:  # in a split, too
            raise _several_holes(codes)
        return super().decode(shape, codes)

    @staticmethod
    def _rest(shape: Shape, result: list[Dim], hole: int, codes: Sequence[int]) -> Dim:
        if 0 in (*result[:hole], *result[hole + 1 :]) and dims.is_known(shape):
            message = f"`shape` {tuple(codes)} cannot infer a dimension next to one of size 0"
            raise ShapeError(R.element_count_mismatch, message, "attr:shape", [0])
        return ReshapeCodes._rest(shape, result, hole, codes)


class ReshapeLike(Reshaped):
    """Replace a range of dimensions by a range of another tensor's."""

    inputs = "lhs rhs"

    def unmade(self, like: Tensor, **ends: Any) -> Shape | None:
        is_whole = all(ends.get(f"{side}_{end}") is None for side in ("lhs", "rhs") for end in ("begin", "end"))
        return like.shape if is_whole else None

    def made(self, shape: Shape, like: Tensor, /, **ends: Any) -> Shape | None:
        if like.shape is None:
            return None
        first, last = self._range(len(shape), "lhs", ends)
        other, until = self._range(len(like.shape), "rhs", ends)
        result = (*shape[:first], *like.shape[other:until], *shape[last:])
        one, two = dims.product(shape), dims.product(result)
        if not dims.compatible(one, two):
            message = (
                f"`lhs` {show(shape)} has {show_dim(one)} elements, but the output {show(result)} has {show_dim(two)}"
            )
            raise ShapeError(R.element_count_mismatch, message, "input:1", [0, 1])
        return result

    @staticmethod
    def _range(rank: int, side: str, ends: dict[str, Any]) -> tuple[int, int]:
        """Return the places of the attributes `begin` and `end` of a side."""
        begin, end = ends.get(f"{side}_begin"), ends.get(f"{side}_end")
        first, last = int(begin or 0), rank if end is None else int(end)
        first, last = (first + rank if first < 0 else first), (last + rank if last < 0 else last)
        if not 0 <= first <= rank or not 0 <= last <= rank:
            message = f"`{side}_begin` and `{side}_end` are out of range for rank {rank}"
            raise ShapeError(R.axis_out_of_range, message, f"attr:{side}_begin")
        return first, last


def _swapped(shape: Shape, a: int, b: int) -> Shape:
    result = list(shape)
    result[a], result[b] = result[b], result[a]
    return tuple(result)


class SwapAxes(Reordered):
    def order(self, shape: Shape, /, *, dim1: int = 0, dim2: int = 0, **_: Any) -> Sequence[int]:
        rank = len(shape)
        a, b = normalise_axis(dim1, rank, "attr:dim1", "dim1"), normalise_axis(dim2, rank, "attr:dim2", "dim2")
        # mxnet 1.9.1 takes an axis twice, and changes nothing then
        return [b if k == a else a if k == b else k for k in range(rank)]


class Permute(Reordered):
    """Transpose; without axes, reverse them."""

    def unmade(self, *, axes: Sequence[int] | None = None, **_: Any) -> Shape | None:
        return (None,) * len(axes) if axes else None

    def order(self, shape: Shape, /, *, axes: Sequence[int] | None = None, **_: Any) -> Sequence[int]:
        rank = len(shape)
        order = [axis + rank if axis < 0 else axis for axis in axes or range(rank - 1, -1, -1)]
        if sorted(order) != list(range(rank)):
            message = f"`axes` {tuple(axes or ())} is not a permutation of the {rank} axes of {show(shape)}"
            raise ShapeError(R.axis_out_of_range, message, "attr:axes", [0])
        return order


class ExpandDims(Reshaped):
    """New dimensions of length 1."""

    def made(self, shape: Shape, /, *, axis: int, num_newaxis: int = 1, **_: Any) -> Shape:
        at = normalise_axis(axis, len(shape) + 1, "attr:axis")
        return (*shape[:at], *(1,) * counted(num_newaxis), *shape[at:])


class SqueezeAxes(Reshaped):
    """Remove dimensions of length 1: the listed ones, or all. `least` keeps one dimension."""

    def made(self, shape: Shape, /, *, axis: Sequence[int] | None = None, least: int = 0, **_: Any) -> Shape | None:
        kept = without_ones(shape)
        if axis is not None:
            listed = {normalise_axis(a, len(shape), "attr:axis") for a in axis}
            wrong = next((a for a in sorted(listed) if not dims.can_be(shape[a], 1)), None)
            if wrong is not None:
                only = f"{show_dim(shape[wrong])}; only dimensions of length 1 can be removed"
                raise ShapeError(R.shape_mismatch, f"dimension {wrong} of {show(shape)} is {only}", "attr:axis", [0])
            kept = tuple(dim for k, dim in enumerate(shape) if k not in listed)
        # mxnet 1.9.1 makes (1,) of (1, 1)
        return kept if kept is None or len(kept) >= least else (1,) * least


class MoveAxis(Reordered):
    def order(self, shape: Shape, /, *, source: Sequence[int], destination: Sequence[int], **_: Any) -> Sequence[int]:
        rank = len(shape)
        gone = [normalise_axis(a, rank, "attr:source", "source") for a in source]
        to = [normalise_axis(a, rank, "attr:destination", "destination") for a in destination]
        order = [k for k in range(rank) if k not in gone]
        for place, axis in sorted(zip(to, gone, strict=True)):
            order.insert(place, axis)
        return order


class Rotate(Operator):
    """Rotate by multiples of 90 degrees in the plane of two axes."""

    def shape(self, data: Tensor, *, k: int = 1, axes: Sequence[int] | None = None, **_: Any) -> Tensor:
        if k % 4 == 0:
            return data
        if axes is None or len(axes) != 2:
            raise ShapeError(R.wrong_value_length, "expected two axes in `axes`", "attr:axes" if axes else "node")
        if data.shape is None:
            return Tensor(data.dtype, None)
        a, b = (normalise_axis(axis, len(data.shape), "attr:axes", "axes") for axis in axes)
        return Tensor(data.dtype, _swapped(data.shape, a, b) if k % 2 else data.shape)

    def run(self, data: Any, *, k: int = 1, axes: Sequence[int] | None = None, **_: Any) -> Any:
        return np.rot90(data, k, tuple(axes or (0, 1)))
