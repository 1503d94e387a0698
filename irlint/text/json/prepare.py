"""Preparation of JSON text: encoding, byte order mark, NUL, comments that the format allows."""

from __future__ import annotations

import re

from irlint.codes import R
from irlint.text.base import Edit, Lines, Span, Trouble
from irlint.text.json.options import JsonOptions
from irlint.text.json.troubles import Troubles
from irlint.text.words import count
from irlint.tools import later

_BAD_BYTES = later("[\udc80-\udcff]+")
_UTF16 = re.compile("[^\0]\0[^\0]\0|\0[^\0]\0[^\0]")
# Each token matches what is present even if its end is missing: a search that fails begins again, which costs n * n.
_SUPPRESSION = re.compile(r"/[/*]\s*irlint:\s*ignore\b")  # it suppresses findings; it is not one
_COMMENTS = later(r'"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"?|//[^\n\r]*|(?s:/\*.*?(?:\*/|(?P<open>\Z)))')
_COMMENTS_NAIVE = later(r'"[^"]*"?|//[^\n\r]*|/\*/|(?s:/\*.*?(?:\*/|(?P<open>\Z)))')
_NOT_BLANK = later(r"[^\n\r]")


def prepare(text: str, options: JsonOptions, lines: Lines, found: list[Trouble]) -> str | None:
    """Return the text for the reader, with the same offsets; None if there is nothing to read."""
    troubles = Troubles(options, lines)
    try:
        return _prepare(text, options, troubles)
    finally:
        found += troubles.found


def _prepare(text: str, options: JsonOptions, troubles: Troubles) -> str | None:
    if not text:
        troubles.add(R.empty_file, 0, 0, "the file is empty")
        return None
    if text.isspace() or text == "\ufeff":
        troubles.add(R.empty_file, 0, 0, "the file contains only whitespace")
        return None
    if _UTF16.match(text):
        troubles.add(R.unusual_encoding, 0, 1, "expected a file in UTF-8, got UTF-16")
        return None
    if text.startswith("\ufeff"):
        edits = [Edit(Span(0, 1), "")]
        message = "the file starts with a byte order mark; JSON does not allow it"
        troubles.add(R.byte_order_mark, 0, 1, message, edits=edits, title="Remove the byte order mark")
    if not text.isascii():
        _bad_bytes(text, troubles)
    if options.nul_ends_text and (nul := text.find("\0")) >= 0:
        message = "NUL character; this format's reader stops here"
        troubles.add(R.nul_character, nul, nul + 1, message)
        text = text[:nul]
    if has_comments(text, options):
        text = _without_comments(text, options, troubles)
    if any(char in text for char in options.blanks):
        text = _without_odd_blanks(text, options, troubles)
    return text


def has_comments(text: str, options: JsonOptions) -> bool:
    """Return whether there is what the reader may take for a comment."""
    return R.comment in options.tolerated and "/" in text and ("//" in text or "/*" in text)


def _without_odd_blanks(text: str, options: JsonOptions, troubles: Troubles) -> str:
    """Replace characters that this parser treats as whitespace by spaces, outside strings."""
    tokens = re.compile(rf'"[^"\\]*(?:\\.[^"\\]*)*"?|[{re.escape("".join(options.blanks))}]+', re.DOTALL)

    found: list[Span] = []

    def blank(match: re.Match[str]) -> str:
        if match[0][0] == '"':
            return match[0]
        found.append(Span(*match.span()))
        return " " * len(match[0])

    blanked = tokens.sub(blank, text)
    if found:
        names = ", ".join(sorted({f"U+{ord(char):04X}" for span in found for char in text[slice(*span)]}))
        message = f"{names} outside a string; this format's reader treats it as whitespace, others refuse the file"
        edits = [Edit(span, " ") for span in found]
        troubles.add(R.control_character, *found[0], message, edits=edits, title="Replace with a space")
    return blanked


def _bad_bytes(text: str, troubles: Troubles) -> None:
    if (found := bad_bytes(text)) is not None:
        troubles.add(R.invalid_utf8, *found[0], found[1])


def bad_bytes(text: str) -> tuple[Span, str] | None:
    """Return where the first bytes of a decoded file are that are not UTF-8, and what is to be said of them all."""
    try:
        text.encode()
    except UnicodeEncodeError:
        runs = [match.span() for match in _BAD_BYTES.finditer(text)]
        if not runs:
            return None
        start, end = runs[0]
        shown = " ".join(f"0x{ord(char) - 0xDC00:02X}" for char in text[start : min(end, start + 4)])
        more = f" ({count(len(runs) - 1, 'more occurrence')})" if len(runs) > 1 else ""
        words = f"bytes {shown} are" if end - start > 1 else f"byte {shown} is"
        return Span(start, end), f"{words} not valid UTF-8{more}"
    return None


def open_comment(text: str, at: int, options: JsonOptions) -> int:
    """Return where an unclosed comment begins, searching from an offset outside strings; -1 if there is none."""
    if R.comment not in options.tolerated or text.find("/*", at) < 0:
        return -1
    tokens = (_COMMENTS if options.comments_see_escapes else _COMMENTS_NAIVE).finditer(text, at)
    return next((match.start() for match in tokens if match["open"] is not None), -1)


def _hidden_comment(text: str) -> int | None:
    """Return where a comment remover without support for escapes finds an unclosed comment inside a string."""
    if '\\"' not in text or "/*" not in text:
        return None
    at = next((match.start() for match in _COMMENTS_NAIVE.finditer(text) if match["open"] is not None), -1)
    return at if any(m.start() < at < m.end() for m in _COMMENTS.finditer(text) if m[0][0] == '"') else None


def _without_comments(text: str, options: JsonOptions, troubles: Troubles) -> str:
    comments: list[tuple[int, int]] = []

    def blank(match: re.Match[str]) -> str:
        if match[0][0] == '"' or match["open"] is not None:
            return match[0]
        if not _SUPPRESSION.match(match[0]):
            comments.append(match.span())
        return _NOT_BLANK.sub(" ", match[0])

    if not options.comments_see_escapes and (hidden := _hidden_comment(text)) is not None:
        message = (
            "unclosed comment; this format's reader ends the string at `\\\"` and takes the `/*` after it for a comment"
        )
        troubles.add(R.syntax_error, hidden, hidden + 2, message)
    blanked = (_COMMENTS if options.comments_see_escapes else _COMMENTS_NAIVE).sub(blank, text)
    if comments:
        more = f" ({count(len(comments) - 1, 'more comment')} in this file)" if len(comments) > 1 else ""
        troubles.add(
            R.comment, *comments[0], f"comment in JSON; this format's reader ignores it, others refuse the file{more}"
        )
    return blanked
