"""Random OpenVINO IRs of one operation; the tables are in sampled_openvino_*.py."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from formats.openvino import tiny

from oracle.draw import Draw
from oracle.sampling import Sample

# What the CPU plug-in has no kernel for
UNDECIDED = (
    "Unsupported",
    "unsupported",
    "not supported",
    "doesn't support",
    "Not implemented",
    "does not support",
    "not implemented",
    "could not create a primitive descriptor",
)
ELEMENT = {
    "float32": "f32", "float16": "f16", "float64": "f64", "int64": "i64", "int32": "i32", "int8": "i8", "uint8": "u8", "int16": "i16",
    "uint16": "u16", "uint32": "u32", "uint64": "u64", "bool": "boolean",
}  # fmt: skip
PRECISION = {"f32": "FP32", "f16": "FP16", "f64": "FP64", "boolean": "BOOL"}
FLOATS = ("float32", "float32", "float32", "float16")
INTS = ("int32", "int64", "uint8", "int8")
NUMBERS = (*FLOATS, *INTS)


class Const(NamedTuple):
    """An input that is a Const."""

    value: Any


def ints(*values: int) -> Const:
    return Const(np.array(values, np.int64))


def sample(draw: Draw, op: str, *inputs: Any, outputs: int = 1, **attrs: Any) -> Sample:
    """An IR of one operation, such as opset1.Relu, with attributes as the file has them; those of None are left out."""
    layers, feeds = [], {}
    is_open = draw.odd("open", 0.25)
    for k, value in enumerate(inputs):
        array, name = value.value if isinstance(value, Const) else value, f"x{k}"
        kind = ELEMENT[array.dtype.name]
        if isinstance(value, Const):
            shape = ", ".join(map(str, array.shape))
            layers.append(tiny.const(name, *array.ravel().tolist(), shape=shape, kind=kind))
        else:
            dims = [draw.choice((n, -1, f"{max(n - 1, 0)}..{n + 2}")) if is_open else n for n in array.shape]
            layers.append(tiny.parameter(name, ",".join(map(str, dims)), kind))
            feeds[name] = array
    attrs = {name.replace("__", "-"): value for name, value in attrs.items() if value is not None}
    call = tiny.call("op", op, *(f"x{k}" for k in range(len(inputs))), **{k: _written(v) for k, v in attrs.items()})
    with tempfile.TemporaryDirectory() as folder:
        path = tiny.write(Path(folder) / "m.xml", *layers, call._replace(outputs=outputs))
        text = path.read_text()
        files = {".xml": _declared(text, layers).encode(), ".bin": path.with_suffix(".bin").read_bytes()}
    arrays = [value.value if isinstance(value, Const) else value for value in inputs]
    shown = ", ".join(f"{a.dtype}{list(a.shape)}" for a in arrays)
    small = {f"x{k}": a.tolist() for k, a in enumerate(arrays) if isinstance(inputs[k], Const) and a.size < 9}
    return Sample(op, f"{op} ({shown}) {attrs} {small or ''}", files, feeds)


def _written(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _declared(text: str, layers: list[tiny.Layer]) -> str:
    """The text with the types of parameters and constants at their ports, as OpenVINO writes them."""
    for layer in layers:
        at = text.index("<output>", text.index(f' name="{layer.name}" '))
        shape = [size.strip() for size in str(layer.attrs["shape"]).split(",") if size.strip()]
        dims = "".join(f"<dim>{size if size.isdecimal() else -1}</dim>" for size in shape)
        precision = PRECISION.get(layer.attrs["element_type"], layer.attrs["element_type"].upper())
        end = text.index("</output>", at)
        text = f'{text[:at]}<output><port id="0" precision="{precision}">{dims}</port>{text[end:]}'
    return text
