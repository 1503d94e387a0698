"""Defects of tensors: dims, data, types, numbers, external data. One for each function."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

from oracle.onnx_sites import Made, Place, Side, Way, graphs, readers, sites, some

Model = onnx.ModelProto
LINES = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"


def _tensors(model: Model, fits: Callable[[TensorProto], bool] = lambda tensor: True) -> list[tuple[TensorProto, str]]:
    return [
        (tensor, path)
        for path, graph in graphs(model)
        for tensor in graph.initializer
        if not tensor.external_data and fits(tensor)
    ]


def _where(model: Model, tensor: TensorProto, path: str) -> tuple[Place, ...]:
    return (Place("initializer", (tensor.name,), path), *readers(model, tensor.name))


def _picked(
    model: Model, rng: random.Random, fits: Callable[[TensorProto], bool]
) -> tuple[TensorProto, tuple[Place, ...]] | None:
    found = some(rng, _tensors(model, fits))
    return (found[0], _where(model, *found)) if found else None


def _is_float(tensor: TensorProto) -> bool:
    return tensor.data_type in (TensorProto.FLOAT, TensorProto.FLOAT16) and bool(tensor.raw_data)


def _replaced(tensor: TensorProto, array: Any) -> None:
    name = tensor.name
    tensor.CopyFrom(numpy_helper.from_array(np.asarray(array, order="C"), name))


def dims_changed(model: Model, rng: random.Random) -> Made | None:
    if not (found := _picked(model, rng, lambda tensor: len(tensor.dims) > 0)):
        return None
    tensor, places = found
    k = rng.randrange(len(tensor.dims))
    old = tensor.dims[k]
    tensor.dims[k] = rng.choice([value for value in (old + 1, old - 1, old * 2, 0, 1, -1) if value != old])
    return Made(f"dim {k} of {tensor.name!r} {old} -> {tensor.dims[k]}, not its data", places)


def data_shorter(model: Model, rng: random.Random) -> Made | None:
    if not (found := _picked(model, rng, lambda tensor: len(tensor.raw_data) > 0)):
        return None
    tensor, places = found
    gone = rng.choice((1, 4, len(tensor.raw_data) // 2, len(tensor.raw_data)))
    tensor.raw_data = tensor.raw_data[: max(0, len(tensor.raw_data) - gone)]
    return Made(f"{gone} bytes of {tensor.name!r} gone", places)


def data_longer(model: Model, rng: random.Random) -> Made | None:
    if not (found := _picked(model, rng, lambda tensor: len(tensor.raw_data) > 0)):
        return None
    tensor, places = found
    tensor.raw_data = tensor.raw_data + bytes(rng.choice((1, 4, 8, len(tensor.raw_data))))
    return Made(f"bytes more of {tensor.name!r}", places)


def data_gone(model: Model, rng: random.Random) -> Made | None:
    if not (found := _picked(model, rng, lambda tensor: bool(tensor.raw_data))):
        return None
    tensor, places = found
    tensor.ClearField("raw_data")
    return Made(f"no data of {tensor.name!r}", places)


def data_twice(model: Model, rng: random.Random) -> Made | None:
    if not (found := _picked(model, rng, _is_float)):
        return None
    tensor, places = found
    tensor.float_data.extend([1.0, 2.0])
    return Made(f"{tensor.name!r} has raw and float data", places)


def data_in_another_field(model: Model, rng: random.Random) -> Made | None:
    if not (
        found := _picked(model, rng, lambda tensor: tensor.data_type == TensorProto.FLOAT and bool(tensor.raw_data))
    ):
        return None
    tensor, places = found
    tensor.int64_data.extend(int(value) for value in numpy_helper.to_array(tensor).reshape(-1))
    tensor.ClearField("raw_data")
    return Made(f"data of {tensor.name!r} as int64_data", places)


def data_type(model: Model, rng: random.Random) -> Made | None:
    if not (found := _picked(model, rng, lambda tensor: True)):
        return None
    tensor, places = found
    old, tensor.data_type = (
        tensor.data_type,
        rng.choice([number for number in (1, 6, 7, 10, 11, 2, 9, 0, 8, 99) if number != tensor.data_type]),
    )
    return Made(f"data type of {tensor.name!r} {old} -> {tensor.data_type}, not its data", places)


def converted(model: Model, rng: random.Random) -> Made | None:
    """A tensor of another type, data and all: float16 where float32 is computed, int32 where indices are int64."""
    if not (found := _picked(model, rng, lambda tensor: tensor.data_type in (1, 6, 7, 10))):
        return None
    tensor, places = found
    array = numpy_helper.to_array(tensor)
    others = {
        1: (np.float16, np.float64, np.int64),
        6: (np.int64, np.float32),
        7: (np.int32, np.float32),
        10: (np.float32,),
    }
    to = rng.choice(others[tensor.data_type])
    with np.errstate(all="ignore"):
        _replaced(tensor, array.astype(to))
    return Made(f"{tensor.name!r} converted to {to.__name__}", places)


def transposed(model: Model, rng: random.Random) -> Made | None:
    if not (
        found := _picked(
            model, rng, lambda tensor: _is_float(tensor) and len(tensor.dims) > 1 and len(set(tensor.dims)) > 1
        )
    ):
        return None
    tensor, places = found
    array = numpy_helper.to_array(tensor)
    axes = list(range(array.ndim))
    a = rng.choice([k for k in axes[1:] if array.shape[k] != array.shape[0]] or axes[1:])
    _replaced(tensor, array.swapaxes(0, a))
    return Made(f"{tensor.name!r} {array.shape} -> {array.swapaxes(0, a).shape}", places)


def channels(model: Model, rng: random.Random) -> Made | None:
    """One more or one less along an axis, data and all."""
    if not (
        found := _picked(model, rng, lambda tensor: _is_float(tensor) and len(tensor.dims) > 0 and max(tensor.dims) > 1)
    ):
        return None
    tensor, places = found
    array = numpy_helper.to_array(tensor)
    axis = rng.choice([k for k, size in enumerate(array.shape) if size > 1])
    made = (
        array.take(range(array.shape[axis] - 1), axis)
        if rng.random() < 0.5
        else np.concatenate((array, array.take([0], axis)), axis)
    )
    _replaced(tensor, made)
    return Made(f"{tensor.name!r} {array.shape} -> {made.shape}", places)


def rank(model: Model, rng: random.Random) -> Made | None:
    if not (found := _picked(model, rng, lambda tensor: bool(tensor.raw_data))):
        return None
    tensor, places = found
    if rng.random() < 0.5 or len(tensor.dims) < 2:
        tensor.dims.insert(0, 1)
        return Made(f"{tensor.name!r} has a leading 1", places)
    sizes = list(tensor.dims)
    del tensor.dims[:]
    tensor.dims.extend([sizes[0] * sizes[1], *sizes[2:]])
    return Made(f"first two dims of {tensor.name!r} joined", places)


def initializer_gone(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, _tensors(model))):
        return None
    tensor, path = found
    name, places = tensor.name, readers(model, tensor.name)
    owner = next(
        graph
        for where, graph in graphs(model)
        if where == path and any(row is tensor or row.name == name for row in graph.initializer)
    )
    owner.initializer.remove(tensor)
    return Made(f"initializer {name!r} gone", tuple(places))


def integers(model: Model, rng: random.Random) -> Made | None:
    """A number of a small tensor of integers: a Reshape's target, axes, pads, indices."""
    if not (
        found := _picked(
            model, rng, lambda tensor: tensor.data_type == TensorProto.INT64 and 0 < int(np.prod(tensor.dims)) <= 16
        )
    ):
        return None
    tensor, places = found
    array = numpy_helper.to_array(tensor).copy().reshape(-1)
    k = rng.randrange(array.size)
    old = int(array[k])
    others = (old + 1, old - 1, -1, 0, 7, 1000, -50)
    array[k] = rng.choice([value for value in others if value != old and abs(value) < 2**63])
    made = f"item {k} of {tensor.name!r} {old} -> {array[k]}"
    _replaced(tensor, array.reshape(tuple(tensor.dims)))
    return Made(made, places)


