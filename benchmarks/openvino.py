"""Lints two large IRs against OpenVINO's own reader and lxml: wall time as the median ratio of five pairs, peak memory over file size.

    python benchmarks/openvino.py [--folder DIR] [--pairs 5]

Needs a Python with the openvino wheel: this one, or the one that IRLINT_OPENVINO_PYTHON names.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
BLOCKS = {13_338: 1667, 66_674: 8334}  # eight layers each, Parameter and Result on top

BUILD = """
import sys
import numpy as np, openvino as ov
from openvino import opset13 as op

def build(blocks, path):
    numbers = np.random.default_rng(0)
    image = op.parameter([1, 16, 8, 8], np.float32, name="input")
    current = image
    for k in range(blocks):
        def constant(name, *shape):
            return op.constant(numbers.random(shape, dtype=np.float32) * 0.01, name=f"block{k}/{name}")
        x = op.convolution(current, constant("weights", 16, 16, 1, 1), [1, 1], [0, 0], [0, 0], [1, 1], name=f"block{k}/conv")
        x = op.relu(op.add(x, constant("bias", 1, 16, 1, 1), name=f"block{k}/add"), name=f"block{k}/relu")
        x = op.multiply(x, constant("scale", 1, 16, 1, 1), name=f"block{k}/multiply")
        current = op.add(x, current, name=f"block{k}/residual")
    ov.save_model(ov.Model([op.result(current, name="output")], [image], "large"), path, compress_to_fp16=False)

build(int(sys.argv[1]), sys.argv[2])
"""
READ = "import sys, openvino; openvino.Core().read_model(sys.argv[1])"
PARSE = "import sys; from lxml import etree; etree.parse(sys.argv[1])"


def openvino_python() -> str:
    return os.environ.get("IRLINT_OPENVINO_PYTHON") or sys.executable


def model(folder: Path, layers: int) -> Path:
    """The IR with so many layers, built once."""
    path = folder / f"layers{layers}.xml"
    if not path.exists():
        subprocess.run([openvino_python(), "-c", BUILD, str(BLOCKS[layers]), str(path)], check=True)
    return path


def run(command: list[str]) -> tuple[float, float]:
    """Wall time in seconds and peak memory in bytes of one process."""
    start = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, {**os.environ, "PYTHONPATH": str(HERE.parent)})
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise RuntimeError(f"{command} ended with {status}")
    return seconds, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def compare(name: str, ours: list[str], theirs: list[str], pairs: int) -> None:
    ratios = []
    for k in range(pairs):
        first, second = (ours, theirs) if k % 2 else (theirs, ours)
        times = {tuple(command): run(command)[0] for command in (first, second)}
        ratios.append(times[tuple(ours)] / times[tuple(theirs)])
    print(f"  {name:32} {median(ratios):5.2f}   ({', '.join(f'{r:.2f}' for r in sorted(ratios))})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=HERE / "data")
    parser.add_argument("--pairs", type=int, default=5)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for layers in BLOCKS:
        path = model(arguments.folder, layers)
        ours = [sys.executable, "-m", "irlint", "check", "--no-cache", str(path)]
        print(f"{layers} layers, {path.stat().st_size / 1e6:.0f} MB: irlint's time divided by that of")
        compare("openvino.Core().read_model", ours, [openvino_python(), "-c", READ, str(path)], arguments.pairs)
        compare("lxml.etree.parse", ours, [sys.executable, "-c", PARSE, str(path)], arguments.pairs)
        print(f"  {'peak memory over file size':32} {run(ours)[1] / path.stat().st_size:5.2f}")


if __name__ == "__main__":
    main()
