"""Writes small IRs of the kinds that people have, with the openvino wheel: python nets.py FOLDER COUNT SEED. Prints each file that was saved."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
from openvino import opset1, opset4, opset6, opset8, opset9, opset11

sys.path.insert(0, str(Path(__file__).parent))
from build import floats, ints, iterate, loop, numbers, save

Output = Any


def _input(name: str, *dims: int, kind: Any = np.float32) -> Any:
    node = opset1.parameter(list(dims), kind, name=name)
    node.output(0).get_tensor().set_names({name})
    return node


def _weights(rng: random.Random, *dims: int) -> Output:
    return floats(numbers(rng, *dims).output(0))


def _out(node: Any) -> Output:
    return node.output(0) if hasattr(node, "output") else node


def _scaled(x: Output, rng: random.Random, channels: int) -> Output:
    return opset1.add(opset1.multiply(x, _weights(rng, 1, channels, 1, 1)), _weights(rng, 1, channels, 1, 1))


def convolutions(rng: random.Random) -> Any:
    """A small classifier: convolutions, pools, a residual, a dense end."""
    channels = rng.choice((4, 6))
    image = _input("image", rng.choice((1, 2)), 3, 16, 16)
    x = opset1.convolution(image, _weights(rng, channels, 3, 3, 3), [2, 2], [1, 1], [1, 1], [1, 1])
    x = opset1.relu(_scaled(x, rng, channels))
    for _ in range(rng.randint(1, 2)):
        y = opset1.group_convolution(x, _weights(rng, channels, 1, 1, 3, 3), [1, 1], [1, 1], [1, 1], [1, 1])
        y = opset1.clamp(_scaled(y, rng, channels), 0.0, 6.0)
        y = opset1.convolution(y, _weights(rng, channels, channels, 1, 1), [1, 1], [0, 0], [0, 0], [1, 1])
        x = opset1.add(x, y) if rng.random() < 0.6 else y
    kind = rng.randrange(3)
    if kind == 0:
        x = opset1.max_pool(x, [2, 2], [0, 0], [0, 0], [2, 2], "floor")
    elif kind == 1:
        x = opset1.avg_pool(x, [2, 2], [0, 0], [0, 0], [2, 2], True, "floor")
    else:
        x = opset11.interpolate(x, ints(16, 16), "nearest", "sizes", axes=ints(2, 3))
    x = opset1.reduce_mean(x, ints(2, 3), rng.random() < 0.5)
    x = opset1.reshape(x, ints(0, -1), True)
    x = opset1.add(opset1.matmul(x, _weights(rng, 5, channels), False, True), _weights(rng, 1, 5))
    return ov.Model([opset1.result(opset8.softmax(x, 1))], [image], "classifier")


def attention(rng: random.Random) -> Any:
    """An embedding, an attention of several heads, a norm and an MLP, as exporters write them."""
    length, width, heads = rng.choice((3, 5)), 8, 2
    ids, mask = _input("input_ids", 1, length, kind=np.int64), _input("attention_mask", 1, length, kind=np.int64)
    x = opset8.gather(_weights(rng, 11, width), opset1.convert(ids, "i32"), ints(0))
    parts = []
    for _ in range(3):
        part = opset1.add(opset1.matmul(x, _weights(rng, width, width), False, True), _weights(rng, 1, 1, width))
        part = opset1.reshape(part, ints(0, 0, heads, width // heads), True)
        parts.append(opset1.transpose(part, ints(0, 2, 1, 3)))
    scores = opset1.divide(opset1.matmul(parts[0], parts[1], False, True), np.float32(2.0))
    bias = opset1.unsqueeze(
        opset1.multiply(opset1.subtract(np.float32(1), opset1.convert(mask, "f32")), np.float32(-100)), ints(1, 2)
    )
    x2 = opset1.matmul(opset8.softmax(opset1.add(scores, bias), -1), parts[2], False, False)
    x2 = opset1.reshape(opset1.transpose(x2, ints(0, 2, 1, 3)), ints(0, 0, width), True)
    x = opset1.add(x, x2)
    x = opset1.add(
        opset1.multiply(opset6.mvn(x, ints(-1), True, 1e-5, "INSIDE_SQRT"), _weights(rng, width)), _weights(rng, width)
    )
    y = opset1.matmul(x, _weights(rng, width, 16), False, False)
    parts = (
        opset1.variadic_split(y, opset1.constant(np.int64(-1)), ints(8, -1))
        if rng.random() < 0.5
        else opset1.split(y, opset1.constant(np.int64(2)), 2)
    )
    x = opset1.add(x, opset1.multiply(opset4.swish(parts.output(0)), parts.output(1)))
    last = opset8.slice(x, ints(-1), ints(np.iinfo(np.int64).max), ints(1), ints(1))
    best = opset1.topk(opset1.squeeze(last, ints(1)), opset1.constant(np.int64(3)), 1, "max", "value")
    return ov.Model([opset1.result(best.output(0)), opset1.result(best.output(1))], [ids, mask], "attention")


def remembering(rng: random.Random) -> Any:
    """State that is read and assigned, as caches of keys are."""
    x = _input("step", 1, 4)
    sinks, y = [], _out(x)
    for k in range(rng.randint(1, 3)):
        name = rng.choice((f"past_{k}", f"cache/{k}", f"state{k}in"))
        read = opset6.read_value(_weights(rng, 1, 4), name)
        y = opset1.tanh(opset1.add(read, opset1.matmul(y, _weights(rng, 4, 4), False, False)))
        sinks.append(opset6.assign(y, name))
    return ov.Model([opset1.result(y)], sinks, [x], "state")


def looping(rng: random.Random) -> Any:
    """Bodies with port maps and back edges."""
    x = _input("sequence", rng.choice((1, 3)), 4)
    y = _out(x)
    for _ in range(rng.randint(1, 2)):
        y = _out(rng.choice((loop, iterate, _lstm))(y, rng))
        y = _out(opset1.add(y, _weights(rng, 1, 1))) if rng.random() < 0.5 else y
    return ov.Model([opset1.result(y)], [x], "loops")


def _lstm(x: Output, rng: random.Random) -> Output:
    """A TensorIterator of cells, one row of a matrix at a time, as converters write recurrent layers."""
    width, hidden = x.get_shape()[-1] if len(x.get_shape()) == 2 else 0, 3
    part = opset1.parameter([1, width], np.float32)
    h, c = opset1.parameter([1, hidden], np.float32), opset1.parameter([1, hidden], np.float32)
    cell = opset4.lstm_cell(
        part,
        h,
        c,
        _weights(rng, 4 * hidden, width),
        _weights(rng, 4 * hidden, hidden),
        _weights(rng, 4 * hidden),
        hidden,
    )
    results = [opset1.result(cell.output(0)), opset1.result(cell.output(1))]
    body = ov.Model(results, [part, h, c], "body")
    node = opset8.tensor_iterator()
    node.set_body(body)
    node.set_sliced_input(part, x, 0, 1, 1, -1, 0)
    start = _weights(rng, 1, hidden)
    node.set_merged_input(h, start, results[0].output(0))
    node.set_merged_input(c, start, results[1].output(0))
    node.get_iter_value(results[1].output(0), -1)
    return node.get_concatenated_slices(results[0].output(0), 0, 1, 1, -1, 0)


def quantized(rng: random.Random) -> Any:
    """FakeQuantize nodes, and weights of a few bits with their scales."""
    image = _input("image", 1, 3, 8, 8)
    low, high = np.float32(-1), np.float32(1)
    x = opset1.fake_quantize(image, low, high, low, high, 256)
    data = opset1.constant(np.random.default_rng(rng.randrange(99)).integers(-9, 9, (4, 3, 3, 3)).astype(np.int8))
    kernel = opset1.multiply(opset1.convert(data, "f32"), _weights(rng, 4, 1, 1, 1))
    x = opset1.prelu(opset1.convolution(x, kernel, [1, 1], [0, 0], [1, 1], [1, 1]), _weights(rng, 4))
    x = opset1.concat([x, x] if rng.random() < 0.5 else [x, _weights(rng, 1, 2, 7, 7)], 1)
    x = opset1.fake_quantize(x, _weights(rng, 1, 1, 1, 1), high, low, high, rng.choice((16, 256)))
    return ov.Model([opset1.result(x)], [image], "quantized")


def detection(rng: random.Random) -> Any:
    """Boxes and scores that are suppressed and gathered."""
    boxes, scores = _input("boxes", 1, 6, 4), _input("scores", 1, 2, 6)
    found = opset9.non_max_suppression(
        boxes,
        opset1.sigmoid(scores),
        opset1.constant(np.int64(3)),
        opset1.constant(np.float32(0.5)),
        opset1.constant(np.float32(0.1)),
        box_encoding="corner",
        sort_result_descending=True,
        output_type="i64",
    )
    indices = opset8.slice(found.output(0), ints(2), ints(3), ints(1), ints(1))
    flat = opset1.maximum(opset1.reshape(indices, ints(-1), False), opset1.constant(np.int64(0)))
    picked = opset8.gather(opset1.squeeze(boxes, ints(0)), flat, opset1.constant(np.int64(0)))
    padded = opset1.pad(picked, ints(0, 0), ints(1, 0), "constant", opset1.constant(np.float32(0)))
    scattered = opset4.scatter_elements_update(
        boxes,
        opset1.constant(np.zeros((1, 1, 4), np.int64)),
        opset1.constant(np.ones((1, 1, 4), np.float32)),
        opset1.constant(np.int64(1)),
    )
    return ov.Model(
        [opset1.result(padded), opset1.result(found.output(2)), opset1.result(scattered)], [boxes, scores], "detector"
    )


def choosing(rng: random.Random) -> Any:
    """An If whose branches have several layers."""
    x, test = _input("x", 2, 4), _input("test", kind=np.bool_)
    bodies = []
    for k in range(2):
        inside = opset1.parameter([2, 4], np.float32)
        y = opset1.relu(opset1.matmul(inside, _weights(rng, 4, 4), False, bool(k)))
        y = opset1.strided_slice(y, ints(0, k), ints(2, k + 2), ints(1, 1), [0, 0], [0, 0])
        bodies.append(ov.Model([opset1.result(y)], [inside], "branch"))
    node = opset8.if_op(test)
    node.set_then_body(bodies[0])
    node.set_else_body(bodies[1])
    node.set_input(x.output(0), bodies[0].get_parameters()[0], bodies[1].get_parameters()[0])
    y = node.set_output(bodies[0].get_results()[0], bodies[1].get_results()[0])
    return ov.Model([opset1.result(opset1.reduce_sum(y, ints(0), False))], [x, test], "branches")


NETS: tuple[Callable[[random.Random], Any], ...] = (
    convolutions, attention, remembering, looping, quantized, detection, choosing,
)  # fmt: skip


def main() -> None:
    folder, count, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for k in range(count):
        rng = random.Random(f"{seed} net {k}")
        make = NETS[k % len(NETS)]
        path = folder / make.__name__ / f"{make.__name__}-{seed}-{k}.xml"
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            save(make(rng), path, rng)
        except (RuntimeError, ValueError, TypeError) as error:
            print(f"{path.name}: {str(error)[-300:]}", file=sys.stderr)
            continue
        print(path, flush=True)


if __name__ == "__main__":
    main()
