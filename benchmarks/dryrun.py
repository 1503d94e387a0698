"""Runs ResNet-18 and MobileNetV2 (224 x 224, random weights) against onnx.reference and OpenVINO on one thread each: CPU time as
the median ratio of rounds in which all take turns, and the memory of `irlint run` over weights and the largest live set.

    python benchmarks/dryrun.py [--folder DIR] [--rounds 9]

Needs a Python with openvino, onnx and NumPy: this one, or the one that IRLINT_OPENVINO_PYTHON names.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

NETWORKS = """
import sys
import numpy as np, onnx, openvino as ov
from onnx import TensorProto, helper, numpy_helper

class Net:
    def __init__(self):
        self.nodes, self.weights, self.random = [], [], np.random.default_rng(0)

    def op(self, kind, *inputs, **attrs):
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attrs))
        return name

    def constant(self, array):
        self.weights.append(numpy_helper.from_array(np.asarray(array, np.float32), f"w{len(self.weights)}"))
        return self.weights[-1].name

    def conv(self, data, inner, outer, kernel, stride=1, groups=1, end=None):
        fan = inner // groups * kernel * kernel
        weight = self.random.standard_normal((outer, inner // groups, kernel, kernel)) * (2 / fan) ** 0.5
        data = self.op("Conv", data, self.constant(weight), self.constant(self.random.standard_normal(outer) * 0.1),
                       kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[kernel // 2] * 4, group=groups)
        if end == "Clip":
            return self.op("Clip", data, self.constant(0.0), self.constant(6.0))
        return self.op(end, data) if end else data

    def head(self, data, width):
        data = self.op("Flatten", self.op("GlobalAveragePool", data))
        weight = self.constant(self.random.standard_normal((1000, width)) * 0.05)
        return self.op("Gemm", data, weight, self.constant(np.zeros(1000)), transB=1)

    def save(self, out, stem):
        image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 224, 224])
        result = helper.make_tensor_value_info(out, TensorProto.FLOAT, [1, 1000])
        model = helper.make_model(helper.make_graph(self.nodes, "net", [image], [result], self.weights),
                                  opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        onnx.save(model, stem + ".onnx")
        ov.save_model(ov.convert_model(stem + ".onnx"), stem + ".xml", compress_to_fp16=False)

def resnet18(stem):
    net = Net()
    at = net.conv("image", 3, 64, 7, 2, end="Relu")
    at = net.op("MaxPool", at, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    width = 64
    for outer in (64, 128, 256, 512):
        for block in range(2):
            stride = 2 if outer != width else 1
            inner = net.conv(net.conv(at, width, outer, 3, stride, end="Relu"), outer, outer, 3)
            side = net.conv(at, width, outer, 1, stride) if outer != width else at
            at, width = net.op("Relu", net.op("Add", inner, side)), outer
    net.save(net.head(at, 512), stem)

def mobilenet(stem):
    net = Net()
    at, width = net.conv("image", 3, 32, 3, 2, end="Clip"), 32
    for grow, outer, count, stride in (
        (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)
    ):
        for k in range(count):
            step = stride if k == 0 else 1
            inner = at if grow == 1 else net.conv(at, width, width * grow, 1, end="Clip")
            inner = net.conv(inner, width * grow, width * grow, 3, step, width * grow, "Clip")
            inner = net.conv(inner, width * grow, outer, 1)
            at, width = (net.op("Add", at, inner) if step == 1 and outer == width else inner), outer
    net.save(net.head(net.conv(at, 320, 1280, 1, end="Clip"), 1280), stem)

resnet18(sys.argv[1] + "/resnet18")
mobilenet(sys.argv[1] + "/mobilenetv2")
"""

RACE = """
import json, statistics, sys, time
from pathlib import Path
import numpy as np, openvino as ov
from onnx.reference import ReferenceEvaluator
from irlint.api import _load
from irlint.engine import Settings
from irlint.dryrun.infer import infer
from irlint.dryrun.run import run

stem, rounds = sys.argv[1], int(sys.argv[2])
x = np.random.default_rng(1).standard_normal((1, 3, 224, 224), np.float32)
model, _ = _load(Path(stem + ".xml"), Settings(), None)
graph, mapping = model.graph, model.graph.mapping
types = infer(graph, mapping)
compiled = ov.Core().compile_model(stem + ".xml", "CPU", {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"})
reference = ReferenceEvaluator(stem + ".onnx")
request = compiled.create_infer_request()
runners = {
    "irlint": lambda: run(graph, mapping, types, {graph.inputs[0]: x})[0],
    "openvino": lambda: request.infer([x])[compiled.output(0)],
    "reference": lambda: reference.run(None, {"image": x})[0],
}
results = {name: runner() for name, runner in runners.items()}
for name in ("openvino", "reference"):
    assert np.allclose(results["irlint"], results[name], rtol=1e-3, atol=1e-3), name
times = {name: [] for name in runners}
for k in range(rounds):
    for name, runner in runners.items():
        if name == "reference" and k >= max(1, rounds // 3):
            continue
        start = time.process_time()
        runner()
        times[name].append(time.process_time() - start)
best = {name: statistics.median(found) for name, found in times.items()}
ratios = [a / b for a, b in zip(times["irlint"], times["openvino"])]
print(json.dumps({"reference": best["reference"] / best["irlint"], "openvino": statistics.median(ratios), "seconds": best}))
"""

MEMORY = """
import resource, sys
from pathlib import Path
import numpy as np
from irlint.api import _load
from irlint.engine import Settings
from irlint.dryrun import memory
from irlint.dryrun.infer import infer
from irlint.dryrun.run import run

def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) * 1024

a = np.ones((64, 64), np.float32)
a @ a
model, _ = _load(Path(sys.argv[1] + ".xml"), Settings(), None)
graph, mapping = model.graph, model.graph.mapping
types = infer(graph, mapping)
plan = memory.plan(graph, mapping, types)
x = np.ones((1, 3, 224, 224), np.float32)
before = peak()
run(graph, mapping, types, {graph.inputs[0]: x})
print((peak() - before) / plan.total)
"""


def python() -> str:
    return os.environ.get("IRLINT_OPENVINO_PYTHON") or sys.executable


def script(text: str, *arguments: str) -> str:
    env = {**os.environ, **THREADS, "PYTHONPATH": str(HERE.parent)}
    return subprocess.run(
        [python(), "-c", text, *arguments], env=env, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=HERE.parent / "build" / "benchmarks")
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    if not (args.folder / "mobilenetv2.xml").exists():
        script(NETWORKS, str(args.folder))
    print("network       faster than onnx.reference   time over OpenVINO   memory over weights + live set")
    for name in ("resnet18", "mobilenetv2"):
        stem = str(args.folder / name)
        found = json.loads(script(RACE, stem, str(args.rounds)))
        memory = float(script(MEMORY, stem))
        print(f"{name:12}  {found['reference']:>25.1f}x  {found['openvino']:>18.2f}x  {memory:>29.2f}")
        print("  " + ", ".join(f"{who} {1000 * seconds:.1f} ms" for who, seconds in found["seconds"].items()))


if __name__ == "__main__":
    main()
