"""Single changes after which broken JSON is readable and matches its schema."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from irlint.records import NamedTuple
from irlint.text.base import Edit, Span, apply
from irlint.text.json_candidates import GUESS, JsonCandidate, candidates
from irlint.text.json_moves import Moves
from irlint.text.json_options import JsonOptions
from irlint.text.json_shape import Shapes
from irlint.text.json_walk import JsonMisfit, Marks, Walker, begin, marks_before, reach, tokens, walk

MOST = 5  # repairs of one text
LARGE = 1 << 20  # characters from which on a text is read to its end for few changes only

_NEAR = 2000  # characters before a fault in which its cause is looked for
_BACK = 24  # tokens, at the most
_AHEAD = 6000  # characters read behind it
_SURE = 300  # characters that have to make sense behind a change, unless the text ends before
_RIVALS = 6  # readings that are followed to the end of the text


class JsonRepair(NamedTuple):
    """A change of the original text; `only`: there is no other way to read it."""

    change: JsonCandidate
    only: bool
    window: tuple[str, ...]  # the tokens around it afterwards: what a change has to lead to, to be the same


def repairs(text: str, at: int, options: JsonOptions, shapes: Shapes | None) -> list[JsonRepair] | None:
    """Return changes that together repair a text; None if none are found."""
    found: list[JsonRepair] = []
    edits: list[Edit] = []
    changed = text
    walker = Walker(shapes, options)
    marks = begin(walker, at)
    while len(found) <= MOST:
        fault = walk(walker, changed, marks, _NEAR, _BACK)
        if fault is None:
            return found
        best = _best(walker, changed, fault, shapes is None)
        if best is None or len(found) == MOST:
            return None
        moves = Moves(edits)
        try:
            (edit,) = moves.edits([best.change.edit])
        except LookupError:
            return None
        moved = best.change._replace(edit=edit, at=moves.span(best.change.at))
        found.append(best._replace(change=moved))
        edits.append(edit)
        changed = apply(text, sorted(edits))
        marks = marks_before(fault.marks, best.change.edit.span.start)
    return None


def _best(walker: Walker, text: str, fault: JsonMisfit, is_loose: bool) -> JsonRepair | None:
    """Return the change that makes most of the text after a fault readable."""
    end = min(len(text), fault.at + _AHEAD)
    enough = min(end, fault.at + _SURE)
    found: dict[tuple[str, ...], tuple[int, JsonCandidate]] = {}  # by what the text is then
    for candidate in candidates(text, fault):
        piece, offset = _piece(text, candidate, end)
        got = reach(walker, candidate.state, piece, 0, end < len(text))
        got = end + 1 if got > len(piece) else got + offset
        if got < enough:
            continue
        window = _window(text, candidate, fault, end)
        if window not in found or found[window][0] < got:
            found[window] = got, candidate
    if not found:
        return None
    most = max(got for got, _ in found.values())
    rivals = [(window, change) for window, (got, change) in found.items() if got == most]
    if 1 < len(rivals) <= (_RIVALS if len(text) < LARGE else 2):
        whole = [rival for rival in rivals if _fits(walker, text, rival[1].edit, fault.marks)]
        rivals = whole or rivals
    rank = min(change.rank for _, change in rivals)
    rivals = [rival for rival in rivals if rival[1].rank == rank]
    if len(rivals) > 1:
        ordered = [rival for rival in rivals if not breaks_order(text, rival[1].edit)]
        if len(ordered) == 1 and not is_loose:
            window, change = ordered[0]
            return JsonRepair(change, breaks_order(text, change.edit, step=1) is False, window)
        rivals = ordered or rivals
    window, change = rivals[0]
    only = len(rivals) == 1 and rank < GUESS and not is_loose
    return JsonRepair(change, only, window)


def _piece(text: str, candidate: JsonCandidate, end: int) -> tuple[str, int]:
    """The text from where a candidate has it read again, and what its offsets lack to those of the text."""
    (start, stop), new = candidate.edit
    begin = min(candidate.start, start)
    return text[begin:start] + new + text[stop:end], begin + (stop - start) - len(new)


def _window(text: str, candidate: JsonCandidate, fault: JsonMisfit, end: int) -> tuple[str, ...]:
    begin = min([candidate.edit.span.start, fault.at] + [token.start for token, _ in fault.before[:1]])
    return window_of(text, candidate.edit, begin, end)


def window_of(text: str, edit: Edit, begin: int, end: int) -> tuple[str, ...]:
    """The tokens of a part of a text after an edit."""
    piece = text[begin : edit.span.start] + edit.text + text[edit.span.end : end]
    return (str(begin), *(token.text for token in tokens(piece, 0)))


def _fits(walker: Walker, text: str, edit: Edit, marks: Marks) -> bool:
    return walk(walker, apply(text, [edit]), marks_before(marks, edit.span.start), _NEAR, 0) is None


def breaks_order(text: str, edit: Edit, step: int = 0) -> bool:
    """Whether whole numbers around an edit ascend, but for what it makes of one; `step`: by how much, 0 for any."""
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


def same_as(text: str, repair: JsonRepair, edits: Callable[[], object]) -> bool:
    """Whether other edits lead to the text that a repair leads to."""
    try:
        found = edits()
    except LookupError:
        return False
    if not isinstance(found, (list, tuple)) or len(found) != 1 or not isinstance(found[0], Edit):
        return False
    own, other = repair.change.edit, found[0]
    begin = max(0, min(own.span.start, other.span.start) - 200)
    end = min(len(text), max(own.span.end, other.span.end) + 200)
    if end - begin > _AHEAD:
        return False
    return window_of(text, own, begin, end) == window_of(text, other, begin, end)


__all__ = ["LARGE", "JsonRepair", "Span", "repairs", "same_as"]
