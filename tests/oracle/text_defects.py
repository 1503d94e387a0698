"""Defects of markup and of lines: a quote, a bracket or a word that is lost, doubled or misspelt."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from oracle.json_defects import Change
from oracle.typos import number, typo

Way = Callable[[str, random.Random], "Change | None"]


def _removed(pattern: str, what: str) -> Way:
    compiled = re.compile(pattern)

    def way(text: str, rng: random.Random) -> Change | None:
        spots = list(compiled.finditer(text))
        if not spots:
            return None
        spot = rng.choice(spots)
        return Change(what, spot.start(), spot.end(), "")

    way.__name__ = what.replace(" ", "_")
    return way


def sign_doubled(text: str, rng: random.Random) -> Change | None:
    spot = rng.choice(list(re.finditer(r'[<>"/=]', text)))
    return Change("sign doubled", spot.end(), spot.end(), spot[0])


def cut_off(text: str, rng: random.Random) -> Change | None:
    return Change("cut off", rng.randrange(len(text) // 4, len(text)), len(text), "")


def word_changed(text: str, rng: random.Random) -> Change | None:
    """A word that is misspelt, lost or doubled, or another number."""
    spot = rng.choice(list(re.finditer(r"-?\d+(?:\.\d+)?|[A-Za-z_]\w*", text)))
    new = typo(spot[0], rng) if spot[0][0].isalpha() or spot[0][0] == "_" else number(spot[0], rng)
    return Change("word changed", *spot.span(), rng.choice((new, new, new, "", f"{spot[0]} {spot[0]}")))


MARKUP: tuple[Way, ...] = (
    _removed('"', "no quote"), _removed(">", "no >"), _removed("<", "no <"), _removed(r"(?<=/)>|/(?=>)", "no slash"), _removed("=", "no ="),
    _removed(r"</\w+>", "no end tag"), _removed(r"<\w+>", "no start tag"), _removed(r"(?<=</)\w", "end tag misspelt"), sign_doubled, cut_off,
)  # fmt: skip


def word_misspelt(text: str, rng: random.Random) -> Change | None:
    words = list(re.finditer(r"[A-Za-z_][\w./]*", text))
    spot = rng.choice(words)
    return Change("word misspelt", spot.start(), spot.end(), typo(spot[0], rng))


def number_changed(text: str, rng: random.Random) -> Change | None:
    spot = rng.choice(list(re.finditer(r"\d+", text)))
    return Change("number changed", spot.start(), spot.end(), number(spot[0], rng))


def _line(text: str, rng: random.Random) -> tuple[int, int]:
    lines = [m.span() for m in re.finditer(r"[^\n]+\n?", text)]
    return rng.choice(lines)


def line_removed(text: str, rng: random.Random) -> Change | None:
    return Change("line removed", *_line(text, rng), "")


def line_doubled(text: str, rng: random.Random) -> Change | None:
    start, end = _line(text, rng)
    return Change("line doubled", end, end, text[start:end])


def lines_swapped(text: str, rng: random.Random) -> Change | None:
    lines = [m.span() for m in re.finditer(r"[^\n]+\n", text)]
    if len(lines) < 2:
        return None
    k = rng.randrange(len(lines) - 1)
    (a, b), (c, d) = lines[k], lines[k + 1]
    return Change("lines swapped", a, d, text[c:d] + text[a:b])


LINES: tuple[Way, ...] = (
    word_misspelt, number_changed, number_changed, line_removed, line_doubled, lines_swapped, cut_off, _removed(r"[\[\]]", "no bracket"),
    _removed(",", "no comma"), _removed("'", "no quote"), _removed(r"(?m)^\d+ ", "no number"), _removed(r"(?<=\d )[\w.]+ ", "no operator"),
    _removed(r"(?:'[^'\n]*'|\d+)(?:, )?(?=[^\[\n]*\])", "no input"),
)  # fmt: skip
