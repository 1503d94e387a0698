"""Operators that behave as NumPy's functions of the same name do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import broadcast, normalise_axis, same_dtype, want_least_rank
from irlint.dryrun.ops.elementwise import beside_number
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


class Tested(Operator):
    """A question to every element."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return Tensor("bool", data.shape)

    def run(self, data: Any, *, function: str, **_: Any) -> Any:
        return getattr(np, function)(data)


class Fitted(Operator):
    """A function of NumPy that keeps the shape, with more arguments."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return data

    def run(self, data: Any, *, function: str, arguments: dict[str, Any], **_: Any) -> Any:
        return np.asarray(getattr(np, function)(data, **arguments), data.dtype)


_WHOLE = frozenset(("lcm", "bitwise_and", "bitwise_or", "bitwise_xor"))  # of whole numbers only, whatever the number is


class Paired(Operator):
    """A function of NumPy of two operands that broadcast; a question gives truth."""

    inputs = "lhs rhs"

    def shape(
        self, a: Tensor, b: Tensor, *, function: str, question: bool = False, whole: bool | None = None, **_: Any
    ) -> Tensor:
        whole = None if function in _WHOLE else whole
        dtype = beside_number(same_dtype((a, b), self.names), whole)
        return Tensor("bool" if question else dtype, broadcast(a, b, (self.names[0], self.names[1])))

    def run(self, a: Any, b: Any, *, function: str, question: bool = False, whole: bool | None = None, **_: Any) -> Any:
        if whole is not None and function not in _WHOLE:
            a, b = (
                x.astype(beside_number(x.dtype.name, whole), copy=False) if hasattr(x, "dtype") else x for x in (a, b)
            )
        if function == "ldexp":
            return a * np.power(2.0, b).astype(getattr(b, "dtype", np.float32))
        with np.errstate(all="ignore"):
            result = getattr(np, function)(a, b)
        return result if question else np.asarray(result, np.result_type(a, b))


class Together(Operator):
    """Tensors side by side: vstack, hstack, dstack, column_stack by the axis that they grow along."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, function: str, **_: Any) -> Tensor:
        shapes = [self.raised(tensor.shape, function) for tensor in tensors]
        known = [shape for shape in shapes if shape is not None]
        if len(known) != len(shapes):
            return Tensor(tensors[0].dtype, None)
        first = known[0]
        axis = {"vstack": 0, "hstack": 1 if len(first) > 1 else 0, "dstack": 2, "column_stack": 1}[function]
        total: Dim = 0
        for k, shape in enumerate(known):
            if len(shape) != len(first) or not all(
                dims.compatible(a, b) for j, (a, b) in enumerate(zip(shape, first, strict=True)) if j != axis
            ):
                raise ShapeError(
                    R.shape_mismatch,
                    f"input {k} {show(tensors[k].shape)} and input 0 {show(tensors[0].shape)} must be alike but for "
                    f"dimension {axis}",
                    f"input:{k}",
                    [0, k],
                )
            total = dims.add(total, shape[axis])
        return Tensor(tensors[0].dtype, (*first[:axis], total, *first[axis + 1 :]))

    @staticmethod
    def raised(shape: Shape | None, function: str) -> Shape | None:
        """With the dimensions that the function adds."""
        if shape is None:
            return None
        if function == "vstack":
            return shape if len(shape) > 1 else (1, *shape) if shape else (1, 1)
        if function == "hstack":
            return shape or (1,)
        if function == "column_stack":
            return shape if len(shape) > 1 else (*shape, 1) if shape else (1, 1)
        return shape if len(shape) > 2 else (*shape, 1) if len(shape) == 2 else (1, *(shape or (1,)), 1)

    def run(self, *arrays: Any, function: str, **_: Any) -> Any:
        return getattr(np, function)(arrays)


