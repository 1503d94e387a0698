"""Offsets of the children of objects and lists, as found by a parse or a search."""

from __future__ import annotations

from itertools import pairwise
from json.scanner import c_make_scanner  # type: ignore[attr-defined]

from irlint.text.base import Step
from irlint.text.json.scan import BLANKS


class Container:
    """The offsets of the children of one object or list, in file order."""

    __slots__ = ("closed", "end", "ends", "key_ends", "key_starts", "keys", "members", "start", "starts")

    def __init__(self, start: int, is_object: bool) -> None:
        self.start = start
        self.end = -1  # behind the closing bracket
        self.closed = False  # False: it has no closing bracket of its own
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.keys: list[str] = []
        self.key_starts: list[int] = []
        self.key_ends: list[int] = []
        self.members: dict[str, int] | None = {} if is_object else None  # key -> index of the member that counts

    def add(self, start: int, end: int) -> None:
        self.starts.append(start)
        self.ends.append(end)

    def add_member(
        self, key: str, key_start: int, key_end: int, start: int, end: int, first_wins: bool = False
    ) -> None:
        members = self.members
        assert members is not None
        if not (first_wins and key in members):
            members[key] = len(self.starts)
        self.keys.append(key)
        self.key_starts.append(key_start)
        self.key_ends.append(key_end)
        self.starts.append(start)
        self.ends.append(end)

    @property
    def begins(self) -> list[int]:
        """Return where the children begin, those of an object with their keys."""
        return self.starts if self.members is None else self.key_starts

    @property
    def last_end(self) -> int:
        """Return the end of the last child, or of the opening bracket."""
        return self.ends[-1] if self.ends else self.start + 1

    @property
    def inside_end(self) -> int:
        return self.end - 1 if self.closed else self.end

    def index(self, step: Step) -> int | None:
        """Return the position of a child, if it exists."""
        if self.members is not None:
            return self.members.get(step) if isinstance(step, str) else None
        if isinstance(step, int) and 0 <= step < len(self.starts):
            return step
        return None


class Objects(Container):
    """The objects of a list, with lazily computed ends."""

    __slots__ = ("_ends", "_last", "_text")

    def __init__(self, text: str, start: int, starts: list[int]) -> None:
        self._text = text
        self._ends: list[int] = []
        super().__init__(start, False)
        self.starts = starts
        self._last = skip_value(text, starts[-1])
        self.end, self.closed = after_blank(text, self._last) + 1, True

    @property
    def ends(self) -> list[int]:
        if not self._ends:
            closing = [self._text.rfind("}", start, following) + 1 for start, following in pairwise(self.starts)]
            self._ends = [*closing, self._last]
        return self._ends

    @ends.setter
    def ends(self, ends: list[int]) -> None:
        self._ends = ends


class _Plain:
    """Scans clean JSON only to find its ends."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = str


_scan = c_make_scanner(_Plain())


def skip_value(text: str, at: int) -> int:
    """Where the value at an offset of clean JSON ends."""
    try:
        return _scan(text, at)[1]  # type: ignore[no-any-return]
    except RecursionError:  # the caller stands deeper than the parser stood
        from irlint.text.json.tokens import after_brackets

        return after_brackets(text, at)


def after_blank(text: str, at: int) -> int:
    return at if text[at] not in " \t\n\r" else BLANKS.match(text, at).end()  # type: ignore[union-attr]
