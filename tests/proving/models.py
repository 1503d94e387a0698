"""A small network in several forms: as ONNX, and as the IR that a converter makes of it."""

from __future__ import annotations

import numpy as np

from irlint.proving.running import Side
from tests.lsp.binaries import binary

RANDOM = np.random.default_rng(5)
CONV = RANDOM.standard_normal((4, 3, 3, 3)).astype(np.float32) / 5
BIAS = RANDOM.standard_normal(4).astype(np.float32)
SCALE, SHIFT = RANDOM.uniform(0.5, 2, 4).astype(np.float32), RANDOM.standard_normal(4).astype(np.float32)
MEAN, VARIANCE = RANDOM.standard_normal(4).astype(np.float32), RANDOM.uniform(0.5, 2, 4).astype(np.float32)
DENSE = RANDOM.standard_normal((4, 5)).astype(np.float32)


def tensor(name: str, array: np.ndarray) -> str:
    values = ",".join(repr(float(value)) for value in array.ravel())
    return f'float[{",".join(map(str, array.shape))}] "{name}" = {{{values}}}'


WEIGHTS = {"w": CONV, "b": BIAS, "scale": SCALE, "shift": SHIFT, "mean": MEAN, "var": VARIANCE, "dense": DENSE}
NODES = """\
   [conv] c = Conv <kernel_shape: ints = [3, 3], pads: ints = [1, 1, 1, 1]> (x, w, b)
   [norm] n = BatchNormalization <epsilon: float = 0.00001> (c, scale, shift, mean, var)
   [act] a = Relu (n)
   [sum] s = Add (a, n)
   [pool] p = AveragePool <kernel_shape: ints = [3, 3], pads: ints = [1, 1, 1, 1]> (s)
   [mean] m = ReduceMean <axes: ints = [2, 3], keepdims: int = 0> (p)
   [dense] d = MatMul (m, dense)
   [probabilities] y = Softmax <axis: int = 1> (d)
"""


def onnx(nodes: str = NODES, shape: str = "2,3,8,8", **weights: np.ndarray) -> bytes:
    """Return the network as ONNX with other nodes or weights."""
    held = ",\n   ".join(tensor(name, array) for name, array in {**WEIGHTS, **weights}.items() if name in nodes)
    head = '<\n   ir_version: 8,\n   opset_import: ["" : 13]\n>\n'
    return binary(f"{head}net (float[{shape}] x) => (float[2,5] y) <\n   {held}\n> {{\n{nodes}}}\n")


def folded() -> bytes:
    """Return the network as optimizers write it: the normalization is a part of the convolution."""
    factor = SCALE / np.sqrt(VARIANCE + np.float32(1e-5))
    nodes = "\n".join(line for line in NODES.splitlines() if "[norm]" not in line).replace("] c =", "] n =") + "\n"
    return onnx(nodes, w=CONV * factor[:, None, None, None], b=(BIAS - MEAN) * factor + SHIFT)


def side(data: bytes, name: str = "model.onnx") -> Side:
    from irlint import engine
    from irlint.inspection.types import mapping_of
    from irlint.settings import Settings

    model = engine.lint_bytes(data, name, Settings(), None, None).model
    assert model is not None
    mapping = mapping_of(model)
    assert mapping is not None
    return Side(model, mapping)
