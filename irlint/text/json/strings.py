"""Reading of irregular strings: escapes, control characters, missing closing quotes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from irlint.codes import R, RuleRow
from irlint.records import NamedTuple
from irlint.text.base import Edit, Span
from irlint.text.json.options import JsonOptions
from irlint.text.json.tokens import STRUCTURE

Report = Callable[..., None]  # (rule, start, end, message, then edits, title, level by name)

_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_IN_LINE = re.compile(r'[^"\\\n\r]*')  # once control characters have been reported
_ANY = re.compile(r'[^"\\]*')  # once line ends have been
_TO_QUOTE = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_LOW = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_SIMPLE = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_AFTER_STRING = re.compile(r"[ \t\n\r]*(?:[,:\]}]|$|/[/*])")


class StringRead(NamedTuple):
    value: str
    end: int
    closed: bool
    good: bool = True  # False: there are quotes and brackets in it that may have been meant as such


def read_string(text: str, at: int, options: JsonOptions, report: Report) -> StringRead:
    """Return the string that begins at an offset; report what is wrong in it, each kind once."""
    start = at
    pieces: list[str] = []
    kept: int | None = None  # pieces that a NUL leaves
    said: dict[object, Callable[[], None]] = {}  # what is wrong inside, once it is known where the string ends
    plain = _PLAIN
    at += 1

    def once(rule: RuleRow, first: int, end: int, message: str, **more: Any) -> None:
        said.setdefault((rule, more.get("level")), partial(report, rule, first, end, message, **more))

    def ended(end: int, closed: bool) -> StringRead:
        for say in said.values():
            say()
        return StringRead("".join(pieces[:kept]), end, closed)

    while True:
        match = plain.match(text, at)
        assert match
        pieces.append(match[0])
        at = match.end()
        char = text[at : at + 1]
        if char == '"':
            return ended(at + 1, True)
        if char == "\\" and at + 1 < len(text):
            piece, end = _escape(text, at, options, once)
            if piece == "\0" and options.nul_ends_string and kept is None:
                kept = len(pieces)
            pieces.append(piece)
            at = end
        elif char in ("", "\\"):
            return ended(len(text), False)
        elif char in "\n\r" and not _closes_later(text, at):
            return _unclosed(text, start, at, "".join(pieces), report)
        else:
            _control(text, start, at, options, once)
            plain = _ANY if char in "\n\r" else _IN_LINE
            pieces.append(char)
            at += 1


def _escape(text: str, at: int, options: JsonOptions, once: Report) -> tuple[str, int]:
    """Return the character of an escape, and where the escape ends."""
    letter = text[at + 1]
    if letter == "u" and (digits := _HEX.match(text, at + 2)):
        return _code(text, at, int(digits[0], 16), options, once)
    if letter in '"\\/' or letter in _SIMPLE:
        char = _SIMPLE.get(letter, letter)
        if letter not in options.escapes:
            _unusual(text, at, at + 2, char, once)
        return char, at + 2
    if letter in "\n\r":
        once(
            R.syntax_error, at, at + 1, "backslash at the end of a line; a JSON string cannot continue on the next line"
        )
        return "\\", at + 1
    end = at + 2
    if letter == "u":
        match = re.compile("[0-9a-fA-F]{0,3}").match(text, end)
        end = match.end() if match else end
        message = f"invalid escape `{text[at:end]}`; expected four hexadecimal digits after `\\u`"
    else:
        message = f"invalid escape `{text[at:end]}`; write `\\\\` for a backslash"
    # Unsafe before a sign: the quote between them may be what is lost.
    safety = "unsafe" if text[at + 1 : at + 2] in (",", ":", "]", "}", " ") else "safe"
    edits = [Edit(Span(at, at), "\\")]
    once(R.syntax_error, at, end, message, edits=edits, title="Replace `\\` with `\\\\`", safety=safety)
    return text[at:end], end


def _code(text: str, at: int, code: int, options: JsonOptions, once: Report) -> tuple[str, int]:
    """Return the character of a `\\u` escape, perhaps of two, and where it ends."""
    end, char = at + 6, chr(code)
    if 0xD800 <= code < 0xDC00 and (low := _LOW.match(text, end)):
        char = chr(0x10000 + ((code - 0xD800) << 10) + int(low[1], 16) - 0xDC00)
        end = low.end()
    if "u" not in options.escapes:
        _unusual(text, at, end, char, once)
    elif 0xD800 <= code < 0xE000 and end == at + 6:
        once(R.lone_surrogate, at, end, f"`{text[at:end]}` is an unpaired surrogate")
    elif code == 0 and options.nul_ends_string:
        once(R.nul_character, at, end, "`\\u0000` in a string; this format's reader ends the string there")
    return char, end


def _unusual(text: str, at: int, end: int, char: str, once: Report) -> None:
    raw = char if char.isprintable() and not 0xD800 <= ord(char) < 0xE000 and char not in '"\\' else None
    message = f"escape `{text[at:end]}` is not supported by this format's reader"
    if raw is None:
        once(R.unusual_escape, at, end, message)
    else:
        edits = [Edit(Span(at, end), raw)]
        once(R.unusual_escape, at, end, message, edits=edits, title=f"Replace with `{raw}`")


def _control(text: str, start: int, at: int, options: JsonOptions, once: Report) -> None:
    char = text[at]
    name = {"\t": "tab", "\n": "line break", "\r": "line break", "\0": "NUL character"}.get(
        char, f"control character U+{ord(char):04X}"
    )
    level = None
    if char in "\n\r" and not options.line_ends_in_strings and R.control_character in options.tolerated:
        level = "error"

    def edits() -> list[Edit]:
        found, where = [], start + 1
        while (match := _PLAIN.match(text, where)) and (end := match.end()) < len(text) and text[end] != '"':
            if text[end] == "\\":
                where = end + 2
                continue
            if _written(text[end])[1] in options.escapes:
                found.append(Edit(Span(end, end + 1), _written(text[end])))
            where = end + 1
        return found

    written = _written(char)
    message = f"unescaped {name} in a string; JSON requires `{written}`"
    if written[1] in options.escapes:
        once(R.control_character, at, at + 1, message, edits=edits, title=f"Replace with `{written}`", level=level)
    else:
        message += ", which this format's reader does not support"
        once(R.control_character, at, at + 1, message, level=level)


def _written(char: str) -> str:
    for letter, meant in _SIMPLE.items():
        if meant == char:
            return "\\" + letter
    return f"\\u{ord(char):04x}"


def _closes_later(text: str, at: int) -> bool:
    """Return whether a string that reaches the end of its line is closed on a later line."""
    match = _TO_QUOTE.match(text, at)
    return match is not None and _AFTER_STRING.match(text, match.end()) is not None


_QUOTES = "'\u2018\u2019\u201c\u201d`"  # what is typed for a closing quote
_OPEN_KEY = re.compile(rf'"(?P<name>\w+)[{_QUOTES}]?\s*:\s*(?:(?:[\[{{\-\d]|true|false|null).*)?$')


def _unclosed(text: str, start: int, line_end: int, value: str, report: Report) -> StringRead:
    """Read an unclosed string: it is assumed to end with its line, before punctuation, a key before its colon."""
    is_value = text[max(start - 64, 0) : start].rstrip().endswith(":")
    key = None if is_value else _OPEN_KEY.match(text, start, line_end)
    if key is not None:
        end = key.end("name")
    else:
        end = max(start + len(text[start:line_end].rstrip(" \t,]}" if is_value else " \t,:]}")), start + 1)
        end -= end > start + 2 and text[end - 1] in _QUOTES
    behind = end + (text[end : end + 1] in _QUOTES and end < line_end)
    report(
        R.syntax_error,
        start,
        end,
        'unclosed string; missing closing `"`',
        edits=[Edit(Span(end, behind), '"')],
        title='Insert `"`',
    )
    return StringRead(value[: len(value) - (line_end - end)], behind, True, not STRUCTURE.search(text, start + 1, end))
