"""The .bin beside an OpenVINO IR: read, held against the model, and run with."""

from __future__ import annotations

from fuzz.weights import beside
from irlint.formats.openvino.samples import OPENVINO

_HEAD = 8  # bytes of the input that say where the constant lies and how large it is


def seeds() -> list[bytes]:
    plain = (0).to_bytes(4, "little") + (12).to_bytes(4, "little")
    return [
        plain + bytes(12),
        plain + bytes(64),
        plain + b"version https://git-lfs.github.com/spec/v1\n",
        plain + b"<html>",
        plain,
    ]


def check(data: bytes) -> None:
    offset, size = int.from_bytes(data[:4], "little", signed=True), int.from_bytes(data[4:_HEAD], "little", signed=True)
    model = OPENVINO.replace('offset="0" size="12"', f'offset="{offset}" size="{size}"')
    beside("model.xml", model, "model.bin", data[_HEAD:])
