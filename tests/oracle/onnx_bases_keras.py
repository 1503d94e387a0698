"""Keras's applications, its recurrent and attention layers, and functions of TensorFlow, exported by tf2onnx in ways that are drawn. In TensorFlow's Python, as onnx_bases_tensorflow."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
import tf2onnx
from tensorflow.keras import applications, layers

from oracle.onnx_bases import Builder, draws
from oracle.onnx_bases_tensorflow import NETWORKS

OPSETS = (9, 10, 11, 12, 13, 14, 15, 16, 17, 18)
APPLICATIONS: dict[str, dict[str, Any]] = {
    "MobileNet": {"alpha": 0.25}, "MobileNetV2": {"alpha": 0.35}, "MobileNetV3Small": {"alpha": 0.75, "minimalistic": True}, "NASNetMobile": {}, "EfficientNetB0": {}, "EfficientNetV2B0": {}, "DenseNet121": {},
}  # fmt: skip


def _attention(x: Any) -> Any:
    y = layers.LayerNormalization()(x)
    y = layers.MultiHeadAttention(2, 4)(y, y) + x
    return layers.Dense(3, activation="softmax")(layers.GlobalAveragePooling1D()(y))


def _unet(x: Any) -> Any:
    low = layers.Conv2D(4, 3, strides=2, padding="same", activation="swish")(x)
    mid = layers.Conv2D(8, 3, dilation_rate=2, padding="same")(low)
    up = layers.Conv2DTranspose(4, 2, strides=2)(layers.Concatenate()([mid, low]))
    return layers.Conv2D(2, 1, activation="sigmoid")(layers.Concatenate()([up, x]))


def _captions(x: Any) -> Any:
    y = layers.TimeDistributed(layers.Conv2D(3, 3, activation="relu"))(x)
    return layers.GRU(5, return_sequences=True)(layers.TimeDistributed(layers.Flatten())(y))


JOINED: dict[str, tuple[tuple[int, ...], Callable[[Any], Any]]] = {
    "attention": ((6, 8), _attention), "unet": ((16, 16, 3), _unet), "captions": ((4, 8, 8, 1), _captions), "conv-lstm": ((3, 8, 8, 1), lambda x: layers.ConvLSTM2D(2, 3)(x)),
    "residual": ((12, 4), lambda x: layers.Add()([layers.Conv1D(4, 3, padding="causal")(x), x])), "gates": ((8,), lambda x: layers.Multiply()([layers.Dense(8, "hard_sigmoid")(x), layers.LeakyReLU()(x)])),
}  # fmt: skip


@tf.function  # type: ignore[untyped-decorator]
def _numbers(x: Any) -> Any:
    y = tf.einsum("bij,bkj->bik", x, x)
    top = tf.math.top_k(y, 2)
    return {
        "top": top.values,
        "places": top.indices,
        "total": tf.math.cumsum(tf.nn.relu6(y), 1),
        "mean": tf.math.reduce_logsumexp(y, -1),
    }


@tf.function  # type: ignore[untyped-decorator]
def _picture(x: Any) -> Any:
    y = tf.image.resize(x, (12, 12), method="nearest")
    y = tf.pad(y, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    y = tf.nn.depth_to_space(tf.nn.space_to_depth(y, 2), 2)
    return tf.strided_slice(y, [0, 1, 1, 0], [1, 11, 11, 3], [1, 2, 2, 1]), tf.where(y > 0.5, y, tf.zeros_like(y))


@tf.function  # type: ignore[untyped-decorator]
def _loop(x: Any) -> Any:
    total = tf.zeros_like(x[:, 0])
    for k in tf.range(tf.shape(x)[1]):
        total = tf.cond(tf.reduce_sum(total) > 3.0, lambda: total, lambda: total + x[:, k])  # noqa: B023
    return total


FUNCTIONS: dict[str, tuple[Any, tuple[int, ...]]] = {
    "numbers": (_numbers, (2, 4, 5)), "picture": (_picture, (1, 8, 8, 3)), "loop": (_loop, (2, 4, 3)),
}  # fmt: skip


LITE = (
    "convolutions",
    "dense",
    "separable",
    "unet",
    "residual",
)  # for which TensorFlow Lite has all that its quantizer needs


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    for name, options in APPLICATIONS.items():
        yield name.lower(), lambda path, row=(name, options): _application(path, *row, draws(f"keras/{row[0]}"))
    for name, (shape, make) in JOINED.items():
        yield name, lambda path, row=(name, shape, make): _joined(path, *row[1:], draws(f"keras/{row[0]}"))
    for name, (shape, listed) in NETWORKS.items():
        yield name, lambda path, row=(name, shape, listed): _listed(path, *row)
    for name in LITE:
        yield f"lite-{name}", lambda path, name=name: _lite(path, name, draws(f"keras/lite-{name}"))
    for name, (function, shape) in FUNCTIONS.items():
        yield name, lambda path, row=(name, function, shape): _function(path, *row[1:], draws(f"keras/{row[0]}"))


def _application(path: Path, name: str, options: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    side = rng.choice((64, 96)) if name != "NASNetMobile" else 224
    model = getattr(applications, name)(input_shape=(side, side, 3), weights=None, classes=10, **options)
    return _exported(path, model, (side, side, 3), rng)


def _joined(path: Path, shape: tuple[int, ...], make: Callable[[Any], Any], rng: random.Random) -> dict[str, Any]:
    x = layers.Input(shape)
    return _exported(path, tf.keras.Model(x, make(x)), shape, rng)


def _lite(path: Path, name: str, rng: random.Random) -> dict[str, Any]:
    """TensorFlow Lite's network, in floats or with its weights, or all, in 8 bits."""
    if name in JOINED:
        shape, make = JOINED[name]
        x = layers.Input(shape)
        model = tf.keras.Model(x, make(x))
    else:
        shape, listed = NETWORKS[name]
        model = tf.keras.Sequential([layers.Input(shape), *listed()])
    numbers = np.random.default_rng(1).random((1, *shape), dtype=np.float32)
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    way = rng.choice(("floats", "weights", "all", "all"))
    if way != "floats":
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if way == "all":
        converter.representative_dataset = lambda: iter([[numbers]])
    file = path.with_suffix(".tflite")
    file.write_bytes(converter.convert())
    made, _ = tf2onnx.convert.from_tflite(str(file), opset=rng.choice(OPSETS[4:]))
    path.write_bytes(made.SerializeToString())
    return {made.graph.input[0].name: numbers}


