"""Networks of Keras, exported by tf2onnx. Needs TensorFlow, and so usually a Python of its own: python -m oracle.onnx_bases tensorflow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
import tf2onnx
from tensorflow.keras import layers

from oracle.onnx_bases import Builder


def _dense() -> Any:
    return [layers.Dense(8, "relu"), layers.Dropout(0.1), layers.Dense(3, "softmax")]


NETWORKS: dict[str, tuple[tuple[int, ...], Callable[[], list[Any]]]] = {
    "dense": ((6,), _dense), "lstm": ((7, 4), lambda: [layers.LSTM(5, return_sequences=True), layers.LSTM(4), *_dense()]), "gru": ((7, 4), lambda: [layers.Bidirectional(layers.GRU(5)), *_dense()]),
    "convolutions": ((16, 16, 3), lambda: [layers.Conv2D(4, 3, padding="same"), layers.BatchNormalization(), layers.ReLU(6.0), layers.MaxPooling2D(), layers.DepthwiseConv2D(3), layers.Flatten(), *_dense()]),
    "separable": ((16, 16, 3), lambda: [layers.SeparableConv2D(4, 3, strides=2), layers.PReLU(), layers.GlobalAveragePooling2D(), *_dense()]),
    "upsampling": ((8, 8, 2), lambda: [layers.Conv2DTranspose(3, 3, strides=2, padding="same"), layers.UpSampling2D(interpolation="bilinear"), layers.ZeroPadding2D(1), layers.Cropping2D(2)]),
    "words": ((10,), lambda: [layers.Embedding(40, 6), layers.Conv1D(4, 3, activation="tanh"), layers.GlobalMaxPooling1D(), *_dense()]),
    "norm": ((6, 8), lambda: [layers.LayerNormalization(), layers.Reshape((8, 6)), layers.Permute((2, 1)), layers.AveragePooling1D(2), layers.Dense(3, "gelu")]),
    "volume": ((6, 6, 6, 1), lambda: [layers.Conv3D(2, 3), layers.MaxPooling3D(2), layers.Flatten(), *_dense()]),
}  # fmt: skip


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    for place, (name, (shape, make)) in enumerate(NETWORKS.items()):
        for opset in ((9, 11, 13, 15, 17, 18)[place % 6], 13):
            yield f"{name}-{opset}", lambda path, row=(shape, make, opset, name == "words"): _exported(path, *row)


def _exported(
    path: Path, shape: tuple[int, ...], make: Callable[[], list[Any]], opset: int, is_words: bool
) -> dict[str, Any]:
    tf.random.set_seed(1)
    model = tf.keras.Sequential([layers.Input(shape, dtype="int32" if is_words else "float32"), *make()])
    spec = (tf.TensorSpec((None, *shape), tf.int32 if is_words else tf.float32, name="x"),)
    made, _ = tf2onnx.convert.from_keras(model, input_signature=spec, opset=opset)
    path.write_bytes(made.SerializeToString())
    x = np.random.default_rng(1).uniform(0, 40 if is_words else 1, (2, *shape))
    return {made.graph.input[0].name: x.astype(np.int32 if is_words else np.float32)}
