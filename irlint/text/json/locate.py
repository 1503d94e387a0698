"""Mapping of paths to spans and back, by offsets of containers' children, from the parse or on demand."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate, count, islice
from json.decoder import scanstring  # type: ignore[attr-defined]
from operator import add, sub
from typing import Any

from irlint.text.base import Path, Place, Span, Step
from irlint.text.json.containers import Container, Objects, after_blank, skip_value
from irlint.text.json.near import Found, NearbySearch
from irlint.text.json.scan import no_collection
from irlint.text.json.values import pointer
from irlint.tools import later

MANY = 64  # children from which on a container's offsets are kept for good
KEPT = 4096  # smaller containers remembered at a time

_NUMBERS = re.compile(r"\[[ \t\n\r]*[^\[\]{}\"\s][^\[\]{}\"]*\]")
_LIST_OF_OBJECTS = re.compile(r"\[[ \t\n\r]*\{")
_BETWEEN_OBJECTS = re.compile(r"\}[ \t\n\r]*,[ \t\n\r]*(?=\{)")
_ESCAPE = later(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)

_MEMBER = re.compile(
    r'"([^"\\]*)"[ \t\n\r]*:[ \t\n\r]*'
    r'(?:("[^"\\]*(?:\\.[^"\\]*)*"|[-0-9a-zA-Z][^ \t\n\r,\]}]*)[ \t\n\r]*(?:,[ \t\n\r]*|(?=\})))?'
)


def scan_container(
    text: str, start: int, known: dict[int, Container] | None = None, depth: int = 0, value: Any = None
) -> Container:
    """Return the children of a container of clean JSON. Containers close to the top are added to `known`, if given.

    `value` is its value, if known.
    """
    if match := _NUMBERS.match(text, start):
        return _scan_numbers(text, start, match.end())
    if known is not None and isinstance(value, list) and (objects := _split_objects(text, start, value)) is not None:
        known[start] = objects
        return objects
    container = Container(start, text[start] == "{")
    starts, ends, keys = container.starts, container.ends, container.members
    closer = "]" if keys is None else "}"
    at = after_blank(text, start + 1)
    while text[at] != closer:
        if keys is None:
            starts.append(at)
        elif (member := _MEMBER.match(text, at)) is not None:  # a member with a plain key
            keys[member[1]] = len(starts)
            container.keys.append(member[1])
            container.key_starts.append(at)
            container.key_ends.append(member.end(1) + 1)
            at, end = member.span(2)
            if end >= 0:  # and with a plain value
                starts.append(at)
                ends.append(end)
                at = member.end()
                continue
            at = member.end()
            starts.append(at)
        else:
            key, key_end = scanstring(text, at + 1, True)
            keys[key] = len(starts)
            container.keys.append(key)
            container.key_starts.append(at)
            container.key_ends.append(key_end)
            at = after_blank(text, after_blank(text, key_end) + 1)
            starts.append(at)
        if known is not None and is_near_top(text, at, depth, keys is not None):
            inner = value.get(container.keys[-1]) if isinstance(value, dict) else None
            at = scan_container(text, at, known, depth + 1, inner).end
        else:
            at = skip_value(text, at)
        ends.append(at)
        at = after_blank(text, at)
        if text[at] == ",":
            at = after_blank(text, at + 1)
    container.end, container.closed = at + 1, True
    if known is not None:
        known[start] = container  # whole, as other threads look into it
    return container


def _scan_numbers(text: str, start: int, end: int) -> Container:
    """Return the children of a list of scalars. There may be millions, so no Python code runs per child."""
    container = Container(start, False)
    container.end, container.closed = end, True
    pieces = text[start + 1 : end - 1].split(",")
    stops = map(add, accumulate(map(len, pieces)), count(start + 1))
    container.starts = list(map(sub, stops, map(len, map(str.lstrip, pieces))))
    container.ends = list(map(add, container.starts, map(len, map(str.strip, pieces))))
    return container


def _split_objects(text: str, start: int, objects: list[Any]) -> Container | None:
    """A list of objects by the marks between them. Between all of them stands one: if there are no more from here on, not even
    in strings or deeper down, each is of this list. None where there are more."""
    if set(map(type, objects)) != {dict}:
        return None
    marks = islice(_BETWEEN_OBJECTS.finditer(text, start), len(objects))
    starts = [after_blank(text, start + 1), *[match.end() for match in marks]]
    return Objects(text, start, starts) if len(starts) == len(objects) else None


def is_near_top(text: str, at: int, depth: int, in_object: bool) -> bool:
    """Return whether a value's children make up a model file: an object in the top object, or a list of objects there."""
    if depth > 1 or not in_object:
        return False
    return (depth == 0 and text[at] == "{") or _LIST_OF_OBJECTS.match(text, at) is not None