def _listed(path: Path, name: str, shape: tuple[int, ...], make: Callable[[], list[Any]]) -> dict[str, Any]:
    dtype = "int32" if name == "words" else "float32"
    model = tf.keras.Sequential([layers.Input(shape, dtype=dtype), *make()])
    return _exported(path, model, shape, draws(f"keras/{name}"), dtype)


def _exported(
    path: Path, model: Any, shape: tuple[int, ...], rng: random.Random, dtype: str = "float32"
) -> dict[str, Any]:
    batch = rng.choice((None, None, 1, 2))
    spec = (tf.TensorSpec((batch, *shape), dtype, name="x"),)
    more = {"inputs_as_nchw": ["x"]} if len(shape) == 3 and rng.random() < 0.4 else {}
    made, _ = tf2onnx.convert.from_keras(model, input_signature=spec, opset=rng.choice(OPSETS), **more)
    path.write_bytes(made.SerializeToString())
    x = np.random.default_rng(1).uniform(0, 40 if dtype == "int32" else 1, (batch or 2, *shape)).astype(dtype)
    return {made.graph.input[0].name: np.moveaxis(x, -1, 1) if more else x}


def _function(path: Path, function: Any, shape: tuple[int, ...], rng: random.Random) -> dict[str, Any]:
    spec = (tf.TensorSpec((rng.choice((None, shape[0])), *shape[1:]), tf.float32, name="x"),)
    made, _ = tf2onnx.convert.from_function(function, input_signature=spec, opset=rng.choice(OPSETS[4:]))
    path.write_bytes(made.SerializeToString())
    return {made.graph.input[0].name: np.random.default_rng(1).random(shape, dtype=np.float32)}
