"""Models of operators that only onnxruntime defines, to ask other runtimes whether they know them: python -m oracle.kernels.contrib MODELS FILE,
which writes them behind others.

A node has one input, whatever its operator takes: what is said of a model shows only whether the operator is known.
"""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

from onnx import TensorProto, helper

from oracle.kernels.write import TABLE

_DOMAIN = "com.microsoft"


def main(models: Path, path: Path) -> None:
    keys = [key for key in json.loads(TABLE.read_bytes())["operators"] if key.startswith(f"{_DOMAIN}.")]
    found = pickle.loads(models.read_bytes())
    path.write_bytes(pickle.dumps([*found, *((key, {}, _model(key).SerializeToString()) for key in keys)]))
    print(f"{len(keys):,} models")


def _model(key: str) -> object:
    value = helper.make_tensor_value_info
    node = helper.make_node(key.rpartition("-")[0].removeprefix(f"{_DOMAIN}."), ["x"], ["y"], domain=_DOMAIN)
    graph = helper.make_graph(
        [node], "g", [value("x", TensorProto.FLOAT, (2, 3))], [value("y", TensorProto.FLOAT, (2, 3))]
    )
    opsets = [helper.make_opsetid("", 15), helper.make_opsetid(_DOMAIN, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
