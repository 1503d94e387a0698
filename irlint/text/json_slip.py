"""Reads text that is not sound JSON. Where a few changes repair all of it, they are what is reported: each is the root of
whatever else is wrong."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

from irlint.codes import R
from irlint.text.base import Edit, Lines, Trouble, apply
from irlint.text.json_locate import JsonLocator
from irlint.text.json_moves import Moves
from irlint.text.json_options import JsonOptions
from irlint.text.json_read import JsonReader
from irlint.text.json_repair import JsonRepair, repairs, same_as
from irlint.text.json_shape import Shapes

_LEAST = 32  # characters of a text that tells what was meant
_BROKEN = (R.syntax_error, R.trailing_text, R.truncated_file)


class ReadText:
    """A text as it was read, perhaps with changes: its reader, what is reported, and the way back to the text's own offsets."""

    def __init__(self, reader: JsonReader, moves: Moves | None, troubles: list[Trouble], left: bool = False) -> None:
        self.reader, self.moves, self.troubles, self.left = reader, moves, troubles, left


def read_with_care(
    text: str, at: int, options: JsonOptions, lines: Lines, claims: Callable[[Any], bool] | None = None
) -> ReadText:
    """Reading of invalid JSON. If several syntax errors have one cause, that is reported in their place.

    The cause is left open if the format does not claim what can be read: looking for it takes longer than reading.
    """
    reader = _read(text, at, options, lines)
    broken = [trouble for trouble in reader.troubles.found if trouble.rule in _BROKEN]
    if not broken or options.lines or len(text) < _LEAST:
        return ReadText(reader, None, reader.troubles.found)
    if claims is not None and not claims(reader.value):
        return ReadText(reader, None, reader.troubles.found, True)
    shapes = Shapes(options.schemas()) if options.schemas is not None else None
    if shapes is not None:
        found = repairs(reader.text, at, options, shapes)
        if found and _explains(reader, found, broken) and (mended := _mended(reader, found, at)) is not None:
            return mended
        if found == []:
            return ReadText(reader, None, reader.troubles.found)
    if reader.slips > 1:
        found = repairs(reader.text, at, options, None)
        if found and _explains(reader, found, broken) and (mended := _mended(reader, found, at)) is not None:
            return mended
    return ReadText(reader, None, reader.troubles.found)


def _explains(reader: JsonReader, found: list[JsonRepair], broken: list[Trouble]) -> bool:
    """Whether repairs say more than that text is missing at the end, or too much."""
    last = max(repair.change.edit.span.end for repair in found)
    if any(trouble.rule == R.truncated_file for trouble in broken) and not reader.text[last:].strip():
        return False
    return len(broken) > 1 or broken[0].rule == R.syntax_error or found[0].change.edit.span.start < broken[0].span.start


def _mended(reader: JsonReader, found: list[JsonRepair], at: int) -> ReadText | None:
    """Return the result of reading after some repairs; None if it is not better."""
    edits = [repair.change.edit for repair in found]
    text = apply(reader.text, sorted(edits))
    again = _read(text, at, reader.options, Lines(text))
    only = len(found) == 1 and found[0].only
    if again.slips + len(found) > reader.slips:
        again.release()
        return None
    reader.release()
    moves = Moves(edits)
    said = [_trouble(reader, repair, only) for repair in found]
    troubles = sorted([*said, *map(moves.trouble, again.troubles.found)], key=lambda trouble: trouble.span.start)
    if not only:
        locator = JsonLocator(again.text, again.root, again.known)
        with suppress(LookupError):
            again.damaged.update(locator.place_at(moves.ahead(edit.span.start)).path for edit in edits)
    return ReadText(again, moves, troubles)


def _trouble(reader: JsonReader, repair: JsonRepair, only: bool) -> Trouble:
    """The words for a repair: those of the reader, if it found the same."""
    change = repair.change
    safety: Literal["safe", "unsafe"] = "safe" if only else "unsafe"
    for trouble in reader.troubles.found:
        if trouble.rule == R.syntax_error and trouble.edits and same_as(reader.text, repair, trouble.edits):
            trouble.safety = safety
            return trouble

    def edits() -> list[Edit]:
        return [change.edit]

    return Trouble(R.syntax_error, change.at, change.message, (), edits, change.title, safety)


def _read(text: str, at: int, options: JsonOptions, lines: Lines) -> JsonReader:
    reader = JsonReader(text, options, lines)
    reader.read(at)
    return reader
