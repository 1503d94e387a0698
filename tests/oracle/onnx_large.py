"""A model of 2 GB in an external file (a sparse one), to time reading by: python -m oracle.onnx_large FOLDER, in the oracle's Python."""

from __future__ import annotations

import sys
from pathlib import Path

from onnx import ModelProto, TensorProto, helper

LAYERS = 200
SIZE = 1632  # 200 matrices of SIZE x SIZE float32 are 2.1 GB


def model() -> ModelProto:
    nodes, tensors = [], []
    for k in range(LAYERS):
        tensor = TensorProto(
            name=f"w{k}", data_type=TensorProto.FLOAT, dims=[SIZE, SIZE], data_location=TensorProto.EXTERNAL
        )
        for key, value in (
            ("location", "weights.data"),
            ("offset", str(k * SIZE * SIZE * 4)),
            ("length", str(SIZE * SIZE * 4)),
        ):
            tensor.external_data.add(key=key, value=value)
        tensors.append(tensor)
        nodes.append(helper.make_node("MatMul", [f"x{k}", f"w{k}"], [f"x{k + 1}"], f"layer{k}"))
    value = helper.make_tensor_value_info
    inputs, outputs = [value("x0", 1, [1, SIZE])], [value(f"x{LAYERS}", 1, [1, SIZE])]
    graph = helper.make_graph(nodes, "large", inputs, outputs, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(model().SerializeToString())
    with (folder / "weights.data").open("wb") as stream:
        stream.truncate(LAYERS * SIZE * SIZE * 4)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
