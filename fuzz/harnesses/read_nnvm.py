"""The reader of NNVM files and all rules about them."""

from __future__ import annotations

from fuzz.invariants import forms, linted
from fuzz.seeds import examples

FORMS = forms("nnvm")


def seeds() -> list[bytes]:
    return list(examples("nnvm"))


def check(data: bytes) -> None:
    linted(data, "model.json", FORMS)
