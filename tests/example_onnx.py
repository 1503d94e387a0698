"""examples/onnx/encoder.onnx, as PyTorch exports such a model: python tests/example_onnx.py writes it.

Two layers of an encoder with weights, nodes with the scopes of their modules, and one mistake: a weight under a misspelt name.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole

PATH = Path(__file__).resolve().parent.parent / "examples/onnx/encoder.onnx"
TOKENS, WIDTH, HIDDEN, LAYERS = 8, 16, 32, 2
FLOAT = 1
MISSPELT = {"encoder.layers.1.fc2.weight": "encoder.layers.1.fc2.wieght"}
Tree = dict[str, Any]

LINEAR, RELU = "torch.nn.modules.linear.Linear", "torch.nn.modules.activation.ReLU"
NORM = "torch.nn.modules.normalization.LayerNorm"


def model() -> bytes:
    names = iter(range(1000))
    nodes = [node for layer in range(LAYERS) for node in _layer(layer, names)]
    graph = {
        "name": "main_graph",
        "node": nodes,
        "initializer": list(_weights(random.Random(1))),
        "input": [_port("tokens", TOKENS, WIDTH)],
        "output": [_port(nodes[-1]["output"][0], TOKENS, WIDTH)],
    }
    opsets = [{"domain": "", "version": 18}]
    return whole(
        MODEL,
        {
            "ir_version": 10,
            "producer_name": "irlint",
            "doc_string": "A small encoder with the scopes of its modules",
            "graph": graph,
            "opset_import": opsets,
        },
    )


def _port(name: str, *sizes: int) -> Tree:
    dims = [{"dim_param": "batch"}, *({"dim_value": size} for size in sizes)]
    return {"name": name, "type": {"tensor_type": {"elem_type": FLOAT, "shape": {"dim": dims}}}}


def _layer(layer: int, names: Iterator[int]) -> Iterator[Tree]:
    """Yield the nodes of a layer: two linear modules with a ReLU between them, the scale, the residual sum, and the norm."""
    scope, taken = f"encoder.layers.{layer}", "tokens" if layer == 0 else f"layer_norm_{layer - 1}"

    def node(op: str, module: str, kind: str, inputs: list[str], output: str, **attributes: float) -> Tree:
        path = [("encoder", "Encoder"), (scope, "EncoderLayer"), *([(f"{scope}.{module}", kind)] if module else [])]
        metadata = {
            "namespace": "/".join(f"{name}: {of}" for name, of in (("", "Model"), *path)) + f"/{output}: {op.lower()}",
            "pkg.torch.onnx.name_scopes": repr(["", *(name for name, _ in path), output]),
            "pkg.torch.onnx.class_hierarchy": repr(["Model", *(of for _, of in path), op.lower()]),
        }
        return {
            "name": f"node_{op}_{next(names)}",
            "op_type": op,
            "input": [MISSPELT.get(name, name) for name in inputs],
            "output": [output],
            "attribute": [{"name": key, "type": FLOAT, "f": value} for key, value in attributes.items()],
            "metadata_props": [{"key": key, "value": value} for key, value in metadata.items()],
        }

    for number, (source, out) in enumerate(((taken, "linear"), (f"relu_{layer}", "projected")), 1):
        module = f"fc{number}"
        yield node("MatMul", module, LINEAR, [source, f"{scope}.{module}.weight"], f"matmul_{2 * layer + number - 1}")
        yield node(
            "Add", module, LINEAR, [f"matmul_{2 * layer + number - 1}", f"{scope}.{module}.bias"], f"{out}_{layer}"
        )
        if number == 1:
            yield node("Relu", "activation", RELU, [f"linear_{layer}"], f"relu_{layer}")
    yield node("Mul", "scale", "LayerScale", [f"projected_{layer}", f"{scope}.scale.gamma"], f"scaled_{layer}")
    yield node("Add", "", "", [taken, f"scaled_{layer}"], f"residual_{layer}")
    inputs = [f"residual_{layer}", f"{scope}.norm.weight", f"{scope}.norm.bias"]
    yield node("LayerNormalization", "norm", NORM, inputs, f"layer_norm_{layer}", epsilon=1e-5)


def _weights(rng: random.Random) -> Iterator[Tree]:
    for layer in range(LAYERS):
        for name, dims in (
            ("fc1.weight", (WIDTH, HIDDEN)),
            ("fc1.bias", (HIDDEN,)),
            ("fc2.weight", (HIDDEN, WIDTH)),
            ("fc2.bias", (WIDTH,)),
            ("scale.gamma", (WIDTH,)),
            ("norm.weight", (WIDTH,)),
            ("norm.bias", (WIDTH,)),
        ):
            count = dims[0] * (dims[1] if len(dims) > 1 else 1)
            values = [rng.uniform(0.9, 1.1) if name == "norm.weight" else rng.uniform(-0.2, 0.2) for _ in range(count)]
            data = struct.pack(f"<{count}f", *values)
            yield {"name": f"encoder.layers.{layer}.{name}", "dims": list(dims), "data_type": FLOAT, "raw_data": data}


if __name__ == "__main__":
    PATH.write_bytes(model())
