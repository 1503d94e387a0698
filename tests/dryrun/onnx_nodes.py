"""Run by a Python with openvino and onnx: turns onnx's backend node tests into IR, each in a folder of its own, with inputs,
expected outputs, what the runtime makes of it, and the types that its reader gives every operation.
"""

from __future__ import annotations

import json
import signal
import sys
import warnings
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import openvino as ov
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

WIDE = {"int4": np.int8, "uint4": np.uint8, "int2": np.int8, "uint2": np.uint8}


class TooSlow(Exception):
    """A conversion that does not come to an end."""


def late(*_: object) -> None:
    raise TooSlow


def plain(value: Any) -> Any:
    """An array of a type that NumPy has; raises TypeError for lists and nothing at all."""
    if isinstance(value, onnx.TensorProto):
        value = numpy_helper.to_array(value)
    if value is None or isinstance(value, list):
        raise TypeError("no tensor")
    array = np.asarray(value)
    name = array.dtype.name
    if name in WIDE:
        return array.astype(WIDE[name])
    return array.astype(np.float32) if array.dtype.kind == "V" or "float8" in name or "bfloat" in name else array


def types(model: Any) -> dict[str, list[list[str]]]:
    return {
        op.get_friendly_name(): [[o.get_element_type().to_string(), str(o.get_partial_shape())] for o in op.outputs()]
        for op in model.get_ordered_ops()
    }


def whole(array: Any, kind: str) -> Any:
    """Numbers, where the runtime hands out bits; raises TypeError for those packed into bytes."""
    if kind in ("i4", "u4", "f4e2m1"):
        raise TypeError(kind)
    eight = {"f8e4m3": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2, "f8e8m0": ml_dtypes.float8_e8m0fnu}
    if kind in eight:
        return array.view(eight[kind]).astype(np.float32)
    return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32) if kind == "bf16" else array


def spread(model: Any) -> Any:
    """The model with results that are packed into bytes as numbers."""
    wide = ov.preprocess.PrePostProcessor(model)
    for k, port in enumerate(model.outputs):
        if port.get_element_type().to_string() in ("i4", "u4", "f4e2m1"):
            wide.output(k).tensor().set_element_type(ov.Type.f32)
    return wide.build()


def fed(port: Any, place: int, given: dict[str, Any]) -> Any:
    """The value of an input: by its name, or, where an output's name has taken that, by its place."""
    array = given[next((n for n in given if n in port.get_names()), list(given)[place])]
    return array if array.size else ov.Tensor(port.get_element_type(), list(array.shape))


def results(core: Any, model: Any, given: dict[str, Any]) -> list[Any]:
    """What the CPU plug-in computes; nothing where it cannot."""
    try:
        compiled = core.compile_model(spread(model), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        found = compiled({port: fed(port, k, given) for k, port in enumerate(compiled.inputs)})
        return [whole(found[port], port.get_element_type().to_string()) for port in compiled.outputs]
    except TooSlow:
        raise
    except Exception:
        return []


def convert(core: Any, case: Any, folder: Path) -> None:
    initial = {tensor.name for tensor in case.model.graph.initializer}
    names = [value.name for value in case.model.graph.input if value.name not in initial]
    inputs, outputs = (list(map(plain, part)) for part in case.data_sets[0])
    model = core.read_model(case.model.SerializeToString())
    folder.mkdir(parents=True, exist_ok=True)
    ov.save_model(model, folder / "model.xml", compress_to_fp16=False)
    read = core.read_model(folder / "model.xml")
    given = dict(zip(names, inputs, strict=False))
    np.savez(folder / "inputs.npz", **given)
    np.savez(folder / "expected.npz", *outputs)
    inferred = json.dumps(types(read))  # before anything else is done to the model
    np.savez(folder / "runtime.npz", *results(core, read, given))
    (folder / "types.json").write_text(inferred)


def main(out: Path) -> None:
    warnings.filterwarnings("ignore")
    signal.signal(signal.SIGALRM, late)
    core, why = ov.Core(), {}
    for case in collect_testcases():
        signal.alarm(30)
        try:
            convert(core, case, out / case.name)
        except TooSlow:
            why[case.name] = "too slow"
        except Exception as error:
            why[case.name] = str(error).strip().rpartition("\n")[2][:200]
        finally:
            signal.alarm(0)
    (out / "not_converted.json").write_text(json.dumps(why, indent=1))


main(Path(sys.argv[1]))
