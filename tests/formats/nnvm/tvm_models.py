"""Small TVM graph-executor files, and what can go wrong in them. Functions are called f_INPUTS_OUTPUTS_x."""

from __future__ import annotations

import random
from typing import Any

from .changes import Skip
from .writer import Raw

Graph = dict[str, Any]


def tvm_graph(rng: random.Random) -> Graph:
    nodes: list[dict[str, Any]] = []
    rows, shapes = [0], []
    ready: list[tuple[int, int]] = []
    shape = [rng.choice((1, 2)), rng.choice((3, 4))]
    count = rng.randrange(3, 9)
    variables = rng.randrange(1, 4)
    for k in range(variables):
        nodes.append({"op": "null", "name": "x" if k == 0 else f"p{k - 1}", "inputs": []})
        ready.append((len(nodes) - 1, 0))
        rows.append(rows[-1] + 1)
        shapes.append(list(shape))
    for k in range(count):
        given = [
            rng.choice(ready[-4:]) if rng.random() < 0.6 else rng.choice(ready)
            for _ in range(rng.choice((1, 1, 2, 2, 3)))
        ]
        outputs = rng.choice((1, 1, 1, 2))
        name = f"f_{len(given)}_{outputs}_{rng.choice('abcd')}"
        attrs = {"func_name": name, "num_inputs": str(len(given)), "num_outputs": str(outputs), "flatten_data": "0"}
        if rng.random() < 0.3:
            attrs["hash"] = "0123456789abcdef"
        nodes.append({"op": "tvm_op", "name": f"fused{k}", "attrs": attrs, "inputs": [[n, o, 0] for n, o in given]})
        for o in range(outputs):
            ready.append((len(nodes) - 1, o))
            shapes.append(list(shape))
        rows.append(rows[-1] + outputs)
    used = {(e[0], e[1]) for n in nodes for e in n["inputs"]}
    heads = [[n, o, 0] for n, o in ready if (n, o) not in used and nodes[n]["op"] != "null"] or [[len(nodes) - 1, 0, 0]]
    total = rows[-1]
    graph: Graph = {
        "nodes": nodes,
        "arg_nodes": [i for i, n in enumerate(nodes) if n["op"] == "null"],
        "heads": heads,
        "attrs": {
            "dltype": ["list_str", ["float32"] * total],
            "storage_id": ["list_int", plan(nodes, rows, heads, rng.random() < 0.7)],
            "shape": ["list_shape", shapes],
        },
        "node_row_ptr": rows,
    }
    if rng.random() < 0.5:
        graph["attrs"]["device_index"] = ["list_int", [1] * total]
    return graph


def plan(nodes: list[dict[str, Any]], rows: list[int], heads: list[list[int]], reuse: bool) -> list[int]:
    """Slots as TVM plans them: a slot is free again once its last reader has run."""
    last: dict[int, int] = {}
    for i, node in enumerate(nodes):
        for e in node["inputs"]:
            last[rows[e[0]] + e[1]] = i
    for e in heads:
        last[rows[e[0]] + e[1]] = 1 << 30
    slots, free, fresh = [], [], 0
    for i, node in enumerate(nodes):
        for _value in range(rows[i], rows[i + 1]):
            if node["op"] != "null" and free and reuse:
                slots.append(free.pop())
            else:
                slots.append(fresh)
                fresh += 1
        if node["op"] == "null":
            continue
        done = {rows[e[0]] + e[1] for e in node["inputs"] if nodes[e[0]]["op"] != "null"}
        done |= set(range(rows[i], rows[i + 1]))
        free += sorted({slots[v] for v in done if last.get(v, -1) <= i})
    return slots


def _ops(g: Graph) -> list[dict[str, Any]]:
    return [n for n in g["nodes"] if n["op"] == "tvm_op" and "attrs" in n]


def _attr(key: str, value: Any) -> Any:
    def apply(rng: random.Random, g: Graph) -> None:
        attrs = rng.choice(_ops(g))["attrs"]
        if value is None:
            del attrs[key]
        else:
            attrs[key] = value(attrs[key]) if callable(value) else value

    return apply


def _values(key: str, make: Any) -> Any:
    def apply(rng: random.Random, g: Graph) -> None:
        if key not in g["attrs"]:
            raise Skip
        values = list(g["attrs"][key][1])
        new = make(rng, values, g)
        if new is None or new == g["attrs"][key][1]:
            raise Skip
        g["attrs"][key] = [g["attrs"][key][0], new]

    return apply


def _one(value: Any) -> Any:
    def make(rng: random.Random, values: list[Any], g: Graph) -> list[Any]:
        k = rng.randrange(len(values))
        values[k] = value(values[k]) if callable(value) else value
        return values

    return make


def _alias(rng: random.Random, values: list[Any], g: Graph) -> list[Any]:
    a, b = rng.sample(range(len(values)), 2)
    values[a] = values[b]
    return values


def _tag(key: str, tag: Any) -> Any:
    def apply(rng: random.Random, g: Graph) -> None:
        if key not in g["attrs"]:
            raise Skip
        g["attrs"][key] = g["attrs"][key][1] if tag is None else [tag, g["attrs"][key][1]]

    return apply


def _extra(key: str, value: Any) -> Any:
    return lambda rng, g: g["attrs"].__setitem__(key, value)


def _without(key: str) -> Any:
    def apply(rng: random.Random, g: Graph) -> None:
        del g["attrs"][key]

    return apply


def _metadata(first: bool) -> Any:
    def apply(rng: random.Random, g: Graph) -> Any:
        return {"metadata": {"a": [1]}, **g} if first else {**g, "metadata": {"a": [1]}}

    return apply


