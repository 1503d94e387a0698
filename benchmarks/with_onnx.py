"""Builds an encoder as exporters write it, ONNX alone: LAYERS PATH. Shapes are computed by the network, as for a free batch and length."""

from __future__ import annotations

import sys

import numpy as np
import onnx
from with_openvino import Net

WIDTH, HEADS, INNER = 64, 4, 256


class Encoder(Net):
    def whole(self, *numbers: int) -> str:
        return self.constant(numbers if len(numbers) > 1 else numbers[0], np.int64)

    def size(self, data: str, axis: int) -> str:
        return self.op(
            "Unsqueeze", self.op("Gather", self.op("Shape", data), self.whole(axis)), self.constant([0], np.int64)
        )

    def dense(self, data: str, taken: int, given: int) -> str:
        weight = self.constant(self.random.standard_normal((taken, given)) * taken**-0.5)
        return self.op("Add", self.op("MatMul", data, weight), self.constant(np.zeros(given)))

    def norm(self, data: str) -> str:
        return self.op("LayerNormalization", data, self.constant(np.ones(WIDTH)), self.constant(np.zeros(WIDTH)))

    def heads(self, data: str, perm: list[int]) -> str:
        shape = self.op("Concat", self.size(data, 0), self.size(data, 1), self.whole(HEADS, WIDTH // HEADS), axis=0)
        return self.op("Transpose", self.op("Reshape", data, shape), perm=perm)

    def layer(self, data: str) -> str:
        at = self.norm(data)
        query, value = (self.heads(self.dense(at, WIDTH, WIDTH), [0, 2, 1, 3]) for _ in range(2))
        key = self.heads(self.dense(at, WIDTH, WIDTH), [0, 2, 3, 1])
        score = self.op("Softmax", self.op("Div", self.op("MatMul", query, key), self.constant(4.0)), axis=-1)
        mixed = self.op("Transpose", self.op("MatMul", score, value), perm=[0, 2, 1, 3])
        shape = self.op("Concat", self.size(mixed, 0), self.size(mixed, 1), self.constant([WIDTH], np.int64), axis=0)
        data = self.op("Add", data, self.dense(self.op("Reshape", mixed, shape), WIDTH, WIDTH))
        inner = self.dense(self.norm(data), WIDTH, INNER)
        half = self.op(
            "Mul",
            inner,
            self.op("Add", self.op("Erf", self.op("Div", inner, self.constant(2**0.5))), self.constant(1.0)),
        )
        return self.op("Add", data, self.dense(self.op("Mul", half, self.constant(0.5)), INNER, WIDTH))


def main(layers: int, path: str) -> None:
    net, data = Encoder(), "tokens"
    for _ in range(layers):
        data = net.layer(data)
    onnx.save(net.model(data, ["batch", "length", WIDTH], ["batch", "length", WIDTH], "tokens"), path)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
