"""Words and numbers that look a little like others."""

from __future__ import annotations

import random
import re


def typo(word: str, rng: random.Random) -> str:
    """A word with one letter added, dropped, exchanged with its neighbour or replaced."""
    at = rng.randrange(len(word) + 1)
    how = rng.randrange(5)
    if how == 0 or len(word) < 2:
        return word[:at] + rng.choice("abcxyz019_") + word[at:]
    if how == 1:
        return rng.choice((word.swapcase(), word.upper(), word.lower(), word.capitalize()))
    at = min(at, len(word) - 2)
    if how == 2:
        return word[:at] + word[at + 1 :]
    if how == 3:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + rng.choice("abcxyz0129") + word[at + 1 :]


def number(value: str, rng: random.Random) -> str:
    """Another number."""
    try:
        n = int(value)
    except ValueError:
        return rng.choice(("0", "-1", "1", "1e9", "nan", value + "5", "-" + value, value.partition(".")[0] or "7"))
    return str(rng.choice((n + 1, n - 1, n * 2, -n, n + 10, 0, 1, 2, 3, -1, n * 1000, f"{n}.0", f"{n}.5", 1 << 31)))


def numbers(value: str, rng: random.Random) -> str:
    """A text with one of its numbers changed, dropped or doubled."""
    found = list(re.finditer(r"-?\d+(?:\.\d+)?", value))
    if not found:
        return typo(value, rng)
    spot = rng.choice(found)
    new = rng.choice((number(spot[0], rng), number(spot[0], rng), number(spot[0], rng), "", f"{spot[0]}, {spot[0]}"))
    return value[: spot.start()] + new + value[spot.end() :]