class JsonLocator:
    """Spans and places of one text. `known` has the containers that the parse walked; all others are clean JSON.

    `value` is the value of a text that is all clean JSON.
    """

    def __init__(self, text: str, root: Span | None, known: dict[int, Container], value: Any = None) -> None:
        self.text = text
        self.root = root  # of the top value
        self.known = known
        self.value = value
        self._recent: dict[int, Container] = {}
        self._walked: tuple[Path | None, Any] = (None, None)
        self._found: tuple[Path | None, Found | None] = (None, None)

    def container(self, start: int) -> Container | None:
        """Return the container that opens at an offset; None for a scalar."""
        found = self.known.get(start) or self._recent.get(start)
        if found is not None:
            return found
        if self.text[start] not in "[{":
            return None
        if self.root is not None and start == self.root.start:
            with no_collection():
                return scan_container(self.text, start, self.known, value=self.value)
        try:
            found = scan_container(self.text, start)
        except RecursionError:
            return None  # values deeper than a reader goes have no places of their own
        if len(found.starts) >= MANY:
            self.known[start] = found
        else:
            if len(self._recent) >= KEPT:
                self._recent.clear()
            self._recent[start] = found
        return found

    def walk(self, path: Path) -> tuple[Container | None, int, Span, bool]:
        """Return the container around a path's end, the position in it, the span, and whether the path exists.

        If it does not, return those of its longest existing prefix. A finding and its fix look up the same path in turn.
        """
        if path != self._walked[0]:
            self._walked = path, self._beside(path) or self._walk(path)
        found: tuple[Container | None, int, Span, bool] = self._walked[1]
        return found

    def _beside(self, path: Path) -> tuple[Container | None, int, Span, bool] | None:
        """Return the same for a sibling of the previous path."""
        known, found = self._walked
        if not known or not path or path[:-1] != known[:-1] or not found[3]:
            return None
        holder: Container = found[0]
        index = holder.index(path[-1])
        return None if index is None else (holder, index, Span(holder.starts[index], holder.ends[index]), True)

    def _walk(self, path: Path) -> tuple[Container | None, int, Span, bool]:
        holder, at, span = None, 0, self.root
        if span is None:
            return None, 0, Span(0, 0), not path
        last = len(path) - 1
        for depth, step in enumerate(path):
            if depth < last and span.start not in self.known and (found := self.near(path[: depth + 1])) is not None:
                span = Span(*found[2:])
                continue
            container = self.container(span.start)
            index = None if container is None else container.index(step)
            if container is None or index is None:
                return holder, at, span, False
            holder, at, span = container, index, Span(container.starts[index], container.ends[index])
        return holder, at, span, True

    @cached_property
    def _near(self) -> NearbySearch | None:
        if self.value is None or self.root is None or (top := self.container(self.root.start)) is None:
            return None
        return NearbySearch(self.text, self.value, top, self.known)

    def near(self, path: Path) -> Found | None:
        """Return the result of a quick search for a path; None if it is inconclusive."""
        asked, found = self._found
        if path is not asked and path != asked:
            found = self._near.find(path) if path and self._near is not None else None
            self._found = path, found
        return found

    def span(self, place: Place) -> Span:
        path, part, inner = place
        asked, near = self._found
        if path is not asked:
            near = self.near(path)
        if near is not None:
            key_start, key_end, start, end = near
        else:
            holder, at, span, exists = self.walk(path)
            start, end = max(span.start, 0), span.end
            if not exists:
                return Span(start, end)
            key_start, key_end = (holder.key_starts[at], holder.key_ends[at]) if holder and holder.keys else (-1, -1)
        if part == "open":
            end = min(start + 1, end)
        elif key_start >= 0 and part in ("key", "member"):
            start, end = key_start, key_end if part == "key" else end
        span = tuple.__new__(Span, (start, end))  # half of what it costs to call the class
        return span if inner is None or part == "open" else self.inner(span, inner)

    def inner(self, span: Span, inner: tuple[int, int]) -> Span:
        """Return the span of a range of characters of a string token, or of the token if it is not a string."""
        text = self.text
        if text[span.start] != '"':
            return span
        ends = span.end - 1 if text[span.end - 1] == '"' and span.end - span.start > 1 else span.end
        body = text[span.start + 1 : ends]
        low, high = sorted(inner)
        if "\\" not in body:
            return Span(span.start + 1 + min(low, len(body)), span.start + 1 + min(high, len(body)))
        marks = [0]
        at = 0
        for match in _ESCAPE.finditer(body):
            marks.extend(range(at + 1, match.start() + 1))
            at = match.end()
            marks.append(at)
        marks.extend(range(at + 1, len(body) + 1))
        last = len(marks) - 1
        return Span(span.start + 1 + marks[min(low, last)], span.start + 1 + marks[min(high, last)])

    def place_at(self, offset: int) -> Place:
        path: list[Step] = []
        if self.root is None:
            return Place(())
        start = self.root.start
        while True:
            container = self.container(start)
            if container is None or not container.starts:
                return Place(tuple(path))
            index = bisect_right(container.begins, offset) - 1
            if index < 0 or offset >= container.ends[index]:
                return Place(tuple(path))
            if container.members is None:
                path.append(index)
            elif container.members[key := container.keys[index]] != index and offset >= container.starts[index]:
                return Place((*path, key), "key")  # a repeated key's value that does not count: no path leads into it
            else:
                path.append(key)
                if offset < container.starts[index]:
                    return Place(tuple(path), "key" if offset < container.key_ends[index] else "member")
            start = container.starts[index]

    def value_at(self, value: Any, path: Path) -> Any:
        for step in path:
            wanted = str if isinstance(value, dict) else int
            if not isinstance(value, (dict, list)) or not isinstance(step, wanted):
                raise LookupError(f"nothing at {pointer(path)}")
            value = value[step]  # type: ignore[index]
        return value
