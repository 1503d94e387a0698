"""The readers of ONNX, binary and text, and all rules about them."""

from __future__ import annotations

from fuzz.invariants import forms, linted
from fuzz.seeds import ONNX_BRANCHES, examples, onnx_models

FORMS = forms("onnx")


def seeds() -> list[bytes]:
    return [*onnx_models(), *examples("onnx"), ONNX_BRANCHES.encode()]


def check(data: bytes) -> None:
    linted(data, "model.onnx", FORMS)
