"""The parts of a value by labels that stay what they are while others are inserted: keys, names in lists, positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from irlint.records import NamedTuple


class Member(NamedTuple):
    """A part of a value: its label among the parts, the step of its path, and its value."""

    label: str
    step: str | int
    value: Any


_NAMING = ("arg_name", "key", "tensor_name", "name", "domain")  # what entries of a list go by, the first that they have


def members(value: Any) -> Iterator[Member]:
    """Yield the parts of a dictionary or list. Entries of a list that have a name go by it, others by their position."""
    if isinstance(value, dict):
        yield from (Member(str(key), key, part) for key, part in value.items())
    elif isinstance(value, (list, tuple)):
        yield from (Member(*row) for row in zip(_labels(value), range(len(value)), value, strict=False))


def _labels(entries: Iterable[Any]) -> Iterator[str]:
    seen: dict[str, int] = {}
    for k, entry in enumerate(entries):
        names = (entry.get(key) for key in _NAMING) if isinstance(entry, dict) else ()
        name = next((name for name in names if isinstance(name, str)), None)
        if name is None:
            yield str(k)
        else:
            seen[name] = seen.get(name, 0) + 1
            yield name if seen[name] == 1 else f"{name} #{seen[name]}"