class AtLeast(Operator):
    """Dimensions of 1 added until there are enough."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, rank: int, **_: Any) -> list[Tensor]:
        return [Tensor(t.dtype, self.raised(t.shape, rank)) for t in tensors]

    @staticmethod
    def raised(shape: Shape | None, rank: int) -> Shape | None:
        if shape is None or len(shape) >= rank:
            return shape
        if rank == 3 and len(shape) == 2:
            return (*shape, 1)
        if rank == 3 and len(shape) == 1:
            return (1, *shape, 1)
        return (1,) * (rank - len(shape)) + shape

    def run(self, *arrays: Any, rank: int, **_: Any) -> Any:
        return [array.reshape(self.raised(array.shape, rank)) for array in arrays]


class MoveAxis(Operator):
    def shape(self, data: Tensor, *, source: Sequence[int], destination: Sequence[int], **_: Any) -> Tensor:
        if data.shape is None:
            return data
        rank = len(data.shape)
        if len(source) != len(destination):
            raise ShapeError(R.wrong_value_length, "source and destination must list as many axes", "attr:destination")
        gone = [normalise_axis(a, rank, "attr:source", "source") for a in source]
        to = [normalise_axis(a, rank, "attr:destination", "destination") for a in destination]
        order = [k for k in range(rank) if k not in gone]
        for place, axis in sorted(zip(to, gone, strict=True)):
            order.insert(place, axis)
        return Tensor(data.dtype, tuple(data.shape[k] for k in order))

    def run(self, data: Any, *, source: Sequence[int], destination: Sequence[int], **_: Any) -> Any:
        return np.moveaxis(data, source, destination)


class Roll(Operator):
    def shape(self, data: Tensor, *, axis: Sequence[int] | None = None, **_: Any) -> Tensor:
        if data.shape is not None:
            for a in axis or ():
                normalise_axis(a, len(data.shape), "attr:axis")
        return data

    def run(self, data: Any, *, shift: Sequence[int], axis: Sequence[int] | None = None, **_: Any) -> Any:
        if axis is None:
            return np.roll(data, sum(shift))
        return np.roll(data, shift if len(shift) == len(axis) else shift[0], tuple(axis))


class Rotate(Operator):
    """By a number of quarter turns in the plane of two axes."""

    def shape(self, data: Tensor, *, k: int = 1, axes: Sequence[int] | None = None, **_: Any) -> Tensor:
        if k % 4 == 0:
            return data
        if axes is None or len(axes) != 2:
            raise ShapeError(R.wrong_value_length, "axes must list two axes", "attr:axes" if axes else "node")
        if data.shape is None:
            return Tensor(data.dtype, None)
        a, b = (normalise_axis(axis, len(data.shape), "attr:axes", "axes") for axis in axes)
        result = list(data.shape)
        if k % 2:
            result[a], result[b] = result[b], result[a]
        return Tensor(data.dtype, tuple(result))

    def run(self, data: Any, *, k: int = 1, axes: Sequence[int] | None = None, **_: Any) -> Any:
        return np.rot90(data, k, tuple(axes or (0, 1)))


class Diagonals(Operator):
    """A diagonal over two axes, or its sum."""

    def shape(
        self, data: Tensor, *, offset: int = 0, axis1: int = 0, axis2: int = 1, total: bool = False, **_: Any
    ) -> Tensor:
        want_least_rank(data, "data", 0, 2)
        if data.shape is None:
            return data
        a = normalise_axis(axis1, len(data.shape), "attr:axis1", "axis1")
        b = normalise_axis(axis2, len(data.shape), "attr:axis2", "axis2")
        if a == b:
            raise ShapeError(R.axis_out_of_range, f"axis1 and axis2 are both {a}", "attr:axis2")
        rest = tuple(dim for k, dim in enumerate(data.shape) if k not in (a, b))
        if total:
            return Tensor(data.dtype, rest)
        rows, columns = data.shape[a], data.shape[b]
        length: Dim = None
        if isinstance(rows, int) and isinstance(columns, int):
            length = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
        return Tensor(data.dtype, (*rest, length))

    def run(self, data: Any, *, offset: int = 0, axis1: int = 0, axis2: int = 1, total: bool = False, **_: Any) -> Any:
        return (np.trace if total else np.diagonal)(data, offset, axis1, axis2)


class FlatDiagonal(Operator):
    """A matrix with all elements on a diagonal."""

    def shape(self, data: Tensor, *, k: int = 0, **_: Any) -> Tensor:
        side = dims.add(dims.product(data.shape), abs(k)) if data.shape is not None else None
        return Tensor(data.dtype, (side, side))

    def run(self, data: Any, *, k: int = 0, **_: Any) -> Any:
        return np.diagflat(data, k)


class LowerTriangle(Operator):
    def shape(self, data: Tensor, **_: Any) -> Tensor:
        if data.shape is not None and len(data.shape) == 1:
            return Tensor(data.dtype, (data.shape[0], data.shape[0]))
        return data

    def run(self, data: Any, *, k: int = 0, **_: Any) -> Any:
        return np.tril(data, k)


class Difference(Operator):
    """Between neighbours, n times."""

    def shape(self, data: Tensor, *, n: int = 1, axis: int = -1, **_: Any) -> Tensor:
        want_least_rank(data, "a", 0, 1)
        if data.shape is None:
            return data
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        return Tensor(data.dtype, (*data.shape[:at], dims.interval(*_less(data.shape[at], n)), *data.shape[at + 1 :]))

    def run(self, data: Any, *, n: int = 1, axis: int = -1, **_: Any) -> Any:
        return np.diff(data, n, axis)


def _less(dim: Dim, by: int) -> tuple[int, int | None]:
    low, high = dims.bounds(dim)
    return max(low - by, 0), None if high is None else max(high - by, 0)


class Product(Operator):
    """Matrix products: of stacks that broadcast, or summed over the listed axes."""

    inputs = "a b"

    def shape(self, a: Tensor, b: Tensor, **_: Any) -> Tensor:
        if a.shape is None or b.shape is None:
            return Tensor(a.dtype, None)
        if not a.shape or not b.shape:
            k = 0 if not a.shape else 1
            raise ShapeError(R.wrong_rank, f"{self.names[k]} must not be a scalar", f"input:{k}", [k])
        left = (1, *a.shape) if len(a.shape) == 1 else a.shape
        right = (*b.shape, 1) if len(b.shape) == 1 else b.shape
        if not dims.compatible(left[-1], right[-2]):
            raise ShapeError(
                R.shape_mismatch,
                f"a {show(a.shape)} has {show_dim(left[-1])} columns, b {show(b.shape)} has {show_dim(right[-2])} rows",
                "input:1",
                [0, 1],
            )
        lead = broadcast(Tensor(None, left[:-2]), Tensor(None, right[:-2]), ("a", "b")) or ()
        result = lead
        result += (left[-2],) if len(a.shape) > 1 else ()
        result += (right[-1],) if len(b.shape) > 1 else ()
        return Tensor(a.dtype, result)

    def run(self, a: Any, b: Any, **_: Any) -> Any:
        return np.matmul(a, b)


class DotProduct(Operator):
    """The last axis of one with the last but one of the other."""

    inputs = "a b"

    def shape(self, a: Tensor, b: Tensor, **_: Any) -> Tensor:
        if a.shape is None or b.shape is None:
            return Tensor(a.dtype, None)
        if not a.shape or not b.shape:
            return Tensor(a.dtype, a.shape or b.shape)
        at = -2 if len(b.shape) > 1 else -1
        if not dims.compatible(a.shape[-1], b.shape[at]):
            raise ShapeError(
                R.shape_mismatch,
                f"the last dimension of a {show(a.shape)} and dimension {at} of b {show(b.shape)} must be equal",
                "input:1",
                [0, 1],
            )
        rest = b.shape[:-2] + b.shape[-1:] if len(b.shape) > 1 else ()
        return Tensor(a.dtype, a.shape[:-1] + rest)

    def run(self, a: Any, b: Any, **_: Any) -> Any:
        return np.dot(a, b)


class TensorDot(Operator):
    """Summed over pairs of axes: so many at the end of one and the beginning of the other, or listed ones."""

    inputs = "a b"

    def shape(self, a: Tensor, b: Tensor, *, axes: Any, **_: Any) -> Tensor:
        if a.shape is None or b.shape is None:
            return Tensor(a.dtype, None)
        if isinstance(axes, int):
            if not 0 <= axes <= min(len(a.shape), len(b.shape)):
                raise ShapeError(
                    R.axis_out_of_range,
                    f"axes is {axes}; a is {show(a.shape)}, b is {show(b.shape)}",
                    "attr:axes",
                    [0, 1],
                    [Tensor(a.dtype, a.shape + b.shape)] if axes < 0 else None,  # summed over no axes
                )
            first = list(range(len(a.shape) - axes, len(a.shape)))
            second = list(range(axes))
        else:
            first = [normalise_axis(k, len(a.shape), "attr:a_axes_summed", "a_axes_summed") for k in axes[0]]
            second = [normalise_axis(k, len(b.shape), "attr:b_axes_summed", "b_axes_summed") for k in axes[1]]
        for j, k in zip(first, second, strict=False):
            if not dims.compatible(a.shape[j], b.shape[k]):
                raise ShapeError(
                    R.shape_mismatch,
                    f"dimension {j} of a {show(a.shape)} and dimension {k} of b {show(b.shape)} must be equal",
                    "input:1",
                    [0, 1],
                )
        rest = [dim for k, dim in enumerate(a.shape) if k not in first]
        return Tensor(a.dtype, (*rest, *(dim for k, dim in enumerate(b.shape) if k not in second)))

    def run(self, a: Any, b: Any, *, axes: Any, **_: Any) -> Any:
        return np.tensordot(a, b, max(axes, 0) if isinstance(axes, int) else axes)


class Einsum(Operator):
    """Products and sums by the letters of subscripts."""

    inputs = "arg+"

    def shape(self, *tensors: Tensor, subscripts: str | None, **_: Any) -> Tensor:
        if subscripts is None:
            raise Undecided
        sources, arrow, target = subscripts.replace(" ", "").partition("->")
        terms = sources.split(",")
        if odd := next((c for c in sources + target if c not in ",." and not (c.isascii() and c.isalpha())), None):
            message = f"the subscripts {subscripts!r} hold {odd!r}; they are made of letters, commas and one '->'"
            raise ShapeError(R.value_out_of_range, message, "attr:subscripts")
        if len(terms) != len(tensors):
            message = f"the subscripts {subscripts!r} are for {len(terms)} input{'s' * (len(terms) != 1)}, not for {len(tensors)}"
            raise ShapeError(R.value_out_of_range, message, "attr:subscripts")
        if "." in subscripts:
            raise Undecided
        if not arrow:
            letters = sources.replace(",", "")
            target = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
        found: dict[str, Dim] = {}
        for k, (term, tensor) in enumerate(zip(terms, tensors, strict=True)):
            if tensor.shape is None:
                continue
            if len(term) != len(tensor.shape):
                raise ShapeError(
                    R.wrong_rank,
                    f"the subscripts {term!r} name {len(term)} dimensions, but input {k} is {show(tensor.shape)}",
                    f"input:{k}",
                    [k],
                )
            for letter, dim in zip(term, tensor.shape, strict=True):
                known = found.get(letter)
                if not dims.broadcastable(known, dim):
                    raise ShapeError(
                        R.shape_mismatch,
                        f"{letter!r} is {show_dim(known)} and, in input {k} {show(tensor.shape)}, {show_dim(dim)}",
                        f"input:{k}",
                        [k],
                    )
                found[letter] = dim if known is None else dims.broadcast(known, dim)
        return Tensor(tensors[0].dtype, tuple(found.get(letter) for letter in target))

    def run(self, *arrays: Any, subscripts: str, **_: Any) -> Any:
        return np.einsum(subscripts, *arrays)


class Running(Operator):
    """Sums of all elements up to each one, along an axis or over all."""

    def shape(self, data: Tensor, *, axis: int | None = None, dtype: str | None = None, **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor(dtype or data.dtype, (None,) if axis is None else None)
        if axis is None:
            return Tensor(dtype or data.dtype, (dims.product(data.shape),))
        normalise_axis(axis, len(data.shape), "attr:axis")
        return Tensor(dtype or data.dtype, data.shape)

    def run(self, data: Any, *, axis: int | None = None, dtype: str | None = None, **_: Any) -> Any:
        return np.cumsum(data, axis, dtype=dtype or data.dtype)


class Window(Operator):
    """A window function of a length."""

    inputs = ""

    def shape(self, *, length: int | None, dtype: str | None = None, **_: Any) -> Tensor:
        return Tensor(dtype, (max(length or 0, 0),))

    def run(self, *, length: int | None, function: str, dtype: str = "float32", **_: Any) -> Any:
        return getattr(np, function)(length or 0).astype(dtype)


class Indices(Operator):
    """The indices of a grid, axis by axis."""

    inputs = ""

    def shape(self, *, dimensions: Sequence[int], dtype: str | None = "int32", **_: Any) -> Tensor:
        return Tensor(dtype, (len(dimensions), *dimensions))

    def run(self, *, dimensions: Sequence[int], dtype: str = "int32", **_: Any) -> Any:
        return np.indices(tuple(dimensions)).astype(dtype)


class LogSpace(Operator):
    inputs = ""

    def shape(self, *, num: int, dtype: str | None = "float32", **_: Any) -> Tensor:
        return Tensor(dtype, (num,))

    def run(
        self,
        *,
        start: float,
        stop: float,
        num: int,
        endpoint: bool = True,
        base: float = 10.0,
        dtype: str = "float32",
        **_: Any,
    ) -> Any:
        return np.logspace(start, stop, num, endpoint, base).astype(dtype)


class Choose(Operator):
    """x where the condition holds, else y; all three broadcast."""

    inputs = "condition x y"

    def shape(self, condition: Tensor, x: Tensor, y: Tensor, **_: Any) -> Tensor:
        both = broadcast(x, y, ("x", "y"), indices=(1, 2))
        whole = broadcast(condition, Tensor(None, both), ("condition", "x and y"))
        return Tensor(x.dtype or y.dtype, whole)

    def run(self, condition: Any, x: Any, y: Any, **_: Any) -> Any:
        return np.where(condition, x, y).astype(getattr(x, "dtype", None) or getattr(y, "dtype", None) or np.float32)


class PadPairs(Operator):
    """Padding in pairs, one for each axis; of a vector, the first numbers of two."""

    def shape(self, data: Tensor, *, pad_width: Sequence[Sequence[int]], **_: Any) -> Tensor:
        if data.shape is None:
            return data
        rank = len(data.shape)
        wanted, numbers = (2, 1) if rank == 1 else (rank, 2)
        outputs = None
        if len(pad_width) >= wanted and all(len(pair) >= numbers for pair in pad_width[:wanted]):
            widths = self.widths(pad_width, rank)
            lengths = (dims.add(dim, sum(pair)) for dim, pair in zip(data.shape, widths, strict=True))
            outputs = [Tensor(data.dtype, tuple(lengths))]
        if outputs is None or len(pad_width) > wanted:
            raise ShapeError(
                R.wrong_value_length,
                f"pad_width must be {wanted} pairs for {show(data.shape)}, but is {[*map(tuple, pad_width)]}",
                "attr:pad_width",
                [0],
                outputs,
            )
        return outputs[0]

    @staticmethod
    def widths(pad_width: Sequence[Sequence[int]], rank: int) -> list[tuple[int, int]]:
        if rank == 1:
            return [(pad_width[0][0], pad_width[1][0])]
        return [(pair[0], pair[1]) for pair in pad_width[:rank]]

    def run(
        self,
        data: Any,
        *,
        pad_width: Sequence[Sequence[int]],
        mode: str = "constant",
        constant_value: float = 0.0,
        **_: Any,
    ) -> Any:
        widths = self.widths(pad_width, data.ndim)
        if mode == "constant":
            return np.pad(data, widths, constant_values=constant_value)
        return np.pad(data, widths, mode)


class Polynomial(Operator):
    """A polynomial, the highest power first, at every x."""

    inputs = "p x"

    def shape(self, p: Tensor, x: Tensor, **_: Any) -> Tensor:
        return x

    def run(self, p: Any, x: Any, **_: Any) -> Any:
        return np.polyval(p, x).astype(x.dtype)


class Spread(Operator):
    """Variance or deviation over axes."""

    def shape(
        self,
        data: Tensor,
        *,
        axis: Sequence[int] | None = None,
        keepdims: bool = False,
        dtype: str | None = None,
        **_: Any,
    ) -> list[Tensor]:
        from irlint.dryrun.ops.reduction import ReduceAxes

        found = ReduceAxes().shape(data, axis=axis, keepdims=keepdims, exact=True)[0]
        return [Tensor(dtype or data.dtype, found.shape)] * 2

    def run(
        self,
        data: Any,
        *,
        function: str,
        axis: Sequence[int] | None = None,
        ddof: int = 0,
        keepdims: bool = False,
        dtype: str | None = None,
        **_: Any,
    ) -> Any:
        axes = None if axis is None else tuple(axis)
        kind = dtype or data.dtype
        mean = np.mean(data, axes, keepdims=keepdims)
        found = getattr(np, function)(data, axes, ddof=ddof, keepdims=keepdims)
        return [np.asarray(found, kind), np.asarray(mean, kind)]


class Anything(Operator):
    """Whether any element, or all, are true, over axes."""

    def shape(self, data: Tensor, *, axis: Sequence[int] | None = None, keepdims: bool = False, **_: Any) -> Tensor:
        from irlint.dryrun.ops.reduction import ReduceAxes

        return Tensor("bool", ReduceAxes().shape(data, axis=axis, keepdims=keepdims, exact=True)[0].shape)

    def run(
        self, data: Any, *, function: str, axis: Sequence[int] | None = None, keepdims: bool = False, **_: Any
    ) -> Any:
        return getattr(np, function)(data, None if axis is None else tuple(axis), keepdims=keepdims)
