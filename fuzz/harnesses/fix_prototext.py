"""The fixes of ONNX in protobuf's text format."""

from __future__ import annotations

from fuzz.harnesses.read_prototext import FORMS, seeds
from fuzz.invariants import repaired

__all__ = ["check", "seeds"]


def check(data: bytes) -> None:
    repaired(data, "model.prototxt", FORMS)