def reshape_target(model: Model, rng: random.Random) -> Made | None:
    targets = {
        site.node.input[1]
        for site in sites(model)
        if site.node.op_type in ("Reshape", "Expand", "Tile") and len(site.node.input) > 1
    }
    if not (
        found := _picked(
            model, rng, lambda tensor: tensor.name in targets and len(tensor.dims) == 1 and tensor.dims[0] > 0
        )
    ):
        return None
    tensor, places = found
    array = numpy_helper.to_array(tensor).copy()
    old = array.tolist()
    k = rng.randrange(array.size)
    array[k] = rng.choice([value for value in (3, 5, -1, old[k] + 1, old[k] * 2 or 2) if value != old[k]])
    if rng.random() < 0.2:
        array = np.append(array, rng.choice((2, -1)))
    _replaced(tensor, array)
    return Made(f"{tensor.name!r} {old} -> {array.tolist()}", places)


def _number(value: float) -> Way:
    def way(model: Model, rng: random.Random) -> Made | None:
        if not (found := _picked(model, rng, lambda tensor: _is_float(tensor) and int(np.prod(tensor.dims)) > 0)):
            return None
        tensor, places = found
        array = numpy_helper.to_array(tensor).copy()
        array.reshape(-1)[rng.randrange(array.size)] = value
        _replaced(tensor, array)
        return Made(f"{value} in {tensor.name!r}", places)

    way.__name__ = f"number_{value}"
    return way


