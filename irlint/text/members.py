"""The parts of a value by labels that stay what they are while others are inserted: keys, names in lists, positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from irlint.records import NamedTuple


class Member(NamedTuple):
    """A part of a value: its label among the parts, the step of its path, and its value."""

    label: str
    step: str | int
    value: Any


def members(value: Any, naming: Sequence[str]) -> Iterator[Member]:
    """Yield the parts of a dictionary or list. Entries of a list go by the first of the keys in `naming` that has a text, others by their
    position."""
    if isinstance(value, dict):
        yield from (Member(str(key), key, part) for key, part in value.items())
    elif isinstance(value, (list, tuple)):
        yield from (Member(*row) for row in zip(_labels(value, naming), range(len(value)), value, strict=False))


def _labels(entries: Iterable[Any], naming: Sequence[str]) -> Iterator[str]:
    seen: dict[str, int] = {}
    for k, entry in enumerate(entries):
        names = (entry.get(key) for key in naming) if isinstance(entry, dict) else ()
        name = next((name for name in names if isinstance(name, str) and name), None)
        yield str(k) if name is None else numbered(name, seen)


def numbered(name: str, seen: dict[str, int]) -> str:
    """Return a label for an entry of this name: with a number if it is not the first of those that were seen."""
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name} #{seen[name]}"
