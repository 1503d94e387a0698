"""Operators that few models have: losses, histograms, indices of elements, slices written to, Fourier pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.dtypes import BITS
from irlint.dryrun.errors import NoKernel, ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import merge_dims, merge_shapes, normalise_axis, want_least_rank, want_rank
from irlint.dryrun.ops.creation import RandomLike
from irlint.dryrun.ops.reduction import ReduceAxes
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class Alike(Operator):
    """The shape of the first input; what is computed is not known."""

    inputs = "data more*"

    def shape(self, data: Tensor, *_: Tensor, **__: Any) -> Tensor:
        return data


class Quadratic(Operator):
    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return data

    def run(self, data: Any, *, a: float = 0.0, b: float = 0.0, c: float = 0.0, **_: Any) -> Any:
        kind = data.dtype.type
        return kind(a) * data * data + kind(b) * data + kind(c)


class Stored(Operator):
    """The same numbers, kept in another way: compressed rows are of matrices."""

    def shape(self, data: Tensor, *, sparse: bool, **_: Any) -> Tensor:
        if sparse:
            want_rank(data, "data", 0, 2)
        return data

    def run(self, data: Any, **_: Any) -> Any:
        return data


class CrossEntropy(Operator):
    """The sum over rows of the negated logarithm of the right class's share."""

    inputs = "data label"

    def shape(self, data: Tensor, label: Tensor, **_: Any) -> Tensor:
        want_rank(data, "data", 0, 2)
        want_rank(label, "label", 1, 1)
        if data.shape is not None and label.shape is not None and not dims.compatible(data.shape[0], label.shape[0]):
            raise ShapeError(
                R.shape_mismatch,
                f"label {show(label.shape)} must have one number per row of data {show(data.shape)}",
                "input:1",
                [0, 1],
            )
        return Tensor(data.dtype, (1,))

    def run(self, data: Any, label: Any, **_: Any) -> Any:
        moved = data - data.max(1, keepdims=True)
        share = moved - np.log(np.exp(moved).sum(1, keepdims=True))
        return -share[np.arange(len(data)), label.astype(np.int64)].sum(keepdims=True)


class ConnectionistLoss(Operator):
    """The loss of a labelling without alignment, for every sequence of (time, batch, classes)."""

    inputs = "data label data_lengths? label_lengths?"

    def shape(self, data: Tensor, label: Tensor, *_: Any, **__: Any) -> list[Tensor]:
        want_rank(data, "data", 0, 3)
        want_rank(label, "label", 1, 2)
        if data.shape is not None and label.shape is not None and not dims.compatible(data.shape[1], label.shape[0]):
            raise ShapeError(
                R.shape_mismatch,
                f"label {show(label.shape)} must have one row per sequence of data {show(data.shape)}, "
                f"that is {show_dim(data.shape[1])}",
                "input:1",
                [0, 1],
            )
        return [Tensor(data.dtype, (data.shape[1] if data.shape is not None else None,)), data]

    def run(
        self, data: Any, label: Any, lengths: Any = None, counts: Any = None, *, first: bool = True, **_: Any
    ) -> Any:
        moved = data - data.max(2, keepdims=True)
        shares = (moved - np.log(np.exp(moved).sum(2, keepdims=True))).astype(np.float64)
        blank = 0 if first else data.shape[2] - 1
        found = []
        for k in range(data.shape[1]):
            row = label[k].astype(np.int64)
            size = int(counts[k]) if counts is not None else self._length(row, first)
            time = int(lengths[k]) if lengths is not None else data.shape[0]
            found.append(-self._likelihood(shares[:time, k], row[:size], blank))
        return [np.array(found, data.dtype), np.exp(shares).astype(data.dtype)]

    @staticmethod
    def _length(row: Any, first: bool) -> int:
        """Where the padding begins: 0 where the blank is first, else -1."""
        ends = np.flatnonzero(row == (0 if first else -1))
        return int(ends[0]) if len(ends) else len(row)

    @staticmethod
    def _likelihood(shares: Any, row: Any, blank: int) -> Any:
        """The logarithm of the chance of a labelling, by all alignments with blanks between its labels."""
        states = np.full(2 * len(row) + 1, blank)
        states[1::2] = row
        jump = np.zeros(len(states), bool)
        jump[3::2] = row[1:] != row[:-1]
        alpha = np.full(len(states), -np.inf)
        alpha[:2] = shares[0, states[:2]]
        for t in range(1, len(shares)):
            before = np.concatenate([[-np.inf], alpha[:-1]])
            skipped = np.where(jump, np.concatenate([[-np.inf, -np.inf], alpha])[: len(states)], -np.inf)
            alpha = np.logaddexp(np.logaddexp(alpha, before), skipped) + shares[t, states]
        return np.logaddexp.reduce(alpha[-2:])


