"""An entry of an operator table as files: what irlint, which knows only the table, says of them and what the runtime does."""

from __future__ import annotations

from typing import NamedTuple


class Trial(NamedTuple):
    label: str
    text: str
    weights: bytes | None = None


class Probe(NamedTuple):
    """`same`: the runtime is to make one model of all trials, as a default says."""

    operator: str
    kind: str  # default, required, enum, number, arity
    what: str
    trials: tuple[Trial, ...]
    same: bool = False
