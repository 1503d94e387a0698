"""The reader of ONNX in protobuf's text format, and its rules."""

from __future__ import annotations

from fuzz.invariants import linted
from fuzz.seeds import ONNX_BRANCHES, examples, prototext_models

FORMS = ("onnx", "onnx:prototext")


def seeds() -> list[bytes]:
    return [*examples("onnx:prototext"), *prototext_models(), ONNX_BRANCHES.encode()]


def check(data: bytes) -> None:
    linted(data, "model.prototxt", FORMS)
