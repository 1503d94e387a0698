"""What formats say of the runtimes that load their models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from irlint.findings import Problem
from irlint.records import NamedTuple

Known = Literal["measured", "published", "source"]


class Target(NamedTuple):
    """A runtime whose releases are compared."""

    name: str  # as --target takes it
    title: str
    releases: Sequence[str]  # the oldest first
    known: Known  # source: what its source reads
    provider: str = ""  # what follows the release in --target


class Held(NamedTuple):
    """A model against one release."""

    problems: Sequence[Problem]
    unasked: Mapping[str, int] = {}  # operators of which nothing is known there, with the number of nodes
