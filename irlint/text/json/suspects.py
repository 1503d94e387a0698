"""Places where the C scanner would silently accept what has to be reported. Clean text costs a few searches only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.text.json.options import JsonOptions
from irlint.tools import later

_BLANK = b" \t\n\r"
_DELIMITERS = b",:[{-" + _BLANK
# Digits become 0, exponents e, what may stand before a number a comma: then plain searches find what is too large.
_FLAT = bytes(
    0x30 if 0x30 <= c <= 0x39 else 0x65 if c in b"eE" else 0x2C if c in _DELIMITERS else c for c in range(256)
)
_NUMERIC = bytes(0x30 if c in b"0123456789+-.eE" else 0x20 for c in range(256))
_NO_BRACKET = bytes(c for c in range(256) if c not in b'[]{}"')
_LONG = b"," + b"0" * 19  # from 19 digits on an integer may not fit 64 bits,
_EXPONENT = b"0e000"  # and from three digits on an exponent may be too large
_STRIDE = 3
_MARKS = b"0" * 6  # so many of every third character are digits where 19 in a row are
_PASSES = 64
_PIECE = 1 << 16  # characters that are looked at together: no copy of the text is ever made
_OVERLAP = 32  # what may be found is shorter

_LARGE = later(r"(?<![\w.])(?:[0-9]{19,}|[0-9.]+[eE]\+?[0-9]{3,})")
_BRACKETS = later(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)


def suspects(text: str, options: JsonOptions, exponents: bool = True, deep: bool = True) -> list[int]:
    """Offsets, in order: numbers out of range, escapes that not every parser reads alike, brackets that lie too deep.

    `exponents`: False where it is known that no number has one; `deep`: False where it is known that nothing lies too deep.
    """
    many = b"0" * (options.longest_number + 1)
    large, long, outline = _first_look(text, many if options.longest_number else b"", exponents, deep)
    hits: list[int] = []
    if large:
        hits += [match.start() for match in _LARGE.finditer(text)]
    if long:
        hits += _too_long(text, many)
    if "\\" in text:
        hits += [match.start() for match in _escapes(options).finditer(text)]
    if _may_be_deep(outline, options.max_depth):
        hits += _first_too_deep(text, options.max_depth)
    return sorted(hits)


def _first_look(text: str, many: bytes, exponents: bool, deep: bool) -> tuple[bool, bool, bytes]:
    """Return whether numbers may be too large, whether some may be `many` characters long, and the outline if it may be deep."""
    large = long = False
    brackets = []
    for at, end in _pieces(text):
        raw = text[at : end + _OVERLAP + len(many)].encode("ascii", "replace")  # one byte per character
        if exponents or _MARKS in raw[::_STRIDE].translate(_FLAT):
            flat = raw.translate(_FLAT, b"+")
            large = large or _LONG in flat or (exponents and _EXPONENT in flat)
        long = long or (many != b"" and many in raw.translate(_NUMERIC))
        if deep:
            brackets.append(_outline(raw[: end - at]))
    return large, long, b"".join(brackets)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where the pieces begin and end; none ends in the middle of an escape."""
    at = 0
    while at < len(text):
        end = min(at + _PIECE, len(text))
        while end < len(text) and text[end - 1] == "\\":
            end += 1
        yield at, end
        at = end


def _outline(raw: bytes) -> bytes:
    """Brackets, and the quotes around strings."""
    if b"\\" in raw:
        raw = raw.replace(rb"\\", b"").replace(rb"\"", b"")
    return raw.translate(None, _NO_BRACKET)


def _too_long(text: str, many: bytes) -> list[int]:
    """Where runs of characters of numbers stand that are longer than the format's parser takes."""
    numeric, at, hits = text.encode("ascii", "replace").translate(_NUMERIC), -1, []
    while (at := numeric.find(many, at + 1)) >= 0:
        hits.append(at)
        at = numeric.find(b" ", at)
        if at < 0:
            break
    return hits


def _escapes(options: JsonOptions) -> re.Pattern[str]:
    refused = "".join(char for char in '"\\/bfnrtu' if char not in options.escapes)
    kinds = ["u[dD][89a-fA-F]"]
    if options.nul_ends_string:
        kinds.append("u0000")
    if refused:
        kinds.append(f"[{re.escape(refused)}]")
    return re.compile(rf"\\(?:{'|'.join(kinds)})")


def _may_be_deep(outline: bytes, limit: int) -> bool:
    """False if brackets surely do not nest deeper than the limit. Takes the innermost pairs away, again and again.

    Quotes keep brackets in strings from being taken for partners of others: what is taken away has an even number of them within.
    """
    for passed in range(_PASSES):
        if len(outline) + 2 * passed <= limit:
            return False
        fewer = outline.replace(b'""', b"").replace(b"[]", b"").replace(b"{}", b"")
        if len(fewer) > len(outline) * 7 // 8:  # a chain: counting costs less
            break
        outline = fewer
    return True


def _first_too_deep(text: str, limit: int) -> list[int]:
    depth = 0
    for match in _BRACKETS.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth > limit:
                return [match.start()]
        elif match[0] in "]}":
            depth -= 1
    return []
