"""How long a clean LightNet file of 20,000 operators takes, as a multiple of `json.loads` of it, and `irlint --version`
as a multiple of an empty program: python benchmarks/lightnet.py

Every figure is CPU time, the least of several runs, measured in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def _op(name: str, optype: str, inputs: dict[str, str], output: str, **params: Any) -> dict[str, Any]:
    return {
        "name": name,
        "optype": optype,
        "tensors_in": [{"arg_name": arg, "name": tensor} for arg, tensor in inputs.items()],
        "tensors_out": [{"arg_name": "dst", "name": output}],
        "params": [{"arg_name": arg, "value": value} for arg, value in params.items()],
    }


def _create(name: str, dims: list[int]) -> dict[str, Any]:
    return _op(f"create_{name}", "create", {}, name, dtype="TL_FLOAT", dims=dims, ran=[0, 0], data=[0], from_file=False)


def model(operators: int) -> dict[str, Any]:
    """A deep network: blocks of convolution, normalisation and addition, each with its weights."""
    ops, last = [_create("image", [1, 16, 32, 32])], "image"
    windows = {"size": [3, 3], "stride": [1, 1], "dilation": [1, 1], "padding": [1, 1, 1, 1], "autopad": "NOTSET"}
    for block in range((operators - 2) // 10 + 1):
        name = f"block{block}"
        statistics = {
            "scale": f"{name}_scale",
            "offset": f"{name}_offset",
            "mean": f"{name}_mean",
            "var": f"{name}_var",
        }
        ops += [_create(f"{name}_weight", [16, 16, 3, 3]), _create(f"{name}_bias", [16])]
        ops += [_create(tensor, [16]) for tensor in statistics.values()]
        convolved = {"src": last, "weight": f"{name}_weight", "bias": f"{name}_bias"}
        ops += [
            _op(f"{name}_conv", "conv2d", convolved, f"{name}_maps", group=1, **windows),
            _op(f"{name}_bn", "batchnorm", {"src": f"{name}_maps", **statistics}, f"{name}_norm", epsilon=1e-5),
            _op(f"{name}_relu", "relu", {"src": f"{name}_norm"}, f"{name}_active"),
            _op(f"{name}_add", "elew", {"src1": f"{name}_active", "src2": last}, f"{name}_sum", elew_op="TL_SUM"),
        ]
        last = f"{name}_sum"
    ops = ops[: operators - 1]
    last = ops[-1]["tensors_out"][0]["name"]
    show = _op("show", "print", {"src": last}, "", msg="result:")
    return {"ops": [*ops, {**show, "tensors_out": []}]}


def least(run: Callable[[], object], runs: int) -> float:
    """CPU seconds of the quickest of several runs."""
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def _child(arguments: list[str]) -> Callable[[], object]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "lsp")])}

    def run() -> object:
        return subprocess.run([sys.executable, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)

    return run


def least_child(arguments: list[str], runs: int) -> float:
    """CPU seconds of the quickest of several processes."""
    best, run = float("inf"), _child(arguments)
    for _ in range(runs):
        before = _spent_by_children()
        run()
        best = min(best, _spent_by_children() - before)
    return best


def _spent_by_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operators", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    text = json.dumps(model(args.operators), indent=2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        path.write_text(text)
        loads = least(lambda: json.loads(text), args.runs)
        start_up = least_child(["-m", "irlint", "rules"], args.runs)
        linted = least_child(["-m", "irlint", "check", "--isolated", "--no-cache", str(path)], args.runs)
    version = least_child(["-m", "irlint", "--version"], 4 * args.runs)
    nothing = least_child(["-c", "pass"], 4 * args.runs)
    print(f"irlint --version               {version / nothing:6.2f} x python -c pass")
    print(f"{args.operators} operators, {len(text) / 1e6:.1f} MB, json.loads {loads:.3f} s")
    print(f"irlint, whole process          {linted / loads:6.2f} x json.loads")
    print(f"irlint beyond its own start-up {(linted - start_up) / loads:6.2f} x json.loads")


if __name__ == "__main__":
    main()