def variance_negative(model: Model, rng: random.Random) -> Made | None:
    names = {
        site.node.input[4]
        for site in sites(model)
        if site.node.op_type == "BatchNormalization" and len(site.node.input) > 4
    }
    if not (found := _picked(model, rng, lambda tensor: tensor.name in names)):
        return None
    tensor, places = found
    _replaced(tensor, -np.abs(numpy_helper.to_array(tensor)) - 1)
    return Made(f"variance {tensor.name!r} negative", places)


def _quantised(model: Model, place: int) -> set[str]:
    ops = ("QuantizeLinear", "DequantizeLinear")
    return {
        site.node.input[place] for site in sites(model) if site.node.op_type in ops and len(site.node.input) > place
    }


def scale_off(model: Model, rng: random.Random) -> Made | None:
    if not (found := _picked(model, rng, lambda tensor: tensor.name in _quantised(model, 1))):
        return None
    tensor, places = found
    array = numpy_helper.to_array(tensor)
    value = rng.choice((0.0, -0.5, float("nan"), float("inf")))
    _replaced(tensor, np.full_like(array, value))
    return Made(f"scale {tensor.name!r} is {value}", places)


def scale_shape(model: Model, rng: random.Random) -> Made | None:
    if not (found := _picked(model, rng, lambda tensor: tensor.name in _quantised(model, 1))):
        return None
    tensor, places = found
    array = numpy_helper.to_array(tensor)
    _replaced(tensor, np.resize(array, (array.size + 2,)))
    return Made(f"scale {tensor.name!r} of {array.size + 2} numbers", places)


def zero_point_type(model: Model, rng: random.Random) -> Made | None:
    if not (found := _picked(model, rng, lambda tensor: tensor.name in _quantised(model, 2))):
        return None
    tensor, places = found
    array = numpy_helper.to_array(tensor)
    to = rng.choice([kind for kind in (np.uint8, np.int8, np.int32, np.float32, np.int64) if kind != array.dtype])
    _replaced(tensor, array.astype(np.int64).astype(to))
    return Made(f"zero point {tensor.name!r} as {to.__name__}", places)