class Histogram(Operator):
    """How many elements lie in each bin, and the bins' edges."""

    inputs = "data bins?"

    def shape(self, data: Tensor, bins: Tensor | None = None, *, count: int | None = None, **_: Any) -> list[Tensor]:
        if bins is None:
            assert count is not None
            return [Tensor("int64", (count,)), Tensor(data.dtype, (count + 1,))]
        want_rank(bins, "bins", 1, 1)
        edges = bins.shape[0] if bins.shape is not None else None
        return [Tensor("int64", (dims.subtract(edges, 1),)), Tensor(bins.dtype, (edges,))]

    def run(self, data: Any, bins: Any = None, *, count: int | None = None, range: Any = None, **_: Any) -> Any:
        edges = bins if bins is not None else np.linspace(range[0], range[1], count + 1).astype(data.dtype)  # type: ignore[operator]
        return [np.histogram(data, edges)[0].astype(np.int64), edges]


def _want_shape(shape: Sequence[int] | None) -> Sequence[int]:
    """The shape that places are counted in, which must be given."""
    if not shape:
        found = "left out" if shape is None else f"{tuple(shape)}"
        raise ShapeError(R.value_out_of_range, f"shape is {found}; it must have at least one dimension", "attr:shape")
    return shape


class Ravel(Operator):
    """Coordinates, axis by axis, as places in a flattened tensor."""

    def shape(self, data: Tensor, *, shape: Sequence[int] | None, **_: Any) -> Tensor:
        shape = _want_shape(shape)
        want_least_rank(data, "data", 0, 1)
        if data.shape is not None and not dims.can_be(data.shape[0], len(shape)):
            raise ShapeError(
                R.shape_mismatch,
                f"data {show(data.shape)} must have {len(shape)} coordinates, as shape {tuple(shape)} has",
                "input:0",
                [0],
            )
        return Tensor(data.dtype, None if data.shape is None else data.shape[1:])

    def run(self, data: Any, *, shape: Sequence[int], **_: Any) -> Any:
        steps = np.cumprod((*shape[1:], 1)[::-1])[::-1]
        return np.tensordot(steps, data, 1).astype(data.dtype)


class Unravel(Operator):
    """Places in a flattened tensor as coordinates."""

    def shape(self, data: Tensor, *, shape: Sequence[int] | None, **_: Any) -> Tensor:
        shape = _want_shape(shape)
        return Tensor(data.dtype, (len(shape), data.shape[0] if data.shape else None))  # MXNet reads the first row only

    def run(self, data: Any, *, shape: Sequence[int], **_: Any) -> Any:
        left, found = data.reshape(-1)[: len(data)].astype(np.int64), []
        for k, length in reversed(list(enumerate(shape))):
            found.append(left % length if k or length > 0 else left)
            left = left // length
        return np.stack(found[::-1]).astype(data.dtype)


class SizeArray(Operator):
    """The number of elements."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return Tensor("int64", (1,))

    def run(self, data: Any, **_: Any) -> Any:
        return np.array([data.size])


class AllFinite(Operator):
    """1 if there is no infinity and no NaN in any of the tensors."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, **_: Any) -> Tensor:
        return Tensor("float32", (1,))

    def run(self, *arrays: Any, **_: Any) -> Any:
        return np.array([float(all(np.isfinite(a).all() for a in arrays))], np.float32)


