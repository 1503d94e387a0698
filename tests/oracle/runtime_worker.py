"""Run by a Python with onnxruntime, openvino or mxnet: python runtime_worker.py FOLDER runs each N.onnx, N.xml or N.json there with the inputs of N.npz.

Writes N.out.npz with the outputs in order, or N.failed.json: [stage, message], where the stage is load, run, or died. Each file has a process of
its own.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.update(MXNET_SUBGRAPH_BACKEND="", OMP_NUM_THREADS="1", MXNET_ENGINE_TYPE="NaiveEngine")

import numpy as np

PATIENCE = 60  # seconds of one file
MEMORY = 8 << 30
WORDS = 400  # of a refusal


def onnxruntime(path: Path, feeds: dict[str, Any], say: Callable[[str], None]) -> list[Any]:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    say("run")
    found: list[Any] = session.run(None, feeds)
    return found


def openvino(path: Path, feeds: dict[str, Any], say: Callable[[str], None]) -> list[Any]:
    import openvino as ov

    core = ov.Core()
    config = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    compiled = core.compile_model(core.read_model(path), "CPU", config)
    say("run")
    found = compiled({port: feeds[port.get_node().get_friendly_name()] for port in compiled.inputs})
    return [np.array(found[port]) for port in compiled.outputs]


def mxnet(path: Path, feeds: dict[str, Any], say: Callable[[str], None]) -> list[Any]:
    np.bool = bool  # type: ignore[attr-defined]  # mxnet 1.9.1 asks for it
    import mxnet as mx

    symbol = mx.sym.load_json(path.read_text())
    say("run")
    arrays = {name: mx.nd.array(array, dtype=array.dtype) for name, array in feeds.items()}
    states = symbol.list_auxiliary_states()
    named = {name: arrays[name] for name in symbol.list_arguments()}
    bound = symbol.bind(mx.cpu(), named, aux_states={name: arrays[name] for name in states}, grad_req="null")
    return [output.asnumpy() for output in bound.forward(is_train=False)]


RUNTIMES = {".onnx": onnxruntime, ".xml": openvino, ".json": mxnet}


def _child(path: Path) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(PATIENCE)
    failed, stage = path.with_suffix(".failed.json"), "load"

    def say(word: str) -> None:
        nonlocal stage
        stage = word
        failed.write_text(json.dumps(["died", f"{word}: the process ended"]))

    try:
        with np.load(path.with_suffix(".npz")) as given:
            feeds = dict(given)
        say("load")
        outputs = RUNTIMES[path.suffix](path, feeds, say)
        np.savez(path.with_suffix(".out.npz"), *outputs)
        failed.unlink()
    except Exception as error:
        failed.write_text(json.dumps([stage, str(error)[-WORDS:]]))


def main(folder: Path) -> None:
    files = sorted(path for path in folder.iterdir() if path.suffix in RUNTIMES and path.with_suffix(".npz").exists())
    for name in {RUNTIMES[path.suffix].__name__ for path in files}:
        if name == "mxnet":
            np.bool = bool  # type: ignore[attr-defined]
        __import__(name)  # once, for all children
    for path in files:
        child = os.fork()
        if not child:
            try:
                _child(path)
            finally:
                os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
