"""One part of a file name pattern, between two slashes: stars, question marks and sets of characters, as git takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_BYTES = frozenset(map(chr, range(256)))


class Wildcards:
    """A part with stars or sets in it. git matches bytes: a ? is half of an \u00e9."""

    __slots__ = ("pattern",)

    def __init__(self, text: str) -> None:
        try:
            self.pattern: re.Pattern[str] | None = re.compile(_expression(_bytes_of(text)), re.DOTALL)
        except _Never:
            self.pattern = None

    def fits(self, name: str) -> bool:
        return self.pattern is not None and self.pattern.fullmatch(_bytes_of(name)) is not None


Segment = str | Wildcards | None  # a plain name, one with wildcards, or None for **


def segment(text: str) -> Segment:
    if len(text) > 1 and not text.strip("*"):
        return None
    return Wildcards(text) if not text or any(sign in text for sign in "*?[\\") else text


class _Never(ValueError):
    """A pattern with a mistake in it names nothing."""


def _bytes_of(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("latin-1")


def _expression(text: str) -> str:
    """An expression that never backtracks from one star into another: the first place that fits what follows a star is as
    good as any later one.
    """
    if not text:
        raise _Never
    first, *rest = _between_stars(text)
    if not rest:
        return first
    middle = "".join(f"(?=(?P<g{k}>.*?{piece}))(?P=g{k})" for k, piece in enumerate(rest[:-1]) if piece)
    return f"{first}{middle}.*{rest[-1]}"


def _between_stars(text: str) -> Iterator[str]:
    """What stands between the stars, as expressions."""
    piece, at = "", 0
    while at < len(text):
        char = text[at]
        at += 1
        if char == "*":
            yield piece
            piece = ""
        elif char == "?":
            piece += "."
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
        raise _Never
    return text[at]


def _set(text: str, at: int) -> tuple[str, int]:
    """A set of characters, and where it ends. A bracket right at its beginning is one of them."""
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
    """The characters of a class such as [:digit:], and where its last bracket stands."""
    if not text.startswith("[:", at):
        return None
    end = text.find("]", at + 2)
    if end < 0:
        raise _Never
    if end - 1 < at + 2 or text[end - 1] != ":":
        return None
    if (found := _classes().get(text[at + 2 : end - 1])) is None:
        raise _Never
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
    characters = sorted(_BYTES - held if negated else held)
    return f"[{''.join(map(re.escape, characters))}]" if characters else "(?!)"
