"""Reads text that is not sound JSON. Where a few changes repair all of it, they are what is reported: each is the root of
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
from typing import Any, Literal

from irlint.codes import R
from irlint.records import NamedTuple
from irlint.text.base import Edit, Lines, Trouble, apply
from irlint.text.edited import EditedText
from irlint.text.json.candidates import GUESS, JsonCandidate, candidates
from irlint.text.json.containers import Container
from irlint.text.json.locate import JsonLocator
from irlint.text.json.options import JsonOptions
from irlint.text.json.read import JsonReader
from irlint.text.json.shape import Shapes
from irlint.text.json.walk import MANY, JsonMisfit, State, Walker, tokens

MOST = 5  # repairs of one text
LARGE = 1 << 20  # characters from which on a text is read to its end for few changes only

_LEAST = 32  # characters of a text that tells what was meant
_BROKEN = (R.syntax_error, R.trailing_text, R.truncated_file)
_TRIED = 8  # errors of the reader at which the text is read token by token
_NEAR = 2000  # characters before an error in which its cause is looked for
_PAST = 200  # characters behind it: some are reported where the value begins that they are in
_LONG = 1 << 16  # characters of a value before those that is read again as a whole
_AHEAD = 6000  # characters read behind a fault
_SURE = 300  # characters that have to make sense behind a change, unless the text ends before
_RIVALS = 6  # changes with which the text is read to its end


class ReadText:
    """A text as it was read, perhaps with changes: its reader, what is reported, and the way back to the text's own offsets."""

    def __init__(
        self, reader: JsonReader, moves: EditedText | None, troubles: list[Trouble], left: bool = False
    ) -> None:
        self.reader, self.moves, self.troubles, self.left = reader, moves, troubles, left


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
    if not _broken(reader) or options.lines or len(text) < _LEAST:
        return as_it_is
    if claims is not None and not claims(reader.value):
        return ReadText(reader, None, reader.troubles.found, True)
    if options.schemas is not None:
        search = _Search(reader, at, Shapes(options.schemas()))
        is_whole = search.run()
        if is_whole and not search.found:
            return as_it_is
        if is_whole and (mended := search.mended()) is not None:
            return mended
    if reader.slips > 1:
        search = _Search(reader, at, None)
        if search.run() and (mended := search.mended()) is not None:
            return mended
    return as_it_is


def _read(text: str, at: int, options: JsonOptions, lines: Lines) -> JsonReader:
    reader = JsonReader(text, options, lines)
    reader.read(at)
    return reader


def _broken(reader: JsonReader) -> list[Trouble]:
    return [trouble for trouble in reader.troubles.found if trouble.rule in _BROKEN]


class _Search:
    """The search for the changes that together repair a text."""

    def __init__(self, reader: JsonReader, at: int, shapes: Shapes | None) -> None:
        self.first = self.reader = reader  # of the text as it is, and after the changes that are found
        self.at, self.walker = at, Walker(shapes, reader.options)
        self.found: list[JsonRepair] = []
        self.moves = EditedText(())  # by what is found

    def run(self) -> bool:
        """Find the changes; return whether they leave nothing broken."""
        while (fault := self._fault(self.reader)) is not None:
            best = self._best(fault) if len(self.found) < MOST else None
            if best is None or not self._make(best):
                self._let_go()
                return False
        return True

    def _make(self, repair: JsonRepair) -> bool:
        change = repair.change
        try:
            (edit,) = self.moves.edits([change.edit])
        except LookupError:
            return False
        self.found.append(repair._replace(change=change._replace(edit=edit, at=self.moves.span(change.at))))
        last, self.reader = self.reader, self._changed(change.edit)
        self.moves = EditedText(found.change.edit for found in self.found)
        if last is not self.first:
            last.release()
        return True

    def _changed(self, edit: Edit) -> JsonReader:
        text = apply(self.reader.text, [edit])
        return _read(text, self.at, self.first.options, Lines(text))

    def _let_go(self) -> None:
        if self.reader is not self.first:
            self.reader.release()

    def _fault(self, reader: JsonReader, *changed: int) -> JsonMisfit | None:
        """Return the first place that makes no sense near the reader's errors or, without any, near changes."""
        places = [(trouble.span.start, trouble.span.end + _PAST) for trouble in _broken(reader)[:_TRIED]]
        if not places:
            changed += tuple(self.moves.ahead(found.change.edit.span.start) for found in self.found)
        for at, end in places or [(at, at + _AHEAD) for at in sorted(changed)]:
            start, state = self._before(reader, at - _NEAR, at)
            fault = self.walker.walk(reader.text, start, state, end)
            if fault is not None:
                return fault
        return None

    def _before(self, reader: JsonReader, near: int, stop: int) -> tuple[int, State]:
        """Return a place at or before an offset from which on the text can be read, and the state there."""
        state = self.walker.top()
        at = reader.root.start if reader.root is not None else self.at
        while at < near and reader.text[at] in "[{" and (container := reader.known.get(at)) is not None:
            begins = container.starts if container.members is None else container.key_starts
            k = bisect_right(begins, near) - 1
            if k < 0:
                break
            start, end = container.starts[k], container.ends[k]
            inside = self._inside(state, container, k)
            is_open = start in reader.known and (end > near or start == end)
            if not is_open and end - start > _LONG and end <= stop:
                return end, self.walker.after_value(inside)
            if not is_open:
                return begins[k], inside
            state, at = self._due(inside, container, k), start
        return at, state

    def _inside(self, around: State, container: Container, k: int) -> State:
        """Return the state in a container, in front of its child `k`."""
        kind = "array" if container.members is None else "object"
        inner = (
            around.inner
            if around.is_object or around.around is None
            else self.walker.shapes.item(around.shape, around.items)
        )
        shape = tuple(one for one in inner if one.takes(kind)) or inner
        keys = frozenset(container.keys[:k][-MANY:])
        shape = tuple(one for one in shape if all(map(one.has, keys))) or shape
        phases = ("first", "value") if container.members is None else ("key or end", "key")
        return State(around, phases[k > 0], shape, shape, kind == "object", keys, k, container.start, around.depth + 1)

    def _due(self, inside: State, container: Container, k: int) -> State:
        if container.members is None:
            return inside
        inner = self.walker.shapes.member(inside.shape, container.keys[k])
        return inside._replace(phase="value", inner=inner, keys=inside.keys | {container.keys[k]})

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
        text, is_strict = self.reader.text, self.walker.is_strict
        if 1 < len(rivals) <= (_RIVALS if len(text) < LARGE else 2):
            rivals = [rival for rival in rivals if self._repairs_all(rival)] or rivals
        rank = min(change.rank for change in rivals)
        rivals = [change for change in rivals if change.rank == rank]
        if len(rivals) == 1:
            return JsonRepair(rivals[0], rank < GUESS and is_strict)
        ordered = [rival for rival in rivals if not breaks_order(text, rival.edit)] or rivals
        only = len(ordered) == 1 and is_strict and not breaks_order(text, ordered[0].edit, step=1)
        return JsonRepair(ordered[0], only)

    def _reach(self, candidate: JsonCandidate, end: int) -> int:
        """Return how far the text is readable after a change, up to `end`."""
        text = self.reader.text
        (start, stop), new = candidate.edit
        begin = min(candidate.start, start)
        piece = text[begin:start] + new + text[stop:end]
        got = self.walker.reach(candidate.state, piece, 0, end < len(text))
        return end + 1 if got > len(piece) else got + begin + (stop - start) - len(new)

    def _repairs_all(self, change: JsonCandidate) -> bool:
        reader = self._changed(change.edit)
        is_sound = self._fault(reader, change.edit.span.start) is None
        reader.release()
        return is_sound

    def mended(self) -> ReadText | None:
        """Return the text as it is read with the changes; None if that is not better than what the reader found."""
        first, reader, found = self.first, self.reader, self.found
        if not found or not self._explains() or reader.slips + len(found) > first.slips:
            self._let_go()
            return None
        first.release()
        moves = self.moves
        only = len(found) == 1 and found[0].only
        said = [_trouble(first, repair.change, "safe" if only else "unsafe") for repair in found]
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


