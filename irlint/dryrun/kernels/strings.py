"""Strings: their bytes, words, tokens and n-grams."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.lazy import np


def pack(begins: Any, ends: Any, symbols: Any, **_: Any) -> Any:
    data = symbols.tobytes()
    found = [
        data[a:b].decode("utf-8", "surrogateescape") for a, b in zip(begins.reshape(-1), ends.reshape(-1), strict=True)
    ]
    return np.array(found, object).reshape(begins.shape)


def unpack(data: Any, **_: Any) -> Any:
    pieces = [text.encode("utf-8", "surrogateescape") for text in data.reshape(-1)]
    ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int32).reshape(data.shape)
    begins = ends - np.array([len(piece) for piece in pieces], np.int32).reshape(data.shape)
    return [begins, ends, np.frombuffer(b"".join(pieces), np.uint8)]


def split_words(data: Any, *, delimiter: str = "", maxsplit: int = -1, **_: Any) -> Any:
    words = [(text.split(delimiter or None, maxsplit) if text else []) for text in map(str, data.ravel().tolist())]
    counts = np.array([len(row) for row in words], np.int64).reshape(data.shape)
    return [_table(words, "", data.shape), counts]


def normalized(data: Any, *, case: str, exact: bool, stopwords: Sequence[str], **_: Any) -> Any:
    change = {"LOWER": str.lower, "UPPER": str.upper}.get(case, str)
    bare = str if exact else str.lower
    out = set(map(bare, stopwords))
    kept = [change(text) for text in map(str, data.ravel()) if bare(text) not in out] or [""]
    found = np.array(kept, object)
    return found[None] if data.ndim == 2 else found


def count_ngrams(
    data: Any,
    *,
    mode: str,
    shortest: int,
    longest: int,
    most_skips: int,
    starts: Sequence[int],
    places: Sequence[int],
    pool: Sequence[Any],
    weights: Sequence[float] | None,
    **_: Any,
) -> Any:
    known: dict[tuple[Any, ...], int] = {}
    for length, (start, end) in enumerate(zip(starts, (*starts[1:], len(pool)), strict=True), 1):
        for at in range(start, end, length):
            known[tuple(pool[at : at + length])] = len(known)
    rows = data.reshape(1, -1) if data.ndim == 1 else data
    found = np.zeros((len(rows), max(places) + 1), np.float32)
    for row, goal in zip(rows.tolist(), found, strict=True):
        for length in range(
            shortest, min(longest, len(row)) + 1
        ):  # longer ones, and wider ones, have no place in the row
            for skip in range(1, (min(most_skips, len(row)) if length > 1 else 0) + 2):
                for at in range(len(row) - (length - 1) * skip):
                    place = known.get(tuple(row[at : at + length * skip : skip]))
                    if place is not None:
                        goal[places[place]] += 1
    share = np.ones(found.shape[1], np.float32)
    if weights is not None:
        share[list(places)] = weights
    result = found if mode == "TF" else np.where(found > 0, share, 0) if mode == "IDF" else found * share
    return result[0].astype(np.float32) if data.ndim == 1 else result.astype(np.float32)


_CHOICE, _REPEAT = re.compile(r"[|?]"), re.compile(r"[+*{]")
_NESTED = re.compile(r"\)[+*?{]|\\[1-9]")  # repeated groups, and what a group matched
_MOST_STEPS = 50_000_000
_MOST_CELLS = 20_000_000  # strings of a table


def _bounded(pattern: str, texts: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern that is done with texts soon: a search begins at each character, each repetition takes as many steps again, and
    each choice twice as many."""
    repeats, choices = len(_REPEAT.findall(pattern)), len(_CHOICE.findall(pattern))
    if _NESTED.search(pattern) or repeats > 8 or choices > 20:
        raise NoKernel("a pattern that may take very long")
    if sum(len(text) ** (repeats + 1) for text in texts) << choices > _MOST_STEPS:
        raise NoKernel("a pattern that may take very long with strings of this length")
    try:
        return re.compile(pattern, re.ASCII)
    except (re.error, OverflowError):
        raise NoKernel("a pattern that Python does not read") from None


def _table(rows: Sequence[Sequence[str]], filler: str, shape: Sequence[int]) -> Any:
    """Return rows of strings, filled up to the longest one."""
    width = max(map(len, rows), default=0)
    if width * len(rows) > _MOST_CELLS:
        raise ValueError(f"a table of {len(rows):,} rows of {width:,} strings is too large")
    return np.array([[*row, *[filler] * (width - len(row))] for row in rows], object).reshape(*shape, width)


def matches(data: Any, *, pattern: str, **_: Any) -> Any:
    texts = list(map(str, data.ravel()))
    rule = _bounded(pattern, texts)
    return np.array([rule.fullmatch(text) is not None for text in texts], bool).reshape(data.shape)


def _parted(separators: Sequence[re.Pattern[str]], least: int, text: str) -> list[str]:
    """Return what is between separators, cut by one after another."""
    found = [text]
    for separator in separators:
        found = [part for whole in found for part in separator.split(whole) if len(part) >= least]
    return found


def tokens(data: Any, *, mark: int, filler: str, least: int, separators: Sequence[str], pattern: str, **_: Any) -> Any:
    if "(" in pattern + "".join(separators):  # what a group matched would be the token
        raise NoKernel("a pattern with groups")
    texts = list(map(str, data.ravel().tolist()))
    between = [_bounded(separator, texts) for separator in separators if separator]
    found = (
        _bounded(pattern, texts).findall if not separators else partial(_parted, between, least) if between else list
    )
    rows = [[token for token in found(text) if len(token) >= max(least, 1)] for text in texts]
    if mark and any(rows):
        rows = [["\x02", *row, "\x03"] for row in rows]
    return _table(rows, filler, data.shape)
