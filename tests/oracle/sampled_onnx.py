"""Random ONNX operators of one node; the tables are in sampled_onnx_*.py."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from irlint.formats.onnx.wire import DTYPE_NUMBERS, MODEL
from irlint.formats.onnx.wire.writer import whole
from oracle.draw import Draw
from oracle.sampling import Sample

# Kernels that onnxruntime does not have say nothing of a model
UNDECIDED = ("NOT_IMPLEMENTED", "Could not find an implementation", "Dilation not supported")
OPSETS = (18, 19, 20, 21, 22, 23)
FLOATS = ("float32", "float32", "float32", "float64", "float16")
INTS = ("int32", "int64", "int8", "uint8", "int16", "uint16", "uint32", "uint64")
NUMBERS = (*FLOATS, *INTS)


class Const(NamedTuple):
    """An input that is an initializer."""

    value: Any


def ints(*values: int) -> Const:
    return Const(np.array(values, np.int64))


def sample(
    draw: Draw,
    op: str,
    *inputs: Any,
    result: str | tuple[str, ...] = "",
    opset: int = 0,
    **attrs: Any,
) -> Sample:
    """A model of one node. `result` are the element types of the outputs: that of the first input unless given."""
    opset = opset or draw.choice(OPSETS)
    domain, _, name = op.rpartition(".")
    arrays = [value.value if isinstance(value, Const) else value for value in inputs]
    results = (result,) if isinstance(result, str) else result
    feeds = {f"x{k}": a for k, (a, v) in enumerate(zip(arrays, inputs, strict=True)) if _is_fed(v)}
    tensors = [_tensor(f"x{k}", v.value) for k, v in enumerate(inputs) if isinstance(v, Const)]
    listed = [_value(f"x{k}", a.dtype.name, _open(draw, a.shape)) for k, a in _numbered(feeds)]
    first = next(a.dtype.name for a in arrays if a is not None)
    node = {
        "op_type": name, "domain": domain, "name": "node",
        "input": ["" if value is None else f"x{k}" for k, value in enumerate(inputs)],
        "output": [f"y{k}" for k in range(len(results))],
        "attribute": [_attribute(key, value) for key, value in attrs.items() if value is not None],
    }  # fmt: skip
    graph = {
        "name": "g", "node": [node], "input": listed, "initializer": tensors,
        "output": [_value(f"y{k}", kind or first, None) for k, kind in enumerate(results)],
    }  # fmt: skip
    imports = [{"domain": "", "version": opset}] + ([{"domain": domain, "version": 1}] if domain else [])
    data = whole(MODEL, {"ir_version": 10, "opset_import": imports, "graph": graph})
    shown = ", ".join("-" if a is None else f"{a.dtype}{list(a.shape)}" for a in arrays)
    given = {k: v for k, v in attrs.items() if v is not None}
    small = {f"x{k}": a.tolist() for k, a in enumerate(arrays) if isinstance(inputs[k], Const) and a.size < 9}
    return Sample(op, f"{op}-{opset} ({shown}) {given} {small or ''}", {".onnx": data}, feeds)


def _is_fed(value: Any) -> bool:
    return value is not None and not isinstance(value, Const)


def _numbered(feeds: dict[str, Any]) -> Any:
    return [(int(name[1:]), array) for name, array in feeds.items()]


def _open(draw: Draw, shape: tuple[int, ...]) -> list[Any]:
    if not draw.chance(0.25):
        return list(shape)
    draw.traits.add("open")
    return [draw.choice((size, None, f"d{size}")) for size in shape]


def _value(name: str, dtype: str, shape: list[Any] | None) -> dict[str, Any]:
    tensor: dict[str, Any] = {"elem_type": DTYPE_NUMBERS[dtype]}
    if shape is not None:
        tensor["shape"] = {"dim": [_dim(size) for size in shape]}
    return {"name": name, "type": {"tensor_type": tensor}}


def _dim(size: Any) -> dict[str, Any]:
    return {} if size is None else {"dim_param": size} if isinstance(size, str) else {"dim_value": size}


def _tensor(name: str, array: Any) -> dict[str, Any]:
    return {
        "name": name, "dims": list(array.shape), "data_type": DTYPE_NUMBERS[array.dtype.name], "raw_data": array.tobytes()
    }  # fmt: skip


def _attribute(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        return {"name": name, "type": 3, "s": value.encode()}
    if isinstance(value, (bool, int)):
        return {"name": name, "type": 2, "i": int(value)}
    if isinstance(value, float):
        return {"name": name, "type": 1, "f": value}
    if isinstance(value, np.ndarray):
        return {"name": name, "type": 4, "t": _tensor("", value)}
    if value and isinstance(value[0], float):
        return {"name": name, "type": 6, "floats": list(value)}
    if value and isinstance(value[0], str):
        return {"name": name, "type": 8, "strings": [word.encode() for word in value]}
    return {"name": name, "type": 7, "ints": list(value)}
