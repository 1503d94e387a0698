"""Recovery from a quote that is missing, doubled, or swapped with the next character."""

from __future__ import annotations

import re

from irlint.records import NamedTuple
from irlint.text.base import Edit, Span

_COLON = re.compile(r"[ \t\n\r]*:")
_OPEN_KEY = re.compile(
    r'"(?P<name>[\w$.-]*\w)(?P<wrong>[^\w\s"]?)[ \t]*:'
)  # its second quote lost, or another sign in its place
_TO_QUOTE = re.compile(r'\w[^",{}\[\]\n\r]*"')
_REST_OF_KEY = re.compile(r'[\w$.-]+"(?=[ \t]*:)')
_REST_OF_VALUE = re.compile(r'[^"\\\n\r]{1,200}"(?=[ \t]*(?:[,}\]\n\r]|\Z))')
_NEXT = re.compile(r'\w[^",{}\[\]\n\r]*"[ \t]*[:,\]]')  # of the next string: all but its first quote
_AFTER_VALUE = re.compile(r"[ \t]*(?:[,}\]\n\r]|\Z)")


class QuoteSlip(NamedTuple):
    """The intended string, its span, where reading continues, and the message and edit for the mistake."""

    string: str
    start: int
    end: int
    behind: int
    at: Span
    message: str
    edit: Edit
    title: str


def in_key(text: str, at: int, end: int) -> QuoteSlip | None:
    """Return the mistake in a key without a colon; its value is searched for from `behind` on."""
    if text[end - 1] != '"' or end - at < 2:
        return None
    if text.startswith('"', end) and (colon := _COLON.match(text, end + 1)):
        return _doubled(text[at + 1 : end - 1], at, end, colon.end(), end)
    if end - at == 2 and (rest := _REST_OF_KEY.match(text, end)):
        colon = _COLON.match(text, rest.end())
        assert colon
        return _doubled(rest[0][:-1], at + 1, rest.end(), colon.end(), at)
    if text[end - 2] == ":" and not _TO_QUOTE.match(text, end):
        return _swapped(text, at, end, end)
    if match := _OPEN_KEY.match(text, at, end):
        name_end = match.end("name")
        return _open(match["name"], at, name_end, match.end(), match["wrong"])
    return None


def in_value(text: str, start: int, end: int, at: int) -> QuoteSlip | None:
    """Return the mistake in the string `start:end`, which is followed (at an offset) by neither a comma nor a bracket."""
    if text[start] != '"' or text[end - 1] != '"' or end - start < 2:
        return None
    if at == end and text[at] == '"' and _AFTER_VALUE.match(text, at + 1):
        return _doubled(text[start + 1 : end - 1], start, end, end + 1, end)
    if at == end and end - start == 2 and (rest := _REST_OF_VALUE.match(text, at)):
        return _doubled(rest[0][:-1], start + 1, rest.end(), rest.end(), start)
    if end - start > 2 and text[end - 2] == ",":
        if at == end and _NEXT.match(text, at):
            close = start + len(text[start : end - 1].rstrip(" \t,]}"))
            return _open(text[start + 1 : close], start, close, close) if close > start + 1 else None
        return _swapped(text, start, end, at)
    return None


def _open(string: str, start: int, end: int, behind: int, wrong: str = "") -> QuoteSlip:
    message = 'unclosed string; missing closing `"`'
    edit = Edit(Span(end, end + len(wrong)), '"')
    return QuoteSlip(string, start, end, behind, Span(start, end), message, edit, 'Insert `"`')


def _doubled(string: str, start: int, end: int, behind: int, surplus: int) -> QuoteSlip:
    span = Span(surplus, surplus + 1)
    return QuoteSlip(string, start, end, behind, span, 'unexpected `"`', Edit(span, ""), 'Remove `"`')


def _swapped(text: str, start: int, end: int, behind: int) -> QuoteSlip:
    sign = text[end - 2]
    span = Span(end - 2, end)
    message = f'expected `"{sign}`, got `{sign}"`'
    title = f'Replace with `"{sign}`'
    return QuoteSlip(text[start + 1 : end - 2], start, end, behind, span, message, Edit(span, f'"{sign}'), title)
