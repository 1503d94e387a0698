"""The fixes of OpenVINO files."""

from __future__ import annotations

from fuzz.invariants import forms, repaired
from fuzz.seeds import examples

FORMS = forms("openvino")


def seeds() -> list[bytes]:
    return list(examples("openvino"))


def check(data: bytes) -> None:
    repaired(data, "model.xml", FORMS)
