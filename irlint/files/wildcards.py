"""One part of a file name pattern, between two slashes: stars, question marks and character sets, as in git."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache


class NeverMatches(ValueError):
    """An invalid pattern, which matches nothing."""


def bytes_of(text: str) -> str:
    """Return a text with a character for each of its bytes."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    except UnicodeEncodeError:  # half a character that does not stand for a byte: a name of Windows, or of an editor
        return text.encode("utf-8", "surrogatepass").decode("latin-1")


def expression(text: str, groups: Iterator[int]) -> str:
    """Return an expression of one part that never backtracks from one star into another: the first place that fits what
    follows a star is as good as any later one. `groups` numbers what it captures.
    """
    if not text:
        raise NeverMatches
    if text == "*":
        return "[^/]+"  # no part is empty
    first, *rest = _between_stars(bytes_of(text))
    if not rest:
        return first
    middle = "".join(first_match(f"[^/]*?{piece}", groups) for piece in rest[:-1] if piece)
    return f"{first}{middle}[^/]*{rest[-1]}"


def first_match(lazy: str, groups: Iterator[int]) -> str:
    """Return an expression that is not tried again further on (Python 3.10 has no atomic groups)."""
    name = f"g{next(groups)}"
    return f"(?=(?P<{name}>{lazy}))(?P={name})"


def _between_stars(text: str) -> Iterator[str]:
    """Return the parts between the stars, as expressions."""
    piece, at = "", 0
    while at < len(text):
        char = text[at]
        at += 1
        if char == "*":
            yield piece
            piece = ""
        elif char == "?":
            piece += "[^/]"
        elif char == "[":
            one, at = _set(text, at)
            piece += one
        elif char == "\\":
            piece += re.escape(_escaped(text, at))
            at += 1
        else:
            piece += re.escape(char)
    yield piece


def _escaped(text: str, at: int) -> str:
    if at >= len(text):
        raise NeverMatches
    return text[at]


def _set(text: str, at: int) -> tuple[str, int]:
    """Return a character set, and where it ends. A bracket at its beginning is one of the characters."""
    negated = text[at : at + 1] in ("!", "^")
    at = begin = at + negated
    held: set[str] = set()
    before = ""  # what a range may begin with
    while (char := _escaped(text, at)) != "]" or at == begin:
        if char == "-" and before and text[at + 1 : at + 2] not in ("", "]"):
            at += 1 + (text[at + 1] == "\\")
            held |= {chr(code) for code in range(ord(before), ord(_escaped(text, at)) + 1)}
            before = ""
        elif (named := _named(text, at)) is not None:
            held |= set(named[0])
            before, at = "", named[1]
        else:
            at += char == "\\"
            before = _escaped(text, at)
            held.add(before)
        at += 1
    return _any_of(frozenset(held), negated), at + 1


def _named(text: str, at: int) -> tuple[str, int] | None:
    """Return the characters of a class such as [:digit:], and the position of its last bracket."""
    if not text.startswith("[:", at):
        return None
    end = text.find("]", at + 2)
    if end < 0:
        raise NeverMatches
    if end - 1 < at + 2 or text[end - 1] != ":":
        return None
    if (found := _classes().get(text[at + 2 : end - 1])) is None:
        raise NeverMatches
    return found, end


@cache
def _classes() -> dict[str, str]:
    from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits, hexdigits, punctuation, whitespace

    return {
        "alnum": ascii_letters + digits,
        "alpha": ascii_letters,
        "blank": " \t",
        "cntrl": "".join(map(chr, [*range(32), 127])),
        "digit": digits,
        "graph": ascii_letters + digits + punctuation,
        "lower": ascii_lowercase,
        "print": ascii_letters + digits + punctuation + " ",
        "punct": punctuation,
        "space": whitespace,
        "upper": ascii_uppercase,
        "xdigit": hexdigits,
    }


@cache
def _any_of(held: frozenset[str], negated: bool) -> str:
    characters = "".join(map(re.escape, sorted(held - {"/"})))
    if negated:
        return f"[^/{characters}]"
    return f"[{characters}]" if characters else "(?!)"
