"""Operators of which only a signature is known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.matching import match
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import broadcast, fits, normalise_axis, want_length, want_rank
from irlint.dryrun.ops.shared.reduction import ReduceAxes
from irlint.dryrun.signature import parse
from irlint.dryrun.tensor import UNKNOWN, Tensor
from irlint.graph import Shape, Type


class Signed(Operator):
    """An operator with a signature; operands that it does not list are unconstrained."""

    inputs = "operands*"

    def shape(self, *operands: Tensor, signature: str, names: Sequence[str] = (), **_: Any) -> list[Tensor]:
        return match(parse(signature), operands, names).results


class AsDeclared(Operator):
    """An unknown operator with its declared outputs, as long as its inputs match their declarations."""

    inputs = "operands*"

    def shape(self, *operands: Tensor, taken: Sequence[Type], made: Sequence[Type], **_: Any) -> list[Tensor]:
        if all(map(_agrees, taken, operands)):
            return [Tensor(*type_) for type_ in made]
        return [UNKNOWN] * len(made)


def _agrees(declared: Type, real: Tensor) -> bool:
    if None not in (declared.dtype, real.dtype) and declared.dtype != real.dtype:
        return False
    return declared.shape is None or real.shape is None or fits(declared.shape, real.shape)


class Grouped(Signed):
    """An operator with groups of operands; `lists` are the lengths of attributes with one number per group."""

    def shape(self, *operands: Tensor, signature: str, groups: int, lists: Mapping[str, int], **_: Any) -> list[Tensor]:  # type: ignore[override]
        for name, count in lists.items():
            want_length(count, groups, name, "weight")
        return super().shape(*operands, signature=signature)


class DiagIndices(Operator):
    """The places of the diagonal: one vector per axis, all axes of one length."""

    inputs = "data:[_,_,*_]"

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        self.match(data)
        if data.shape is None:
            return Tensor("int64")
        if not all(dims.compatible(dim, data.shape[0]) for dim in data.shape[1:]):
            message = f"expected equal dimensions for `data`, got {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return Tensor("int64", (len(data.shape), data.shape[0]))


class Svd(Operator):
    """Singular value decomposition of wide matrices: UT, L, V."""

    inputs = "data:S[*B,M,N]/T -> [*B,M,M]/T [*B,M]/T S/T"

    def shape(self, data: Tensor, **_: Any) -> list[Tensor]:
        found = self.match(data)
        if dims.bounds(found["M"])[0] > (dims.bounds(found["N"])[1] or math.inf):
            message = f"expected at most as many rows as columns for `data`, got {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return found.results


class TensorInverse(Operator):
    """The first `ind` dimensions together are as long as the others."""

    def shape(self, data: Tensor, *, ind: int, **_: Any) -> Tensor:
        kind = None if data.dtype is None else "float32" if data.dtype == "float32" else "float64"
        if data.shape is None:
            return Tensor(kind)
        first, second = data.shape[:ind], data.shape[ind:]
        front, back = dims.numel(first), dims.numel(second)
        if front is not None and back is not None and front != back:
            message = (
                f"expected as many elements in the first {ind} dimensions of `data` {show(data.shape)} ({front}) "
                f"as in the others ({back})"
            )
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return Tensor(kind, (*second, *first))


class Average(Operator):
    """Weighted means, and the sums of the weights."""

    inputs = "a weights?"

    def shape(self, a: Tensor, weights: Tensor | None = None, *, axis: Sequence[int] | None, **_: Any) -> list[Tensor]:
        (reduced,) = ReduceAxes().shape(a, axis=axis)
        if weights is not None and a.shape is not None and weights.shape is not None:
            self._check(a.shape, weights, weights.shape, axis)
        return [Tensor(None, reduced.shape), Tensor()]

    @staticmethod
    def _check(data: Shape, weights: Tensor, shape: Shape, axis: Sequence[int] | None) -> None:
        goal = data
        if len(shape) != len(data):
            want_rank(weights, "weights", 1, 1, len(data))
            if axis is None or len(axis) != 1:
                other = f"`weights` {show(shape)} with a shape other than that of `a` {show(data)}"
                message = f"expected one axis in `axis` for {other}"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
            goal = (data[normalise_axis(axis[0], len(data), "attr:axis")],)
        if not fits(goal, shape):
            message = f"`weights` {show(shape)} do not match `a` {show(data)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])


class Percentile(Operator):
    """Percentiles along axes; several of them come first."""

    inputs = "a q?:[]|[_]"

    def shape(self, a: Tensor, q: Tensor | None = None, *, axis: Any, keepdims: bool, **_: Any) -> Tensor:
        self.match(a, q)
        kind = None if a.dtype is None else "float64" if a.dtype == "float64" else "float32"
        (reduced,) = ReduceAxes().shape(a, axis=axis, keepdims=keepdims)
        several = () if q is None else q.shape
        return Tensor(kind, None if several is None or reduced.shape is None else (*several, *reduced.shape))


class Drawn(Operator):
    """Random numbers with parameters that broadcast, to `size` if it is given."""

    inputs = "first? second?"

    def shape(
        self, *given: Tensor | None, size: Sequence[int] | None, dtype: str | None, before: bool, **_: Any
    ) -> Tensor:
        tensors = [tensor for tensor in given if tensor is not None]
        shape: Shape | None = tensors[0].shape if tensors else ()
        if len(tensors) == 2:
            shape = broadcast(tensors[0], tensors[1], ("the first parameter", "the second"))
        if size is None:
            return Tensor(dtype, shape)
        if before:
            return Tensor(dtype, None if shape is None else (*size, *shape))
        if any(n < 0 for n in size):
            raise Undecided
        whole = Tensor(dtype, tuple(size))
        for k, tensor in enumerate(tensors):
            if tensor.shape is not None and len(tensor.shape) > len(size):
                continue  # MXNet compares the first dimensions only, which proves nothing
            laid = broadcast(tensor, whole, ("a parameter", "size"), indices=(k, k))
            if laid not in (None, whole.shape) and dims.is_known(laid):
                message = f"parameter of shape {show(tensor.shape)} does not broadcast to `size` {show(size)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k])
        return whole


class PseudoInverse(Operator):
    """Of every matrix; rcond has a number for all of them or for each."""

    inputs = "A:[*B,M,N]/T=wide rcond:_/single -> [*B,N,M]/wide:T"

    def shape(self, a: Tensor, rcond: Tensor, **_: Any) -> list[Tensor]:
        found = self.match(a, rcond)
        lead = found.shape("B")
        if lead is not None and rcond.shape is not None:
            laid = broadcast(Tensor(None, lead), rcond, ("the matrices", "rcond"), indices=(0, 1))
            if laid is not None and len(laid) > len(lead):
                message = (
                    f"rank of `rcond` {show(rcond.shape)} is higher than that of the matrices in `A` {show(a.shape)}"
                )
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return found.results


class Calibration(Operator):
    """Thresholds from a histogram and the edges of its bins."""

    inputs = "hist:_/float32 hist_edges:_/float32 -> [1]/float32 [1]/float32"

    def shape(self, hist: Tensor, edges: Tensor, **_: Any) -> list[Tensor]:
        found = self.match(hist, edges)
        bins, count = dims.numel(hist.shape), dims.numel(edges.shape)
        if bins is not None and count is not None and count != bins + 1:
            message = f"expected {bins + 1} numbers in `hist_edges` (one more than in `hist`), got {count}"
            raise ShapeError(R.element_count_mismatch, message, "input:1", [0, 1])
        return found.results