class SumsOfSquares(Operator):
    """One number for each tensor."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, **_: Any) -> Tensor:
        return Tensor("float32", (len(tensors),))

    def run(self, *arrays: Any, **_: Any) -> Any:
        return np.array([np.square(a).sum() for a in arrays], np.float32)


class SameType(Operator):
    """All tensors in the widest (or narrowest) of their types."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, narrow: bool = False, **_: Any) -> list[Tensor]:
        kinds = {t.dtype for t in tensors}
        dtype = None
        if None not in kinds:
            dtype = (min if narrow else max)(kinds, key=lambda kind: BITS[kind or "float32"])
        return [Tensor(dtype, t.shape) for t in tensors]

    def run(self, *arrays: Any, narrow: bool = False, **_: Any) -> Any:
        dtype = (min if narrow else max)((a.dtype for a in arrays), key=lambda kind: kind.itemsize)
        return [a.astype(dtype) for a in arrays]


class SliceAssign(Operator):
    """A tensor with a slice of it replaced."""

    inputs = "lhs rhs"

    def shape(self, data: Tensor, new: Tensor, **given: Any) -> Tensor:
        from irlint.dryrun.ops.pieces import SliceRanges

        try:
            cut = SliceRanges().shape(data, **given)
        except ShapeError as error:
            if error.rule == R.empty_output:  # nothing is replaced
                error.outputs = (data,)
            raise
        assert isinstance(cut, Tensor)
        if new.shape:
            merge_shapes(cut, new, ("the slice", "rhs"))
        return data

    def run(
        self, data: Any, new: Any, *, begin: Sequence[Any], end: Sequence[Any], step: Sequence[Any] = (), **_: Any
    ) -> Any:
        found = data.copy()
        steps = step or (None,) * len(begin)
        found[tuple(slice(a, b, c) for a, b, c in zip(begin, end, steps, strict=False))] = new
        return found


class ScatterSet(Operator):
    """A tensor with elements at listed coordinates replaced."""

    inputs = "lhs rhs indices"

    def shape(
        self, data: Tensor, new: Tensor, indices: Tensor, *, whole: Sequence[int] | None = None, **_: Any
    ) -> Tensor:
        if whole and min(whole) > 0 and data.shape is not None:
            if len(data.shape) != len(whole) or not all(map(dims.can_be, data.shape, whole)):
                message = f"lhs {show(data.shape)} must have the shape {show(whole)}, as the attribute shape says"
                raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        if indices.shape is not None and data.shape is not None:
            depth = indices.shape[0] if indices.shape else 1
            if isinstance(depth, int) and depth > len(data.shape):
                message = (
                    f"indices {show(indices.shape)} have {depth} rows, more than lhs {show(data.shape)} has dimensions"
                )
                raise ShapeError(R.shape_mismatch, message, "input:2", [0, 2])
        return data

    def run(self, data: Any, new: Any, indices: Any, **_: Any) -> Any:
        found = data.copy()
        found[tuple(indices.astype(np.int64))] = new
        return found


class SquareSum(ReduceAxes):
    """Sums of squares over axes."""

    def run(self, data: Any, **attrs: Any) -> Any:
        return super().run(np.square(data), fold="sum", **attrs)


class IndexArray(Operator):
    """For every element its coordinates along the axes asked for."""

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

    inputs = "old_tensor index_vector new_tensor"

    def shape(self, old: Tensor, index: Tensor, new: Tensor, **_: Any) -> Tensor:
        want_rank(index, "index_vector", 1, 1)
        if index.shape is not None and new.shape and not dims.compatible(index.shape[0], new.shape[0]):
            raise ShapeError(
                R.shape_mismatch,
                f"new_tensor {show(new.shape)} must have a row for each of the {show_dim(index.shape[0])} indices",
                "input:2",
                [1, 2],
            )
        return old

    def run(self, old: Any, index: Any, new: Any, **_: Any) -> Any:
        found = old.copy()
        found[index.astype(np.int64)] = new
        return found


