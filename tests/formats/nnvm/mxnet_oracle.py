"""Runs under a Python that has mxnet 1.9.1: symbol files on standard input, a JSON object per line, verdicts out.

In: {"id": ..., "text": latin-1 text of the bytes, "shapes": {"data": [2, 3]}}.
Out: {"id": ..., "load": "ok", "infer": "error: ...", ...}.
Every file is handled in a forked child, because many of them crash mxnet.
"""

import json
import os
import signal
import sys
import zlib

os.environ.update(MXNET_ENGINE_TYPE="NaiveEngine", OMP_NUM_THREADS="1", DMLC_LOG_STACK_TRACE_DEPTH="0")

import ctypes

import mxnet as mx
import numpy as np
from mxnet.base import _LIB, SymbolHandle

STAGES = ("load", "save", "infer", "bind", "forward")


def load(data):
    handle = SymbolHandle()
    code = _LIB.MXSymbolCreateFromJSON(ctypes.c_char_p(data), ctypes.byref(handle))
    if code != 0:
        _LIB.MXGetLastError.restype = ctypes.c_char_p
        raise RuntimeError(_LIB.MXGetLastError().decode("utf-8", "replace"))
    return mx.sym.Symbol(handle)


def values(name, shape, dtype):
    rng = np.random.RandomState(zlib.crc32(name.encode("utf-8", "replace")) & 0x7FFFFFFF)
    if name.endswith(("var", "gamma")):
        return rng.uniform(0.5, 1.5, shape).astype(dtype)
    return (
        rng.uniform(-1, 1, shape).astype(dtype)
        if np.dtype(dtype).kind == "f"
        else rng.randint(0, 2, shape).astype(dtype)
    )


def numbers(output):
    flat = output.asnumpy().astype("float64").ravel()
    return [list(output.shape), [None if not np.isfinite(v) else round(float(v), 4) for v in flat[:64]]]


def run(case, tell):
    data = case["text"].encode("latin-1")
    symbol = load(data)
    tell("load", "ok")
    if case.get("only") == "load":
        return
    try:
        symbol.list_outputs()
        graph = symbol.tojson()
        tell("save", "ok")
        tell("model", digest(graph))
    except Exception as problem:
        tell("save", describe(problem))
    shapes = {name: tuple(shape) for name, shape in case.get("shapes", {}).items()}
    try:
        arguments, outputs, auxiliary = symbol.infer_shape_partial(**shapes)
        whole = all(all(d > 0 for d in s) for s in (*arguments, *outputs, *auxiliary))
        tell("infer", "ok" if whole else "partial")
    except Exception as problem:
        tell("infer", describe(problem))
    try:
        executor = symbol.simple_bind(mx.cpu(), grad_req="null", **shapes)
    except Exception as problem:
        tell("bind", describe(problem))
        return
    tell("bind", "ok")
    try:
        for name, array in (*executor.arg_dict.items(), *executor.aux_dict.items()):
            array[:] = values(name, array.shape, array.dtype)
        results = [numbers(o) for o in executor.forward(is_train=False)]
    except Exception as problem:
        tell("forward", describe(problem))
        return
    tell("forward", "ok")
    tell("numbers", results)


def digest(graph):
    """What two symbols have in common that MXNet runs alike, but for attributes: operators, names, inputs and heads."""
    graph = json.loads(graph)
    nodes = [[n["op"], n["name"], n["inputs"]] for n in graph["nodes"]]
    return zlib.crc32(json.dumps([nodes, graph["heads"]]).encode())


def describe(problem):
    lines = [line.strip() for line in str(problem).splitlines() if line.strip() and "Stack trace" not in line]
    text = " ".join(lines)
    cut = text.find("Error in operator")
    return ("error: " + (text[cut:] if cut >= 0 else text)).encode("utf-8", "replace").decode()[:400]


def child(case, out):
    def tell(stage, verdict):
        os.write(out, (json.dumps([stage, verdict]) + "\n").encode())

    sys.stderr.flush()
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    signal.alarm(int(case.get("seconds", 20)))
    try:
        run(case, tell)
    except Exception as problem:
        tell("load", describe(problem))
    os._exit(0)


def judge(case):
    back, out = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(back)
        child(case, out)
    os.close(out)
    pieces = []
    while chunk := os.read(back, 1 << 16):
        pieces.append(chunk)
    os.close(back)
    _, status = os.waitpid(pid, 0)
    verdict = {"id": case["id"]}
    for line in b"".join(pieces).decode().splitlines():
        stage, said = json.loads(line)
        verdict.setdefault(stage, said)
    if status:
        how = (
            f"crash: signal {os.WTERMSIG(status)}"
            if os.WIFSIGNALED(status)
            else f"crash: exit {os.WEXITSTATUS(status)}"
        )
        late = next((s for s in STAGES if s not in verdict), "exit")
        verdict[late] = "timeout" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM else how
    return verdict


def main():
    answers = os.dup(1)
    os.dup2(2, 1)
    for line in sys.stdin:
        os.write(answers, (json.dumps(judge(json.loads(line))) + "\n").encode())


if __name__ == "__main__":
    main()
