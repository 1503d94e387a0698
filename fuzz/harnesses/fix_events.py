"""The fixes of Glacier's events."""

from __future__ import annotations

from fuzz.invariants import repaired
from fuzz.seeds import examples

FORMS = ("glacier:events",)


def seeds() -> list[bytes]:
    return list(examples("glacier"))


def check(data: bytes) -> None:
    repaired(data, "run.jsonl", FORMS)
