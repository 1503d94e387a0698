"""Asks the real reader, in a process per file: python oracle.py < LIST prints read, compile and infer of each as JSON.

With --model also a digest of the model that was read, and the outputs for inputs that depend on nothing but their order and shape.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

SHOWN = 64  # numbers of an output
LARGE = 1 << 22  # values of an output that is not looked at


def digest(model: Any) -> str:
    """What two models have in common that the reader takes for the same: all but names and notes."""
    import openvino as ov

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.xml"
        ov.serialize(model, str(path))
        text = re.sub(r"<rt_info>.*?</rt_info>|<rt_info/>", "", path.read_text(errors="replace"), flags=re.DOTALL)
        text = re.sub(r' names?="[^"]*"', "", text)
        return hashlib.sha1(text.encode() + path.with_suffix(".bin").read_bytes()).hexdigest()[:12]


def numbers(tensor: Any) -> list[Any]:
    """An output's type, shape, and its first values with the sum of all."""
    import numpy as np

    head = [str(tensor.element_type), list(tensor.shape)]
    if tensor.size > LARGE or "string" in head[0]:
        return head
    flat = np.asarray(tensor.data).astype("float64").ravel()
    return [*head, [float(f"{v:.4g}") if np.isfinite(v) else str(v) for v in (*flat[:SHOWN], flat.sum())]]


def verdict(core: Any, path: str, writer: int, describe: bool = False) -> None:
    import numpy as np
    import openvino as ov

    def say(what: dict[str, Any]) -> None:
        os.write(writer, (json.dumps(what) + "\n").encode())

    step = "read"
    try:
        model = core.read_model(path)
        say({"read": "ok"})
        if describe:
            with suppress(Exception):
                say({"model": digest(model)})
        step = "compile"
        compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"} if describe else {})
        say({"compile": "ok"})
        step = "infer"
        rng, feed = np.random.default_rng(0), {}
        for port in compiled.inputs:
            shape = [d.get_length() if d.is_static else max(1, d.get_min_length()) for d in port.partial_shape]
            feed[port] = ov.Tensor(port.get_element_type(), shape)
            with suppress(TypeError, ValueError, RuntimeError):  # strings and types of a few bits
                feed[port].data[...] = rng.random(shape) * 2
        request = compiled.create_infer_request()
        request.infer(feed)
        say({"infer": "ok"})
        if describe:
            say({"numbers": [numbers(request.get_output_tensor(k)) for k in range(len(compiled.outputs))]})
    except Exception as error:
        say({step: "error", "message": str(error)[-300:]})


def main() -> None:
    import openvino as ov

    core, describe = ov.Core(), "--model" in sys.argv[1:]
    for path in map(str.strip, sys.stdin):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 2)
            resource.setrlimit(resource.RLIMIT_AS, (5 << 30, 5 << 30))
            signal.alarm(20)
            verdict(core, path, writer, describe)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            lines = pipe.read().decode().splitlines()
        _, status = os.waitpid(child, 0)
        found: dict[str, Any] = {"file": path}
        for line in lines:
            found.update(json.loads(line))
        if os.WIFSIGNALED(status):
            late = next((s for s in ("read", "compile", "infer") if s not in found), "end")
            found[late] = "crash"
            if os.WTERMSIG(status) == signal.SIGALRM:
                found["message"] = "timeout"
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
