"""Operators that few models have: histograms, sums of squares, sketches, types made equal."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.dtypes import BITS
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import fits, want_rank
from irlint.dryrun.ops.shaped import only
from irlint.dryrun.ops.shared.reduction import ReduceAxes
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class ShapedLikeFirst(Operator):
    """The shape of the first input; the computation is unknown."""

    inputs = "data:S/T more* -> S/T"


class Quadratic(Operator):
    inputs = "data:S/T -> S/T"

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


class Histogram(Operator):
    """The number of elements in each bin, and the bins' edges."""

    inputs = "data bins?:[_]"

    def shape(self, data: Tensor, bins: Tensor | None = None, *, count: int | None = None, **_: Any) -> list[Tensor]:
        self.match(data, bins)
        edges: Dim = None if count is None else count + 1
        if bins is not None:
            edges = bins.shape[0] if bins.shape is not None else None
        return [Tensor("int64", (dims.subtract(edges, 1),)), Tensor((bins or data).dtype, (edges,))]

    def run(self, data: Any, bins: Any = None, *, count: int | None = None, range: Any = None, **_: Any) -> Any:
        edges = bins if bins is not None else np.linspace(range[0], range[1], count + 1).astype(data.dtype)  # type: ignore[operator]
        return [np.histogram(data, edges)[0].astype(np.int64), edges]


class SizeArray(Operator):
    """The number of elements."""

    inputs = "data -> [1]/int64"

    def run(self, data: Any, **_: Any) -> Any:
        return np.array([data.size])


class AllFinite(Operator):
    """1 if there is no infinity and no NaN in any of the tensors."""

    inputs = "data+ -> [1]/float32"

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


class SquareSum(ReduceAxes):
    """Sums of squares over axes."""

    def run(self, data: Any, **attrs: Any) -> Any:
        return super().run(np.square(data), fold="sum", **attrs)


class AllClose(Operator):
    """1 if all elements are nearly equal."""

    inputs = "a b -> []/uint8"

    def run(self, a: Any, b: Any, *, rtol: float, atol: float, equal_nan: bool = True, **_: Any) -> Any:
        return np.uint8(np.allclose(a, b, rtol, atol, equal_nan))


class CountSketch(Operator):
    """Columns added, with their signs, to the columns that h names."""

    inputs = "data:S[_,C]|S[_,_,_,C] h:[_,C,*_] s:[_,C,*_]"

    def shape(self, data: Tensor, h: Tensor, s: Tensor, *, out_dim: int, **_: Any) -> Tensor:
        self.match(data, h, s)
        return Tensor(data.dtype, data.shape and (*data.shape[:-1], out_dim))

    def run(self, data: Any, h: Any, s: Any, *, out_dim: int, **_: Any) -> Any:
        found = np.zeros((*data.shape[:-1], out_dim), data.dtype)
        np.add.at(found, (..., h.reshape(-1).astype(np.int64)), data * s.reshape(-1))
        return found


class CountNonzero(Operator):
    inputs = "data:[_,_]"

    def shape(self, data: Tensor, *, axis: int | None = None, **_: Any) -> Tensor:
        self.match(data)
        return Tensor("int64", (1,) if axis is None else data.shape and (data.shape[1 - axis],))


class MovedTaps(Operator):
    """A convolution whose taps are moved by offsets; `first` is the place of the weight among the operands."""

    inputs = "data offset more+"

    def shape(self, data: Tensor, offset: Tensor, *more: Tensor, first: int, units: int, **given: Any) -> Tensor:
        from irlint.dryrun.ops.mxnet.biased import ConvolutionBias

        weight, *bias = more[first - 2 :]
        found = only(ConvolutionBias().shape(data, weight, *bias, units=units, **given))
        for k, (tensor, name) in enumerate(((offset, "offset"), (more[0], "mask"))[: first - 1], 1):
            want_rank(tensor, name, k, 4)
            if tensor.shape is not None and found.rank == 4 and not fits((found.shape or ())[2:], tensor.shape[2:]):
                sizes = f"{show(tensor.shape)} do not match the output {show(found.shape)}"
                raise ShapeError(R.shape_mismatch, f"height and width of `{name}` {sizes}", f"input:{k}", [0, k])
        return found
