"""Inputs for a model that says only their types: drawn, with sizes for the open dimensions that onnxruntime takes. For the oracle's Python."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

SIZES = (2, 1, 4, 8, 16, 32)  # tried in turn for every open dimension
RANK = (2, 3)  # of an input that declares no shape
NARROW = {TensorProto.FLOAT8E4M3FN, TensorProto.INT4, TensorProto.UINT4, TensorProto.BFLOAT16}


def drawn(path: Path) -> dict[str, Any] | None:
    """Inputs with which onnxruntime runs the model, else any that fit its declarations; None if an input is no tensor."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.log_severity_level = 4
    model = onnx.load(path)
    tries = [feeds(model, size) for size in SIZES]
    if tries[0] is None:
        return None
    try:
        session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception:
        return tries[0]
    for made in tries:
        try:
            session.run(None, made)
        except Exception:
            continue
        return made
    return tries[0]


def feeds(model: onnx.ModelProto, size: int = 2) -> dict[str, Any] | None:
    known = {tensor.name for tensor in model.graph.initializer}
    made = {}
    for place, value in enumerate(value for value in model.graph.input if value.name not in known):
        if not value.type.HasField("tensor_type"):
            return None
        made[value.name] = feed(value.type.tensor_type, place, size)
    return made


def feed(type_: onnx.TypeProto.Tensor, place: int, size: int = 2) -> Any:
    """Numbers that depend on nothing but the type and the place of the input."""
    open_ = [dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else size for dim in type_.shape.dim]
    shape = tuple(open_) if type_.HasField("shape") else RANK
    rng = np.random.default_rng(1000 + place)
    if type_.elem_type == TensorProto.STRING:
        return np.array([f"word{k}" for k in range(int(np.prod(shape)))]).reshape(shape)
    dtype = helper.tensor_dtype_to_np_dtype(type_.elem_type)
    if dtype == np.bool_:
        return rng.integers(0, 2, shape).astype(bool)
    if np.issubdtype(dtype, np.integer) or type_.elem_type in (TensorProto.INT4, TensorProto.UINT4):
        return rng.integers(0, 2, shape).astype(dtype)
    return rng.uniform(-1, 1, shape).astype(dtype)


def fitting(model: onnx.ModelProto, kept: dict[str, Any]) -> dict[str, Any] | None:
    """A base's inputs for a mutant of it: by name, then by place where a name has changed, and drawn where a type has."""
    known = {tensor.name for tensor in model.graph.initializer}
    wanted = [value for value in model.graph.input if value.name not in known]
    left = [name for name in kept if name not in {value.name for value in wanted}]
    made = {}
    for place, value in enumerate(wanted):
        if not value.type.HasField("tensor_type"):
            return None
        name = value.name if value.name in kept else (left.pop(0) if left else "")
        is_fit = name in kept and _fits(value.type.tensor_type, kept[name])
        made[value.name] = kept[name] if is_fit else feed(value.type.tensor_type, place)
    return made


def _fits(type_: onnx.TypeProto.Tensor, array: Any) -> bool:
    if type_.elem_type == TensorProto.STRING:
        return array.dtype.kind in "UO"
    try:
        if array.dtype != helper.tensor_dtype_to_np_dtype(type_.elem_type):
            return False
    except KeyError:
        return True
    if not type_.HasField("shape"):
        return True
    dims = type_.shape.dim
    return len(dims) == array.ndim and all(
        not dim.HasField("dim_value") or dim.dim_value == size for dim, size in zip(dims, array.shape, strict=True)
    )


def same(one: list[Any] | None, two: list[Any] | None, tolerance: float = 1e-3) -> bool:
    """Whether two lists of outputs, as `told` writes them, are of one computation."""
    if one is None or two is None or len(one) != len(two):
        return False
    return all(_alike(a, b, tolerance) for a, b in zip(one, two, strict=True))


def _alike(one: Any, two: Any, tolerance: float) -> bool:
    if isinstance(one, str) or isinstance(two, str) or one["shape"] != two["shape"] or one["dtype"] != two["dtype"]:
        return bool(one == two)
    a, b = (np.array(side["values"], np.float64) for side in (one, two))
    scale = max(1e-6, float(np.nan_to_num(np.abs(b), posinf=0).max(initial=0)))
    return bool(np.allclose(a, b, rtol=tolerance, atol=tolerance * scale, equal_nan=True))


def told(value: Any) -> Any:
    """An output as JSON: all that it takes to compare it, at most 300 numbers."""
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiub":
        return repr(value)[:2000]
    flat = value.reshape(-1).astype(np.float64)
    picked = flat if flat.size <= 256 else flat[np.linspace(0, flat.size - 1, 256).astype(int)]
    with np.errstate(all="ignore"):
        parts = [float(flat[a:b].sum()) for a, b in pairwise(np.linspace(0, flat.size, 17).astype(int))]
    return {"shape": list(value.shape), "dtype": str(value.dtype), "values": [*map(float, picked), *parts]}
