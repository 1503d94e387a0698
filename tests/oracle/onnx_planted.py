"""54 defects, one for each thing that the rules promise to find: python -m oracle.onnx_planted FOLDER, in the oracle's Python. A name is a function's.

Each is FOLDER/NAME/model.onnx, next to `sound.onnx`, what it was made of, and the files that it refers to.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper, numpy_helper, parser

Model = onnx.ModelProto
Defect = Callable[[Model, Path], None]

NETWORK = """<ir_version: 9, opset_import: ["" : 17]>
g (float[N,3,8,8] x) => (float[N,5] y) <
    float[8,3,3,3] w1, float[8] b1, float[8] s, float[8] o, float[8] m, float[8] v, float[8,4,3,3] w2, float[8] b2, float[4] by = {1.0, 1.0, 2.0, 2.0}, float[4] ln,
    int64[2] to = {0, 256}, float[5,256] w3, float[5] b3, int64[1] one = {1}, float[5,5] w4
> {
    [conv1] c1 = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (x, w1, b1)
    [norm1] n1 = BatchNormalization (c1, s, o, m, v)
    [relu1] r1 = Relu (n1)
    [pool1] p1 = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (r1)
    [conv2] c2 = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1], group = 2> (p1, w2, b2)
    [join] j = Concat <axis = 1> (p1, c2)
    [resize] z = Resize <mode = "nearest"> (j, , by)
    [pool2] p2 = AveragePool <kernel_shape = [2, 2], strides = [2, 2]> (z)
    [norm2] l = LayerNormalization <axis = -1> (p2, ln)
    [flat] f = Reshape (l, to)
    [fc] g1 = Gemm <transB = 1> (f, w3, b3)
    [add] u = Unsqueeze (g1, one)
    [drop] q = Squeeze (u, one)
    [mix] d = MatMul (q, w4)
    [out] y = Softmax <axis = -1> (d)
}"""

BRANCHES = """<ir_version: 9, opset_import: ["" : 17]>
g (bool c, float[2,3] x) => (float[2,3] y) <float[3] w = {1.0, 2.0, 3.0}> {
    a = Add (x, w)
    y = If (c) <then_branch = t () => (float[2,3] p) { i = Mul (a, w)  p = Relu (i) }, else_branch = e () => (float[2,3] q) { k = Sub (a, w)  q = Tanh (k) }>
}"""

LOOP = """<ir_version: 9, opset_import: ["" : 17]>
g (float[2,3] x) => (float[2,3] y, float[5,2,3] ys) <int64 n = {5}, bool go = {1}> {
    y, ys = Loop (n, go, x) <body = b (int64 i, bool c, float[2,3] s) => (bool k, float[2,3] t, float[2,3] o) {
        k = Identity (c)
        t = Add (s, s)
        o = Sigmoid (t) }>
}"""

QUANTISED = """<ir_version: 9, opset_import: ["" : 17]>
g (float[1,4] x) => (float[1,3] y) <float xs = {0.02}, uint8 xz = {128}, int8[4,3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, float[3] ws = {0.1, 0.2, 0.3}, int8[3] wz = {0, 0, 0}> {
    q = QuantizeLinear (x, xs, xz)
    d = DequantizeLinear (q, xs, xz)
    v = DequantizeLinear <axis = 1> (w, ws, wz)
    y = MatMul (d, v)
}"""

HALF = """<ir_version: 9, opset_import: ["" : 17]>
g (float[2,3] x) => (float[2,4] y) <float16[3,4] w, float16[4] b> {
    h = Cast <to = 10> (x)
    m = MatMul (h, w)
    a = Add (m, b)
    y = Cast <to = 1> (a)
}"""

BASES = {"network": NETWORK, "branches": BRANCHES, "loop": LOOP, "quantised": QUANTISED, "half": HALF}


def base(name: str) -> Model:
    """A sound model; tensors that its text only declares get random numbers."""
    model = parser.parse_model(BASES[name])
    rng = np.random.default_rng(1)
    graph = model.graph
    declared = list(graph.value_info)
    del graph.value_info[:]
    for value in declared:
        shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        dtype = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        graph.initializer.append(numpy_helper.from_array(rng.uniform(0.1, 1, shape).astype(dtype), value.name))
    return model


# What the defects are made of


def node(model: Model, name: str) -> onnx.NodeProto:
    return next(node for node in model.graph.node if name in (node.name, node.output[0]))


def attribute(model: Model, name: str, key: str) -> AttributeProto:
    return next(row for row in node(model, name).attribute if row.name == key)


def tensor(model: Model, name: str) -> TensorProto:
    return next(tensor for tensor in model.graph.initializer if tensor.name == name)


def replace(model: Model, name: str, change: Callable[[np.ndarray], np.ndarray]) -> None:
    old = tensor(model, name)
    old.CopyFrom(numpy_helper.from_array(change(numpy_helper.to_array(old).copy()), name))


def integers(name: str, key: str, *values: int) -> Defect:
    def plant(model: Model, folder: Path) -> None:
        row = attribute(model, name, key)
        row.CopyFrom(helper.make_attribute(key, values if row.type == AttributeProto.INTS else values[0]))

    return plant


def array(name: str, change: Callable[[np.ndarray], np.ndarray]) -> Defect:
    return lambda model, folder: replace(model, name, change)


def item(name: str, value: float) -> Defect:
    """One number of a tensor."""

    def change(numbers: np.ndarray) -> np.ndarray:
        numbers.reshape(-1)[0] = value
        return numbers

    return array(name, change)


def attached(name: str, key: str, value: object) -> Defect:
    return lambda model, folder: node(model, name).attribute.append(helper.make_attribute(key, value))


def wired(name: str, place: int, value: str) -> Defect:
    def plant(model: Model, folder: Path) -> None:
        node(model, name).input[place] = value

    return plant


def declared(name: str, number: int, *shape: int | str) -> Defect:
    return lambda model, folder: model.graph.value_info.append(helper.make_tensor_value_info(name, number, shape))


def external(
    name: str = "w3", location: str = "w3.data", *, data: Callable[[bytes], bytes] = bytes, kind: str = "file"
) -> Defect:
    def plant(model: Model, folder: Path) -> None:
        old = tensor(model, name)
        file = folder / location
        if kind != "missing":
            target = folder.parent / "elsewhere.data" if kind == "link" else file
            target.write_bytes(data(old.raw_data))
        if kind == "link" and not file.is_symlink():
            file.symlink_to("../elsewhere.data")
        onnx.external_data_helper.set_external_data(old, location, 0, len(old.raw_data))
        old.ClearField("raw_data")

    return plant


def opset(version: int) -> Defect:
    def plant(model: Model, folder: Path) -> None:
        model.opset_import[0].version = version

    return plant


def misspelt_attribute(model: Model, folder: Path) -> None:
    attribute(model, "pool1", "kernel_shape").name = "kernal_shape"


def missing_attribute(model: Model, folder: Path) -> None:
    del node(model, "join").attribute[:]


def enum(model: Model, folder: Path) -> None:
    attribute(model, "resize", "mode").s = b"neerest"


def float_axis(model: Model, folder: Path) -> None:
    attribute(model, "join", "axis").CopyFrom(helper.make_attribute("axis", 1.0))


def twice(model: Model, folder: Path) -> None:
    node(model, "conv2").attribute.append(helper.make_attribute("group", 2))


def no_import(model: Model, folder: Path) -> None:
    del model.opset_import[:]


def import_twice(model: Model, folder: Path) -> None:
    model.opset_import.add(domain="", version=13)


def ir(version: int) -> Defect:
    def plant(model: Model, folder: Path) -> None:
        model.ir_version = version

    return plant


def order(model: Model, folder: Path) -> None:
    moved = onnx.NodeProto.FromString(node(model, "relu1").SerializeToString())
    model.graph.node.remove(node(model, "relu1"))
    model.graph.node.append(moved)


def doubled_output(model: Model, folder: Path) -> None:
    node(model, "norm1").output[0] = "c1"
    node(model, "relu1").input[0] = "c1"


def shadow(model: Model, folder: Path) -> None:
    body = attribute(model, "y", "then_branch").g
    body.node[0].output[0] = body.node[1].input[0] = "a"


def dead_node(model: Model, folder: Path) -> None:
    model.graph.node.append(helper.make_node("Exp", ["q"], ["nobody"], "dead"))


def dead_tensor(model: Model, folder: Path) -> None:
    model.graph.initializer.append(numpy_helper.from_array(np.ones(7, np.float32), "unused"))


def input_of_tensor(model: Model, folder: Path) -> None:
    model.graph.input.append(helper.make_tensor_value_info("w4", TensorProto.FLOAT, [5, 4]))


def dims(model: Model, folder: Path) -> None:
    tensor(model, "w2").dims[0] = 9


def two_data(model: Model, folder: Path) -> None:
    tensor(model, "b1").float_data.extend([1.0] * 8)


def transposed(model: Model, folder: Path) -> None:
    replace(model, "w3", lambda numbers: np.ascontiguousarray(numbers.T))


def output_type(model: Model, folder: Path) -> None:
    model.graph.output[0].type.tensor_type.elem_type = TensorProto.INT64


def branch_type(model: Model, folder: Path) -> None:
    body = attribute(model, "y", "else_branch").g
    body.node.append(helper.make_node("Cast", ["q"], ["r"], to=TensorProto.INT64))
    body.output[0].CopyFrom(helper.make_tensor_value_info("r", TensorProto.INT64, [2, 3]))


def loop_outputs(model: Model, folder: Path) -> None:
    del attribute(model, "y", "body").g.output[2]


def missing_cast(model: Model, folder: Path) -> None:
    model.graph.node.remove(node(model, "h"))
    node(model, "m").input[0] = "x"


def overflow(model: Model, folder: Path) -> None:
    with np.errstate(over="ignore"):
        replace(model, "w", lambda numbers: (numbers.astype(np.float32) * 1e6).astype(np.float16))


def operator(model: Model, folder: Path) -> None:
    node(model, "relu1").op_type = "Rellu"


def zero_point(model: Model, folder: Path) -> None:
    replace(model, "wz", lambda numbers: numbers.astype(np.uint8))


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d7a2146" * 8 + b"\nsize 5120\n"

DEFECTS: dict[str, tuple[str, Defect]] = {
    "kernel_shape against weights": ("network", integers("conv1", "kernel_shape", 5, 5)), "channels of Conv": ("network", array("w1", lambda numbers: numbers[:, :2])),
    "group of Conv": ("network", integers("conv2", "group", 3)), "bias of Conv": ("network", array("b1", lambda numbers: numbers[:5])), "K of Gemm": ("network", array("w3", lambda numbers: numbers[:, :200])),
    "transposed weights": ("network", transposed), "K of MatMul": ("network", array("w4", lambda numbers: numbers[:4])), "BatchNormalization's sizes": ("network", array("m", lambda numbers: numbers[:6])),
    "Reshape behind an open batch": ("network", array("to", lambda numbers: np.array([0, 250]))), "batch in a Reshape": ("network", array("to", lambda numbers: np.array([1, 256]))),
    "axis of Concat": ("network", integers("join", "axis", 7)), "axis of Softmax": ("network", integers("out", "axis", 2)), "inputs of Concat": ("network", integers("pool1", "strides", 1, 1)),
    "pads of Conv": ("network", integers("conv1", "pads", 1, 1, 1)), "strides of MaxPool": ("network", integers("pool1", "strides", 0, 2)), "value of an enum": ("network", enum),
    "missing attribute": ("network", missing_attribute), "misspelt attribute": ("network", misspelt_attribute), "attribute of another opset": ("network", attached("drop", "axes", [1])),
    "attribute's type": ("network", float_axis), "attribute twice": ("network", twice), "no opset import": ("network", no_import), "opset import twice": ("network", import_twice),
    "opset too new": ("network", opset(99)), "opset too old for an operator": ("network", opset(16)), "IR version too new": ("network", ir(99)), "IR version too old for initializers": ("network", ir(3)),
    "order": ("network", order), "cycle": ("network", wired("conv1", 0, "r1")), "output twice": ("network", doubled_output), "name shadowed": ("branches", shadow), "undefined input": ("network", wired("relu1", 0, "n2")),
    "dead node": ("network", dead_node), "dead initializer": ("network", dead_tensor), "initializer against input": ("network", input_of_tensor), "dims against data": ("network", dims),
    "data twice": ("network", two_data), "external data missing": ("network", external(kind="missing")), "external data short": ("network", external(data=lambda data: data[:100])),
    "external data outside": ("network", external(location="../w3.data")), "external data behind a link": ("network", external(kind="link")), "external data a pointer": ("network", external(data=lambda data: POINTER)),
    "scale's size": ("quantised", array("ws", lambda numbers: numbers[:2])), "zero point's type": ("quantised", zero_point), "scale of zero": ("quantised", array("xs", lambda numbers: numbers * 0)),
    "NaN": ("network", item("w2", float("nan"))), "float16 overflow": ("half", overflow), "negative variance": ("network", item("v", -1.0)), "value_info contradicts": ("network", declared("r1", 1, "N", 8, 9, 9)),
    "output's type contradicts": ("network", output_type), "branches' types": ("branches", branch_type), "outputs of a Loop's body": ("loop", loop_outputs), "Cast missing": ("half", missing_cast),
    "misspelt operator": ("network", operator),
}  # fmt: skip


def write(root: Path) -> None:
    for name, (kind, plant) in DEFECTS.items():
        folder = root / name.replace(" ", "-").replace("'", "")
        folder.mkdir(parents=True, exist_ok=True)
        onnx.save(base(kind), folder / "sound.onnx")
        model = base(kind)
        plant(model, folder)
        (folder / "model.onnx").write_bytes(model.SerializeToString())
    (root / "defects.json").write_text(
        json.dumps([name.replace(" ", "-").replace("'", "") for name in DEFECTS]), encoding="utf-8"
    )


if __name__ == "__main__":
    assert len(DEFECTS) == 54
    write(Path(sys.argv[1]))