def _trouble(reader: JsonReader, change: JsonCandidate, safety: Literal["safe", "unsafe"]) -> Trouble:
    """Return the words for a change: those of the reader, if it found the same."""
    for trouble in reader.troubles.found:
        if trouble.rule == R.syntax_error and trouble.edits and _is_same(reader.text, change.edit, trouble.edits):
            trouble.safety = safety
            return trouble
    return Trouble(R.syntax_error, change.at, change.message, (), lambda: [change.edit], change.title, safety)


def _is_same(text: str, own: Edit, edits: Callable[[], object]) -> bool:
    """Return whether other edits lead to the text that an edit leads to."""
    try:
        found = edits()
    except LookupError:
        return False
    if not isinstance(found, (list, tuple)) or len(found) != 1 or not isinstance(found[0], Edit):
        return False
    begin = max(0, min(own.span.start, found[0].span.start) - 200)
    end = min(len(text), max(own.span.end, found[0].span.end) + 200)
    return end - begin <= _AHEAD and _window(text, own, begin, end) == _window(text, found[0], begin, end)


def _window(text: str, edit: Edit, begin: int, end: int) -> tuple[str, ...]:
    """Return the tokens of a part of a text after an edit."""
    piece = text[begin : edit.span.start] + edit.text + text[edit.span.end : end]
    return (str(begin), *(token.text for token in tokens(piece, 0)))


def breaks_order(text: str, edit: Edit, step: int = 0) -> bool:
    """Return whether whole numbers around an edit ascend, but for what it makes of one; `step`: by how much, 0 for any."""
    before = _NUMBERS_BEFORE.search(text, max(0, edit.span.start - _ROW), edit.span.start)
    after = _NUMBERS_AFTER.match(text, edit.span.end, edit.span.end + _ROW)
    if before is None or after is None:
        return False
    row = [int(number) for number in _NUMBER.findall(before[0] + edit.text + after[0])]
    ends = [int(number) for number in _NUMBER.findall(before[0])[:-1] + _NUMBER.findall(after[0])[1:]]
    return len(ends) >= 3 and _ascends(ends) and not _ascends(row, step)


def _ascends(numbers: list[int], step: int = 0) -> bool:
    return all(two - one == step if step else one < two for one, two in pairwise(numbers))


_ROW = 100  # characters of a list of numbers that are looked at
_NUMBER = re.compile(r"[0-9]{1,18}")
_NUMBERS_BEFORE = re.compile(r"(?:(?<![0-9])[0-9]{1,18}\s*,\s*){2,4}[0-9]{0,18}\s*\Z")
_NUMBERS_AFTER = re.compile(r"\s*[0-9]{1,18}(?:\s*,\s*[0-9]{1,18}(?![0-9])){1,4}")
