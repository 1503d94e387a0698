"""Networks of any size as text, the way their writers write them; and the same with mistakes in them."""

from __future__ import annotations

import copy
import json
import sys
from typing import Any

CHANNELS = 8
STATISTICS = ("gamma", "beta", "moving_mean", "moving_var")

Node = dict[str, Any]


class Network:
    """Nodes, and how many outputs each has."""

    def __init__(self, declares: bool) -> None:
        self.nodes: list[Node] = []
        self.rows = [0]
        self.declares = declares  # whether variables say their shape, as networks do that Gluon wrote

    def add(self, op: str, name: str, inputs: list[int], attrs: dict[str, str], outputs: int = 1) -> int:
        node: Node = {"op": op, "name": name}
        if attrs:
            node["attrs"] = attrs
        node["inputs"] = [[source, 0, 0] for source in inputs]
        self.nodes.append(node)
        self.rows.append(self.rows[-1] + outputs)
        return len(self.nodes) - 1

    def variable(self, name: str, shape: tuple[int, ...]) -> int:
        attrs = {"__dtype__": "0", "__lr_mult__": "1.0", "__shape__": str(shape), "__wd_mult__": "1.0"}
        return self.add("null", name, [], attrs if self.declares else {})

    def block(self, at: int, name: str) -> int:
        """Convolution, normalisation, activation, and what went in added to it: nine nodes."""
        weight = self.variable(f"{name}_conv0_weight", (CHANNELS, CHANNELS, 3, 3))
        window = {
            "dilate": "(1, 1)", "kernel": "(3, 3)", "layout": "NCHW", "no_bias": "True", "num_filter": str(CHANNELS),
            "num_group": "1", "pad": "(1, 1)", "stride": "(1, 1)",
        }  # fmt: skip
        maps = self.add("Convolution", f"{name}_conv0_fwd", [at, weight], window)
        statistics = [self.variable(f"{name}_batchnorm0_{kind}", (CHANNELS,)) for kind in STATISTICS]
        momentum = {
            "axis": "1", "eps": "1e-05", "fix_gamma": "False", "momentum": "0.9", "use_global_stats": "False",
        }  # fmt: skip
        norm = self.add("BatchNorm", f"{name}_batchnorm0_fwd", [maps, *statistics], momentum, 3)
        active = self.add("Activation", f"{name}_relu0_fwd", [norm], {"act_type": "relu"})
        return self.add("elemwise_add", f"{name}__plus0", [active, at], {})


def symbol(count: int, declares: bool = False) -> dict[str, Any]:
    """A deep network of at least `count` nodes."""
    network = Network(declares)
    at = network.variable("data", (1, CHANNELS, 8, 8))
    while len(network.nodes) < count:
        at = network.block(at, f"stage{len(network.nodes) // 900}_unit{len(network.nodes)}")
    return {
        "nodes": network.nodes,
        "arg_nodes": [k for k, node in enumerate(network.nodes) if node["op"] == "null"],
        "node_row_ptr": network.rows,
        "heads": [[at, 0, 0]],
        "attrs": {"mxnet_version": ["int", 10901]},
    }


def spoiled(graph: dict[str, Any], findings: int) -> dict[str, Any]:
    """The graph with so many mistakes, of five kinds, each in a node of its own."""
    graph = copy.deepcopy(graph)
    left = findings
    for index, node in enumerate(graph["nodes"]):
        if left == 0:
            break
        attrs = node.get("attrs", {})
        if node["op"] == "Convolution":
            if index % 2:
                attrs["kernl"] = attrs.pop("dilate")
            else:
                attrs["num_filter"] = "eight"
        elif node["op"] == "BatchNorm":
            attrs["fix_gamma"] = "2"
        elif node["op"] == "Activation":
            attrs["act_type"] = "reluu"
        elif node["op"] == "elemwise_add":
            node["inputs"][1][0] += len(graph["nodes"])
        else:
            continue
        left -= 1
    return graph


def written(graph: dict[str, Any]) -> str:
    """In the layout of MXNet's own writer: a line for each member of a node, entries in one line."""
    lines = []
    for node in graph["nodes"]:
        members = [f'      "op": {json.dumps(node["op"])}', f'      "name": {json.dumps(node["name"])}']
        if "attrs" in node:
            inner = ", \n".join(f"        {json.dumps(k)}: {json.dumps(v)}" for k, v in node["attrs"].items())
            members.append(f'      "attrs": {{\n{inner}\n      }}')
        members.append(f'      "inputs": {json.dumps(node["inputs"])}')
        lines.append("    {\n" + ", \n".join(members) + "\n    }")
    rest = [f"  {json.dumps(key)}: {json.dumps(graph[key])}" for key in ("arg_nodes", "node_row_ptr", "heads", "attrs")]
    return '{\n  "nodes": [\n' + ", \n".join(lines) + "\n  ], \n" + ", \n".join(rest) + "\n}\n"


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


def lightnet(operators: int) -> dict[str, Any]:
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


def main() -> None:
    """KIND SIZE PATH: writes one file. In a process of its own, so that who measures stays small."""
    kind, size, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    if kind == "lightnet":
        text = json.dumps(lightnet(size), indent=2)
    else:
        graph = symbol(size, declares=kind.startswith("declared"))
        text = written(spoiled(graph, size // 4) if kind.endswith("broken") else graph)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


if __name__ == "__main__":
    main()
