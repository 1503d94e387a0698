"""Random OpenVINO operations that slide windows, sample images or multiply: convolutions, pools, products, cells, quantised ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.draw import Draw
from oracle.sampled_openvino import FLOATS, Const, ints, sample
from oracle.sampling import Sample


def image(draw: Draw, axes: int, low: int = 1, kind: str = "float32", channels: int = 0) -> Any:
    size = [
        draw.choice((1, 1, 2)),
        channels or draw.choice((1, 2, 4)),
        *(draw.random.randint(low, 8) for _ in range(axes)),
    ]
    if draw.odd("empty", 0.04):
        size[draw.random.randrange(len(size))] = 0
    return draw.array(kind, size, odd=0.1)


def window(draw: Draw, axes: int) -> dict[str, Any]:
    pick = lambda *values: [draw.choice(values) for _ in range(axes)]  # noqa: E731
    way = draw.choice(("explicit", "explicit", "valid", "same_upper", "same_lower"))
    draw.traits.update(["same"] if "same" in way else [])
    pads = (
        {"pads_begin": pick(0, 1, 2), "pads_end": pick(0, 1, 2)}
        if draw.chance(0.6)
        else {"pads_begin": pick(0), "pads_end": pick(0)}
    )
    return {"strides": pick(1, 2, 3), **pads, "auto_pad": way}


def convolve(draw: Draw, op: str) -> Sample:
    axes, is_grouped, is_back = draw.choice((1, 2, 2, 3)), "Group" in op, "Backprop" in op
    group = draw.choice((1, 2)) if is_grouped else 1
    each, out = draw.choice((1, 2)), draw.choice((1, 2, 3))
    data = image(draw, axes, 2, channels=group * each)
    kernel = [draw.choice((1, 2, 3)) for _ in range(axes)]
    size = ([group] if is_grouped else []) + ([each, out] if is_back else [out, each]) + kernel
    attrs = {**window(draw, axes), "dilations": [draw.choice((1, 1, 2)) for _ in range(axes)]}
    if is_back:
        attrs["output_padding"] = [draw.random.randrange(s) for s in attrs["strides"]] if draw.chance(0.3) else None
    return sample(draw, op, data, Const(draw.array("float32", size, odd=0)), **attrs)


def pool(draw: Draw, op: str) -> Sample:
    axes = draw.choice((1, 2, 2, 3))
    data, attrs = image(draw, axes, 2, draw.choice(FLOATS)), window(draw, axes)
    attrs["kernel"] = [draw.choice((1, 2, 3)) for _ in range(axes)]
    words = ("floor", "ceil", "ceil_torch") if op in ("opset14.AvgPool", "opset14.MaxPool") else ("floor", "ceil")
    attrs["rounding_type"] = draw.choice(words)
    draw.traits.add(attrs["rounding_type"])
    if op.endswith("AvgPool"):
        is_left_out = draw.choice((True, False))
        draw.traits.update(["exclude"] if is_left_out else [])
        return sample(draw, op, data, exclude__pad=is_left_out, **attrs)
    if op == "opset1.MaxPool":
        return sample(draw, op, data, **attrs)
    attrs["dilations"] = [draw.choice((1, 1, 2)) for _ in range(axes)]
    return sample(draw, op, data, index_element_type="i64", axis=draw.choice((0, 2)), outputs=2, **attrs)


def adapt(draw: Draw, op: str) -> Sample:
    data = image(draw, 2)
    sizes = ints(draw.choice((1, 2, 3)), draw.choice((1, 3)))
    return sample(draw, op, data, sizes, **({"index_element_type": "i64", "outputs": 2} if "Max" in op else {}))


def resize(draw: Draw, op: str) -> Sample:
    data = image(draw, 2, 2, draw.choice(("float32", "float32", "uint8")))
    sizes, scales = (
        [draw.random.randint(1, 9) for _ in range(2)],
        [draw.choice((0.5, 0.6, 1.0, 1.5, 2.0)) for _ in range(2)],
    )
    way = draw.choice(("sizes", "scales"))
    attrs = {
        "mode": draw.choice(("nearest", "linear", "linear_onnx", "cubic")), "shape_calculation_mode": way, "antialias": draw.choice((True, False)),
        "coordinate_transformation_mode": draw.choice(("half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners")),
        "nearest_mode": draw.choice(("round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple")), "cube_coeff": "-0.75",
        "pads_begin": draw.choice((None, [0, 0, 0, 1])), "pads_end": draw.choice((None, [0, 0, 1, 0])),
    }  # fmt: skip
    third = Const(np.array(scales, np.float32))
    if op == "opset11.Interpolate":
        return sample(draw, op, data, third if way == "scales" else ints(*sizes), ints(2, 3), **attrs)
    return sample(draw, op, data, ints(*sizes), third, ints(2, 3), **attrs)


def look(draw: Draw, op: str) -> Sample:
    data = image(draw, 2, 2)
    if op.endswith("GridSample"):
        grid = draw.array("float32", [data.shape[0], 2, 3, 2]) / 2
        modes = {
            "mode": draw.choice(("bilinear", "nearest", "bicubic")),
            "padding_mode": draw.choice(("zeros", "border", "reflection")),
        }
        return sample(draw, op, data, grid, align_corners=draw.choice((True, False)), **modes)
    count = draw.choice((1, 3))
    rois = np.sort(draw.numbers.uniform(-1, 9, (count, 2, 2)), 1).reshape(count, 4).astype(np.float32)
    size = {
        "pooled_h": draw.choice((1, 2)),
        "pooled_w": draw.choice((1, 3)),
        "sampling_ratio": draw.choice((0, 2)),
        "spatial_scale": draw.choice((0.5, 1.0)),
    }
    way = {"mode": draw.choice(("avg", "max"))} | (
        {"aligned_mode": draw.choice(("asymmetric", "half_pixel", "half_pixel_for_nn"))}
        if op == "opset9.ROIAlign"
        else {}
    )
    return sample(draw, op, data, rois, Const(np.zeros(count, np.int64)), **size, **way)


def blocks(draw: Draw, op: str) -> Sample:
    size, block = draw.shape(3, 4, sizes=(1, 2, 3)), draw.choice((1, 2))
    ends = [[draw.choice((0, 0, 1)) for _ in size] for _ in range(2)]
    if op.endswith("SpaceToBatch"):
        shape = [1] + [block if n % 1 == 0 else 1 for n in size[1:]]
        pads = [[0, *p[1:]] for p in ends]
        pads[1] = [(-n - a - b) % s + b for n, a, b, s in zip(size, *pads, shape, strict=True)]
        return sample(draw, op, draw.array("float32", size), ints(*shape), ints(*pads[0]), ints(*pads[1]))
    if op.endswith("BatchToSpace"):
        shape = [1, 1] + [block] * (len(size) - 2)
        size[0] *= block ** (len(size) - 2)
        return sample(
            draw, op, draw.array("float32", size), ints(*shape), ints(0, 0, *ends[0][2:]), ints(*[0] * len(size))
        )
    if op.endswith("DepthToSpace"):
        size[1] *= block ** (len(size) - 2)
        return sample(
            draw,
            op,
            draw.array(draw.choice(FLOATS), size),
            block_size=block,
            mode=draw.choice(("blocks_first", "depth_first")),
        )
    if op.endswith("SpaceToDepth"):
        size = [*size[:2], *(n * block for n in size[2:])]
        return sample(
            draw,
            op,
            draw.array(draw.choice(FLOATS), size),
            block_size=block,
            mode=draw.choice(("blocks_first", "depth_first")),
        )
    lens = np.array([draw.random.randint(1, max(size[1], 1)) for _ in range(size[0])], np.int64)
    return sample(draw, op, draw.array("float32", size), Const(lens), batch_axis=0, seq_axis=1)


def product(draw: Draw, op: str) -> Sample:
    kind = draw.choice(("float32", "float32", "float16"))
    m, k, n = (draw.choice((1, 2, 3, 5)) for _ in range(3))
    lead = draw.shape(0, 0, 1, 2)
    if op.endswith("Einsum"):
        return sample(
            draw,
            op,
            draw.array(kind, [m, k]),
            draw.array(kind, [k, n]),
            equation=draw.choice(("ij,jk->ik", "ij,jk->ki", "ij,jk->i")),
        )
    a, b = (draw.choice((True, False)) for _ in range(2))
    one, other = [*draw.like(lead), *([k, m] if a else [m, k])], [*lead, *([n, k] if b else [k, n])]
    if draw.chance(0.15):
        one, a = [k], draw.choice((True, False))
    return sample(
        draw,
        op,
        draw.array(kind, one),
        draw.choice((Const, np.asarray))(draw.array(kind, other)),
        transpose_a=a,
        transpose_b=b,
    )


def cell(draw: Draw, op: str) -> Sample:
    gates = {"RNN": 1, "GRU": 3, "LST": 4}[op.split(".")[1][:3]]
    steps, batch, width, hidden = (draw.choice((1, 2, 3)) for _ in range(4))
    way = draw.choice(("forward", "reverse", "bidirectional"))
    ways = 2 if way == "bidirectional" else 1
    array = lambda *shape: draw.array("float32", shape, odd=0.02)  # noqa: E731
    lens = np.array([draw.random.randint(0 if draw.odd("no steps", 0.1) else 1, steps) for _ in range(batch)], np.int64)
    reset = draw.choice((True, False)) if gates == 3 else None
    states = [array(batch, ways, hidden) for _ in range(2 if gates == 4 else 1)]
    bias = array(ways, (gates + (1 if reset else 0)) * hidden)
    weights = (Const(array(ways, gates * hidden, width)), Const(array(ways, gates * hidden, hidden)), Const(bias))
    return sample(
        draw,
        op,
        array(batch, steps, width),
        *states,
        lens,
        *weights,
        hidden_size=hidden,
        direction=way,
        linear_before_reset=reset,
        clip=draw.choice((None, 0.7)),
        outputs=1 + len(states),
    )


def quantise(draw: Draw, op: str) -> Sample:
    data = image(draw, draw.choice((1, 2)))
    low, high = sorted((draw.random.uniform(-4, 4), draw.random.uniform(-4, 4)))
    ends = [Const(np.array(v, np.float32)) for v in (low, high, *draw.choice(((low, high), (0, 5), (high, low))))]
    return sample(draw, op, data, *ends, levels=draw.choice((2, 16, 255, 256)))


OPERATORS: dict[str, Any] = {
    **dict.fromkeys(["opset1.Convolution", "opset1.GroupConvolution", "opset1.ConvolutionBackpropData", "opset1.GroupConvolutionBackpropData"], convolve),
    **dict.fromkeys(["opset1.AvgPool", "opset14.AvgPool", "opset1.MaxPool", "opset8.MaxPool", "opset14.MaxPool"], pool),
    **dict.fromkeys(("opset8.AdaptiveAvgPool", "opset8.AdaptiveMaxPool"), adapt), "opset4.Interpolate": resize, "opset11.Interpolate": resize,
    **dict.fromkeys(("opset9.GridSample", "opset3.ROIAlign", "opset9.ROIAlign"), look), "opset1.MatMul": product, "opset7.Einsum": product,
    **dict.fromkeys(["opset2.SpaceToBatch", "opset2.BatchToSpace", "opset1.DepthToSpace", "opset1.SpaceToDepth", "opset1.ReverseSequence"], blocks),
    **dict.fromkeys(("opset5.RNNSequence", "opset5.GRUSequence", "opset5.LSTMSequence"), cell), "opset1.FakeQuantize": quantise,
}  # fmt: skip
