"""`irlint run` of ResNet-18 and MobileNetV2 (224 x 224, random weights) against onnx.reference and OpenVINO on one thread each.

As a script: `race STEM ROUNDS` or `memory STEM`, in a process of its own; prints JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import inputs
from measure import environment
from tables import Table

ROUNDS = 7
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def tables() -> Iterator[Table]:
    rows = []
    for name in ("resnet18", "mobilenetv2"):
        stem = str(inputs.network(name).with_suffix(""))
        found = _script("race", stem, str(ROUNDS))
        times = [f"{1000 * found['seconds'][who]:.1f}" for who in ("irlint", "openvino", "reference")]
        ratios = (f"{found['openvino']:.2f}", f"{found['reference']:.3f}", f"{_script('memory', stem):.2f}")
        rows.append((name, *times, *ratios))
    head = (
        "network", "irlint ms", "OpenVINO ms", "onnx.reference ms", "ratio to OpenVINO", "ratio to onnx.reference",
        "memory over weights and live set",
    )  # fmt: skip
    yield Table(
        "The dry run",
        "One image of 224 x 224, random weights, CPU time on one thread each; all have read the weights beforehand, and equal "
        "results are checked. Memory is that of a run that reads them as it goes.",
        head,
        rows,
    )


def _script(*arguments: str) -> Any:
    command = [sys.executable, __file__, *arguments]
    done = subprocess.run(command, env={**environment(), **THREADS}, stdout=subprocess.PIPE, check=True, timeout=900)
    return json.loads(done.stdout)


def race(stem: str, rounds: int) -> dict[str, Any]:
    import numpy as np
    import openvino as ov
    from onnx.reference import ReferenceEvaluator

    x = np.random.default_rng(1).standard_normal((1, 3, 224, 224), np.float32)
    ours = _runner(stem, loaded=True)
    options = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    compiled = ov.Core().compile_model(stem + ".xml", "CPU", options)
    reference = ReferenceEvaluator(stem + ".onnx")
    request = compiled.create_infer_request()
    runners: dict[str, Callable[[], Any]] = {
        "irlint": lambda: ours(x)[0],
        "openvino": lambda: request.infer([x])[compiled.output(0)],
        "reference": lambda: reference.run(None, {"image": x})[0],
    }
    results = {name: runner() for name, runner in runners.items()}
    for name in ("openvino", "reference"):
        assert np.allclose(results["irlint"], results[name], rtol=1e-3, atol=1e-3), name
    times: dict[str, list[float]] = {name: [] for name in runners}
    for k in range(rounds):
        for name, runner in runners.items():
            if name == "reference" and k >= max(1, rounds // 3):
                continue
            start = time.process_time()
            runner()
            times[name].append(time.process_time() - start)

    def over(peer: str) -> float:
        return median(a / b for a, b in zip(times["irlint"], times[peer], strict=False))

    middles = {name: median(found) for name, found in times.items()}
    return {"openvino": over("openvino"), "reference": over("reference"), "seconds": middles}


def memory(stem: str) -> float:
    """What running adds to the process, over weights and the largest set of values alive at once."""
    import numpy as np

    a = np.ones((64, 64), np.float32)
    a @ a  # the library behind it has its buffers now
    x = np.ones((1, 3, 224, 224), np.float32)
    runner = _runner(stem)
    before = _peak()
    runner(x)
    return (_peak() - before) / runner.total


def _runner(stem: str, loaded: bool = False) -> Any:
    """`loaded`: weights are in memory before a run, as those of the peers are."""
    from irlint.api import _load
    from irlint.dryrun.infer import infer
    from irlint.dryrun.running import memory as memory_of
    from irlint.dryrun.running.run import run
    from irlint.settings import Settings

    model, _ = _load(Path(stem + ".xml"), Settings(), None)
    graph, mapping = model.graph, model.graph.mapping
    types = infer(graph, mapping)
    weights = {node.index: mapping.array(node) for node in graph.nodes if loaded and node.kind == "const"}

    def runner(x: Any) -> Any:
        return run(graph, mapping, types, {**weights, graph.inputs[0]: x})

    runner.total = memory_of.plan(graph, mapping, types).total  # type: ignore[attr-defined]
    return runner


def _peak() -> int:
    with open("/proc/self/status") as stream:
        return int(next(line for line in stream if line.startswith("VmHWM")).split()[1]) * 1024


if __name__ == "__main__":
    os.environ.update(THREADS)
    what, *rest = sys.argv[1:]
    print(json.dumps(race(rest[0], int(rest[1])) if what == "race" else memory(rest[0])))
