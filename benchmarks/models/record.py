"""Record OpenVINO's verdict on each model, a process for each: python record.py FOLDER [FAMILY|FAMILY/NAME ...].

Runs in the models' environment. Next to NAME.xml it writes NAME.json (verdict, time and memory on one thread, instruction
set), NAME.types.json.gz (the type of every port), NAME.in.npz and NAME.out.npz. What is there already is not recorded again.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
import types_of
from feeds import shape_of, values
from noise import shaken
from workers import in_child, models, quiet_imports

SECONDS = 240
MEMORY = 16 << 30
OPTIONS = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32", "NUM_STREAMS": 1}
TIMED = 2.0  # seconds for all repetitions


def main() -> None:
    folder = Path(sys.argv[1])
    quiet_imports()
    for path in models(folder, sys.argv[2:]):
        report = path.with_suffix(".json")
        if report.exists():
            continue
        failed = in_child(lambda path=path: record(path), SECONDS, MEMORY)
        if not report.exists():  # the process crashed: which step it was in, it has left behind
            step = path.with_suffix(".step")
            report.write_text(json.dumps({"refused": step.read_text() if step.exists() else "read", "message": failed}))
        path.with_suffix(".step").unlink(missing_ok=True)
        told = json.loads(report.read_text())
        if not told.get("refused"):
            in_child(lambda path=path: doubt(path), SECONDS, MEMORY)
        text = told.get("refused") or f"{1000 * told['seconds']:.1f} ms"
        print(f"{path.parent.name}/{path.stem}: {text} {told.get('message', '')[:200]}", flush=True)


def record(path: Path) -> None:
    report: dict[str, Any] = {"openvino": ov.get_version()}
    step = "read"
    try:
        core = ov.Core()
        model = core.read_model(path)
        shapes_file = path.with_suffix(".shapes.json")
        shapes = json.loads(shapes_file.read_text()) if shapes_file.exists() else []
        types = {"read": types_of.model(model)}
        feed = _feed(model, shapes)
        report["inputs"] = {name: list(array.shape) for name, array in feed.items()}
        np.savez(path.with_suffix(".in.npz"), **feed)
        _save_types(path, types)
        step = _note(path, "reshape")
        if any(port.partial_shape.is_dynamic for port in model.inputs):
            fixed = core.read_model(path)
            fixed.reshape({port: list(a.shape) for port, a in zip(fixed.inputs, feed.values(), strict=True)})
            types["fixed"] = types_of.model(fixed)
            _save_types(path, types)
        step = _note(path, "compile")
        started = time.process_time()
        compiled = core.compile_model(model, "CPU", OPTIONS)
        report["compile seconds"] = time.process_time() - started
        step = _note(path, "infer")
        _infer(path, compiled, list(feed.values()), report)
    except Exception as error:
        report.update({"refused": step, "message": str(error)[-500:]})
    path.with_suffix(".json").write_text(json.dumps(report, indent=1))


def _note(path: Path, step: str) -> str:
    path.with_suffix(".step").write_text(step)
    return step


def _save_types(path: Path, types: dict[str, Any]) -> None:
    with gzip.open(path.with_suffix(".types.json.gz"), "wt") as stream:
        json.dump(types, stream)


def _lowers(model: Any) -> bool:
    """Return whether the plug-in computes parts of a model in int8 or f8, as it does those between FakeQuantize."""
    return any(node.get_type_name() in ("FakeQuantize", "FakeConvert") for node in model.get_ops())


def _feed(model: Any, shapes: Any) -> dict[str, Any]:
    found = {}
    for k, port in enumerate(model.inputs):
        name = port.get_any_name() if port.get_names() else port.get_node().get_friendly_name()
        kind = "float32" if port.get_element_type().is_dynamic() else np.dtype(port.get_element_type().to_dtype()).name
        found[port.get_node().get_friendly_name()] = values(name, kind, shape_of(port, k, shapes), k)
    return found


def _infer(path: Path, compiled: Any, arrays: list[Any], report: dict[str, Any]) -> None:
    request = compiled.create_infer_request()
    first = _outputs(request, arrays)
    _save(path.with_suffix(".out.npz"), _names(compiled), first)
    report["seconds"] = _best(request)
    with open("/proc/self/status") as status:
        report["peak bytes"] = int(next(line for line in status if line.startswith("VmHWM")).split()[1]) * 1024
    report["instructions"] = _instructions(compiled)


def _outputs(request: Any, arrays: Any) -> list[Any]:
    request.reset_state()
    request.infer([ov.Tensor(np.ascontiguousarray(array)) for array in arrays])
    return [np.array(request.get_output_tensor(k).data) for k in range(len(request.model_outputs))]


def doubt(path: Path) -> None:
    """Note how much a little noise changes each output; of a model that the plug-in lowers to 8 bits, keep those without that."""
    core = ov.Core()
    model = core.read_model(path)
    with np.load(path.with_suffix(".in.npz")) as archive:
        arrays = list(archive.values())
    expected, options = path.with_suffix(".out.npz"), OPTIONS
    if _lowers(model):
        expected, options = path.with_suffix(".plain.npz"), {**OPTIONS, "LP_TRANSFORMS_MODE": False}
        plain = core.compile_model(model, "CPU", options)
        _save(expected, _names(plain), _outputs(plain.create_infer_request(), arrays))
    noisy = core.compile_model(shaken(core.read_model(path)), "CPU", options)
    found = _outputs(noisy.create_infer_request(), arrays)
    report = json.loads(path.with_suffix(".json").read_text())
    with np.load(expected) as archive:
        report["noise"] = [_change(a, b) for a, b in zip(archive.values(), found, strict=True)]
    path.with_suffix(".json").write_text(json.dumps(report, indent=1))


def _change(a: Any, b: Any) -> float | None:
    """Return the largest change over the largest magnitude; None if shapes differ."""
    if a.shape != b.shape:
        return None
    if a.dtype.kind not in "biuf" or not a.size:
        return 0.0
    a, b = np.nan_to_num(a.astype(np.float64)), np.nan_to_num(b.astype(np.float64))
    return float(np.max(np.abs(a - b)) / (np.max(np.abs(a)) or 1))


def _names(compiled: Any) -> list[str]:
    found: list[str] = []
    for port in compiled.outputs:
        name = port.get_any_name() if port.get_names() else port.get_node().get_friendly_name()
        found.append(name if name not in found else f"{name}.{len(found)}")
    return found


def _save(path: Path, names: list[str], arrays: list[Any]) -> None:
    plain = [a if a.dtype.kind in "biufUS" else a.astype(np.float32) for a in arrays]
    np.savez(path, **dict(zip(names, plain, strict=True)))


def _best(request: Any) -> float:
    """Return the CPU time of an inference: the best of several, one thread."""
    times: list[float] = []
    while len(times) < 3 or (sum(times) < TIMED and len(times) < 20):
        request.reset_state()
        started = time.process_time()
        request.infer()
        times.append(time.process_time() - started)
        if sum(times) > 4 * TIMED:
            break
    return min(times)


def _instructions(compiled: Any) -> list[str]:
    """Return the instruction sets that kernels of the compiled model name."""
    found: set[str] = set()
    for node in compiled.get_runtime_model().get_ops():
        info = node.get_rt_info()
        kernel = info["primitiveType"].astype(str) if "primitiveType" in info else ""
        found |= {word for word in kernel.split("_") if word.startswith(("avx", "sse", "amx"))}
    return sorted(found | ({f"ONEDNN_MAX_CPU_ISA={cap}"} if (cap := os.environ.get("ONEDNN_MAX_CPU_ISA")) else set()))


if __name__ == "__main__":
    main()
