"""Strings as tensors of bytes, and rows of them: where each begins and ends, then the parts of all in one."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import operand, show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import same_dtype, want_dtype, want_least_rank, want_rank, want_scalar
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


def _want(tensor: Tensor, name: str, index: int, dtype: str = "int32") -> None:
    if tensor.dtype not in (None, dtype):
        raise ShapeError(
            R.dtype_mismatch, f"expected {dtype} for {operand(name)}, got {tensor.dtype}", f"input:{index}", [index]
        )


class Unpack(Operator):
    """Strings, or bytes that hold a packed batch of them."""

    def shape(self, data: Tensor, **_: Any) -> list[Tensor]:
        if data.dtype not in (None, "string", "uint8"):
            raise ShapeError(R.dtype_mismatch, f"expected string or uint8 for `data`, got {data.dtype}", "input:0", [0])
        if data.dtype == "uint8":
            want_rank(data, "data", 0, 1)
        shape: Shape | None = data.shape if data.dtype == "string" else (None,) if data.dtype == "uint8" else None
        return [Tensor("int32", shape), Tensor("int32", shape), Tensor("uint8", (None,))]


class CharsMap(Operator):
    """Strings normalised, and which of them are left as they are, if that is told: four operands may end with it or with a map."""

    inputs = "begins ends chars skips_or_charsmap? charsmap?"

    def shape(
        self, begins: Tensor, ends: Tensor, chars: Tensor, fourth: Tensor | None = None, charsmap: Tensor | None = None, **_: Any
    ) -> list[Tensor]:  # fmt: skip
        _want(begins, "begins", 0)
        _want(ends, "ends", 1)
        _want(chars, "chars", 2, "uint8")
        made = [Tensor("int32", begins.shape), Tensor("int32", begins.shape), Tensor("uint8", (None,))]
        if fourth is not None and (charsmap is not None or fourth.dtype in (None, "bool")):
            made.append(Tensor(*fourth.type))
        return made


class CombineSegments(Operator):
    """Rows of several ragged tensors put together, and for each element the number of its segment."""

    inputs = "segments+"

    def shape(self, *operands: Tensor, **_: Any) -> list[Tensor]:
        *rows, ids = operands
        places = range(2, len(rows), 3)
        same_dtype([rows[k] for k in places], [f"input {k}" for k in places], places)
        rank: Shape | None = None
        first = 0
        for k in range(0, len(rows) - 2, 3):
            _want(rows[k], f"input {k}", k)
            _want(rows[k + 1], f"input {k + 1}", k + 1)
            want_rank(rows[k + 2], f"input {k + 2}", k + 2, 1)
            shape = rows[k].shape
            if not shape:
                continue
            if rank is None:
                rank, first = shape, k
            elif len(rank) != len(shape) or not all(map(dims.compatible, rank, shape)):
                message = f"shapes of input {first} {show(rank)} and input {k} {show(shape)} do not match"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [first, k])
        bounds, data = Tensor("int32", rank), Tensor("int32", (None,))
        return [bounds, bounds, data, bounds, bounds, Tensor(ids.dtype, (None,))]


class RaggedToDense(Operator):
    """Rows of one length, filled up with a value, and a mask of what was there."""

    inputs = "begins ends data length value pad_right?"
    reads = (3,)

    def shape(
        self, begins: Tensor, ends: Tensor, data: Tensor, length: Tensor, value: Tensor, right: Tensor | None = None, **_: Any
    ) -> list[Tensor]:  # fmt: skip
        _want(begins, "begins", 0)
        _want(ends, "ends", 1)
        want_least_rank(data, "data", 2, 1)
        want_dtype(length, "length", 3, "an integer type")
        want_scalar(length, "length", 3)
        same_dtype((data, value), ("data", "value"), (2, 4))
        want_rank(value, "value", 4, 0)
        want_rank(right, "pad_right", 5, 0)
        if begins.shape is None or data.shape is None:
            return [Tensor(data.dtype), Tensor("bool")]
        made = (*begins.shape, _dimension(length), *data.shape[1:])
        return [Tensor(data.dtype, made), Tensor("bool", made)]


def _dimension(length: Tensor) -> Dim:
    known = length.entry
    return known if isinstance(known, int) and not isinstance(known, bool) and known >= 0 else None
