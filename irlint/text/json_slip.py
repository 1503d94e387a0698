"""One wrong, lost or surplus sign of punctuation: found by trying which single change lets the text go on.

The changed text keeps its offsets: a sign gives way to another or to a blank, or takes the place of a blank.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

from irlint.records import NamedTuple
from irlint.text.base import Edit, Lines, Span
from irlint.text.json_frames import Stop
from irlint.text.json_locate import Locator
from irlint.text.json_options import JsonOptions
from irlint.text.json_read import Reader
from irlint.text.json_scan import BLANKS
from irlint.text.json_tokens import shown, token_end
from irlint.text.json_troubles import Enough

SIGNS = ",:{}[]"
MOST = 5  # slips looked for in one text
TRIES = 6  # changes tried for each
LARGE = 1 << 20  # characters from which on there is one try only, because each costs a reading of the whole text

_BACK = 4  # tokens looked at before the one at which reading stopped
_AHEAD = 4000  # characters read behind it
_SURE = 300  # characters that have to make sense behind a change, unless the text ends before
_decoder = json.JSONDecoder(strict=False, parse_int=str)  # int() takes no number of thousands of digits


class Slip(NamedTuple):
    """One sign in the place of another; a blank stands for none."""

    at: int
    found: str
    meant: str

    def mend(self, text: str) -> str:
        return text[: self.at] + self.meant + text[self.at + 1 :]


def read_with_care(text: str, at: int, options: JsonOptions, lines: Lines) -> Reader:
    """A text that is not sound. Where several syntax errors follow from one slip, the slip is reported in their place."""
    reader = _read(text, at, options, lines)
    found: list[Slip] = []
    while reader.slips > 1 and len(found) < (MOST if len(text) < LARGE else 1) and not options.lines:
        better = _better(reader, at, lines)
        if better is None:
            break
        reader.release()
        slip, reader = better
        found.append(slip)
    for slip in found:
        _report(reader, slip)
    return reader


def _better(reader: Reader, at: int, lines: Lines) -> tuple[Slip, Reader] | None:
    """The change that explains most of what is wrong, and the reading of the text with it."""
    best: tuple[Slip, Reader] | None = None
    for slip in islice(_explanations(reader), 1 if len(reader.text) > LARGE else TRIES):
        mended = _read(slip.mend(reader.text), at, reader.options, lines)
        if mended.slips + 1 < (best[1].slips + 1 if best else reader.slips):
            if best:
                best[1].release()
            best = slip, mended
            if mended.slips == 0:
                break
        else:
            mended.release()
    return best


def _explanations(reader: Reader) -> Iterator[Slip]:
    for stop in reader.stops:
        yield from find_slips(reader.text, stop)


def _read(text: str, at: int, options: JsonOptions, lines: Lines) -> Reader:
    reader = Reader(text, options, lines)
    reader.read(at)
    return reader


def _report(reader: Reader, slip: Slip) -> None:
    at, found, meant = slip
    lost = found not in SIGNS
    if lost:
        before = reader.text[at - 1]
        message = (
            f"expected `{meant}` after this {shown(before)}" if before in SIGNS else f"expected `{meant}` after this"
        )
        edit = Edit(Span(at, at), meant)
    elif meant == " ":
        message = f"this `{found}` is one too many"
        edit = Edit(Span(at, at + 1), "")
    else:
        message = f"expected `{meant}`, found `{found}`"
        edit = Edit(Span(at, at + 1), meant)
    title = "Delete it" if meant == " " else f"{'Insert' if lost else 'Write'} `{meant}`"
    start = at - 1 if lost else at
    with suppress(Enough):  # it is said even if the rest of the text was not read
        reader.troubles.add("syntax-error", start, start + 1, message, edits=[edit], title=title, safety="unsafe")
    reader.damaged.add(Locator(reader.text, reader.root, reader.known).place_at(at).path)


def find_slips(text: str, stop: Stop) -> list[Slip]:
    """The single changes that make sense of the text around a stop, the best first."""
    end = min(len(text), stop.at + _AHEAD)
    enough = min(end, stop.at + _SURE)
    found: list[tuple[int, Slip]] = []
    for slip in _candidates(text, stop):
        window = stop.opening + text[stop.start : slip.at] + slip.meant + text[slip.at + 1 : end]
        reached = _understood(window) - len(stop.opening) + stop.start
        if reached >= enough:
            found.append((-reached, slip))
    return [slip for _, slip in sorted(found, key=lambda pair: pair[0])]


def _understood(window: str) -> int:
    """How far a text makes sense as the beginning of one JSON value."""
    try:
        at: int = _decoder.raw_decode(window)[1]
    except json.JSONDecodeError as error:
        at = error.pos
        if error.msg.startswith("Unterminated string") and "\n" not in window[at:]:
            return len(window)  # it was cut there
    except RecursionError:
        return 0
    return BLANKS.match(window, at).end()  # type: ignore[union-attr]


def _candidates(text: str, stop: Stop) -> Iterator[Slip]:
    """Changes near a stop, the most likely first."""
    tokens = _tokens(text, stop)
    for at in tokens:
        if text[at] in SIGNS:
            yield from (Slip(at, text[at], sign) for sign in f"{SIGNS} " if sign != text[at])
    for at in tokens:
        before = text[:at].rstrip(" \t\n\r") if at < 200 else text[at - 200 : at].rstrip(" \t\n\r")
        blank = at - min(at, 200) + len(before)
        if before and blank < at:
            yield from (Slip(blank, text[blank], sign) for sign in SIGNS)


def _tokens(text: str, stop: Stop) -> Sequence[int]:
    """Where the tokens around a stop begin: its own, those before it from the last to the first, and the one behind it."""
    found: list[int] = []
    at = BLANKS.match(text, stop.start).end()  # type: ignore[union-attr]
    while at < stop.at:
        found.append(at)
        at = BLANKS.match(text, token_end(text, at)).end()  # type: ignore[union-attr]
    behind = BLANKS.match(text, token_end(text, stop.at)).end()  # type: ignore[union-attr]
    return [stop.at, *found[: -_BACK - 1 : -1], *([behind] if behind < len(text) else [])]
