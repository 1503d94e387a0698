"""Cases of rules."""

from __future__ import annotations

import struct

from rule_cases.base import Case, Cases
from rule_cases.texts import ONNX, OPENVINO, onnx, openvino


class MissingWeights(Cases):
    valid = (Case(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (Case(OPENVINO, "openvino", "0", side_files={"other.bin": bytes(12)}),)


_WEIGHT = "float[10,256] weight = {...}"


class UnusedWeights(Cases):
    valid = (Case(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (
        Case(OPENVINO, "openvino", '<net name="sample" version="11">', side_files={"model.bin": bytes(64)}),
        Case(onnx((_WEIGHT, f"{_WEIGHT},\n   float[10,256] spare = {{...}}")), "onnx", "spare", ONNX),
    )


class WeightsFormat(Cases):
    valid = (Case(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (
        Case(
            OPENVINO,
            "openvino",
            "0",
            side_files={"model.bin": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"},
        ),
    )


class WeightsMismatch(Cases):
    valid = (Case(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (Case(openvino(('size="12"', 'size="6"')), "openvino", "6", side_files={"model.bin": bytes(12)}),)


class WeightsTooShort(Cases):
    valid = (Case(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (Case(openvino(('offset="0"', 'offset="4"')), "openvino", "4", side_files={"model.bin": bytes(12)}),)


class NanWeights(Cases):
    valid = (Case(OPENVINO, "openvino", side_files={"model.bin": struct.pack("<3f", 1, 2, 3)}),)
    invalid = (Case(OPENVINO, "openvino", "scale", side_files={"model.bin": struct.pack("<3f", 1, float("nan"), 3)}),)


class ZeroWeights(Cases):
    valid = (Case(OPENVINO, "openvino", side_files={"model.bin": struct.pack("<3f", 1, 2, 3)}),)
    invalid = (Case(OPENVINO, "openvino", "scale", side_files={"model.bin": struct.pack("<3f", 0, 0, 0)}),)


class DenormalWeights(Cases):
    valid = (Case(OPENVINO, "openvino", side_files={"model.bin": struct.pack("<3f", 1, 2, 3)}),)
    invalid = (Case(OPENVINO, "openvino", "scale", side_files={"model.bin": struct.pack("<3f", 1, 1e-41, 3)}),)
