"""Small valid IRs, one for every operation: what the mutants are made from."""

from __future__ import annotations

import json
import struct
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

TYPES = {
    "FP32": "f32", "FP16": "f16", "I64": "i64", "I32": "i32", "I8": "i8", "U8": "u8", "BOOL": "boolean", "STRING": "string",
    "U64": "u64", "U32": "u32", "F8E4M3": "f8e4m3", "BIN": "u1", "U1": "u1", "BF16": "bf16", "FP64": "f64",
}  # fmt: skip
_CODES = {"f32": "f", "i64": "q", "i32": "i", "u8": "B", "i8": "b", "boolean": "?", "f64": "d", "u64": "Q", "u32": "I"}


class Model(NamedTuple):
    name: str
    text: str
    weights: bytes


@cache
def operations() -> dict[str, Any]:
    """By versioned operation: type, opset, attributes, types of inputs and outputs, and inputs that must be constants."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / "operations.json").read_text())
    return found


def model(key: str, record: dict[str, Any] | None = None, packed: dict[str, bytes] | None = None) -> Model:
    """Parameters and constants that feed one operation, whose outputs are the results; `record` in place of its own, and the bytes of
    its constants where they have types that struct does not know."""
    record = operations()[key] if record is None else record
    constants: dict[str, list[float]] = record.get("constants", {})
    layers, edges, weights = [], [], b""
    inputs, outputs = record["inputs"], record["outputs"]
    own = len(inputs)
    for k, (precision, dims) in enumerate(inputs):
        type_ = TYPES[precision]
        if str(k) in constants:
            values = constants[str(k)]
            data = packed[str(k)] if packed else struct.pack(f"<{len(values)}{_CODES[type_]}", *values)
            shape = ", ".join(map(str, dims))
            inside = f'<data element_type="{type_}" shape="{shape}" offset="{len(weights)}" size="{len(data)}"/>'
            weights += data
            layers.append(_layer(k, f"in{k}", "Const", "opset1", inside, [], [(0, precision, dims)]))
        else:
            inside = f'<data shape="{",".join(map(str, dims))}" element_type="{type_}"/>'
            layers.append(_layer(k, f"in{k}", "Parameter", "opset1", inside, [], [(0, precision, dims)]))
        edges.append((k, 0, own, k))
    data_text = " ".join(f'{name}="{_escaped(str(value))}"' for name, value in record["data"].items())
    ports_in = [(k, *port) for k, port in enumerate(inputs)]
    ports_out = [(own + k, *port) for k, port in enumerate(outputs)]
    layers.append(
        _layer(
            own,
            "op",
            record["type"],
            record["version"],
            f"<data {data_text}/>" if data_text else "",
            ports_in,
            ports_out,
        )
    )
    for k, port in enumerate(outputs):
        layers.append(_layer(own + 1 + k, f"out{k}", "Result", "opset1", "", [(0, *port)], []))
        edges.append((own, own + k, own + 1 + k, 0))
    lines = [
        '<?xml version="1.0"?>', '<net name="model" version="11">', "\t<layers>", *layers, "\t</layers>", "\t<edges>",
        *(f'\t\t<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>' for a, b, c, d in edges),
        "\t</edges>", "\t<rt_info/>", "</net>", "",
    ]  # fmt: skip
    return Model(key, "\n".join(lines), weights)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _ports(tag: str, ports: list[tuple[int, str, list[int]]]) -> list[str]:
    if not ports:
        return []
    lines = [f"\t\t\t<{tag}>"]
    for number, precision, dims in ports:
        lines.append(f'\t\t\t\t<port id="{number}" precision="{precision}">')
        lines += [f"\t\t\t\t\t<dim>{dim}</dim>" for dim in dims]
        lines.append("\t\t\t\t</port>")
    return [*lines, f"\t\t\t</{tag}>"]


def _layer(
    number: int,
    name: str,
    type_: str,
    opset: str,
    data: str,
    inputs: list[tuple[int, str, list[int]]],
    outputs: list[tuple[int, str, list[int]]],
) -> str:
    lines = [f'\t\t<layer id="{number}" name="{name}" type="{type_}" version="{opset}">']
    lines += [f"\t\t\t{data}"] if data else []
    return "\n".join([*lines, *_ports("input", inputs), *_ports("output", outputs), "\t\t</layer>"])
