"""Generators: ranges, unit matrices, random numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dtypes import INTEGERS, NUMBERS
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import filled_with, number, same_dtype, want_computed_lengths, want_rank
from irlint.dryrun.ops.shaped import want_entry, want_lengths
from irlint.dryrun.tensor import VALUE_LIMIT, Entries, Tensor
from irlint.graph import Dim


class Range(Operator):
    """Numbers from start to stop (exclusive) by step."""

    inputs = "start:one/numbers stop:one/numbers step:one/numbers"
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
        self.match(*tensors)
        for k, tensor in enumerate(() if or_single else tensors):
            want_rank(tensor, self.names[k], k, 0)
        if not typed:
            output_type = same_dtype(tensors, self.names)
        elif output_type is not None and output_type not in NUMBERS:
            message = f"expected a numeric type for `output_type`, got {output_type}"
            raise ShapeError(R.value_not_in_enum, message, "attr:output_type")
        first, last, by = self._entries(tensors)
        count = self._count(first, last, by, output_type)
        value: Entries | None = None
        if isinstance(count, int) and count <= VALUE_LIMIT and values.is_number(first) and values.is_number(by):
            value = tuple([values.convert(first + k * by, output_type) for k in range(count)])
        return Tensor(output_type, (count,), value)

    def _entries(self, tensors: Sequence[Tensor]) -> list[Any]:
        found = [tensor.entry for tensor in tensors]
        for k, entry in enumerate(found):
            if isinstance(entry, float) and not math.isfinite(entry):
                message = f"expected a finite number for `{self.names[k]}`, got {entry}"
                raise ShapeError(R.value_out_of_range, message, f"input:{k}", [k])
        if values.is_number(found[2]) and found[2] == 0:
            raise ShapeError(R.value_out_of_range, "expected a `step` other than 0, got 0", "input:2", [2])
        return found

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
        from irlint.dryrun.running.arrays import stored

        dtype = np.dtype(stored(output_type)) if output_type else start.dtype
        first, last, by = (np.asarray(x).reshape(-1)[0].astype(dtype) for x in (start, stop, step))
        return np.arange(first, last, by, dtype)


class Eye(Operator):
    """Ones on a diagonal."""

    inputs = "num_rows:one/index num_columns:one/index diagonal_index:one/index batch_shape?:[_]/index"
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
        self.match(rows, columns, diagonal, batch)
        counts = [want_entry(tensor, self.names[k], k) for k, tensor in enumerate((rows, columns))]
        lead = [] if batch is None else values.as_dims(batch)
        return Tensor(output_type, None if lead is None else (*map(values.to_dim, lead), *counts))

    def run(
        self, rows: Any, columns: Any, diagonal: Any, batch: Any = None, *, output_type: str = "float32", **_: Any
    ) -> Any:
        height, width, at = (number(x) for x in (rows, columns, diagonal))
        matrix = np.eye(height, width, at, dtype=output_type)
        return matrix if batch is None else np.broadcast_to(matrix, (*(int(n) for n in batch), height, width))


class RandomUniform(Operator):
    """Random numbers between two bounds."""

    inputs = "shape:[_]/index minval:one/T maxval:one/T"
    reads = (0, 1, 2)
    is_random = True

    def shape(self, wanted: Tensor, low: Tensor, high: Tensor, *, output_type: str | None = None, **_: Any) -> Tensor:
        kind = self.match(wanted, low, high).dtype("T")
        if kind not in (None, output_type):
            k = 1 if low.dtype else 2
            message = f"expected the type of `output_type` ({output_type or 'none'}) for `{self.names[k]}`, got {kind}"
            raise ShapeError(R.dtype_mismatch, message, f"input:{k}", [k])
        least, most = low.entry, high.entry
        if values.is_number(least) and values.is_number(most) and not least < most:
            message = f"`minval` {least} is not smaller than `maxval` {most}"
            raise ShapeError(R.value_out_of_range, message, "input:1", [1, 2])
        want_computed_lengths(wanted, "shape", 0)
        lengths = values.as_dims(wanted)
        result = Tensor(output_type, None if lengths is None else tuple(map(values.to_dim, lengths)))
        negative = next((n for n in lengths or () if values.is_number(n) and n < 0), None)
        if negative is not None:
            message = f"expected no negative number in `shape`, got {negative}"
            taken = None if -1 in (lengths or ()) else [result]
            raise ShapeError(R.value_out_of_range, message, "input:0", [0], taken)
        return result

    def run(
        self, wanted: Any, low: Any, high: Any, *, output_type: str, global_seed: int = 0, op_seed: int = 0, **_: Any
    ) -> Any:
        chance = np.random.default_rng([abs(global_seed), abs(op_seed)])
        first, last = (np.asarray(x).reshape(-1)[0] for x in (low, high))
        return (chance.random([int(n) for n in wanted]) * (last - first) + first).astype(output_type)


class Filled(Operator):
    """A tensor of a given shape with the same element everywhere."""

    inputs = "shape:[_]"
    reads = (0,)

    def shape(self, wanted: Tensor, *, dtype: str | None, **_: Any) -> Tensor:
        self.match(wanted)
        lengths = want_lengths(wanted, "shape", 0)
        return Tensor(dtype, None if lengths is None else tuple(lengths))

    def value(self, wanted: Tensor, *, fill: Any, **_: Any) -> Entries | None:
        lengths = values.numbers(wanted)
        return None if lengths is None else (fill,) * math.prod(int(n) for n in lengths)

    def run(self, wanted: Any, *, fill: Any, dtype: str, **_: Any) -> Any:
        from irlint.dryrun.running.arrays import stored

        return filled_with([int(n) for n in wanted], fill, stored(dtype))


class EyeLike(Operator):
    """Ones on a diagonal of a matrix of the same shape."""

    inputs = "data:[N,M]"

    def shape(self, data: Tensor, *, dtype: str | None = None, **_: Any) -> Tensor:
        found = self.match(data)
        return Tensor(dtype or data.dtype, (found["N"], found["M"]))

    def run(self, data: Any, *, k: int = 0, dtype: str | None = None, **_: Any) -> Any:
        from irlint.dryrun.running.arrays import stored

        return np.eye(*data.shape, k, dtype=data.dtype if dtype is None else stored(dtype))
