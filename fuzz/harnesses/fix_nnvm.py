"""The fixes of NNVM files."""

from __future__ import annotations

from fuzz.invariants import forms, repaired
from fuzz.seeds import examples

FORMS = forms("nnvm")


def seeds() -> list[bytes]:
    return list(examples("nnvm"))


def check(data: bytes) -> None:
    repaired(data, "model.json", FORMS)
