"""The reader of Glacier's listing and all rules about them."""

from __future__ import annotations

from fuzz.invariants import linted
from fuzz.seeds import examples

FORMS = ("glacier:listing",)


def seeds() -> list[bytes]:
    return list(examples("glacier"))


def check(data: bytes) -> None:
    linted(data, "model.txt", FORMS)
