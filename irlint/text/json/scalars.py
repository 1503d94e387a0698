"""Strings, numbers and words, well-formed or not."""

from __future__ import annotations

import math
from typing import Any

from irlint.codes import R
from irlint.records import NamedTuple
from irlint.text.base import Edit, Span
from irlint.text.json.options import JsonOptions
from irlint.text.json.strings import Report, read_string
from irlint.text.json.tokens import (
    LEAST,
    MOST,
    NAN,
    NUMBER,
    NUMBER_LIKE,
    SINGLE_QUOTED,
    STRING,
    WORD,
    lenient_number,
    number,
    shown,
)

_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_MEANT = {"none": "null", "nil": "null", "undefined": "null"}


class ScalarRead(NamedTuple):
    value: Any
    end: int
    good: bool = True  # False: the intended value is unknown
    closed: bool = True  # False: the text ends inside a string


def read_scalar(text: str, at: int, options: JsonOptions, report: Report) -> ScalarRead | None:
    """Return the scalar at an offset; None if there is nothing like one."""
    if text[at] == '"':
        if match := STRING.match(text, at):
            return ScalarRead(text[at + 1 : match.end() - 1], match.end())
        value, end, closed, good = read_string(text, at, options, report)
        return ScalarRead(value, end, good, closed)
    if text[at] == "'":
        return read_single_quoted(text, at, report)
    if match := NUMBER.match(text, at):
        return ScalarRead(_checked(text, at, match.end(), number(match[0]), options, report), match.end())
    if match := NUMBER_LIKE.match(text, at) or WORD.match(text, at):
        return _word(text, at, match[0], options, report)
    return None


def read_single_quoted(text: str, at: int, report: Report) -> ScalarRead | None:
    """Read a string in single quotes, which JSON does not have."""
    from irlint.text.json.values import dump

    match = SINGLE_QUOTED.match(text, at)
    if match is None:
        return None
    value = match[1].replace("\\'", "'")
    edits, title = [Edit(Span(at, match.end()), dump(value))], "Replace single quotes with double quotes"
    message = f"expected a string in double quotes, got {shown(match[0])}"
    report(R.syntax_error, at, match.end(), message, edits=edits, title=title, pythonic=True)
    return ScalarRead(value, match.end())


def _checked(text: str, at: int, end: int, value: int | float, options: JsonOptions, report: Report) -> int | float:
    """Return a number after a check of its size."""
    if options.longest_number and end - at > options.longest_number:
        report(
            R.number_out_of_range,
            at,
            end,
            f"number with {end - at} characters; this format's reader reads only the first {options.longest_number}",
            level="error",
        )
    elif isinstance(value, int):
        if not LEAST <= value <= MOST:
            report(R.number_out_of_range, at, end, f"{shown(text[at:end])} does not fit in a 64-bit integer")
    elif math.isinf(value):
        report(R.number_out_of_range, at, end, f"{shown(text[at:end])} is too large for a 64-bit float")
    return value


def _word(text: str, at: int, word: str, options: JsonOptions, report: Report) -> ScalarRead:
    """Read a word or something like a number."""
    end = at + len(word)
    if word in _WORDS:
        return ScalarRead(_WORDS[word], end)
    if options.number is not None and (match := options.number.match(text, at)) and match.end() == end:
        value = lenient_number(word)
        if value is not None:
            fix = _number_text(value)
            message = f"{shown(word)} is not a valid JSON number; this format's reader reads it as {fix}"
            report(R.unusual_number, at, end, message, edits=[Edit(Span(at, end), fix)], title=f"Replace with `{fix}`")
            return ScalarRead(_checked(text, at, end, value, options, report), end)
    if NAN.fullmatch(word):
        report(R.non_finite_number, at, end, f"{shown(word)} is not a valid JSON number")
        return ScalarRead(_non_finite(word), end)
    if (value := lenient_number(word)) is not None:
        fix = _number_text(value)
        edits, title = [Edit(Span(at, end), fix)], f"Replace with `{fix}`"
        message = f"{shown(word)} is not a valid JSON number"
        report(R.unusual_number, at, end, message, edits=edits, title=title, level="error")
        return ScalarRead(value, end)
    meant = _MEANT.get(word.lower(), word.lower())
    if meant in _WORDS:
        edits, title = [Edit(Span(at, end), meant)], f"Replace with `{meant}`"
        message = f"{shown(word)} is not valid JSON; did you mean `{meant}`?"
        report(R.syntax_error, at, end, message, edits=edits, title=title, pythonic=word in ("None", "True", "False"))
        return ScalarRead(_WORDS[meant], end)
    message = f"expected a value, got {shown(word)}"
    if WORD.fullmatch(word):
        report(
            R.syntax_error,
            at,
            end,
            f"{message}; strings need double quotes",
            edits=[Edit(Span(at, end), f'"{word}"')],
            title="Add double quotes",
            safety="unsafe",
        )
        return ScalarRead(word, end, False)
    report(R.syntax_error, at, end, message)
    return ScalarRead(None, end, False)


def _non_finite(word: str) -> float:
    if "nan" in word.lower() or "ind" in word.lower():
        return math.nan
    return -math.inf if word.startswith("-") else math.inf


def _number_text(value: int | float) -> str:
    return repr(value) if isinstance(value, float) and not math.isinf(value) else str(value)
