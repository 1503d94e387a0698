"""The fixes of Glacier's listing."""

from __future__ import annotations

from fuzz.invariants import repaired
from fuzz.seeds import examples

FORMS = ("glacier:listing",)


def seeds() -> list[bytes]:
    return list(examples("glacier"))


def check(data: bytes) -> None:
    repaired(data, "model.txt", FORMS)
