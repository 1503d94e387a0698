"""Strings as tensors of bytes, and rows of them: where each begins and ends, then the parts of all in one."""

from __future__ import annotations

from functools import cache
from typing import Any

from irlint.dryrun.matching import match
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_rank
from irlint.dryrun.signature import Signature, parse
from irlint.dryrun.tensor import Tensor


class Unpack(Operator):
    """Strings, or bytes that hold a packed batch of them."""

    inputs = "data:_/string|uint8"

    def shape(self, data: Tensor, **_: Any) -> list[Tensor]:
        self.match(data)
        shape = data.shape if data.dtype == "string" else None
        if data.dtype == "uint8":
            want_rank(data, "data", 0, 1)
            shape = (None,)
        return [Tensor("int32", shape), Tensor("int32", shape), Tensor("uint8", (None,))]


class CharsMap(Operator):
    """Normalised strings, optionally with a mask of unchanged ones: the fourth operand is that mask or a map."""

    inputs = "begins:S/int32 ends:_/int32 chars:_/uint8 skips_or_charsmap? charsmap? -> S/int32 S/int32 [_]/uint8"

    def shape(
        self, begins: Tensor, ends: Tensor, chars: Tensor, fourth: Tensor | None = None, charsmap: Tensor | None = None, **_: Any
    ) -> list[Tensor]:  # fmt: skip
        made = self.match(begins, ends, chars).results
        if fourth is not None and (charsmap is not None or fourth.dtype in (None, "bool")):
            made.append(Tensor(*fourth.type))
        return made


@cache
def _segments(count: int) -> Signature:
    """Return what the rows have to do with each other: begins, ends and elements of each."""
    return parse("S/int32 _/int32 [_]/T " * count)


class CombineSegments(Operator):
    """Rows of several ragged tensors put together, and for each element the number of its segment."""

    inputs = "segments+"

    def shape(self, *operands: Tensor, **_: Any) -> list[Tensor]:
        *rows, ids = operands
        # one string for all rows has no dimensions
        rows = [row if row.shape or k % 3 == 2 else Tensor(row.dtype) for k, row in enumerate(rows)]
        found = match(_segments(len(rows) // 3), rows, ())
        bounds, data = Tensor("int32", found.shape("S")), Tensor("int32", (None,))
        return [bounds, bounds, data, bounds, bounds, Tensor(ids.dtype, (None,))]


class RaggedToDense(Operator):
    """Rows padded to one length with a value, and a mask of the original elements."""

    inputs = "begins:[*B]/int32 ends:_/int32 data:[_,*R]/T length:one/integers value:[]/T pad_right?:[]"
    reads = (3,)

    def shape(self, *operands: Tensor, **_: Any) -> list[Tensor]:
        found, length = self.match(*operands), operands[3].entry
        known = length if isinstance(length, int) and not isinstance(length, bool) and length >= 0 else None
        lead, rest = found.shape("B"), found.shape("R")
        made = None if lead is None or rest is None else (*lead, known, *rest)
        return [Tensor(found.dtype("T"), made), Tensor("bool", made)]
