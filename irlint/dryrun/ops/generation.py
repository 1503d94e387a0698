"""Generators: ranges, unit matrices, random numbers."""

from __future__ import annotations

import math
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show_dim
from irlint.dryrun.dtypes import FLOATS, INTEGERS
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import number, same_dtype, want_computed_lengths, want_dtype, want_rank, want_scalar
from irlint.dryrun.tensor import VALUE_LIMIT, Entries, Tensor
from irlint.graph import Dim


class Range(Operator):
    """Numbers from start to stop (exclusive) by step."""

    inputs = "start stop step"
    reads = (0, 1, 2)

    def shape(
        self,
        start: Tensor,
        stop: Tensor,
        step: Tensor,
        *,
        output_type: str | None = None,
        typed: bool = True,
        or_single: bool = False,
        **_: Any,
    ) -> Tensor:
        """Without `typed` the output has the operands' type."""
        tensors = (start, stop, step)
        for k, tensor in enumerate(tensors):
            want_scalar(tensor, self.names[k], k, or_single=or_single)
            want_dtype(tensor, self.names[k], k, "a numeric type")
        if not typed:
            output_type = same_dtype(tensors, self.names)
        elif output_type is not None and output_type not in FLOATS | INTEGERS:
            raise ShapeError(
                R.value_not_in_enum, f"expected a numeric type for `output_type`, got {output_type}", "attr:output_type"
            )
        first: Any
        last: Any
        by: Any
        first, last, by = (t.entry for t in tensors)
        for k, entry in enumerate((first, last, by)):
            if isinstance(entry, float) and not math.isfinite(entry):
                raise ShapeError(
                    R.value_out_of_range,
                    f"expected a finite number for `{self.names[k]}`, got {entry}",
                    f"input:{k}",
                    [k],
                )
        if by == 0 and values.is_number(by):
            raise ShapeError(R.value_out_of_range, "expected a `step` other than 0, got 0", "input:2", [2])
        count = self._count(first, last, by, output_type)
        value: Entries | None = None
        if isinstance(count, int) and count <= VALUE_LIMIT and values.is_number(first) and values.is_number(by):
            value = tuple([values.convert(first + k * by, output_type) for k in range(count)])
        return Tensor(output_type, (count,), value)

    @staticmethod
    def _count(first: Any, last: Any, by: Any, dtype: str | None) -> Dim:
        if all(map(values.is_number, (first, last, by))):
            if dtype in INTEGERS:  # fractions are cut off before anything is counted
                first, last, by = math.trunc(first), math.trunc(last), math.trunc(by)
                if by == 0:
                    raise ShapeError(
                        R.value_out_of_range, "`step` becomes 0 when converted to an integer", "input:2", [2]
                    )
            return int(max(0, math.ceil((last - first) / by)))
        if values.is_number(first) and first == 0 and values.is_number(by) and by == 1:
            if isinstance(last, str):
                return last
            low, high = values.entry_bounds(last)
            return dims.interval(max(int(low or 0), 0), None if high is None else max(int(high), 0))
        return None

    def run(self, start: Any, stop: Any, step: Any, *, output_type: str | None = None, **_: Any) -> Any:
        from irlint.dryrun.arrays import stored

        dtype = np.dtype(stored(output_type)) if output_type else start.dtype
        first, last, by = (np.asarray(x).reshape(-1)[0].astype(dtype) for x in (start, stop, step))
        return np.arange(first, last, by, dtype)


class Eye(Operator):
    """Ones on a diagonal."""

    inputs = "num_rows num_columns diagonal_index batch_shape?"
    reads = (0, 1, 2, 3)

    def shape(
        self,
        rows: Tensor,
        columns: Tensor,
        diagonal: Tensor,
        batch: Tensor | None = None,
        *,
        output_type: str | None = None,
        **_: Any,
    ) -> Tensor:
        counts: list[Dim] = []
        for k, tensor in enumerate((rows, columns, diagonal)):
            want_dtype(tensor, self.names[k], k, "int32 or int64")
            want_scalar(tensor, self.names[k], k)
            entry = tensor.entry
            if k < 2:
                if not values.fits(entry, 0):
                    message = f"expected at least 0 for `{self.names[k]}`, got {show_dim(entry)}"
                    raise ShapeError(R.value_out_of_range, message, f"input:{k}", [k])
                counts.append(values.to_dim(entry))
        if batch is None:
            return Tensor(output_type, tuple(counts))
        want_dtype(batch, "batch_shape", 3, "int32 or int64")
        want_rank(batch, "batch_shape", 3, 1)
        lead = values.as_dims(batch)
        if lead is None:
            return Tensor(output_type, None)
        return Tensor(output_type, (*map(values.to_dim, lead), *counts))

    def run(
        self, rows: Any, columns: Any, diagonal: Any, batch: Any = None, *, output_type: str = "float32", **_: Any
    ) -> Any:
        height, width, at = (number(x) for x in (rows, columns, diagonal))
        matrix = np.eye(height, width, at, dtype=output_type)
        return matrix if batch is None else np.broadcast_to(matrix, (*(int(n) for n in batch), height, width))


