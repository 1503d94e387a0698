"""Small IRs out of a line per layer, with no more than the reader needs."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from irlint import engine
from irlint.findings import Severity

_CODES = {
    "i64": "q", "i32": "i", "f32": "f", "u8": "B", "boolean": "?", "f16": "e", "f64": "d", "i8": "b", "i16": "h", "u16": "H",
    "u32": "I", "u64": "Q",
}  # fmt: skip


class Layer(NamedTuple):
    name: str
    type: str
    version: str
    attrs: dict[str, Any]
    inputs: Sequence[str] = ()  # names of layers
    values: Sequence[float] | None = None
    outputs: int = 1


def parameter(name: str, shape: str, kind: str = "f32") -> Layer:
    return Layer(name, "Parameter", "opset1", {"shape": shape, "element_type": kind})


def const(name: str, *values: float, shape: str | None = None, kind: str = "i64") -> Layer:
    attrs = {"element_type": kind, "shape": str(len(values)) if shape is None else shape}
    return Layer(name, "Const", "opset1", attrs, (), values)


def call(name: str, key: str, *inputs: str, **attrs: Any) -> Layer:
    """`key` is the version and type, such as opset1.Relu."""
    version, _, type_ = key.partition(".")
    return Layer(name, type_, version, attrs, inputs)


def write(path: Path, *layers: Layer) -> Path:
    """A model whose last layer feeds a Result with each output; ports of operations declare neither shapes nor types."""
    count = layers[-1].outputs
    results = [Layer(f"result{k or ''}", "Result", "opset1", {}, (f"{layers[-1].name}:{k}",)) for k in range(count)]
    listed = [*layers, *results]
    numbers = {layer.name: k for k, layer in enumerate(listed)}
    data, text, edges = b"", ['<?xml version="1.0"?>', '<net name="tiny" version="11">', "<layers>"], []
    for k, (name, type_, version, attrs, inputs, values, outputs) in enumerate(listed):
        if values is not None:
            code = _CODES[attrs["element_type"]]
            packed = struct.pack(f"<{len(values)}{code}", *values)
            attrs = {**attrs, "offset": len(data), "size": len(packed)}
            data += packed + b"\0" * (8 - len(packed) % 8)
        text.append(f'<layer id="{k}" name="{name}" type="{type_}" version="{version}">')
        text.append("<data " + " ".join(f'{key}="{value}"' for key, value in attrs.items()) + "/>" if attrs else "")
        text.append("<input>" + "".join(f'<port id="{i}"/>' for i in range(len(inputs))) + "</input>" if inputs else "")
        ports = "".join(f'<port id="{len(inputs) + i}" precision="FP32"/>' for i in range(outputs))
        text.append("" if type_ == "Result" else f"<output>{ports}</output>")
        text.append("</layer>")
        for port, source in enumerate(inputs):
            layer, _, output = source.partition(":")
            maker = numbers[layer]
            out = len(listed[maker].inputs) + int(output or 0)
            edges.append(f'<edge from-layer="{maker}" from-port="{out}" to-layer="{k}" to-port="{port}"/>')
    path.write_text("\n".join([*text, "</layers>", "<edges>", *edges, "</edges>", "</net>", ""]), encoding="utf-8")
    path.with_suffix(".bin").write_bytes(data)
    return path


def findings(path: Path) -> list[tuple[str, str]]:
    """Codes and severities of what is found, but for what the ports do not declare."""
    found = engine.lint_bytes(path.read_bytes(), path.name, path=path).findings
    return [(f.code, str(f.severity)) for f in found if f.code not in ("D006", "D007", "W004", "G001")]


def errors(path: Path) -> set[str]:
    return {code for code, severity in findings(path) if severity == str(Severity.ERROR)}
