"""Plants a constant that overflows float16: python precision_plant.py MODEL.onnx COPY.onnx, in a Python with onnx. Prints the constant's name."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import onnx
from onnx import numpy_helper


def planted(path: Path, to: Path) -> str | None:
    """Write a copy of a model in which one number of a constant that others are multiplied by overflows; return the constant's name."""
    model = onnx.load(str(path))
    weights = {one.name: one for one in model.graph.initializer if one.data_type == onnx.TensorProto.FLOAT}
    read = [
        name
        for node in model.graph.node
        if node.op_type in ("MatMul", "Gemm", "Mul", "Conv")
        for name in node.input
        if name in weights
    ]
    if not read:
        return None
    rng = random.Random(path.stem)
    name = rng.choice(sorted(set(read)))
    array = numpy_helper.to_array(weights[name]).copy()
    array.reshape(-1)[rng.randrange(array.size)] = rng.choice((-1, 1)) * 10 ** rng.uniform(5, 12)
    weights[name].CopyFrom(numpy_helper.from_array(array, name))
    onnx.save(model, str(to))
    return name


if __name__ == "__main__":
    print(planted(*map(Path, sys.argv[1:])) or "")
