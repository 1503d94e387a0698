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


def _two(offset: int) -> str:
    """The sample with its constant at an offset, and another one behind it, which is an output."""
    start, end = OPENVINO.index('\t\t<layer id="1"'), OPENVINO.index('\t\t<layer id="2"')
    other = (
        OPENVINO[start:end].replace('id="1" name="scale"', 'id="7" name="other"').replace('offset="0"', 'offset="12"')
    )
    ports = other[other.index("<port") : other.index("</output>")]
    result = f'<layer id="8" name="second" type="Result" version="opset1"><input>{ports}</input></layer>'
    text = f"{OPENVINO[:end]}{other}{result}{OPENVINO[end:]}".replace('offset="0"', f'offset="{offset}"')
    return text.replace("</edges>", '<edge from-layer="7" from-port="0" to-layer="8" to-port="0"/></edges>')


class WeightsMismatch(Cases):
    valid = (Case(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (
        Case(openvino(('size="12"', 'size="6"')), "openvino", "6", side_files={"model.bin": bytes(12)}),
        Case(_two(2), "openvino", "2", _two(0), side_files={"model.bin": bytes(24)}),
    )


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
