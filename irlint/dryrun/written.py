"""Signatures that somebody wrote by hand: what is wrong with one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.dryrun.dtypes import BITS
from irlint.dryrun.signature import CLASSES

_SHAPE = re.compile(r"_|[A-Za-z]\w*|#\d+|\[(?:\*?\w+(?:,\*?\w+)*)?\]|", re.ASCII)
_KIND = re.compile(
    r"(?:wide:)?[A-Z]\w*|(?:[A-Z]\w*=)?(?P<names>[a-z]\w*(?:\|[a-z]\w*)*)|!(?P<barred>[a-z]\w*)", re.ASCII
)


def mistakes(text: str) -> Iterator[str]:
    left, arrow, right = text.partition("->")
    if not arrow or not right.split():
        yield "expected inputs, `->` and outputs, such as `S/T S/T -> S/T`"
        return
    words = left.split()
    known: set[str] = set()
    for word in words[:-1] if words[-1:] == ["..."] else words:
        yield from _of_word(word)
        known |= _names(word)
    for word in right.split():
        yield from _of_word(word)
        for name in sorted(_names(word) - known):
            yield f"unknown name `{name}` in the outputs: no input defines it; write `_` for anything unknown"


def _of_word(word: str) -> Iterator[str]:
    shape, slash, kind = word.partition("/")
    found = _KIND.fullmatch(kind)
    if not _SHAPE.fullmatch(shape) or shape.count("*") > 1 or (slash and found is None) or not word:
        yield f"`{word}` is not a shape and a type, such as `S`, `S/T`, `[N,4]/float32` or `_/int32|int64`"
    elif found is not None:
        for name in (found["names"] or found["barred"] or "").split("|"):
            if name and name not in BITS and name not in CLASSES and name != "string":
                yield (
                    f"unknown element type `{name}`; expected a type such as `float32`, `int64`, `uint8`, `bool` or "
                    "`string`"
                )


def _names(word: str) -> set[str]:
    """The names of shapes, lengths and types in it; those of types with a slash."""
    shape, _, kind = word.partition("/")
    parts = shape.strip("[]").split(",") if shape[:1] == "[" else [shape]
    names = {part.lstrip("*") for part in parts if not part.lstrip("*").isdigit() and part[:1] != "#"}
    letter = kind.removeprefix("wide:").partition("=")[0]
    return (names | ({f"/{letter}"} if letter[:1].isupper() else set())) - {"", "_"}