def _null(key: str, value: Any) -> Any:
    return lambda rng, g: rng.choice([n for n in g["nodes"] if n["op"] == "null"]).__setitem__(key, value)


def _op(key: str, value: Any) -> Any:
    def apply(rng: random.Random, g: Graph) -> None:
        node = rng.choice(_ops(g))
        if value is None:
            del node[key]
        else:
            node[key] = value

    return apply


TVM_CHANGES: dict[str, Any] = {
    "tvm_num_inputs": _attr("num_inputs", lambda v: str(int(v) + 1)),
    "tvm_num_outputs_more": _attr("num_outputs", lambda v: str(int(v) + 1)),
    "tvm_num_outputs_less": _attr("num_outputs", lambda v: str(int(v) - 1)),
    "tvm_num_outputs_word": _attr("num_outputs", "one"),
    "tvm_num_outputs_json": _attr("num_outputs", 1),
    "tvm_num_outputs_blank": _attr("num_outputs", lambda v: " " + v),
    "tvm_num_outputs_plus": _attr("num_outputs", lambda v: "+" + v),
    "tvm_num_inputs_word": _attr("num_inputs", "many"),
    "tvm_flatten_1": _attr("flatten_data", "1"),
    "tvm_flatten_true": _attr("flatten_data", "true"),
    "tvm_no_flatten": _attr("flatten_data", None),
    "tvm_no_func": _attr("func_name", None),
    "tvm_no_num_inputs": _attr("num_inputs", None),
    "tvm_nop": _attr("func_name", "__nop"),
    "tvm_copy": _attr("func_name", "__copy"),
    "tvm_extra_attr": lambda rng, g: rng.choice(_ops(g))["attrs"].__setitem__("note", "x"),
    "tvm_extra_attr_int": lambda rng, g: rng.choice(_ops(g))["attrs"].__setitem__("note", 7),
    "tvm_no_attrs": _op("attrs", None),
    "tvm_op_conv2d": _op("op", "conv2d"),
    "tvm_op_null": _op("op", "null"),
    "tvm_param": _op("param", {}),
    "tvm_control": _op("control_deps", [0]),
    "tvm_control_far": _op("control_deps", [99]),
    "tvm_null_attrs": _null("attrs", {}),
    "tvm_null_attrs_shape": _null("attrs", {"shape": "(2, 4)"}),
    "tvm_null_inputs": _null("inputs", [[0, 0, 0]]),
    "tvm_null_twice": lambda rng, g: [n.__setitem__("name", "x") for n in g["nodes"] if n["op"] == "null"] and None,
    "tvm_op_twice": lambda rng, g: rng.choice(_ops(g)).__setitem__("name", _ops(g)[0]["name"]),
    "tvm_no_dltype": _without("dltype"),
    "tvm_no_shape": _without("shape"),
    "tvm_no_storage": _without("storage_id"),
    "tvm_no_device": _without("device_index"),
    "tvm_tag_dltype": _tag("dltype", "list_int"),
    "tvm_tag_shape": _tag("shape", "list_int"),
    "tvm_tag_storage": _tag("storage_id", "list_str"),
    "tvm_untagged": _tag("storage_id", None),
    "tvm_extra_list_int": _extra("dtype", ["list_int", [0]]),
    "tvm_extra_size": _extra("total", ["size_t", 3]),
    "tvm_extra_str": _extra("note", ["str", "x"]),
    "tvm_extra_list_str": _extra("note", ["list_str", ["x"]]),
    "tvm_extra_int": _extra("mxnet_version", ["int", 10901]),
    "tvm_extra_bare": _extra("note", 5),
    "tvm_metadata_last": _metadata(False),
    "tvm_metadata_first": _metadata(True),
    "tvm_shape_short": _values("shape", lambda rng, v, g: v[:-1]),
    "tvm_shape_long": _values("shape", lambda rng, v, g: [*v, v[-1]]),
    "tvm_dltype_short": _values("dltype", lambda rng, v, g: v[:-1]),
    "tvm_dltype_long": _values("dltype", lambda rng, v, g: [*v, v[-1]]),
    "tvm_storage_short": _values("storage_id", lambda rng, v, g: v[:-1]),
    "tvm_storage_long": _values("storage_id", lambda rng, v, g: [*v, 0]),
    "tvm_device_short": _values("device_index", lambda rng, v, g: v[:-1]),
    "tvm_dltype_bad": _values("dltype", _one("flaot32")),
    "tvm_dltype_empty": _values("dltype", _one("")),
    "tvm_dltype_int7": _values("dltype", _one("int7")),
    "tvm_dltype_x0": _values("dltype", _one("float32x0")),
    "tvm_dltype_case": _values("dltype", _one("Float32")),
    "tvm_dltype_blank": _values("dltype", _one("float32 ")),
    "tvm_storage_negative": _values("storage_id", _one(-1)),
    "tvm_storage_gap": _values("storage_id", _one(40)),
    "tvm_storage_huge": _values("storage_id", _one(2000000000)),
    "tvm_storage_alias": _values("storage_id", _alias),
    "tvm_shape_negative": _values("shape", _one(lambda s: [-1, *s[1:]])),
    "tvm_shape_zero": _values("shape", _one(lambda s: [0, *s[1:]])),
    "tvm_shape_string": _values("shape", _one(lambda s: ["2", *s[1:]])),
    "tvm_shape_fraction": _values("shape", _one(lambda s: [Raw("2.5"), *s[1:]])),
    "tvm_shape_huge": _values("shape", _one([1000000, 1000000, 10])),
    "tvm_shape_null": _values("shape", _one(None)),
    "tvm_device_conflict": _values("device_index", _one(2)),
}