class BooleanMask(Operator):
    """Those slices along an axis where the mask is not zero."""

    inputs = "data index"

    def shape(self, data: Tensor, index: Tensor, *, axis: int = 0, **_: Any) -> Tensor:
        want_rank(index, "index", 1, 1)
        if data.shape is None:
            return data
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        if index.shape is not None and not dims.compatible(index.shape[0], data.shape[at]):
            raise ShapeError(
                R.shape_mismatch,
                f"index {show(index.shape)} must have one number per slice of data {show(data.shape)}",
                "input:1",
                [0, 1],
            )
        return Tensor(data.dtype, (*data.shape[:at], None, *data.shape[at + 1 :]))

    def run(self, data: Any, index: Any, *, axis: int = 0, **_: Any) -> Any:
        return np.compress(index != 0, data, axis)


class AllClose(Operator):
    """1 if all elements are nearly equal."""

    inputs = "a b"

    def shape(self, a: Tensor, b: Tensor, **_: Any) -> Tensor:
        return Tensor("uint8", ())

    def run(self, a: Any, b: Any, *, rtol: float, atol: float, equal_nan: bool = True, **_: Any) -> Any:
        return np.uint8(np.allclose(a, b, rtol, atol, equal_nan))


class Fourier(Operator):
    """The transform along the last axis, real and imaginary parts in turn."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        want_least_rank(data, "data", 0, 1)
        return Tensor(data.dtype, None if data.shape is None else (*data.shape[:-1], dims.multiply(data.shape[-1], 2)))

    def run(self, data: Any, **_: Any) -> Any:
        found = np.fft.fft(data)
        return np.stack([found.real, found.imag], -1).reshape(*data.shape[:-1], -1).astype(data.dtype)


class FourierBack(Operator):
    """The way back, not divided by the length."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        want_least_rank(data, "data", 0, 1)
        return Tensor(
            data.dtype, None if data.shape is None else (*data.shape[:-1], dims.floor_divide(data.shape[-1], 2))
        )

    def run(self, data: Any, **_: Any) -> Any:
        parts = data.reshape(*data.shape[:-1], -1, 2)
        return (np.fft.ifft(parts[..., 0] + 1j * parts[..., 1]).real * parts.shape[-2]).astype(data.dtype)


class CountSketch(Operator):
    """Columns added, with their signs, to the columns that h names."""

    inputs = "data h s"

    def shape(self, data: Tensor, h: Tensor, s: Tensor, *, out_dim: int, **_: Any) -> Tensor:
        want_rank(data, "data", 0, 2, 4)
        for k, (tensor, name) in enumerate(((h, "h"), (s, "s")), 1):
            want_least_rank(tensor, name, k, 2)
            if data.shape is not None and tensor.shape is not None:
                message = f"{name} {show(tensor.shape)} must have one number per column of data {show(data.shape)}"
                merge_dims(data.shape[-1], tensor.shape[1], message, k, [0, k])
        return Tensor(data.dtype, None if data.shape is None else (*data.shape[:-1], out_dim))

    def run(self, data: Any, h: Any, s: Any, *, out_dim: int, **_: Any) -> Any:
        found = np.zeros((*data.shape[:-1], out_dim), data.dtype)
        np.add.at(found, (..., h.reshape(-1).astype(np.int64)), data * s.reshape(-1))
        return found


class CountNonzero(Operator):
    def shape(self, data: Tensor, *, axis: int | None = None, **_: Any) -> Tensor:
        want_rank(data, "data", 0, 2)
        if axis is None:
            return Tensor("int64", (1,))
        return Tensor("int64", None if data.shape is None else (data.shape[1 - axis],))


