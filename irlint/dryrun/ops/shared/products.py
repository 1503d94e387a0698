"""Products of tensors as NumPy has them."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis
from irlint.dryrun.ops.shared.matrix import product_of
from irlint.dryrun.ops.shared.signed import Signed
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim
from irlint.text import words

halves: Any = Later("irlint.dryrun.running.arrays")


class Matmul(Operator):
    """Matrix products: of stacks that broadcast, or sums over the listed axes."""

    inputs = "a:[_,*_] b:[_,*_]"
    prepares = (1,)

    def shape(self, a: Tensor, b: Tensor, **_: Any) -> Tensor:
        self.match(a, b)
        return Tensor(a.dtype, product_of(a.shape, b.shape))

    def prepare(self, a: Any, b: Any, **_: Any) -> dict[str, Any]:
        return {"right": halves.widened(b)} if b.dtype == np.float16 else {}

    def run(self, a: Any, b: Any, *, right: Any = None, **_: Any) -> Any:
        from irlint.dryrun.kernels.products import product

        return product(a, b if right is None else right)


class DotProduct(Operator):
    """The last axis of one with the second-to-last of the other."""

    inputs = "a b"

    def shape(self, a: Tensor, b: Tensor, **_: Any) -> Tensor:
        if a.shape is None or b.shape is None:
            return Tensor(a.dtype, None)
        if not a.shape or not b.shape:
            return Tensor(a.dtype, a.shape or b.shape)
        at = -2 if len(b.shape) > 1 else -1
        if not dims.compatible(a.shape[-1], b.shape[at]):
            message = f"last dimension of `a` {show(a.shape)} does not match dimension {at} of `b` {show(b.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
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
                    f"expected valid axes in `axes` for `a` {show(a.shape)} and `b` {show(b.shape)}, got {axes}",
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
                message = f"dimension {j} of `a` {show(a.shape)} does not match dimension {k} of `b` {show(b.shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        rest = [dim for k, dim in enumerate(a.shape) if k not in first]
        return Tensor(a.dtype, (*rest, *(dim for k, dim in enumerate(b.shape) if k not in second)))

    def run(self, a: Any, b: Any, *, axes: Any, **_: Any) -> Any:
        return np.tensordot(a, b, max(axes, 0) if isinstance(axes, int) else axes)


class EinsumOfSubscripts(Operator):
    """Products and sums by the letters of subscripts."""

    inputs = "arg+"

    def shape(self, *tensors: Tensor, subscripts: str | None, **_: Any) -> Tensor:
        if subscripts is None:
            raise Undecided
        terms, target = self._parsed(subscripts, len(tensors))
        found: dict[str, Dim] = {}
        for k, (term, tensor) in enumerate(zip(terms, tensors, strict=True)):
            if tensor.shape is not None and len(term) != len(tensor.shape):
                message = (
                    f"expected rank {len(term)} for input {k} (`{term}` in `subscripts`), got {show(tensor.shape)}"
                )
                raise ShapeError(R.wrong_rank, message, f"input:{k}", [k])
            for letter, dim in zip(term, tensor.shape or (), strict=False):
                known = found.get(letter)
                if not dims.broadcastable(known, dim):
                    message = f"dimension `{letter}` is {show_dim(known)}, but {show_dim(dim)} in input {k} {show(tensor.shape)}"
                    raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k])
                found[letter] = dim if known is None else dims.broadcast(known, dim)
        return Tensor(tensors[0].dtype, tuple(found.get(letter) for letter in target))

    @staticmethod
    def _parsed(subscripts: str, count: int) -> tuple[list[str], str]:
        """Return the letters of each operand and of the output."""
        sources, arrow, target = subscripts.replace(" ", "").partition("->")
        terms = sources.split(",")
        message = ""
        if odd := next((c for c in sources + target if c not in ",." and not (c.isascii() and c.isalpha())), None):
            message = f"unexpected `{odd}` in `subscripts` `{subscripts}`; expected letters, commas and one `->`"
        elif len(terms) != count:
            message = f"expected {words.count(len(terms), 'input')} for `subscripts` `{subscripts}`, got {count}"
        if message:
            raise ShapeError(R.value_out_of_range, message, "attr:subscripts")
        if "." in subscripts:
            raise Undecided
        letters = sources.replace(",", "")
        return terms, target if arrow else "".join(sorted(c for c in set(letters) if letters.count(c) == 1))

    def run(self, *arrays: Any, subscripts: str, **_: Any) -> Any:
        return np.einsum(subscripts, *arrays)


class Distances(Signed):
    """The distance of each row of one matrix from each row of the other."""

    def run(self, a: Any, b: Any, *, metric: str, **_: Any) -> Any:
        one, other = a.astype(np.float64), b.astype(np.float64)
        squares = np.square(one).sum(1)[:, None] + np.square(other).sum(1) - 2 * one @ other.T
        squares = np.maximum(squares, 0)
        return (np.sqrt(squares) if metric == "euclidean" else squares).astype(a.dtype)