def zero_point_shape(model: Model, rng: random.Random) -> Made | None:
    if not (found := _picked(model, rng, lambda tensor: tensor.name in _quantised(model, 2))):
        return None
    tensor, places = found
    _replaced(tensor, np.resize(numpy_helper.to_array(tensor), (3,)))
    return Made(f"zero point {tensor.name!r} of 3 numbers", places)


WAYS: tuple[Way, ...] = (
    dims_changed, data_shorter, data_longer, data_gone, data_twice, data_in_another_field, data_type, converted, transposed, channels, rank, initializer_gone, integers, reshape_target,
    _number(float("nan")), _number(float("inf")), _number(1e30), variance_negative, scale_off, scale_shape, zero_point_type, zero_point_shape,
)  # fmt: skip


# External data: of a model with tensors in files, or of one whose tensors are put into a file first


ExternalWay = Callable[[TensorProto, bytes, random.Random], "tuple[str, dict[str, str], bytes | None]"]


def outside(model: Model, change: ExternalWay, rng: random.Random) -> tuple[Made, Side] | None:
    """Put a tensor into a file next to the model, and do something to it."""
    if not (found := _picked(model, rng, lambda tensor: len(tensor.raw_data) >= 16)):
        return None
    tensor, places = found
    what, keys, data = change(tensor, tensor.raw_data, rng)
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": "model.data", **keys}.items():
        if value != "gone":
            tensor.external_data.add(key=key, value=value)
    return Made(f"external {tensor.name!r}: {what}", places), Side("model.data", data)


def sound(tensor: TensorProto, data: bytes, rng: random.Random) -> tuple[str, dict[str, str], bytes | None]:
    return "as it should be", {"offset": "0", "length": str(len(data))}, data


def missing(tensor: TensorProto, data: bytes, rng: random.Random) -> tuple[str, dict[str, str], bytes | None]:
    return "no file", {}, None


def short(tensor: TensorProto, data: bytes, rng: random.Random) -> tuple[str, dict[str, str], bytes | None]:
    return "file too short", {"length": str(len(data))}, data[: len(data) // 2]


def no_length(tensor: TensorProto, data: bytes, rng: random.Random) -> tuple[str, dict[str, str], bytes | None]:
    return "file too short, no length", {}, data[: len(data) // 2]


def escaping(tensor: TensorProto, data: bytes, rng: random.Random) -> tuple[str, dict[str, str], bytes | None]:
    return (
        "outside the folder",
        {"location": rng.choice(("../model.data", "a/../../model.data", "/etc/hostname"))},
        data,
    )


def pointer(tensor: TensorProto, data: bytes, rng: random.Random) -> tuple[str, dict[str, str], bytes | None]:
    return "a Git LFS pointer", {}, LINES


def offset_off(tensor: TensorProto, data: bytes, rng: random.Random) -> tuple[str, dict[str, str], bytes | None]:
    value = rng.choice((str(len(data)), "4096", "-4", "x", str(2**63), "1.5"))
    return f"offset {value}", {"offset": value, "length": str(len(data))}, data


def length_off(tensor: TensorProto, data: bytes, rng: random.Random) -> tuple[str, dict[str, str], bytes | None]:
    value = rng.choice((str(len(data) - 4), str(len(data) + 4), "0", "-1", "many"))
    return f"length {value}", {"offset": "0", "length": value}, data + bytes(8)


def no_location(tensor: TensorProto, data: bytes, rng: random.Random) -> tuple[str, dict[str, str], bytes | None]:
    return "no location", {"location": "gone", "offset": "0"}, data


def empty_location(tensor: TensorProto, data: bytes, rng: random.Random) -> tuple[str, dict[str, str], bytes | None]:
    return "an empty location", {"location": ""}, data


EXTERNAL: tuple[ExternalWay, ...] = (
    sound,
    missing,
    short,
    no_length,
    escaping,
    pointer,
    offset_off,
    length_off,
    no_location,
    empty_location,
)
