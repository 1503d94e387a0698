"""Small models of every kind of layer, and keras.applications, as Keras 3 or tf-keras writes them.

Usage: PYTHON -m oracle.keras.networks FOLDER [applications]. In tests/, by the Python of .oracle/keras or .oracle/keras-2.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("KERAS_BACKEND", "jax")

try:
    import tf_keras as keras
except ImportError:
    import keras

L = keras.layers
IS_2 = keras.__version__.startswith("2.")


def _functional(shape: tuple[Any, ...], make: Callable[[Any], Any], **how: Any) -> Any:
    x = L.Input(shape, **how)
    return keras.Model(x, make(x))


def _dense() -> Any:
    return keras.Sequential(
        [L.Input((8,)), L.Dense(16, activation="relu"), L.Dropout(0.5), L.Dense(3, activation="softmax")]
    )


def _unbuilt() -> Any:
    return keras.Sequential([L.Dense(4), L.Dense(2)])


def _image() -> Any:
    return keras.Sequential([
        L.Input((28, 28, 1)), L.Conv2D(8, 3, activation="relu", padding="same"), L.BatchNormalization(), L.MaxPooling2D(),
        L.SeparableConv2D(8, 3, strides=2), L.ReLU(max_value=6.0), L.DepthwiseConv2D(3, depth_multiplier=2), L.GlobalAveragePooling2D(), L.Dense(10),
    ])  # fmt: skip


def _residual() -> Any:
    def make(x: Any) -> Any:
        y = L.Conv2D(8, 3, padding="same", name="c1")(x)
        z = L.Activation("relu", name="r1")(L.BatchNormalization(name="b1")(y))
        z = L.Conv2D(8, (3, 1), padding="same", use_bias=False, kernel_regularizer="l2")(z)
        return L.Dense(2)(L.Flatten()(L.Add(name="sum")([y, z])))

    return _functional((16, 16, 3), make)


def _shared() -> Any:
    a, b = L.Input((8,), name="a"), L.Input((8,), name="b")
    tower = L.Dense(4, name="tower")
    joined = L.Concatenate()([tower(a), tower(b)])
    return keras.Model([a, b], [L.Dense(1, name="score")(joined), L.Subtract()([tower(a), tower(b)])])


def _nested() -> Any:
    inner = _functional((8,), lambda x: L.Dense(4, name="inner_dense")(x))
    stack = keras.Sequential([L.Input((4,)), L.Dense(3), L.ReLU()], name="stack")
    x, y = L.Input((8,)), L.Input((8,))
    return keras.Model([x, y], L.Average()([stack(inner(x)), stack(inner(y))]))


def _two_outputs() -> Any:
    x = L.Input((6, 4))
    y, h, _ = L.LSTM(5, return_sequences=True, return_state=True)(x)
    inner = keras.Model(x, [y, h])
    q = L.Input((6, 4))
    first, second = inner(q)
    return keras.Model(q, [L.Dense(2)(first), L.Dense(2)(second)])


def _recurrent() -> Any:
    return keras.Sequential([
        L.Input((None,), dtype="int32"), L.Embedding(50, 8), L.Bidirectional(L.LSTM(6, return_sequences=True)), L.GRU(5, return_sequences=True),
        L.SimpleRNN(4), L.Dense(1, activation="sigmoid"),
    ])  # fmt: skip


def _stacked_cells() -> Any:
    return keras.Sequential(
        [L.Input((7, 3)), L.RNN(L.LSTMCell(4), return_sequences=True), L.RNN([L.GRUCell(3), L.SimpleRNNCell(2)])]
    )


def _states() -> Any:
    x = L.Input((5, 3))
    _, h, c = L.LSTM(4, return_state=True)(x)
    return keras.Model(x, L.LSTM(4)(x, initial_state=[h, c]))


def _attention() -> Any:
    def make(x: Any) -> Any:
        y = L.MultiHeadAttention(2, 4, name="mha")(x, x)
        y = L.LayerNormalization(epsilon=1e-6)(L.Add()([x, y]))
        z = L.Attention()([y, y])
        return L.GlobalAveragePooling1D()(L.AdditiveAttention()([z, y]))

    return _functional((5, 8), make)


def _volumes() -> Any:
    return keras.Sequential(
        [
            L.Input((8, 8, 8, 2)),
            L.Conv3D(4, 3),
            L.MaxPooling3D(2),
            L.Conv3DTranspose(2, 2),
            L.AveragePooling3D(1),
            L.GlobalMaxPooling3D(),
        ]
    )


def _signals() -> Any:
    return keras.Sequential([
        L.Input((32, 4)), L.Conv1D(8, 3, padding="causal", dilation_rate=2), L.MaxPooling1D(2), L.SeparableConv1D(4, 3), L.ZeroPadding1D(1), L.Cropping1D((1, 0)),
        L.Conv1DTranspose(4, 3, strides=2), L.UpSampling1D(2), L.AveragePooling1D(3, padding="same"), L.GlobalMaxPooling1D(),
    ])  # fmt: skip


def _shapes() -> Any:
    return keras.Sequential([
        L.Input((4, 6)), L.Permute((2, 1)), L.Reshape((3, -1)), L.Flatten(), L.RepeatVector(3), L.TimeDistributed(L.Dense(4)), L.Masking(0.0),
        L.SpatialDropout1D(0.2), L.LSTM(2),
    ])  # fmt: skip


def _decoder() -> Any:
    return keras.Sequential([
        L.Input((7, 7, 8)), L.Conv2DTranspose(4, 3, strides=2, padding="same"), L.UpSampling2D((2, 2), interpolation="bilinear"), L.ZeroPadding2D(((1, 0), (0, 1))),
        L.Cropping2D(1), L.LeakyReLU(), L.PReLU(shared_axes=[1, 2]), L.ELU(), L.Softmax(axis=-1),
    ])  # fmt: skip


def _merges() -> Any:
    x = L.Input((6,))
    parts = [
        L.Dense(4, activation=name)(x)
        for name in ("tanh", "sigmoid", "elu", "selu", "softplus", "gelu", "swish", "linear")
    ]
    a = L.Multiply()(parts[:2])
    b = L.Maximum()([parts[2], parts[3], a])
    c = L.Minimum()([parts[4], b])
    d = L.Dot(axes=1)([c, parts[5]])
    return keras.Model(x, L.Concatenate(axis=-1)([d, parts[6], parts[7]]))


def _noise() -> Any:
    return keras.Sequential([
        L.Input((8, 8, 3)), L.Rescaling(1 / 255.0), L.RandomFlip("horizontal"), L.RandomRotation(0.1), L.GaussianNoise(0.1), L.SpatialDropout2D(0.1),
        L.Resizing(4, 4), L.Flatten(), L.GaussianDropout(0.2), L.ActivityRegularization(l2=0.1), L.UnitNormalization(),
    ])  # fmt: skip


def _normalized() -> Any:
    return keras.Sequential(
        [
            L.Input((8, 8, 6)),
            L.GroupNormalization(groups=3),
            L.LayerNormalization(axis=[1, 2]),
            L.BatchNormalization(scale=False),
            L.GlobalMaxPooling2D(keepdims=True),
        ]
    )


def _first() -> Any:
    return keras.Sequential(
        [
            L.Input((3, 12, 12)),
            L.Permute((2, 3, 1)),
            L.AveragePooling2D(pool_size=(2, 3), strides=2),
            L.DepthwiseConv2D(3, padding="same"),
            L.Flatten(),
        ]
    )


def _fixed_batch() -> Any:
    x = L.Input(batch_shape=(2, 5, 3)) if not IS_2 else L.Input(batch_size=2, shape=(5, 3))
    return keras.Model(x, L.GRU(4, stateful=True)(x))


def _mixed() -> Any:
    return keras.Sequential(
        [
            L.Input((4,)),
            L.Dense(4, dtype="mixed_float16"),
            L.Dense(
                2, dtype="float32", kernel_initializer="he_normal", bias_initializer=keras.initializers.Constant(0.5)
            ),
        ]
    )


def _regularized() -> Any:
    return keras.Sequential([
        L.Input((4,)), L.Dense(4, kernel_regularizer=keras.regularizers.L1L2(0.1, 0.2), activity_regularizer="l1"),
        L.Dense(4, kernel_constraint=keras.constraints.MaxNorm(2.0), bias_constraint="non_neg"), L.Dense(1, trainable=False),
    ])  # fmt: skip


def _dictionary() -> Any:
    a, b = L.Input((4,), name="a"), L.Input((4,), name="b")
    return keras.Model({"a": a, "b": b}, {"sum": L.Add()([a, b]), "first": L.Dense(2)(a)})


def _operations() -> Any:
    x = L.Input((6, 4))
    if IS_2:
        return keras.Model(x, L.Dense(2)(x * 2.0 + 1.0))
    ops = keras.ops
    y = ops.reshape(ops.transpose(x, (0, 2, 1)) * 2.0 + 1.0, (-1, 24))
    z = ops.concatenate([y, ops.relu(y)], axis=-1)
    return keras.Model(x, [ops.mean(z, axis=1), ops.expand_dims(ops.softmax(z), 1), z[:, 2:5]])


def _lambda() -> Any:
    return _functional((4,), lambda x: L.Dense(2)(L.Lambda(_double, output_shape=(4,))(x)))


@keras.saving.register_keras_serializable(package="probe")
def _double(x: Any) -> Any:
    return x * 2


def _unet() -> Any:
    def make(x: Any) -> Any:
        a = L.Conv2D(4, 3, padding="same", activation="relu")(x)
        b = L.Conv2D(8, 3, padding="same", activation="relu")(L.MaxPooling2D()(a))
        up = L.Concatenate()([L.UpSampling2D()(b), a])
        return L.Conv2D(1, 1, activation="sigmoid")(up)

    return _functional((16, 16, 1), make)


def _grouped() -> Any:
    return keras.Sequential(
        [
            L.Input((12, 12, 8)),
            L.Conv2D(16, 3, groups=4, dilation_rate=2),
            L.Conv2D(4, 5, strides=(2, 1), padding="valid"),
            L.GlobalAveragePooling2D(),
        ]
    )


def _convolved_states() -> Any:
    return keras.Sequential(
        [
            L.Input((4, 8, 8, 2)),
            L.ConvLSTM2D(3, 3, padding="same", return_sequences=True),
            L.TimeDistributed(L.MaxPooling2D()),
            L.Flatten(),
        ]
    )


def _einsum() -> Any:
    return _functional((5, 8), lambda x: L.EinsumDense("abc,cd->abd", output_shape=(None, 6), bias_axes="d")(x))


def _scanned() -> Any:
    def make(x: Any) -> Any:
        for _ in range(12):
            x = L.Dense(8, activation="relu")(x)
        return x

    return _functional((8,), make)


NETWORKS: dict[str, Callable[[], Any]] = {
    "dense": _dense, "unbuilt": _unbuilt, "image": _image, "residual": _residual, "shared": _shared, "nested": _nested, "two-outputs": _two_outputs,
    "recurrent": _recurrent, "cells": _stacked_cells, "states": _states, "attention": _attention, "volumes": _volumes, "signals": _signals,
    "shapes": _shapes, "decoder": _decoder, "merges": _merges, "noise": _noise, "normalized": _normalized, "first": _first, "fixed-batch": _fixed_batch,
    "mixed": _mixed, "regularized": _regularized, "dictionary": _dictionary, "operations": _operations, "lambda": _lambda, "unet": _unet,
    "grouped": _grouped, "conv-lstm": _convolved_states, "einsum": _einsum, "deep": _scanned,
}  # fmt: skip


def _applications() -> dict[str, Callable[[], Any]]:
    found = {}
    for name in dir(keras.applications):
        if name[0].isupper():
            make = getattr(keras.applications, name)
            found[name.lower()] = lambda make=make: make(weights=None)
    return found


def _outputs(model: Any) -> dict[str, Any]:
    """Return the shape of each layer's first output, where Keras knows it."""
    found = {}
    for layer in model.layers:
        try:
            output = layer.output
        except (AttributeError, RuntimeError, ValueError):
            continue
        listed = output if isinstance(output, list | tuple) else [output]
        found[layer.name] = [list(one.shape) for one in listed if hasattr(one, "shape")]
    return found


def main(folder: str, kind: str = "") -> None:
    where = Path(folder)
    where.mkdir(parents=True, exist_ok=True)
    for name, make in (_applications() if kind else NETWORKS).items():
        keras.backend.clear_session()
        try:
            model = make()
        except Exception as error:  # what this version of Keras cannot build
            print(name, type(error).__name__, str(error).split("\n")[0][:120], flush=True)
            continue
        (where / f"{name}.json").write_text(model.to_json())
        (where / f"{name}.shapes").write_text(json.dumps(_outputs(model)))
        if not kind:
            model.save(where / f"{name}.keras")
        print(name, len(model.layers), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
