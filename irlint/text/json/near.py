"""Lookup of the span of a path by a search in a small part of the text, without listing all children.

It applies to clean JSON with a known value only, and to unambiguous matches.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from irlint.text.base import Path, Step
from irlint.text.json.containers import Container, after_blank, skip_value

SMALL = 4096  # characters of a part of the text that is searched
FEW = 16  # items that are skipped one by one

_VALUE = re.compile(r'[ \t\n\r]*:[ \t\n\r]*("[^"]*"|[-0-9a-zA-Z][^ \t\n\r,\]}]*)?')  # where nothing is escaped
_ITEM = re.compile(r'[ \t\n\r]*(\[[^][{}"]*\]|"[^"]*"|[^][{}", \t\n\r]+)[ \t\n\r]*,?')  # a scalar, or a list of numbers

Found = tuple[int, int, int, int]  # where a key begins and ends (-1: there is none), and its value


class NearbySearch:
    """Prepare a search. `known` are containers with known offsets of their children; `top` is that of the whole text."""

    def __init__(self, text: str, value: Any, top: Container, known: Mapping[int, Container]) -> None:
        self.text, self.value, self.top, self.known = text, value, top, known
        self._escapes = "\\" in text
        self._parts: dict[Step, tuple[Container, Any] | None] = {}  # the known containers in the top one
        self._quoted: dict[str, str] = {}  # keys that can only be spelled one way, with their quotes

    def find(self, path: Path) -> Found | None:
        """Return the span of a path; None if the search is inconclusive."""
        try:
            first = path[0]
            part = self._parts[first] if first in self._parts else self._part(first)
            if part is None:
                return None
            container, value = part
            depth, last = 1, len(path)
            while True:
                step = path[depth]
                depth += 1
                if container.members is not None:
                    index = container.members[step]  # type: ignore[index]
                elif isinstance(step, int) and step >= 0:
                    index = step
                else:
                    return None
                starts, value = container.starts, value[step]
                start = starts[index]
                if depth == last:
                    keys = (container.key_starts[index], container.key_ends[index]) if container.keys else (-1, -1)
                    return *keys, start, container.ends[index]
                if start not in self.known:
                    break
                container = self.known[start]
            end = starts[index + 1] if index + 1 < len(starts) else container.end
            if end - start > SMALL or (self._escapes and self.text.find("\\", start, end) >= 0):
                return None
            return self._search(path, depth, value, start, end)
        except (LookupError, TypeError):
            return None

    def _part(self, step: Step) -> tuple[Container, Any] | None:
        top, part = self.top, None
        if (index := top.index(step)) is not None and (container := self.known.get(top.starts[index])) is not None:
            part = container, self.value[step]
        self._parts[step] = part
        return part

    def _search(self, path: Path, depth: int, value: Any, start: int, end: int) -> Found | None:
        """Return the span of the rest of a path, from `depth` on, in the value that begins at `start` and ends at `end` or before."""
        last = len(path)
        is_whole = True  # `start` is where the object begins that has the next key
        while True:
            step, is_last = path[depth], depth + 1 == last
            depth += 1
            if not isinstance(step, str) and (type(value) is not list or not 0 <= step < FEW):
                return None
            value = value[step]
            if isinstance(step, str):
                if not is_last and isinstance(path[depth], str):
                    is_whole = False
                    continue  # it will do to find the next key
                member = self._member(step, start, end, is_whole)
                if member is None or (is_last and member[3] >= 0):
                    return member
                start = member[2]
                if is_last:
                    return *member[:3], skip_value(self.text, start)
            else:
                start, stop = self._item(start, step)
                if is_last:
                    return -1, -1, start, stop
                if isinstance(path[depth], str):
                    end = stop

    def _member(self, key: str, start: int, end: int, is_whole: bool) -> Found | None:
        """Return the span of the member with a key, with -1 for the end of a container; None if more than one member may be meant."""
        text = self.text
        quoted = self._quoted.get(key) or self._quote(key)
        at = text.find(quoted, start, end)
        key_end = at + len(quoted)
        found = _VALUE.match(text, key_end) if at >= 0 else None
        if found is None:
            return None
        is_first = is_whole and at == after_blank(text, start + 1)  # any other is a member of something else
        if not is_first and text.find(quoted, key_end, end) >= 0:
            return None
        if found.start(1) < 0:
            return at, key_end, found.end(), -1
        return at, key_end, *found.span(1)

    def _item(self, start: int, index: int) -> tuple[int, int]:
        """Return the span of an item of the list that begins at `start`."""
        text, at = self.text, start + 1
        for _ in range(index + 1):
            if (item := _ITEM.match(text, at)) is not None:
                start, end = item.span(1)
                at = item.end()
            else:
                start = after_blank(text, at)
                end = skip_value(text, start)
                at = after_blank(text, end) + 1
        return start, end

    def _quote(self, key: str) -> str:
        if not (key.isidentifier() and key.isascii()):
            raise LookupError(key)
        self._quoted[key] = f'"{key}"'
        return self._quoted[key]
