"""T101 half-pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.findings import Problem, Severity
from irlint.formats.lightnet.reading.graph import object_of, state_of
from irlint.formats.lightnet.rules import R
from irlint.rules.base import Model, Rule
from irlint.text.base import Path, Place


class HalfPair(Rule):
    """
    What it does
        Checks for one of `mem_sizes_h` and `mem_sizes_l`, or of `offset_h` and `offset_l`, without the other.

    Why is this bad
        They are the high and low halves of one number. LightNet silently ignores one without the other; `lightnet -r`
        then finds no memory offset and refuses the file.
    """

    row = R.half_pair
    formats = ("lightnet",)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        found = state_of(model)
        hard = Severity.ERROR if model.dialect == "compiled" else None
        yield from _half(object_of(model), (), "mem_sizes", hard)
        for i in found.extended:
            for key in ("tensors_in", "tensors_out"):
                for k, entry in enumerate(found.ops[i][key]):
                    yield from _half(entry, ("ops", i, key, k), "offset", hard if key == "tensors_out" else None)


def _half(value: dict[str, Any], path: Path, word: str, severity: Severity | None) -> Iterator[Problem]:
    there = [half for half in (f"{word}_h", f"{word}_l") if half in value]
    if len(there) == 1:
        other = f"{word}_l" if there[0].endswith("h") else f"{word}_h"
        message = f"missing key `{other}` for `{there[0]}`; LightNet ignores the one without the other"
        yield Problem(R.half_pair, Place((*path, there[0]), "key"), message, severity=severity)
