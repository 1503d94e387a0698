"""Seeded mutants of small graphs, each with one defect: kind, text, and the line where the text first differs."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import NamedTuple

from . import changes_graph, changes_nodes, changes_text  # noqa: F401 (they register)
from .changes import CHANGES, TEXT_CHANGES, Change, Graph, Skip
from .writer import render


class Mutant(NamedTuple):
    kind: str
    text: str
    line: int  # 1-based line of the defect
    base: str


def first_difference(old: str, new: str) -> int:
    """The 1-based line of `new` in which it first differs."""
    a, b = old.split("\n"), new.split("\n")
    for k, (x, y) in enumerate(zip(a, b)):  # noqa: B905
        if x.rstrip(", ") != y.rstrip(", "):
            return k + 1
    for k, (x, y) in enumerate(zip(a, b)):  # noqa: B905
        if x != y:
            return k + 1
    return min(len(a), len(b))


def mutants(
    graph: Graph, rng: random.Random, kinds: list[str] | None = None, changes: dict[str, Change] = CHANGES
) -> Iterator[Mutant]:
    base = render(graph)
    for kind in kinds or [*changes, *TEXT_CHANGES]:
        try:
            if kind in changes:
                changed = copy.deepcopy(graph)
                result = changes[kind](rng, changed)
                text = render(changed if result is None else result)
            else:
                text = TEXT_CHANGES[kind](rng, base)
        except (Skip, IndexError, KeyError):
            continue
        if text != base:
            yield Mutant(kind, text, first_difference(base, text), base)


__all__ = ["CHANGES", "TEXT_CHANGES", "Mutant", "mutants"]
