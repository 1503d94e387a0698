"""Values by the standard library's C scanner, as long as nothing about them is odd."""

from __future__ import annotations

import gc
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from json.scanner import c_make_scanner  # type: ignore[attr-defined]
from typing import Any

from irlint.text.json_options import JsonOptions
from irlint.text.json_suspects import suspects

BLANKS = re.compile(r"[ \t\n\r]*")

_NEXT_OBJECT = re.compile(r"[ \t\n\r]*,[ \t\n\r]*(?=\{)")
_NEXT_LINE = re.compile(r"[ \t]*[\n\r][ \t\n\r]*(?=\{)")


@contextmanager
def no_collection() -> Iterator[None]:
    """Python looks for garbage again and again while a large tree grows; that takes as long as the parsing, and there is none."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class FastScanner:
    """Scans the value at an offset, or declines: what is broken, repeated, not finite or suspicious is for the careful reader."""

    strict = True
    object_hook = None
    parse_float: Callable[[str], float] = float
    parse_int = int

    def __init__(self, text: str, options: JsonOptions) -> None:
        self.text = text
        self.odd = False  # set by the hooks while a value is scanned
        self.fractions = options.fractions
        if not options.fractions:
            self.parse_float = self._fraction
        self.hits = suspects(text, options)
        self.object_pairs_hook = self._folding(options) if options.folded_keys else self._plain
        self._scan: Callable[[str, int], tuple[Any, int]] = c_make_scanner(self)

    def release(self) -> None:
        """Scanner and hooks point at each other and at the text: let go, they are freed without a search for garbage."""
        vars(self).clear()

    def parse_constant(self, name: str) -> float:
        self.odd = True
        return float(name)

    def _fraction(self, token: str) -> float:
        self.fractions = True
        return float(token)

    def _plain(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            self.odd = True
        return members

    def _folding(self, options: JsonOptions) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
        known, fold = options.folded_keys, options.fold

        def hook(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            members = dict(pairs)
            if len(members) != len(pairs):
                self.odd = True
            elif not known.issuperset(members):
                self.odd = self.odd or any(key not in known and key.lower() in fold for key in members)
            return members

        return hook

    def whole(self, at: int) -> tuple[Any, int] | None:
        """The top value and where it ends, in one go; None if anything about it is odd."""
        return None if self.hits else self.scan(at)

    def scan(self, at: int) -> tuple[Any, int] | None:
        """The value at an offset and where it ends; None if it needs care."""
        self.odd = False
        try:
            value, end = self._scan(self.text, at)
        except (StopIteration, ValueError, RecursionError):
            return None
        return None if self.odd or self.next_hit(at) < end else (value, end)

    def next_hit(self, at: int) -> int:
        index = bisect_left(self.hits, at)
        return self.hits[index] if index < len(self.hits) else len(self.text) + 1

    def objects(self, at: int, values: list[Any], starts: list[int], ends: list[int], lines: bool) -> int:
        """Add the objects of a list from an offset on, one after the other; returns where the first stands that needs care,
        or the end of the last one."""
        text, scan = self.text, self._scan
        between = (_NEXT_LINE if lines else _NEXT_OBJECT).match
        hit = self.next_hit(at)
        self.odd = False
        try:
            while True:
                value, end = scan(text, at)
                if self.odd or hit < end:
                    return at
                values.append(value)
                starts.append(at)
                ends.append(end)
                match = between(text, end)
                if match is None:
                    return end
                at = match.end()
        except (StopIteration, ValueError, RecursionError):
            return at
