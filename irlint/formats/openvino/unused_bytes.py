"""Bytes of the .bin that no constant uses: what a lost constant leaves, or the weights of another model."""

from __future__ import annotations

import sys
from array import array

from irlint.findings import Problem, Severity
from irlint.formats.openvino.passes.sizes import ConstantBytes
from irlint.formats.openvino.reading.binfile import BinFile
from irlint.formats.openvino.rules import R
from irlint.graph import label
from irlint.text.base import Place

_FEW = 1024  # bytes that a model may leave of constants that it lost
_ABSURD = 1 << 40  # no length or index is so great
_ENTRIES = 64  # of a constant of axes, lengths or indices
_EXTREME = 1 << 63  # the greatest and the least integer are ends of slices


def unused_bytes(binary: BinFile, used: int, needing: list[ConstantBytes]) -> Problem:
    """Report bytes after the last constant: a warning if the file may be another model's, an error if its numbers show it."""
    message = f"the model uses only the first {used} of {binary.size} bytes of weights file {binary.path.name!r}"
    at = Place((), "tag")
    if not _is_doubtful(used, binary.size):
        return Problem(R.unused_weights, at, message)
    found = next(filter(None, (_absurd(binary, one) for one in needing)), None)
    if found is None:
        message += "; it may belong to another model"
        return Problem(R.unused_weights, at, message, severity=Severity.WARNING)
    one, number = found
    message += "; it belongs to another model, or to another version of this one"
    note = f"{label(one.node)} would be {number} with these bytes", one.place()
    return Problem(R.unused_weights, at, message, related=[note], severity=Severity.ERROR)


def _is_doubtful(used: int, size: int) -> bool:
    """Return whether so much of a file is unused that its bytes may be another model's: models with float16 weights, next to the
    weights of a model with float32, leave nearly half."""
    return size - used > _FEW and 2 * (size - used) > used


def _absurd(binary: BinFile, one: ConstantBytes) -> tuple[ConstantBytes, int] | None:
    """Return a constant of few integers with one that no axis, length or index has, and that is not the greatest or the least."""
    if one.node.attrs["element_type"].lower() != "i64" or one.end - one.start > 8 * _ENTRIES:
        return None
    numbers = array("q", binary.read(one.start, (one.end - one.start) & ~7) or b"")
    if sys.byteorder != "little":
        numbers.byteswap()
    return next(((one, number) for number in numbers if _ABSURD < abs(number) < _EXTREME - _ABSURD), None)
