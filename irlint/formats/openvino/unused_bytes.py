"""Bytes of the .bin that no constant uses: what a lost constant leaves, or the weights of another model."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator

from irlint.checks.fault import writing
from irlint.findings import Problem, Severity
from irlint.formats.openvino.passes.sizes import ConstantBytes
from irlint.formats.openvino.reading.binfile import BinFile
from irlint.formats.openvino.rules import R
from irlint.graph import label
from irlint.text.base import Place
from irlint.text.words import more_than

_FEW = 1024  # bytes that a model may leave of constants that it lost
_ABSURD = 1 << 40  # no length or index is so great
_ENTRIES = 64  # of a constant of axes, lengths or indices
_ALIGNED = 64  # bytes to whose multiples a writer may align constants
_NEAR = 64  # constants between those around a range of bytes
_SHOWN = 4  # ranges of bytes that are named
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


def hole_problems(binary: BinFile, ranges: list[ConstantBytes]) -> Iterator[Problem]:
    """Report bytes between constants that none uses: writers leave none. A constant that shares its bytes with another one and that
    would be next in the file there was moved; else a constant was lost."""
    lost = []
    sharing: dict[tuple[int, int], list[ConstantBytes]] = {}
    for one in ranges:
        sharing.setdefault((one.start, one.end), []).append(one)
    backward = [*reversed([*enumerate(ranges)])]
    starts, ends = {one.start: k for k, one in backward}, {one.end: k for k, one in backward}  # the first at each byte
    for low, high in _holes(ranges):
        first, last = ends.get(low, -1) + 1, starts[high] + 1
        near = ranges[first:last] if last - first <= _NEAR else []  # writers write in the order of the layers
        moved = [one for one in near if one.end - one.start == high - low and len(sharing[one.start, one.end]) > 1]
        if len(moved) > 1 and moved[-1].start == high:
            moved.pop()  # whose bytes these are
        if len(moved) == 1:
            yield _moved(moved[0], sharing[moved[0].start, moved[0].end], low, high)
        else:
            lost.append(f"{low} to {high}")
    if lost:
        listed = ", ".join([*lost[:_SHOWN], *more_than(_SHOWN, lost)])
        message = f"no constant uses bytes {listed} of weights file {binary.path.name!r}"
        yield Problem(R.unused_weights, Place((), "tag"), message)


def _moved(one: ConstantBytes, sharing: list[ConstantBytes], low: int, high: int) -> Problem:
    other = sharing[sharing[0] is one]
    message = (
        f"{label(one.node)} uses the same bytes as {label(other.node)}, and no constant uses bytes {low} to {high}"
    )
    fix = writing(one.place(), str(low), f"Set `offset` to `{low}`")
    related = [("uses the same bytes", other.place())]
    return Problem(R.weights_mismatch, one.place(), message, one.node.name, fix, related, Severity.WARNING)


def _holes(ranges: list[ConstantBytes]) -> Iterator[tuple[int, int]]:
    """Yield bytes that no constant uses, before the last that one does."""
    far = 0
    for start, end in sorted(one[:2] for one in ranges):
        if start >= far + _ALIGNED:
            yield far, start
        far = max(far, end)


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
