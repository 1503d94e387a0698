"""Incremental reading of a clean JSON document: only the value that contains the edit is read again."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from irlint.text.base import Change, Span, Step
from irlint.text.json_containers import Container
from irlint.text.json_locate import JsonLocator
from irlint.text.json_options import JsonOptions
from irlint.text.json_prepare import is_prepared
from irlint.text.json_scan import FastScanner

SMALL = 256  # characters of a value that is not worth taking apart


def edited(
    locator: JsonLocator, value: Any, text: str, change: Change, options: JsonOptions
) -> tuple[Any, bool, JsonLocator] | None:
    """The value after a change of a sound text, whether what is new has fractions, and where its parts are; None where the edit
    is not inside a single sound value."""
    if options.lines or locator.root is None:
        return None
    if not is_prepared(text[max(change.start - 1, 0) : change.start + change.size + 1], options):
        return None
    way, span = _way(locator, change)
    if not way or span.end - span.start > max(len(text) // 2, SMALL * 64):
        return None
    piece = text[span.start : span.end + change.delta]
    if piece.count("[") + piece.count("{") + len(way) > options.max_depth:
        return None
    scanner = FastScanner(piece, options)
    found, fractions = scanner.whole(0), scanner.fractions
    scanner.release()
    if found is None or found[1] != len(piece):
        return None
    new = _with(value, [container.keys[k] if container.keys else k for container, k in way], found[0])
    root = Span(locator.root.start, locator.root.end + change.delta)
    return new, fractions, JsonLocator(text, root, _moved(locator, way, span, change.delta), new)


def _way(locator: JsonLocator, change: Change) -> tuple[list[tuple[Container, int]], Span]:
    """Return the containers around a change, each with the child that contains it, and the span of the innermost child."""
    way: list[tuple[Container, int]] = []
    span = locator.root
    assert span is not None
    if not span.start <= change.start <= change.end <= span.end:
        return way, span
    while span.end - span.start > SMALL or not way:
        container = locator.container(span.start)
        if container is None or not container.starts:
            break
        index = bisect_right(container.starts, change.start) - 1
        if index < 0 or change.end > container.ends[index]:
            break
        way.append((container, index))
        span = Span(container.starts[index], container.ends[index])
    return way, span


def _with(value: Any, steps: list[Step], new: Any) -> Any:
    """Return a value with another one in one place; containers around that place are copied."""
    holders = []
    for step in steps:
        holders.append(value)
        value = value[step]
    for holder, step in zip(reversed(holders), reversed(steps), strict=True):
        copy = holder.copy()
        copy[step] = new
        new = copy
    return new


def _moved(locator: JsonLocator, way: list[tuple[Container, int]], edited: Span, delta: int) -> dict[int, Container]:
    """Return the known offsets of children after the edit."""
    around = {container.start: index for container, index in way}
    found = {}
    for container in list(locator.known.values()):
        start = container.start
        if start in around:
            found[start] = container.moved(around[start], delta)
        elif container.end <= edited.start:
            found[start] = container
        elif start >= edited.end:
            found[start + delta] = container.moved(-1, delta)
    return found
