"""Writes JSON in the layouts that LightNet files have, and knows on which line every part stands."""

from __future__ import annotations

import json
from typing import Any

Path = tuple[Any, ...]


class Pairs(list):  # type: ignore[type-arg]
    """An object as (key, value) pairs: for duplicate keys and odd orders."""


class Rendered:
    def __init__(
        self, text: str, lines: dict[Path, int], ends: dict[Path, int], spans: dict[Path, tuple[int, int]]
    ) -> None:
        self.text = text
        self.lines = lines
        self.ends = ends
        self.spans = spans  # of values, as offsets

    def line(self, path: Path) -> int:
        """The line of a part, or of its nearest ancestor that exists."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def line_range(self, path: Path) -> range:
        """The lines of a list from bracket to bracket, if it is a value or short; of anything else its first line."""
        first = self.line(path)
        is_short = path in self.ends and (len(path) > 4 or self.ends[path] - first < 8)
        return range(first, self.ends[path] + 1) if is_short else range(first, first + 1)


# layout -> from which depth on a container is written on one line, the blank of one level, what follows a key
LAYOUTS = {
    "entries": (4, "  ", ": "),
    "values": (99, "   ", " : "),
    "operators": (2, "    ", ": "),
    "lists": (5, "\t", ":\t"),
}


def render(document: Any, layout: str = "entries") -> Rendered:
    inline_from, indent, colon = LAYOUTS[layout]
    lines: dict[Path, int] = {}
    ends: dict[Path, int] = {}
    spans: dict[Path, tuple[int, int]] = {}
    pieces: list[str] = []
    line, size = 1, 0

    def put(text: str) -> None:
        nonlocal line, size
        pieces.append(text)
        line += text.count("\n")
        size += len(text)

    def write(value: Any, path: Path, depth: int, inline: bool) -> None:
        start = size
        put_value(value, path, depth, inline)
        spans[path] = (start, size)

    def put_value(value: Any, path: Path, depth: int, inline: bool) -> None:
        lines[path] = line
        is_object = isinstance(value, (dict, Pairs))
        if not is_object and not isinstance(value, (list, tuple)):
            put(value.text if isinstance(value, Raw) else json.dumps(value, ensure_ascii=False))
            return
        children: list[tuple[Any, Any]] = list(
            value if isinstance(value, Pairs) else value.items() if is_object else enumerate(value)
        )
        inline = inline or len(path) >= inline_from
        put("{" if is_object else "[")
        for at, (key, child) in enumerate(children):
            put(", " if inline and at else "" if inline else ("," if at else "") + "\n" + indent * (depth + 1))
            lines.setdefault((*path, key, "key"), line)
            if is_object:
                put(json.dumps(key, ensure_ascii=False) + colon)
            write(child, (*path, key), depth + 1, inline)
        if children and not inline:
            put("\n" + indent * depth)
        put("}" if is_object else "]")
        if not is_object:
            ends[path] = line

    write(document, (), 0, False)
    put("\n")
    return Rendered("".join(pieces), lines, ends, spans)


class Raw:
    """Text to be written as it is, in the place of a value."""

    def __init__(self, text: str) -> None:
        self.text = text
