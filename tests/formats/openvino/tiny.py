"""Small IRs out of a line per layer, with no more than the reader needs."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from irlint import engine
from irlint.findings import Severity

_CODES = {"i64": "q", "i32": "i", "f32": "f", "u8": "B", "boolean": "?"}


class Layer(NamedTuple):
    name: str
    type: str
    version: str
    attrs: dict[str, Any]
    inputs: Sequence[str] = ()  # names of layers
    values: Sequence[float] | None = None


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
    """A model whose last layer feeds its Result; ports declare neither shapes nor types."""
    listed = [*layers, Layer("result", "Result", "opset1", {}, (layers[-1].name,))]
    numbers = {layer.name: k for k, layer in enumerate(listed)}
    data, text, edges = b"", ['<?xml version="1.0"?>', '<net name="tiny" version="11">', "<layers>"], []
    for k, (name, type_, version, attrs, inputs, values) in enumerate(listed):
        if values is not None:
            code = _CODES[attrs["element_type"]]
            packed = struct.pack(f"<{len(values)}{code}", *values)
            attrs = {**attrs, "offset": len(data), "size": len(packed)}
            data += packed + b"\0" * (8 - len(packed) % 8)
        text.append(f'<layer id="{k}" name="{name}" type="{type_}" version="{version}">')
        text.append("<data " + " ".join(f'{key}="{value}"' for key, value in attrs.items()) + "/>" if attrs else "")
        text.append("<input>" + "".join(f'<port id="{i}"/>' for i in range(len(inputs))) + "</input>" if inputs else "")
        text.append("" if type_ == "Result" else f'<output><port id="{len(inputs)}" precision="FP32"/></output>')
        text.append("</layer>")
        for port, source in enumerate(inputs):
            maker = numbers[source]
            edges.append(
                f'<edge from-layer="{maker}" from-port="{len(listed[maker].inputs)}" to-layer="{k}" to-port="{port}"/>'
            )
    path.write_text("\n".join([*text, "</layers>", "<edges>", *edges, "</edges>", "</net>", ""]), encoding="utf-8")
    path.with_suffix(".bin").write_bytes(data)
    return path


def findings(path: Path) -> list[tuple[str, str]]:
    """Codes and severities of what is found, but for what the ports do not declare."""
    found = engine.lint_bytes(path.read_bytes(), path.name, path=path).findings
    return [(f.code, str(f.severity)) for f in found if f.code not in ("D006", "D007", "W004", "G001")]


def errors(path: Path) -> set[str]:
    return {code for code, severity in findings(path) if severity == str(Severity.ERROR)}
