"""Random ncnn layers for sampling.py: those of ncnn_layers.py and ncnn_joins.py on inputs of odd shapes and numbers."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from oracle.draw import Draw
from oracle.ncnn_joins import JOINS, Join
from oracle.ncnn_layers import ONE, QUANTIZED, Maker
from oracle.ncnn_networks import Growing
from oracle.ncnn_worker import Ncnn
from oracle.sampling import Answer, Sample

UNDECIDED = ("timeout",)
SIZES = (1, 1, 2, 3, 4, 5, 7, 8, 16)
PARAM = ".param"


def sample(draw: Draw, grow: Callable[[Growing, str, list[int]], bool], *ranks: int) -> Sample | None:
    """A net of an input and a layer, with what else the layer needs; None if the layer cannot have the shape."""
    net = Growing(draw.random, Path(os.devnull))
    blob = net.input(draw.shape(*ranks, empty=0, sizes=SIZES))
    shape = net.open[blob]
    try:
        if not grow(net, blob, shape):
            return None
    except (ValueError, IndexError):  # a maker that has nothing to choose from
        return None
    last = net.layers[-1]
    inputs = [layer.outputs[0] for layer in net.layers if layer.type == "Input"]
    feeds = {name: _feed(draw, net, k, name, shape) for k, name in enumerate(inputs)}
    label = f"{last.type} {[list(a.shape) for a in feeds.values()]}{last.parameters}"
    return Sample(last.type, label, {PARAM: net.text().encode()}, feeds)


def _feed(draw: Draw, net: Growing, number: int, name: str, shape: list[int]) -> Any:
    if number in net.integers:
        count = next(layer for layer in net.layers if layer.outputs == [name]).parameters.partition("0=")[2]
        return draw.numbers.integers(0, 8, int(count)).astype(np.int32)
    return draw.array("float32", shape, odd=0.3)


def one(make: Maker, ranks: tuple[int, ...]) -> Callable[[Draw, str], Sample | None]:
    def grow(net: Growing, blob: str, shape: list[int]) -> bool:
        made = make(net.rng, shape)
        if made is not None:
            net.add(made.type, [blob] * made.inputs, made.parameters, made.outputs)
        return made is not None

    return lambda draw, name: sample(draw, grow, *ranks)


def joined(join: Join) -> Callable[[Draw, str], Sample | None]:
    return lambda draw, name: sample(draw, join, 1, 2, 3, 4)


OPERATORS: dict[str, Any] = {
    **{f"layer {k}": one(make, ranks) for k, (ranks, make) in enumerate([*ONE, *QUANTIZED])},
    **{f"join {k}": joined(join) for k, join in enumerate(JOINS)},
}  # fmt: skip


def asked(paths: list[Path]) -> Iterator[Answer]:
    """Write weights for each net and yield what ncnn makes of it."""
    with Ncnn() as ncnn:
        for path in paths:
            weights = path.with_suffix(".bin")
            said = ncnn(param=path, weights=weights)
            if said["stage"] is None:
                said = ncnn(param=path, bin=weights, feeds=path.with_suffix(".npz"), values=True)
            yield _answer(said)


def _answer(said: dict[str, Any]) -> Answer:
    if said["stage"] is not None:
        stage = "died" if said["signal"] else "load" if said["stage"].startswith("load") else "run"
        return Answer(None, stage, f"{said['stage']} {said['signal'] or ''} {said['message'][-300:]}")
    values = {name: np.frombuffer(base64.b64decode(data), dtype) for name, (dtype, data) in said["values"].items()}
    return Answer([values[name].reshape(shape) for name, shape in said["outputs"].items()])
