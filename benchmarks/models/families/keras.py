"""Keras applications through TensorFlow, and layers that they lack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import keras
import openvino as ov
import tensorflow as tf
from cases import Built, Case
from keras import layers

APPLICATIONS = {
    "MobileNet": 128, "MobileNetV2": 128, "MobileNetV3Small": 128, "EfficientNetB0": 128, "EfficientNetV2B0": 128,
    "NASNetMobile": 224, "DenseNet121": 128, "Xception": 128, "ConvNeXtTiny": 96, "ResNet50V2": 96,
}  # fmt: skip


def cases() -> Iterator[Case]:
    for name, size in APPLICATIONS.items():
        yield Case(name.lower(), lambda name=name, size=size: application(name, size))
    yield Case("mobilenetv2_open", lambda: application("MobileNetV2", 128, fixed=False))
    for kind in ("LSTM", "GRU", "Bidirectional"):
        yield Case(kind.lower(), lambda kind=kind: recurrent(kind))
    yield Case("attention", attention)
    yield Case("unet", unet)


def application(name: str, size: int, fixed: bool = True) -> Built:
    module = getattr(keras.applications, name)(weights=None, input_shape=(size, size, 3))
    return converted(module, (1, size, size, 3), fixed=fixed)


def converted(module: Any, *shapes: tuple[int, ...], fixed: bool = True) -> Built:
    """Convert through a saved model, as `keras.Model.export` does it."""
    specs = [tf.TensorSpec((shape if fixed else (None, *shape[1:])), tf.float32) for shape in shapes]

    @tf.function(input_signature=specs)
    def call(*values: Any) -> Any:
        return module(list(values) if len(values) > 1 else values[0], training=False)

    holder = tf.Module()
    holder.module, holder.call = module, call
    concrete = call.get_concrete_function()
    return Built(ov.convert_model(concrete), list(shapes))


def recurrent(kind: str) -> Built:
    """Unrolled: the converter does not know the lists of tensors that a loop of Keras keeps."""
    data = keras.Input((20, 12))
    if kind == "Bidirectional":
        inner = layers.Bidirectional(layers.LSTM(24, return_sequences=True, unroll=True))(data)
    else:
        inner = getattr(keras.layers, kind)(24, return_sequences=True, unroll=True)(data)
    return converted(keras.Model(data, layers.Dense(5, activation="softmax")(inner)), (2, 20, 12))


def attention() -> Built:
    data = keras.Input((20,), dtype="float32")
    inner = layers.Embedding(100, 32)(data)
    inner = layers.LayerNormalization()(inner + layers.MultiHeadAttention(4, 8)(inner, inner))
    return converted(keras.Model(data, layers.GlobalAveragePooling1D()(inner)), (2, 20))


def unet() -> Built:
    data = keras.Input((64, 64, 3))
    first = layers.SeparableConv2D(16, 3, padding="same", activation="relu")(data)
    inner = layers.Conv2D(32, 3, padding="same", activation="gelu")(layers.MaxPooling2D()(first))
    inner = layers.GroupNormalization(8)(layers.Conv2DTranspose(16, 3, 2, padding="same")(inner))
    inner = layers.Concatenate()(
        [layers.UpSampling2D(2, interpolation="bilinear")(layers.AveragePooling2D(2)(first)), inner]
    )
    return converted(keras.Model(data, layers.Conv2D(2, 1, activation="sigmoid")(inner)), (1, 64, 64, 3))
