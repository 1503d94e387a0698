"""The reader of Glacier's events and all rules about them."""

from __future__ import annotations

from fuzz.invariants import linted
from fuzz.seeds import examples

FORMS = ("glacier:events",)


def seeds() -> list[bytes]:
    return list(examples("glacier"))


def check(data: bytes) -> None:
    linted(data, "run.jsonl", FORMS)
