"""Convolution of every channel with filters of its own."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.windows import Numbers
from irlint.dryrun.values import strides_of
from irlint.records import NamedTuple

CACHE = 3 << 18  # bytes that a core has close at hand
Place = tuple[Any, ...]


class _Copy(NamedTuple):
    """What one column of the filters meets of an image, where it goes, and what around it remains to be padding. In rows that
    are joined a shift leads into the next one: these columns, too, are padding again after each copy."""

    goal: Place
    source: Place
    outside: list[Place]
    spoilt: Place | None


class _Rows(NamedTuple):
    """The rows of an image that some rows of the filters meet: the numbers of these, how far off each begins, and a copy for
    every column of the filters."""

    numbers: list[int]
    shifts: list[int]
    copies: list[_Copy]


class _DepthwisePlan(NamedTuple):
    sizes: list[int]  # of an image as it is copied
    length: int  # of the sums, rows joined
    joined: bool  # rows are copied as if they were one
    rows: list[_Rows]


def convolve_each(
    data: Any,
    filters: Any,
    strides: Numbers,
    dilations: Numbers,
    begin: Numbers,
    counts: Numbers,
    pad_value: float,
) -> Any:
    """Data (batch, channels, space...), filters (channels * times, 1, window...), a few channels at a time.

    For each column of the filters the image is copied, shifted so far that what the column meets lies where the result
    will. A small matrix product makes of these what each row of the filters gives; rows are summed, shifted. With strides
    there are as many kinds of rows as the stride is long, each with the rows of the filters that meet it.
    """
    batch, channels, times = data.shape[0], data.shape[1], filters.shape[0] // data.shape[1]
    kernel, data = filters.shape[2:], np.ascontiguousarray(data)
    plan = _plan(data.shape[2:], kernel, strides, dilations, begin, counts)
    whole, width, length = prod(plan.sizes), kernel[-1], plan.length
    close = length == prod(counts)  # sums lie as the result does
    room = (len(plan.rows) * width + times * (prod(kernel[:-1]) + (not close))) * whole
    block = min(channels, max(1, CACHE // (data.itemsize * room)))
    split = filters.reshape(channels, times, -1, width)
    kinds = []
    for rows in plan.rows:
        columns = np.empty((block, width, *plan.sizes), data.dtype)
        for k, copy in enumerate(rows.copies):
            for place in copy.outside:
                columns[:, k][place] = pad_value
        weights = split if len(plan.rows) == 1 else split.take(rows.numbers, 2)
        products = np.empty((block, times * len(rows.shifts), whole), data.dtype)
        kinds.append((rows, columns, weights.reshape(channels, -1, width), products))
    result = np.empty((batch, channels, times, *counts), data.dtype)
    total = None if close else np.empty((block, times, counts[0] * prod(plan.sizes[1:])), data.dtype)
    inside: Any = (..., *map(slice, counts))
    for image, first in itertools.product(range(batch), range(0, channels, block)):
        part, terms = data[image, first : first + block], []
        many = part.shape[0]
        for rows, columns, weights, products in kinds:
            _fill(columns[:many], part, rows.copies, plan.joined, pad_value)
            unfolded = columns.reshape(block, width, whole)[:many]
            made = np.matmul(weights[first : first + many], unfolded, out=products[:many])
            parts = made.reshape(many, times, -1, whole)
            terms += [parts[:, :, k, shift : shift + length] for k, shift in enumerate(rows.shifts)]
        goal = result[image, first : first + many]
        if total is None:
            _sum(terms, goal.reshape(many, times, length))
        else:
            _sum(terms, total[:many, :, :length])
            goal[...] = total[:many].reshape(many, times, counts[0], *plan.sizes[1:])[inside]
    return result.reshape(batch, channels * times, *counts)


@lru_cache(maxsize=256)
def _plan(
    lengths: Numbers, kernel: Numbers, strides: Numbers, dilations: Numbers, begin: Numbers, counts: Numbers
) -> _DepthwisePlan:
    lead = len(counts) - 1
    reach = [((kernel[k] - 1) * dilations[k]) // strides[k] for k in range(lead)]
    sizes = [*(count + far for count, far in zip(counts, reach, strict=False)), counts[-1]]
    steps = strides_of(sizes)
    joined = lead > 0 and counts[-1] == lengths[-1] and strides[-1] == strides[-2] == 1
    kinds: dict[Numbers, tuple[list[int], list[int]]] = {}
    for number, place in enumerate(np.ndindex(*kernel[:-1])):
        offsets = [at * d for at, d in zip(place, dilations, strict=False)]
        kind = tuple(at % s for at, s in zip(offsets, strides, strict=False))
        numbers, shifts = kinds.setdefault(kind, ([], []))
        numbers.append(number)
        shifts.append(sum(at // s * step for at, s, step in zip(offsets, strides, steps, strict=False)))
    rows = []
    for kind, (numbers, shifts) in kinds.items():
        copies = []
        for k in range(kernel[-1]):
            far = k * dilations[-1]
            goal, source = _dealing((*kind, far), lengths, sizes, strides, begin)
            make = _joined if joined else _apart
            copies.append(make(goal, source, sizes, lengths, far - begin[-1]))
        rows.append(_Rows(numbers, shifts, copies))
    length = sum((count - 1) * step for count, step in zip(counts, steps, strict=True)) + 1
    return _DepthwisePlan(sizes, length, joined, rows)


def _dealing(
    offsets: Sequence[int], lengths: Sequence[int], sizes: Sequence[int], strides: Sequence[int], begin: Sequence[int]
) -> tuple[list[slice], list[slice]]:
    """Which elements are which of the image: every stride-th of the padded image, from the offset on."""
    goals, sources = [], []
    for at, length, size, stride, before in zip(offsets, lengths, sizes, strides, begin, strict=True):
        first = max(-((at - before) // stride), 0)
        start = at + first * stride - before
        count = max(min(-(-(length - start) // stride), size - first), 0)
        goals.append(slice(first, first + count))
        sources.append(slice(start, start + (count - 1) * stride + 1, stride) if count else slice(0, 0))
    return goals, sources


def _apart(goal: list[slice], source: list[slice], sizes: Sequence[int], *_: Any) -> _Copy:
    return _Copy((..., *goal), (..., *source), _around(goal, sizes), None)


def _joined(goal: list[slice], source: list[slice], sizes: Sequence[int], lengths: Sequence[int], shift: int) -> _Copy:
    """The last two axes taken as one, along which the copy is moved by `shift`."""
    wide = lengths[-1]
    first, start = source[-2].start * wide + shift, goal[-2].start * wide
    count = min((source[-2].stop - source[-2].start) * wide, lengths[-2] * wide - first)
    skipped = max(-first, 0)
    to = slice(start + skipped, max(start + count, 0))
    of = slice(first + skipped, max(first + count, 0))
    spoilt = slice(0, -shift) if shift < 0 else slice(max(wide - shift, 0), wide)
    outside = _around([*goal[:-1], slice(0, wide)], sizes)
    return _Copy((..., *goal[:-2], to), (..., *source[:-2], of), outside, (..., spoilt) if shift else None)


def _around(inner: Sequence[slice], sizes: Sequence[int]) -> list[Place]:
    """What of an array lies outside of its inner part."""
    found: list[Place] = []
    for k, (part, size) in enumerate(zip(inner, sizes, strict=True)):
        for side in (slice(0, part.start), slice(part.stop, size)):
            if side.start < side.stop:
                found.append((..., side, *(slice(None),) * (len(sizes) - k - 1)))
    return found


def _fill(columns: Any, part: Any, copies: Sequence[_Copy], joined: bool, pad_value: float) -> None:
    lines = columns
    if joined:
        lines, part = columns.reshape(*columns.shape[:-2], -1), part.reshape(*part.shape[:-2], -1)
    for k, (goal, source, _, spoilt) in enumerate(copies):
        lines[:, k][goal] = part[source]
        if spoilt is not None:
            columns[:, k][spoilt] = pad_value


def _sum(terms: Sequence[Any], goal: Any) -> None:
    """The last sum goes to `goal`, all before it stay where the first term is."""
    if len(terms) == 1:
        goal[...] = terms[0]
        return
    for term in terms[1:-1]:
        np.add(terms[0], term, out=terms[0])
    np.add(terms[0], terms[-1], out=goal)
