"""Runs under a Python that has mxnet 1.9.1: one JSON object per line in, what MXNet makes of it out.

{"id", "json", "shapes": {name: shape}, "feed": {name: [dtype, shape, numbers]}} gives {"id", "args", "outs", "values"},
{"id", "network", "shape", "folder"} writes a Gluon network with random weights there and gives what it computes.
"""

import json
import os
import sys
import warnings

os.environ.update(MXNET_SUBGRAPH_BACKEND="", OMP_NUM_THREADS="1", MXNET_ENGINE_TYPE="NaiveEngine")
OUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
warnings.filterwarnings("ignore")

import mxnet as mx  # noqa: E402
import numpy as np  # noqa: E402


def encoded(array):
    kept = array.asnumpy()
    return [str(kept.dtype), list(kept.shape), kept.astype("float64").ravel().tolist()]


def symbol(case):
    sym = mx.sym.load_json(case["json"])
    args, outs, aux = sym.infer_shape(**{k: tuple(v) for k, v in case["shapes"].items()})
    if outs is None and "feed" not in case:
        return {"partial": True}  # MXNet knows some shapes only when it runs
    names = sym.list_arguments() + sym.list_auxiliary_states()
    found = {"args": dict(zip(names, (args or []) + (aux or []))), "outs": outs}  # noqa: B905
    if "feed" in case:
        arrays = {k: mx.nd.array(np.array(v, d).reshape(s), dtype=d) for k, (d, s, v) in case["feed"].items()}
        names, states = sym.list_arguments(), sym.list_auxiliary_states()
        bound = sym.bind(
            mx.cpu(),
            {k: arrays[k] for k in names},
            aux_states={k: arrays[k] for k in states},
            grad_req="null",
        )
        found["values"] = [encoded(o) for o in bound.forward(is_train=False)]
    return found


def network(case):
    mx.random.seed(1)
    np.random.seed(1)
    net = mx.gluon.model_zoo.vision.get_model(case["network"])
    net.initialize(mx.init.Xavier(magnitude=2))
    net.hybridize(static_alloc=False)
    data = mx.nd.array(np.random.RandomState(2).uniform(-1, 1, case["shape"]))
    result = net(data)
    prefix = os.path.join(case["folder"], case["network"])
    net.export(prefix)
    np.save(prefix + "-input.npy", data.asnumpy())
    np.save(prefix + "-output.npy", result.asnumpy())
    inner = mx.sym.load(prefix + "-symbol.json").get_internals()
    shapes = inner.infer_shape(data=tuple(case["shape"]))[1]
    return {"internals": dict(zip(inner.list_outputs(), shapes))}  # noqa: B905


for line in sys.stdin:
    case = json.loads(line)
    try:
        answer = network(case) if "network" in case else symbol(case)
    except Exception as problem:
        answer = {"error": str(problem)[-500:]}
    print(json.dumps({"id": case["id"], **answer}), flush=True, file=OUT)
