"""Small graphs of our own: networks by hand, and one node of any operator that is known to run."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

Graph = dict[str, Any]

RUNNABLE: dict[str, Any] = json.loads((Path(__file__).parent / "runnable.json").read_text())


class Builder:
    """Adds nodes and keeps the books: arg_nodes, node_row_ptr, heads."""

    def __init__(self, holder: str = "attrs", version: int | None = 10901) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.widths: list[int] = []
        self.holder, self.version = holder, version

    def add(
        self, op: str, name: str, inputs: list[Any] | None = None, attrs: dict[str, str] | None = None, outputs: int = 1
    ) -> int:
        if inputs is None:
            inputs = []
        node: dict[str, Any] = {"op": op, "name": name}
        if attrs:
            node[self.holder] = attrs
        node["inputs"] = [list(e) if isinstance(e, tuple) else [e, 0, 0] for e in inputs]
        self.nodes.append(node)
        self.widths.append(outputs)
        return len(self.nodes) - 1

    def var(self, name: str, shape: tuple[int, ...] | None = None, **hidden: str) -> int:
        attrs = {"__shape__": str(shape)} if shape is not None else {}
        return self.add("null", name, [], {**attrs, **hidden})

    def graph(self, *heads: Any) -> Graph:
        rows = [0]
        for width in self.widths:
            rows.append(rows[-1] + width)
        graph: Graph = {
            "nodes": self.nodes,
            "arg_nodes": [i for i, n in enumerate(self.nodes) if n["op"] == "null"],
            "node_row_ptr": rows,
            "heads": [list(h) if isinstance(h, tuple) else [h, 0, 0] for h in heads],
        }
        if self.version is not None:
            graph["attrs"] = {"mxnet_version": ["int", self.version]}
        return graph


def mlp(rng: random.Random, b: Builder) -> Graph:
    at = b.var("data", (2, rng.choice((3, 5, 8))))
    for k in range(rng.choice((1, 2, 3))):
        bias = rng.random() < 0.7
        ins = [at, b.var(f"fc{k}_weight", None, **({"__lr_mult__": "0.5"} if rng.random() < 0.3 else {}))]
        if bias:
            ins.append(b.var(f"fc{k}_bias"))
        attrs = {"num_hidden": str(rng.choice((4, 6, 10)))}
        if not bias or rng.random() < 0.4:
            attrs = {"no_bias": str(not bias), **attrs}
        if rng.random() < 0.3:
            attrs["flatten"] = "True"
        at = b.add("FullyConnected", f"fc{k}", ins, attrs)
        kind = rng.choice(("Activation", "LeakyReLU", "relu", "Dropout"))
        extra: dict[str, Any] = {
            "Activation": {"act_type": rng.choice(("relu", "tanh", "sigmoid"))},
            "LeakyReLU": {"act_type": "leaky", "slope": "0.1"},
            "relu": {},
            "Dropout": {"p": "0.5", "mode": "training"},
        }[kind]
        at = b.add(kind, f"act{k}", [at], extra, 2 if kind == "Dropout" else 1)
    end = rng.choice(("SoftmaxOutput", "softmax", "LinearRegressionOutput"))
    if end == "softmax":
        at = b.add(end, "softmax", [at], {"axis": "-1"})
    else:
        at = b.add(end, "softmax", [at, b.var("softmax_label")], {"grad_scale": "1.0"})
    return b.graph(at)


def conv(rng: random.Random, b: Builder) -> Graph:
    at = b.var("data", (2, 3, 8, 8))
    for k in range(rng.choice((1, 2))):
        kernel = rng.choice(("(3, 3)", "(1, 1)"))
        pad = "(1, 1)" if kernel == "(3, 3)" else "(0, 0)"
        bias = rng.random() < 0.5
        attrs = {"kernel": kernel, "no_bias": str(not bias), "num_filter": "4", "pad": pad, "stride": "(1, 1)"}
        ins = [at, b.var(f"conv{k}_weight")] + ([b.var(f"conv{k}_bias")] if bias else [])
        at = b.add("Convolution", f"conv{k}", ins, attrs)
        if rng.random() < 0.8:
            names = [b.var(f"bn{k}_{n}") for n in ("gamma", "beta", "moving_mean", "moving_var")]
            entries = [(at, 0, 0), (names[0], 0, 0), (names[1], 0, 0), (names[2], 0, 1), (names[3], 0, 1)]
            at = b.add("BatchNorm", f"bn{k}", entries, {"eps": "0.001", "fix_gamma": "False", "momentum": "0.9"}, 3)
        at = b.add("Activation", f"relu{k}", [at], {"act_type": "relu"})
    parts = b.add("SliceChannel", "split0", [at], {"num_outputs": "2", "axis": "1"}, 2)
    joined = b.add("Concat", "cat0", [(parts, 0, 0), (parts, 1, 0)], {"dim": "1", "num_args": "2"})
    pool = {"kernel": "(2, 2)", "pool_type": rng.choice(("avg", "max")), "stride": "(2, 2)"}
    at = b.add("Pooling", "pool0", [joined], pool, 2 if pool["pool_type"] == "max" else 1)
    at = b.add("Flatten", "flat0", [at])
    at = b.add("FullyConnected", "fc0", [at, b.var("fc0_weight"), b.var("fc0_bias")], {"num_hidden": "5"})
    return b.graph(at)


def several(rng: random.Random, b: Builder) -> Graph:
    """Several heads, elementwise operators, reductions."""
    a, c = b.var("a", (2, 3)), b.var("b", (2, 3))
    add = b.add(rng.choice(("elemwise_add", "broadcast_add", "_Plus")), "add0", [a, c])
    total = b.add("sum", "sum0", [add], {"axis": "1", "keepdims": "False"})
    shaped = b.add("Reshape", "reshape0", [add], {"shape": "(3, 2)"})
    scaled = b.add("_mul_scalar", "mul0", [shaped], {"scalar": "2.0"})
    turned = b.add("transpose", "transpose0", [scaled], {"axes": "(1, 0)"})
    norm = b.add("clip", "clip0", [turned], {"a_min": "-1.0", "a_max": "1.0"})
    cast = b.add("Cast", "cast0", [norm], {"dtype": "float32"})
    best = b.add("argmax", "argmax0", [cast], {"axis": "1"})
    return b.graph(total, best, cast)


def loop(rng: random.Random, b: Builder) -> Graph:
    data, state, weight = b.var("data", (3, 4)), b.var("state", (4,)), b.var("w", (4,))
    inner = Builder(b.holder, None)
    x, s, w = inner.var("x"), inner.var("s"), inner.var("wi")
    prod = inner.add("elemwise_mul", "prod0", [x, w])
    plus = inner.add(rng.choice(("elemwise_add", "elemwise_sub")), "plus0", [prod, s])
    act = inner.add("Activation", "act0", [plus], {"act_type": "tanh"})
    body = inner.graph(act, plus)
    attrs = {
        "in_data_locs": "[0]", "in_state_locs": "[2]", "remain_locs": "[1]",
        "num_args": "4", "num_out_data": "1", "num_outputs": "2",
    }  # fmt: skip
    at = b.add("_foreach", "foreach0", [data, state, weight], attrs, 2)
    b.nodes[at]["subgraphs"] = [body]
    return b.graph((at, 0, 0), (at, 1, 0))


def branch(rng: random.Random, b: Builder) -> Graph:
    p, x, y = b.var("p", (1,)), b.var("x", (2, 2)), b.var("y", (2, 2))
    graphs = []
    for op in (None, "elemwise_add", "elemwise_mul"):
        inner = Builder(b.holder, None)
        if op is None:
            at = inner.add("_greater_scalar", "gt0", [inner.var("p")], {"scalar": "0.0"})
        else:
            at = inner.add(op, f"{op}0", [inner.var("x"), inner.var("y")])
        graphs.append(inner.graph(at))
    attrs = {
        "cond_input_locs": "[0]", "else_input_locs": "[1, 2]", "num_args": "6", "num_outputs": "1",
        "then_input_locs": "[1, 2]",
    }  # fmt: skip
    at = b.add("_cond", "cond0", [p, x, y], attrs)
    b.nodes[at]["subgraphs"] = graphs
    return b.graph(at)


def _defaults(op: str) -> dict[str, str]:
    """Every attribute of an operator as its default spells it."""
    from irlint.operators import table

    operator = table("mxnet").get(op)
    assert operator is not None
    return {a.name: a.default for a in operator.attributes.values() if a.default not in (None, "", "()")}


def single(rng: random.Random, b: Builder) -> Graph:
    """One operator of the table between two plain ones."""
    op = rng.choice(sorted(RUNNABLE))
    record = RUNNABLE[op]
    ins = []
    for k, shape in enumerate(record["shapes"]):
        ins.append(b.var(f"in{k}", None if shape is None else tuple(shape)))
    outputs = record["outputs"]
    attrs = {**(_defaults(op) if rng.random() < 0.6 else {}), **record["attrs"]}
    at = b.add(op, "node0", ins, attrs, outputs)
    return b.graph(*((at, k, 0) for k in range(record["visible"])))


def legacy(rng: random.Random) -> Graph:
    """As MXNet before 0.9 wrote it: param and attr, entries of two numbers, no auxiliary variables."""
    graph = rng.choice((mlp, conv))(rng, Builder("param", None))
    gone = [i for i, n in enumerate(graph["nodes"]) if n["name"].endswith(("moving_mean", "moving_var"))]
    new, kept = {}, []
    for i, node in enumerate(graph["nodes"]):
        if i not in gone:
            new[i] = len(kept)
            kept.append(node)
    for node in kept:
        node["inputs"] = [[new[e[0]], e[1]] for e in node["inputs"] if e[0] in new]
        param = node.pop("param", {}) if node["op"] != "null" else {}
        given = node.pop("param", None)
        inputs = node.pop("inputs")
        node["param"] = param
        node["inputs"] = inputs
        node["backward_source_id"] = -1
        if given and "__shape__" in given:
            node["attr"] = {"__shape__": given["__shape__"]}
    return {
        "nodes": kept,
        "arg_nodes": [i for i, n in enumerate(kept) if n["op"] == "null"],
        "heads": [[new[e[0]], e[1]] for e in graph["heads"]],
    }


ERAS = (
    ("attrs", 10901),
    ("attrs", 10901),
    ("attrs", 10901),
    ("attrs", 10400),
    ("attr", 1100),
    ("attr", 903),
    ("attrs", None),
)
KINDS = (mlp, conv, several, loop, branch, single, single, single, legacy)


def model(rng: random.Random) -> Graph:
    kind = rng.choice(KINDS)
    if kind is legacy:
        return legacy(rng)
    holder, version = rng.choice(ERAS)
    if kind in (loop, branch) and version is None:
        version = 10901  # the loader would add inputs to them
    return kind(rng, Builder(holder, version))  # type: ignore[operator]
