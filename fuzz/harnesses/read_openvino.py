"""The reader of OpenVINO files and all rules about them."""

from __future__ import annotations

from fuzz.invariants import forms, linted
from fuzz.seeds import examples

FORMS = forms("openvino")


def seeds() -> list[bytes]:
    return list(examples("openvino"))


def check(data: bytes) -> None:
    linted(data, "model.xml", FORMS)
