"""Models of operators that only onnxruntime defines, to ask other runtimes whether they know them: python -m oracle.kernels.contrib MODELS FILE,
which writes them behind others.

A node has one input, whatever its operator takes: what is said of a model shows only whether the operator is known.
"""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

from onnx import ModelProto, TensorProto, helper

from oracle.kernels.write import TABLE

_DOMAIN = "com.microsoft"


def main(models: Path, path: Path) -> None:
    keys = [key for key in json.loads(TABLE.read_bytes())["operators"] if key.startswith(f"{_DOMAIN}.")]
    found = pickle.loads(models.read_bytes())
    asked = [(key, {}, _model(key)) for key in keys] + _of_models()
    path.write_bytes(pickle.dumps([*found, *((key, facts, one.SerializeToString()) for key, facts, one in asked)]))
    print(f"{len(keys):,} models")


def _of_models() -> list[tuple[str, dict[str, object], ModelProto]]:
    """Return models that are asked about as models: with a function, and with inputs or outputs of no shape."""
    found: list[tuple[str, dict[str, object], ModelProto]] = [("functions", {}, _with_function())]
    for row, without in (("unranked inputs", "input"), ("unranked outputs", "output")):
        model = _called("Relu", "")
        getattr(model.graph, without)[0].type.tensor_type.ClearField("shape")
        found.append((row, {"outputs": "1"}, model))
    return found


def _with_function() -> ModelProto:
    """Return a model that calls a function of its own."""
    relu, opsets = helper.make_node("Relu", ["a"], ["b"]), [helper.make_opsetid("", 15)]
    model = _called("F", "of.model")
    model.functions.append(helper.make_function("of.model", "F", ["a"], ["b"], [relu], opsets))
    return model


def _model(key: str) -> ModelProto:
    return _called(key.rpartition("-")[0].removeprefix(f"{_DOMAIN}."), _DOMAIN)


def _called(name: str, domain: str) -> ModelProto:
    value = helper.make_tensor_value_info
    node = helper.make_node(name, ["x"], ["y"], domain=domain)
    graph = helper.make_graph(
        [node], "g", [value("x", TensorProto.FLOAT, (2, 3))], [value("y", TensorProto.FLOAT, (2, 3))]
    )
    opsets = [helper.make_opsetid("", 15), *([helper.make_opsetid(domain, 1)] if domain else [])]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
