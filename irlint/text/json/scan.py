"""Values by the standard library's C scanner, as long as nothing about them is odd."""

from __future__ import annotations

import gc
import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Generator, Iterator, MutableSequence
from contextlib import contextmanager
from functools import cached_property
from json import JSONDecodeError
from json.scanner import c_make_scanner  # type: ignore[attr-defined]
from typing import Any

from irlint.text.json.options import JsonOptions
from irlint.text.json.suspects import suspects
from irlint.tools import later

_Tally = Generator[Any, "dict[str, Any] | None", None]  # takes each object and gives it back; None: gives the sum

BLANKS = re.compile(r"[ \t\n\r]*")

NEXT_OBJECT = later(r"[ \t\n\r]*,[ \t\n\r]*(?=\{)")
_NEXT_LINE = later(r"[ \t]*[\n\r][ \t\n\r]*(?=\{)")


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
    object_hook: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    object_pairs_hook: Callable[[list[tuple[str, Any]]], dict[str, Any]] | None = None
    parse_float: Callable[[str], float] = float
    parse_int = int

    def __init__(self, text: str, options: JsonOptions) -> None:
        self.text = text
        self.odd = False  # set by the hooks while a value is scanned
        self.fractions = options.fractions
        if not options.fractions:
            self.parse_float = self._fraction
        self.options = options
        self.patience = (
            20 * len(text) + 1_000_000
        )  # characters that errors may cost before each value is read with care

    @cached_property
    def hits(self) -> list[int]:
        return suspects(self.text, self.options)

    @cached_property
    def _scan(self) -> Callable[[str, int], tuple[Any, int]]:
        self.object_pairs_hook = self._folding(self.options) if self.options.folded_keys else self._plain
        return c_make_scanner(self)  # type: ignore[no-any-return]

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
        """The top value and where it ends, in one go; None if anything about it is odd.

        That a key is repeated shows in fewer members than colons: to count both costs less than to look at each object.
        """
        self.odd = False
        hook = self._tally().send
        hook(None)
        self.object_hook, self.object_pairs_hook = hook, None
        scan = c_make_scanner(self)
        self.object_hook = None
        try:
            value, end = scan(self.text, at)
        except (StopIteration, ValueError, RecursionError):
            return None
        members = hook(None)
        deep = _goes_deeper(self.options.max_depth)
        if self.odd or suspects(self.text, self.options, self.fractions, deep):
            return None
        if members == self.text.count(":", at, end) or members == _most_members(self.text, at, end):
            return value, end
        return self.scan(at)

    def _tally(self) -> _Tally:
        """A hook that counts members: a generator, which is entered with less ado than a function."""
        known, fold = self.options.folded_keys, self.options.fold
        count, members = 0, None
        while True:
            members = yield members
            if members is None:
                yield count
                return
            count += len(members)
            if known and not known.issuperset(members):
                self.odd = self.odd or any(key not in known and key.lower() in fold for key in members)

    def scan(self, at: int) -> tuple[Any, int] | None:
        """The value at an offset and where it ends; None if it needs care."""
        self.odd = False
        if self.patience < 0:
            return None
        try:
            value, end = self._scan(self.text, at)
        except JSONDecodeError as error:  # it counts the lines above it
            self.patience -= error.pos
            return None
        except (StopIteration, ValueError, RecursionError):
            return None
        return None if self.odd or self.next_hit(at) < end else (value, end)

    def next_hit(self, at: int) -> int:
        index = bisect_left(self.hits, at)
        return self.hits[index] if index < len(self.hits) else len(self.text) + 1

    def objects(self, at: int, values: MutableSequence[Any], starts: list[int], ends: list[int], lines: bool) -> int:
        """Add the objects of a list from an offset on, one after the other; returns where the first stands that needs care,
        or the end of the last one."""
        text, scan = self.text, self._scan
        between = (_NEXT_LINE if lines else NEXT_OBJECT).match
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
        except JSONDecodeError as error:
            self.patience -= error.pos
            return at
        except (StopIteration, ValueError, RecursionError):
            return at


def _goes_deeper(limit: int) -> bool:
    """Whether the C scanner reads what nests deeper than the limit: up to Python 3.11 its calls are counted as Python's are."""
    return sys.version_info >= (3, 12) or sys.getrecursionlimit() > limit


def _most_members(text: str, start: int, end: int) -> int:
    """Return the maximum number of members of the objects in valid JSON text: colons that may follow a key."""

    def count(token: str) -> int:
        return text.count(token, start, end)

    in_strings = count('\\":') - count('\\\\":') if "\\" in text else 0
    return count('":') - in_strings + sum(count(f"{blank}:") for blank in " \t\n\r" if blank in text)
