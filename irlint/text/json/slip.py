"""Reads text that is not valid JSON. Where a few changes repair all of it, they are what is reported: each is the root of
whatever else is wrong.

The reader says where a text breaks. From a little before that on, it is read token by token against its schema, and of all
changes of one token there the one is meant with which most of what follows makes sense.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import Any

from irlint.codes import R
from irlint.records import NamedTuple
from irlint.text.base import Edit, Lines, Trouble, apply
from irlint.text.edited import EditedText
from irlint.text.json.candidates import GUESS, JsonCandidate, candidates
from irlint.text.json.locate import JsonLocator
from irlint.text.json.options import JsonOptions
from irlint.text.json.read import JsonReader
from irlint.text.json.shape import Shapes
from irlint.text.json.walk import JsonMisfit, JsonState, ShapeWalker, tokens

MOST = 5  # repairs of one text

_LEAST = 32  # characters of a text that tells what was meant
_BROKEN = (R.syntax_error, R.trailing_text, R.truncated_file)
_TRIED = 8  # errors of the reader at which the text is read token by token
_NEAR = 2000  # characters before an error in which its cause is looked for
_PAST = 200  # characters after it: some are reported at the start of their value
_LONG = 1 << 13  # characters of a sound value before an error that is not read again
_AHEAD = 6000  # characters read after a fault
_SURE = 300  # characters that must be valid after a change, unless the text ends before
_ROW = 100  # characters of a list of numbers that are looked at
_NUMBER = re.compile(r"[0-9]{1,18}")
_NUMBERS_BEFORE = re.compile(r"(?:(?<![0-9])[0-9]{1,18}\s*,\s*){2,4}[0-9]{0,18}\s*\Z")
_NUMBERS_AFTER = re.compile(r"\s*[0-9]{1,18}(?:\s*,\s*[0-9]{1,18}(?![0-9])){1,4}")


class ReadText(NamedTuple):
    """A text as it was read, perhaps with changes."""

    reader: JsonReader
    moves: EditedText | None  # the way back to the text's own offsets
    troubles: list[Trouble]  # what is reported
    is_left: bool = False  # it seems to be another program's


class JsonRepair(NamedTuple):
    """A change of the text; `only`: there is no other way to read it."""

    change: JsonCandidate
    only: bool


def read_with_care(
    text: str, at: int, options: JsonOptions, lines: Lines, claims: Callable[[Any], bool] | None = None
) -> ReadText:
    """Reading of invalid JSON. If several syntax errors have one cause, that is reported in their place.

    The cause is left open if the format does not claim what can be read: looking for it takes longer than reading.
    """
    reader = _read(text, at, options, lines)
    as_it_is = ReadText(reader, None, reader.troubles.found)
    if not _broken(reader) or len(text) < _LEAST:
        return as_it_is
    if options.lines and all(trouble.edits and trouble.safety == "safe" for trouble in _broken(reader)):
        return as_it_is  # each line is an error of its own
    if claims is not None and not claims(reader.value):
        return as_it_is._replace(is_left=True)
    shapes = None if options.schemas is None else Shapes(options.schemas())
    for known in (shapes, None) if shapes is not None and reader.slips > 1 else (shapes,):
        search = _SlipSearch(reader, at, known)
        if not search.run():
            continue
        mended = search.mended()
        if mended is not None or not search.found:
            return mended or as_it_is
    return as_it_is


def _read(text: str, at: int, options: JsonOptions, lines: Lines) -> JsonReader:
    reader = JsonReader(text, options, lines)
    reader.read(at)
    return reader


def _broken(reader: JsonReader) -> list[Trouble]:
    return [trouble for trouble in reader.troubles.found if trouble.rule in _BROKEN]


class _SlipSearch:
    """The search for the changes that together repair a text."""

    def __init__(self, reader: JsonReader, at: int, shapes: Shapes | None) -> None:
        self.first = self.reader = reader  # of the text as it is, and after the changes that are found
        self.at, self.walker = at, ShapeWalker(shapes, reader.options)
        self.found: list[JsonRepair] = []
        self.moves = EditedText(())  # by what is found
        self.resumed: list[tuple[int, JsonState]] = []  # where the text as it is now is read on from before each change

    def run(self) -> bool:
        """Find the changes; return whether they leave nothing broken."""
        while (fault := self._fault()) is not None:
            best = self._best(fault) if len(self.found) < MOST else None
            if best is None or not self._make(best):
                return False
        return True

    def _make(self, repair: JsonRepair) -> bool:
        change, moves = repair.change, self.moves
        try:
            (edit,) = moves.edits([change.edit])
        except LookupError:
            return False
        self.found.append(repair._replace(change=change._replace(edit=edit, at=moves.span(change.at))))
        (start, end), new = change.edit
        shift = len(new) - (end - start)
        self.resumed = [(at + shift if at > start else at, state) for at, state in self.resumed]
        self.resumed = sorted([*self.resumed, (change.begin, change.state)], key=lambda pair: pair[0])
        self.reader = self._changed(change.edit)
        self.moves = EditedText(found.change.edit for found in self.found)
        return True

    def _changed(self, edit: Edit) -> JsonReader:
        text = apply(self.reader.text, [edit])
        return _read(text, self.at, self.first.options, Lines(text))

    def _fault(self) -> JsonMisfit | None:
        """Return the first place that makes no sense near the reader's errors or, without any, behind changes."""
        text, broken = self.reader.text, _broken(self.reader)
        for trouble in broken[:_TRIED]:
            start, state = self._before(trouble.span.start)
            if (fault := self.walker.walk(text, start, state, trouble.span.end + _PAST)) is not None:
                return fault
        for start, state in () if broken else self.resumed:
            if (fault := self.walker.walk(text, start, state, start + _AHEAD)) is not None:
                return fault
        return None

    def _before(self, error: int) -> tuple[int, JsonState]:
        """Return a place a little before an error from which on the text can be read, and the state there."""
        reader = self.reader
        at, state, near = self.at, self.walker.top(), error - _NEAR
        if reader.options.lines:
            at = reader.text.rfind("\n", 0, max(near, 0)) + 1
        elif reader.root is not None:
            at = reader.root.start
        while at < near and (container := reader.known.get(at)) is not None:
            k = bisect_right(container.begins, near) - 1
            if k < 0:
                break
            begin, start, end = container.begins[k], container.starts[k], container.ends[k]
            inside = self.walker.inside(state, container, k)
            is_open = start in reader.known and (end > near or start == end)
            if not is_open and end - start > _LONG and end <= error:
                return end, self.walker.after_value(inside)
            if not is_open:
                return begin, inside
            at, state = start, self.walker.at_value(inside, container.keys[k] if container.keys else None)
        return at, state

    def _best(self, fault: JsonMisfit) -> JsonRepair | None:
        """Return the change that makes most of the text after a fault readable."""
        text = self.reader.text
        end = min(len(text), fault.at + _AHEAD)
        enough = min(end, fault.at + _SURE)
        found: dict[tuple[str, ...], tuple[int, JsonCandidate]] = {}  # by what the text is then
        for candidate in candidates(text, fault):
            got = self._reach(candidate, end)
            if got < enough:
                continue
            begin = min(candidate.edit.span.start, fault.at, *(token.start for token, _ in fault.before[:1]))
            window = _window(text, candidate.edit, begin, end)
            if window not in found or found[window][0] < got:
                found[window] = got, candidate
        most = max((got for got, _ in found.values()), default=0)
        return self._likeliest([change for got, change in found.values() if got == most])

    def _likeliest(self, rivals: list[JsonCandidate]) -> JsonRepair | None:
        """Return the best of changes with which the text is readable as far as with any."""
        if not rivals:
            return None
        rank = min(change.rank for change in rivals)
        rivals = [change for change in rivals if change.rank == rank]
        counting = [change for change in rivals if len(rivals) > 1 and _counts_up(self.reader.text, change.edit)]
        best, *others = counting or rivals
        is_shaped = self.walker.has_shapes and not self.first.options.lines  # a line may be anything that a line can be
        return JsonRepair(best, not others and rank < GUESS and is_shaped)

    def _reach(self, candidate: JsonCandidate, end: int) -> int:
        """Return how far the text is readable after a change, up to `end`."""
        text = self.reader.text
        (start, stop), new = candidate.edit
        begin = candidate.begin
        piece = text[begin:start] + new + text[stop:end]
        got = self.walker.reach(candidate.state, piece, end < len(text))
        return end + 1 if got > len(piece) else got + begin + (stop - start) - len(new)

    def mended(self) -> ReadText | None:
        """Return the text as it is read with the changes; None if that is not better than what the reader found."""
        first, reader, found, moves = self.first, self.reader, self.found, self.moves
        if not found or not self._explains() or reader.slips + len(found) > first.slips:
            return None
        only = len(found) == 1 and found[0].only
        said = [_trouble(first, repair.change, only) for repair in found]
        troubles = sorted([*said, *map(moves.trouble, reader.troubles.found)], key=lambda trouble: trouble.span.start)
        if not only:
            locator = JsonLocator(reader.text, reader.root, reader.known)
            with suppress(LookupError):
                reader.damaged.update(locator.place_at(moves.ahead(edit.span.start)).path for edit in moves.made)
        return ReadText(reader, moves, troubles)

    def _explains(self) -> bool:
        """Return whether the changes say more than that text is missing at the end, or too much."""
        broken, text = _broken(self.first), self.first.text
        last = max(repair.change.edit.span.end for repair in self.found)
        if any(trouble.rule == R.truncated_file for trouble in broken) and not text[last:].strip():
            return False
        first = self.found[0].change.edit.span.start
        return len(broken) > 1 or broken[0].rule == R.syntax_error or first < broken[0].span.start


