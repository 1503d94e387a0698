"""Elements of an output that the operator's kernel computes, as readers fold constants that shapes depend on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from irlint.dryrun import values
from irlint.dryrun.errors import UNFORESEEN, NoKernel, ShapeError, Undecided
from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import stored
from irlint.dryrun.tensor import Entries, Entry, Tensor

if TYPE_CHECKING:
    from irlint.dryrun.mapping import Call

_DOUBT = 1e-5  # relative; other kernels round differently


def folded(call: Call, operands: Sequence[Tensor | None]) -> list[Entries | None] | None:
    """Return the elements of every output, or None where an operand is not known exactly, or NumPy is missing."""
    try:
        return _folded(call, operands)
    except ModuleNotFoundError:
        if not np.missed:
            raise
        return None


def _folded(call: Call, operands: Sequence[Tensor | None]) -> list[Entries | None] | None:
    arrays: list[Any] = []
    for operand in operands:
        if operand is None:
            arrays.append(None)
            continue
        known = values.numbers(operand)
        if known is None or operand.dtype in (None, "string"):
            return None
        arrays.append(np.array(known, stored(operand.dtype)).reshape(operand.shape))
    try:
        with np.errstate(all="ignore"):
            found = call.operator.run(*arrays, **call.attrs)
    except (ShapeError, Undecided, NoKernel, NotImplementedError, *UNFORESEEN):
        return None
    return [_entries(array) for array in (found if isinstance(found, list | tuple) else [found])]


def _entries(array: Any) -> Entries | None:
    if array.dtype.kind not in "iufb" or not np.isfinite(array).all():
        return None
    return tuple(map(_entry, array.ravel().tolist()))


def _entry(number: Any) -> Entry:
    """Return a fraction as a range, so that nothing depends on its last digit."""
    if not isinstance(number, float) or number == int(number):
        return number
    doubt = abs(number) * _DOUBT
    return number - doubt, number + doubt
