"""Run by a Python with onnx: writes its backend node tests as files, each in a folder of its own, with inputs, expected outputs, and
the types that its shape inference gives every value, given nothing but the types of the inputs.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

WIDE = {"int4": np.int8, "uint4": np.uint8, "int2": np.int8, "uint2": np.uint8}
DRAWN = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}


def plain(value: Any) -> Any:
    """An array of a type that NumPy has; raises TypeError for lists and nothing at all."""
    value = numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value
    if value is None or isinstance(value, list):
        raise TypeError("no tensor")
    array = np.asarray(value)
    name = array.dtype.name
    if name in WIDE:
        return array.astype(WIDE[name])
    if array.dtype.kind in "OSU":
        return np.array([x.decode() if isinstance(x, bytes) else str(x) for x in array.ravel()], object).reshape(
            array.shape
        )
    return array.astype(np.float32) if array.dtype.kind == "V" or "float8" in name or "bfloat" in name else array


def is_drawn(model: Any) -> bool:
    """Whether chance decides, or it is about training."""
    nodes = model.graph.node
    training = any(node.domain == "ai.onnx.preview.training" for node in nodes)
    dropped = any(node.op_type == "Dropout" and len(node.input) > 2 for node in nodes)
    return training or dropped or any(node.op_type in DRAWN for node in nodes)


def types(model: Any) -> dict[str, Any]:
    """Element type and shape by name; unknown lengths are None, those that only inference names, too."""
    bare = onnx.ModelProto()
    bare.CopyFrom(model)
    for value in bare.graph.output:
        if value.type.HasField("tensor_type"):
            value.type.tensor_type.ClearField("shape")
    inferred = onnx.shape_inference.infer_shapes(bare, data_prop=True).graph
    found = {}
    for value in (*inferred.value_info, *inferred.output):
        if value.type.HasField("tensor_type"):
            tensor = value.type.tensor_type
            dims: Any = [d.dim_value if d.HasField("dim_value") else d.dim_param or None for d in tensor.shape.dim]
            dims = [None if isinstance(d, str) and d.startswith("unk__") else d for d in dims]
            found[value.name] = [tensor.elem_type, dims if tensor.HasField("shape") else None]
    return found


def write(case: Any, folder: Path) -> None:
    initial = {tensor.name for tensor in case.model.graph.initializer}
    names = [value.name for value in case.model.graph.input if value.name not in initial]
    inputs, outputs = (list(map(plain, part)) for part in case.data_sets[0])
    inferred = json.dumps(types(case.model))
    folder.mkdir(parents=True)
    onnx.save(case.model, folder / "model.onnx")
    np.savez(folder / "inputs.npz", **dict(zip(names, inputs, strict=True)))
    np.savez(folder / "expected.npz", *outputs)
    (folder / "types.json").write_text(inferred)


def main(out: Path) -> None:
    warnings.filterwarnings("ignore")
    why = {}
    for case in collect_testcases():
        if is_drawn(case.model):
            continue
        try:
            write(case, out / case.name)
        except Exception as error:
            why[case.name] = str(error)
    (out / "not_written.json").write_text(json.dumps(why, indent=1))


main(Path(sys.argv[1]))