def _counts_up(text: str, edit: Edit) -> bool:
    """Return whether whole numbers around an edit, and what it makes of one, count up by one."""
    before = _NUMBERS_BEFORE.search(text, max(0, edit.span.start - _ROW), edit.span.start)
    after = _NUMBERS_AFTER.match(text, edit.span.end, edit.span.end + _ROW)
    if before is None or after is None:
        return False
    row = [int(number) for number in _NUMBER.findall(before[0] + edit.text + after[0])]
    return all(two - one == 1 for one, two in pairwise(row))


def _trouble(reader: JsonReader, change: JsonCandidate, only: bool) -> Trouble:
    """Return the words for a change: those of the reader, if it found the same."""
    own = Trouble(R.syntax_error, change.at, change.message, (), lambda: [change.edit], change.title)
    alike = (
        one for one in reader.troubles.found if one.rule == R.syntax_error and _is_same(reader.text, change.edit, one)
    )
    trouble = next(alike, own)
    trouble.safety = "safe" if only else "unsafe"
    return trouble


def _is_same(text: str, own: Edit, trouble: Trouble) -> bool:
    """Return whether the fix of a trouble leads to the text that an edit leads to."""
    found = [] if trouble.edits is None else [*trouble.edits()]
    if len(found) != 1:
        return False
    begin = max(0, min(own.span.start, found[0].span.start) - _PAST)
    end = min(len(text), max(own.span.end, found[0].span.end) + _PAST)
    return end - begin <= _AHEAD and _window(text, own, begin, end) == _window(text, found[0], begin, end)


def _window(text: str, edit: Edit, begin: int, end: int) -> tuple[str, ...]:
    """Return the tokens of a part of a text after an edit."""
    piece = text[begin : edit.span.start] + edit.text + text[edit.span.end : end]
    return (str(begin), *(token.text for token in tokens(piece, 0)))
