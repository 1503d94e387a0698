"""Networks as people have them, to look at and to measure: each is written by a loop, small weights or none."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from tests.formats.openvino.tiny import call, const, parameter, write
from tests.view.models import Node, symbol


class Network:
    """Collects the nodes of an MXNet symbol by their names."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._numbers: dict[str, int] = {}

    def add(self, op: str, name: str, *inputs: str, output: int = 0, **attrs: Any) -> str:
        """Append a node; an input is a name, or `name:2` for its output 2. Returns its name."""
        sources = []
        for each in inputs:
            source, _, position = each.partition(":")
            sources.append([self._numbers[source], int(position or 0), 0])
        self._numbers[name] = len(self.nodes)
        self.nodes.append({"op": op, "name": name, "inputs": sources, "attrs": {k: str(v) for k, v in attrs.items()}})
        return name

    def data(self, name: str, shape: str = "") -> str:
        return self.add("null", name, **({"__shape__": shape} if shape else {}))

    def conv(self, name: str, source: str, filters: int, kernel: int, stride: int = 1) -> str:
        pad = (kernel // 2, kernel // 2)
        weight = self.data(f"{name}_weight")
        sizes = {"kernel": (kernel, kernel), "stride": (stride, stride), "pad": pad}
        source = self.add("Convolution", name, source, weight, num_filter=filters, no_bias="True", **sizes)
        names = [self.data(f"{name}_bn_{part}") for part in ("gamma", "beta", "moving_mean", "moving_var")]
        return self.add("BatchNorm", f"{name}_bn", source, *names, fix_gamma="False")

    def relu(self, name: str, source: str) -> str:
        return self.add("Activation", name, source, act_type="relu")

    def text(self, *heads: str) -> str:
        return symbol(self.nodes, [self._numbers[head] for head in heads] or None)


def resnet(layers: tuple[int, ...] = (2, 2, 2, 2), name: str = "{stage}/{unit}/{part}") -> str:
    """A ResNet-18 with the batch norms of training."""
    net = Network()
    x = net.data("data", "(1, 3, 224, 224)")
    x = net.relu("relu0", net.conv("conv0", x, 64, 7, 2))
    x = net.add("Pooling", "pool0", x, kernel="(3, 3)", stride="(2, 2)", pad="(1, 1)", pool_type="max")
    for stage, units in enumerate(layers):
        for unit in range(units):

            def path(part: str, stage: int = stage, unit: int = unit) -> str:
                return name.format(stage=f"stage{stage}", unit=f"unit{unit}", part=part)

            filters, stride = 64 << stage, 2 if stage and not unit else 1
            y = net.relu(path("relu1"), net.conv(path("conv1"), x, filters, 3, stride))
            y = net.conv(path("conv2"), y, filters, 3)
            if stride > 1:
                x = net.conv(path("downsample"), x, filters, 1, stride)
            x = net.relu(path("relu2"), net.add("elemwise_add", path("add"), y, x))
    x = net.add("Pooling", "pool1", x, global_pool="True", pool_type="avg", kernel="(7, 7)")
    weights = [net.data("fc_weight"), net.data("fc_bias")]
    x = net.add("FullyConnected", "fc", net.add("Flatten", "flat", x), *weights, num_hidden=1000)
    return net.add("softmax", "probabilities", x) and net.text("probabilities")


def lstm() -> str:
    """An LSTM as a loop over time, with its cell as the body."""
    cell = Network()
    parts = []
    for name, read in (("i2h", "step"), ("h2h", "hidden")):  # inputs of a body are numbered in depth-first order
        source = cell.data(read)
        weights = [cell.data(f"{name}_weight", "(32, 8)"), cell.data(f"{name}_bias", "(32,)")]
        parts.append(cell.add("FullyConnected", name, source, *weights, num_hidden=32))
    gates = cell.add("SliceChannel", "gates", cell.add("elemwise_add", "sum", *parts), num_outputs=4, axis=1)
    into, forget, out = (
        cell.add("sigmoid", f"{n}_gate", f"{gates}:{k}") for k, n in enumerate(("in", "forget", "out"))
    )
    kept = cell.add("elemwise_mul", "kept", forget, cell.data("memory"))
    new = cell.add("elemwise_mul", "new", into, cell.add("tanh", "candidate", f"{gates}:3"))
    memory_out = cell.add("elemwise_add", "memory_out", kept, new)
    hidden_out = cell.add("elemwise_mul", "hidden_out", out, cell.add("tanh", "squashed", memory_out))
    body = json.loads(cell.text(cell.add("_copy", "step_out", hidden_out), hidden_out, memory_out))
    net = Network()
    data = net.data("data", "(10, 2, 8)")
    states = [net.data(name, "(2, 8)") for name in ("hidden0", "memory0")]
    weights = [net.data(name) for name in ("i2h_weight", "i2h_bias", "h2h_weight", "h2h_bias")]
    locations = {"in_data_locs": "(0,)", "in_state_locs": "(3, 6)", "remain_locs": "(1, 2, 4, 5)"}
    counts = {"num_args": 8, "num_outputs": 3, "num_out_data": 1}
    loop = net.add("_foreach", "lstm", data, *states, *weights, **locations, **counts)
    net.nodes[-1]["subgraphs"] = [body]
    return net.text(net.add("softmax", "scores", net.add("mean", "pooled", loop, axis=0)))


def detector(folder: Path) -> Path:
    """A detection network: two heads on a shared trunk, non-maximum suppression, and a gather of what is left."""
    layers = [parameter("image", "1,3,64,64"), const("kernel", *[0.0] * 24, shape="8,3,1,1", kind="f32")]
    sizes = {"strides": "1,1", "pads_begin": "0,0", "pads_end": "0,0", "dilations": "1,1"}
    layers += [
        call("trunk/conv", "opset1.Convolution", "image", "kernel", **sizes),
        call("trunk/relu", "opset1.ReLU", "trunk/conv"),
    ]
    for head, channels, shape in (("boxes", 4, (1, -1, 4)), ("scores", 2, (1, 2, -1))):
        weights = [0.0] * (channels * 8)
        layers += [
            const(f"{head}/kernel", *weights, shape=f"{channels},8,1,1", kind="f32"),
            call(f"{head}/conv", "opset1.Convolution", "trunk/relu", f"{head}/kernel", **sizes),
            const(f"{head}/shape", *shape),
            call(f"{head}/reshape", "opset1.Reshape", f"{head}/conv", f"{head}/shape", special_zero="true"),
        ]
    layers += [
        call("scores/sigmoid", "opset1.Sigmoid", "scores/reshape"),
        const("most", 200, shape=""),
        *(const(name, value, shape="", kind="f32") for name, value in (("iou", 0.5), ("score", 0.25))),
        call(
            "nms",
            "opset5.NonMaxSuppression",
            "boxes/reshape",
            "scores/sigmoid",
            "most",
            "iou",
            "score",
            box_encoding="center",
        ),
        const("column", 2, shape="1"),
        const("axis", 1, shape=""),
        call("picked", "opset8.Gather", "nms", "column", "axis", batch_dims="0"),
        call("kept", "opset8.Gather", "boxes/reshape", "picked", "axis", batch_dims="0"),
    ]
    return write(folder / "detector.xml", *layers)


def broken() -> str:
    """A model with an error in each of three nodes."""
    net = Network()
    x = net.add("Convolution", "conv", net.data("data", "(1, 3, 8, 8)"), kernel="(3, 3)", num_filter="x")
    return net.text(net.add("rrelu", "odd", net.add("Activation", "act", x, act_type="rleu")))


def wide(count: int) -> str:
    """A graph without names or repeats to fold, of elementwise operators that read one another at random."""
    rng = random.Random(1)
    nodes: list[Node] = [{"op": "null", "name": "data"}]
    for k in range(1, count):
        sources = [max(0, k - rng.choice([1, 1, 2, 5, 30])) for _ in range(rng.randrange(1, 3))]
        op = rng.choice(["relu", "tanh", "exp"]) if len(sources) == 1 else "elemwise_add"
        nodes.append({"op": op, "name": f"n{k}", "inputs": sources})
    return symbol(nodes)


def hostile(evil: str) -> str:
    """A chain in which every text that the author of a model chooses is this one."""
    nodes: list[Node] = [{"op": "null", "name": evil}]
    nodes += [{"op": f"<b>{evil}", "name": f"{evil}{k}", "inputs": [k], "attrs": {evil: evil}} for k in range(5)]
    return symbol(nodes)
