"""The reader of LightNet files and all rules about them."""

from __future__ import annotations

from fuzz.invariants import forms, linted
from fuzz.seeds import examples

FORMS = forms("lightnet")


def seeds() -> list[bytes]:
    return list(examples("lightnet"))


def check(data: bytes) -> None:
    linted(data, "model.json", FORMS)
