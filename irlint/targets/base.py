"""What formats say of the runtimes that load their models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from irlint.findings import Problem
from irlint.records import NamedTuple

Known = Literal["measured", "published", "source"]


class ComparedTarget(NamedTuple):
    """A runtime whose releases are compared."""

    name: str  # as --target takes it
    title: str
    releases: Sequence[str]  # the oldest first
    known: Known  # source: what its source reads
    provider: str = ""  # what follows the release in --target


class AgainstTarget(NamedTuple):
    """A model against one release."""

    problems: Sequence[Problem]  # the first ones
    more: int = 0  # nodes beyond these that it refuses
    unasked: Mapping[str, int] = {}  # operators of which nothing is known there, with the number of nodes