class RandomUniform(Operator):
    """Random numbers between two bounds."""

    inputs = "shape minval maxval"
    reads = (0, 1, 2)

    def shape(self, wanted: Tensor, low: Tensor, high: Tensor, *, output_type: str | None = None, **_: Any) -> Tensor:
        want_dtype(wanted, "shape", 0, "int32 or int64")
        want_rank(wanted, "shape", 0, 1)
        same_dtype((low, high), ("minval", "maxval"), (1, 2))
        for k, tensor in ((1, low), (2, high)):
            want_scalar(tensor, self.names[k], k)
            if tensor.dtype is not None and tensor.dtype != output_type:
                message = (
                    f"expected the type of `output_type` ({output_type or 'none'}) for `{self.names[k]}`, got "
                    f"{tensor.dtype}"
                )
                raise ShapeError(R.dtype_mismatch, message, f"input:{k}", [k])
        bounds: list[Any] = [t.entry for t in (low, high)]
        if all(map(values.is_number, bounds)) and not bounds[0] < bounds[1]:
            raise ShapeError(
                R.value_out_of_range,
                f"`minval` {bounds[0]} is not smaller than `maxval` {bounds[1]}",
                "input:1",
                [1, 2],
            )
        want_computed_lengths(wanted, "shape", 0)
        lengths = values.as_dims(wanted)
        negative = next((n for n in lengths or () if values.is_number(n) and n < 0), None)
        if negative is not None:
            message = f"expected no negative number in `shape`, got {negative}"
            taken = Tensor(output_type, tuple(map(values.to_dim, lengths or ())))
            raise ShapeError(R.value_out_of_range, message, "input:0", [0], None if -1 in (lengths or ()) else [taken])
        return Tensor(output_type, None if lengths is None else tuple(map(values.to_dim, lengths)))

    def run(
        self, wanted: Any, low: Any, high: Any, *, output_type: str, global_seed: int = 0, op_seed: int = 0, **_: Any
    ) -> Any:
        chance = np.random.default_rng([abs(global_seed), abs(op_seed)])
        first, last = (np.asarray(x).reshape(-1)[0] for x in (low, high))
        return (chance.random([int(n) for n in wanted]) * (last - first) + first).astype(output_type)


class Filled(Operator):
    """A tensor of a given shape with the same element everywhere."""

    inputs = "shape"
    reads = (0,)

    def shape(self, wanted: Tensor, *, dtype: str | None, **_: Any) -> Tensor:
        want_rank(wanted, "shape", 0, 1)
        lengths = values.as_dims(wanted)
        if lengths is None:
            return Tensor(dtype)
        for k, entry in enumerate(lengths):
            if not values.fits(entry, 0):
                message = f"expected no negative number in `shape`, got {show_dim(entry)} at position {k}"
                raise ShapeError(R.value_out_of_range, message, "input:0", [0])
        return Tensor(dtype, tuple(map(values.to_dim, lengths)))

    def value(self, wanted: Tensor, *, fill: Any, **_: Any) -> Entries | None:
        lengths = values.numbers(wanted)
        return None if lengths is None else (fill,) * math.prod(int(n) for n in lengths)

    def run(self, wanted: Any, *, fill: Any, dtype: str, **_: Any) -> Any:
        from irlint.dryrun.arrays import stored

        return np.full([int(n) for n in wanted], fill, stored(dtype))


class EyeLike(Operator):
    """Ones on a diagonal of a matrix of the same shape."""

    def shape(self, data: Tensor, *, dtype: str | None = None, **_: Any) -> Tensor:
        want_rank(data, "data", 0, 2)
        return Tensor(dtype or data.dtype, data.shape if data.shape is not None else (None, None))

    def run(self, data: Any, *, k: int = 0, dtype: str | None = None, **_: Any) -> Any:
        from irlint.dryrun.arrays import stored

        return np.eye(*data.shape, k, dtype=data.dtype if dtype is None else stored(dtype))
