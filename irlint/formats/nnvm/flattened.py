"""Entries that have lost their brackets: [49, 0, [54, 0]] was [[49, 0], [54, 0]]."""

from __future__ import annotations

from itertools import pairwise
from typing import Any


def restored_entries(items: list[Any]) -> list[list[Any]] | None:
    """Return a list of entries with the brackets around each again, if there is one way to put them; None if nothing is lost so.

    Entries of a file are all of two numbers, or all of three. Numbers that do not make whole entries were lost otherwise.
    """
    sizes = {len(item) for item in items if isinstance(item, list)}
    if len(sizes) != 1 or not sizes <= {2, 3}:
        return None
    size, found, run = sizes.pop(), [], list[int]()
    for item in [*items, []]:
        if type(item) is int:
            run.append(item)
            continue
        if len(run) % size or not isinstance(item, list):
            return None
        found += [run[k : k + size] for k in range(0, len(run), size)]
        found += [item] if item else []
        run = []
    return found


def has_run(items: list[Any]) -> bool:
    """Whether numbers follow each other beside entries: each alone is not the position of a node."""
    return any(isinstance(item, list) for item in items) and any(
        type(a) is int and type(b) is int for a, b in pairwise(items)
    )