class Drawn(Operator):
    """Classes drawn by their chances, and the logarithm of these."""

    def shape(
        self, data: Tensor, *, shape: Sequence[int] = (), dtype: str | None = "int32", chances: bool = False, **_: Any
    ) -> list[Tensor]:
        want_least_rank(data, "data", 0, 1)
        if data.shape is None:
            return [Tensor(dtype, None), Tensor(data.dtype, None)][: 1 + chances]
        whole = (*data.shape[:-1], *shape) or (1,)
        return [Tensor(dtype, whole), Tensor(data.dtype, whole)][: 1 + chances]


class Shuffled(RandomLike):
    """Rows in another order."""


class Density(Operator):
    """How likely samples are, by the parameters of each one's distribution."""

    inputs = "sample first second?"

    def shape(
        self, sample: Tensor, first: Tensor, second: Tensor | None = None, *, vectors: bool = False, **_: Any
    ) -> Tensor:
        if second is not None:
            merge_shapes(first, second, ("the first parameter", "the second"), (1, 2))
        if sample.shape is None:
            return sample
        last = sample.shape[-1:] if vectors else ()
        if first.shape is not None:
            begins = sample.shape[: len(first.shape) - len(last)] + last
            if (
                len(first.shape) > len(sample.shape)
                or len(begins) != len(first.shape)
                or not all(map(dims.compatible, first.shape, begins))
            ):
                wanted = "samples of each distribution: its shape has to begin with that of the parameters"
                message = f"sample {show(sample.shape)} must have {wanted}, {show(first.shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(sample.dtype, sample.shape[:-1] or (1,)) if vectors else sample

    def run(self, sample: Any, first: Any, second: Any = None, *, kind: str, logarithm: bool = False, **_: Any) -> Any:
        if kind in ("negative_binomial", "generalized_negative_binomial", "dirichlet"):
            raise NoKernel
        from irlint.dryrun.special import gammaln

        wide = first.shape + (1,) * (sample.ndim - first.ndim)
        a = first.reshape(wide).astype(np.float64)
        b = None if second is None else second.reshape(wide).astype(np.float64)
        x = sample.astype(np.float64)
        with np.errstate(all="ignore"):
            if kind == "uniform":
                found = -np.log(b - a) + np.where((x < a) | (x > b), -np.inf, 0)
            elif kind == "normal":
                found = -np.square((x - a) / b) / 2 - np.log(b) - math.log(2 * math.pi) / 2
            elif kind == "gamma":
                found = a * np.log(b) + (a - 1) * np.log(x) - b * x - gammaln(a)
            elif kind == "exponential":
                found = np.log(a) - a * x
            else:
                found = x * np.log(a) - gammaln(x + 1) - a
        return (found if logarithm else np.exp(found)).astype(sample.dtype)


class MovedTaps(Operator):
    """A convolution whose taps are moved by offsets; `first` is the place of the weight among the operands."""

    inputs = "data offset more+"

    def shape(self, data: Tensor, offset: Tensor, *more: Tensor, first: int, units: int, **given: Any) -> Tensor:
        from irlint.dryrun.ops.biased import ConvolutionBias

        weight, *bias = more[first - 2 :]
        found = ConvolutionBias().shape(data, weight, *bias, units=units, **given)
        assert isinstance(found, Tensor)
        for k, tensor in ((1, offset), *(((2, more[0]),) if first == 3 else ())):
            want_rank(tensor, "mask" if k == 2 else "offset", k, 4)
            if tensor.shape is None or found.shape is None:
                continue
            for axis in (2, 3):
                self._same(tensor, found.shape[axis], axis, k, found)
        return found

    @staticmethod
    def _same(tensor: Tensor, length: Dim, axis: int, k: int, found: Tensor) -> None:
        assert tensor.shape is not None
        if not dims.compatible(tensor.shape[axis], length):
            raise ShapeError(
                R.shape_mismatch,
                f"{'mask' if k == 2 else 'offset'} {show(tensor.shape)} must be as high and wide as the result {show(found.shape)}",
                f"input:{k}",
                [0, k],
            )
