"""The fixes of LightNet files."""

from __future__ import annotations

from fuzz.invariants import forms, repaired
from fuzz.seeds import examples

FORMS = forms("lightnet")


def seeds() -> list[bytes]:
    return list(examples("lightnet"))


def check(data: bytes) -> None:
    repaired(data, "model.json", FORMS)
