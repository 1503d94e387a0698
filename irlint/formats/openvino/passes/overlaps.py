"""Constants that share some bytes of the .bin."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.fault import writing
from irlint.findings import Problem, Severity
from irlint.formats.openvino.passes.sizes import ConstantBytes, byte_count
from irlint.formats.openvino.rules import R
from irlint.graph import label
from irlint.records import NamedTuple
from irlint.text.words import count

_SHOWN = 8  # constants that are shown with another one


def overlap_problems(ranges: list[ConstantBytes], size: int) -> Iterator[Problem]:
    """Report constants that share some bytes, but neither start together nor are equal."""
    far = 0
    for start, end, _, _ in ranges:
        if start < far:
            break
        far = end
    else:
        return  # each begins behind the one before
    needed = (
        (one.start, min(one.end, one.start + _need(one)), k) for k, one in enumerate(ranges)
    )  # the rest is ignored
    ordered = sorted(piece for piece in needed if piece[1] > piece[0])
    found: dict[int, list[_Overlap]] = {}  # by the constant that begins first
    before, (low, high, holder) = 0, ordered[0] if ordered else (0, 0, 0)
    for (start, end, k), after in zip(ordered, [*[start for start, _, _ in ordered[1:]], size], strict=True):
        if low < start < high:
            found.setdefault(holder, []).append(_Overlap((low, high), (start, end), k, low - before, after - end))
        if end > high:
            before, (low, high, holder) = max(before, min(high, start)), (start, end, k)
    for first, overlaps in found.items():
        yield _several(ranges, first, overlaps) if len(overlaps) > 1 else _one(ranges, first, overlaps[0])


class _Overlap(NamedTuple):
    """The bytes of two constants, the second one, and how many bytes nobody uses before the first and after the second."""

    its: tuple[int, int]
    others: tuple[int, int]
    other: int
    before: int
    after: int


def _need(one: ConstantBytes) -> int:
    """Return how many bytes the type and the shape of a constant take, as far as they can be read."""
    need = byte_count(one.node.attrs["element_type"].lower(), one.node.attrs["shape"])
    return one.end - one.start if need is None else need


def _several(ranges: list[ConstantBytes], first: int, overlaps: list[_Overlap]) -> Problem:
    low, high = overlaps[0].its
    message = f"bytes {low} to {high} of {label(ranges[first].node)} overlap those of {count(len(overlaps), 'other constant')}"
    return _problem(ranges[first], message, [ranges[overlap.other] for overlap in overlaps[:_SHOWN]])


def _one(ranges: list[ConstantBytes], first: int, overlap: _Overlap) -> Problem:
    """Report two constants that overlap: at the one that has been moved, if what it left is as long as the overlap."""
    shift = overlap.its[1] - overlap.others[0]
    is_first = overlap.before == shift != overlap.after
    right = overlap.its[0] - shift if is_first else overlap.its[1] if overlap.after == shift else None
    one, other = ranges[first], ranges[overlap.other]
    its, others = overlap.its, overlap.others
    if not is_first:
        one, other, its, others = other, one, others, its
    message = f"bytes {its[0]} to {its[1]} of {label(one.node)} overlap bytes {others[0]} to {others[1]} of {label(other.node)}"
    return _problem(one, message, [other], right)


def _problem(one: ConstantBytes, message: str, others: list[ConstantBytes], right: int | None = None) -> Problem:
    fix = None if right is None else writing(one.place(), str(right), f"Set `offset` to `{right}`")
    related = [("overlapping constant", other.place()) for other in others]
    return Problem(R.weights_mismatch, one.place(), message, one.node.name, fix, related, Severity.WARNING)
