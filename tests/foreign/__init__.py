"""Files of other trades, made at random: each family of them has something in common with a model."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from . import graphs, listings, markup, records, vocabularies

Make = Callable[[random.Random], str]

FAMILIES: dict[str, Make] = {
    **vocabularies.FAMILIES,
    **graphs.FAMILIES,
    **records.FAMILIES,
    **markup.FAMILIES,
    **listings.FAMILIES,
}
EACH = 20  # files of a family
DAMAGED = 5  # of them broken


def files() -> Iterator[tuple[str, str]]:
    """Names and texts; the same every time."""
    for family, make in FAMILIES.items():
        stem, _, extension = family.partition(".")
        for seed in range(EACH):
            chance = random.Random(f"{family} {seed}")
            text = make(chance)
            yield f"{stem}-{seed}.{extension}", damaged(chance, text) if seed < DAMAGED else text


def damaged(chance: random.Random, text: str) -> str:
    """The text broken, or with a comment above it that its syntax does not have."""
    return torn(chance, text) if chance.random() < 0.8 else f"// a comment\n{text}"


def torn(chance: random.Random, text: str) -> str:
    """The text as an accident leaves it: cut off, with a piece or a sign too many or too few."""
    at = chance.randrange(len(text) // 2, len(text))
    return chance.choice(
        [
            text[:at],
            text[:at] + text[at + chance.randint(1, 20) :],
            text[:at] + chance.choice('{}[]",:<>/#') + text[at:],
            text.replace(",", ",,", 1).replace("></", "></>", 1),
        ]
    )
