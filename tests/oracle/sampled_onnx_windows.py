"""Random ONNX operators that slide windows, sample images or multiply: convolutions, pools, products, norms, cells, quantised ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.draw import Draw
from oracle.sampled_onnx import Const, sample
from oracle.sampling import Sample


def image(draw: Draw, axes: int, low: int = 1, kind: str = "float32") -> Any:
    """A batch of images; its sides are long enough for most windows."""
    size = [draw.choice((1, 1, 2)), draw.choice((1, 2, 4)), *(draw.random.randint(low, 8) for _ in range(axes))]
    if draw.odd("empty", 0.05):
        size[draw.random.randrange(len(size))] = 0
    return draw.array(kind, size, odd=0.15)


def window(draw: Draw, axes: int) -> dict[str, Any]:
    """Kernel, strides, dilations and padding, some left out, some longer than an image."""
    pick = lambda *values: [draw.choice(values) for _ in range(axes)]  # noqa: E731
    made: dict[str, Any] = {"kernel_shape": pick(1, 2, 3, 3)}
    made |= {"strides": pick(1, 2, 3)} if draw.chance(0.6) else {}
    made |= {"dilations": pick(1, 2)} if draw.odd("dilated", 0.3) else {}
    way = draw.choice(("", "", "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"))
    if way.startswith("SAME"):
        draw.traits.add("same")
    if way:
        made["auto_pad"] = way
    if way in ("", "NOTSET") and draw.chance(0.6):
        made["pads"] = [draw.choice((0, 1, 1, 2)) for _ in range(2 * axes)]
    return made


def convolve(draw: Draw, op: str) -> Sample:
    axes, kind = draw.choice((1, 2, 2, 3)), draw.choice(("float32", "float32", "float64"))
    data, attrs, group = image(draw, axes, kind=kind), window(draw, axes), draw.choice((1, 1, 2))
    channels, out = max(data.shape[1] // group, 0), group * draw.choice((1, 2))
    if op == "ConvTranspose":
        size = [data.shape[1], out // group, *attrs["kernel_shape"]]
        if draw.chance(0.3) and "strides" in attrs:
            attrs["output_padding"] = [draw.random.randrange(s) for s in attrs["strides"]]
    else:
        size = [out, channels, *attrs["kernel_shape"]]
    if draw.chance(0.4):
        del attrs["kernel_shape"]
    bias = (draw.array(kind, [out]),) if draw.chance(0.4) else ()
    return sample(
        draw, op, data, draw.choice((Const, np.asarray))(draw.array(kind, size, odd=0.1)), *bias, group=group, **attrs
    )


def pool(draw: Draw, op: str) -> Sample:
    axes = draw.choice((1, 2, 2, 3))
    data, attrs = image(draw, axes, 2, draw.choice(("float32", "float32", "float64", "float16"))), window(draw, axes)
    if draw.odd("ceil", 0.4):
        attrs["ceil_mode"] = 1
    if op == "AveragePool":
        attrs["count_include_pad"] = draw.choice((0, 1))
    if op == "LpPool":
        attrs["p"] = draw.choice((1, 2, 3))
    results: tuple[str, ...] = (data.dtype.name,)
    if op == "MaxPool":
        attrs["storage_order"] = draw.choice((None, 0, 1))
        results += ("int64",) if draw.chance(0.4) else ()
    return sample(draw, op, data, result=results, opset=draw.choice((19, 21, 22)), **attrs)


def whole(draw: Draw, op: str) -> Sample:
    return sample(draw, op, image(draw, draw.choice((0, 1, 2, 3)), kind=draw.choice(("float32", "float64", "float16"))))


def resize(draw: Draw, op: str) -> Sample:
    data = image(draw, draw.choice((1, 2, 2)), 2, draw.choice(("float32", "float32", "uint8", "int32")))
    mode = draw.choice(("nearest", "linear", "cubic"))
    attrs: dict[str, Any] = {"mode": mode}
    attrs["coordinate_transformation_mode"] = draw.choice(
        (None, "half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric")
    )
    attrs["nearest_mode"] = draw.choice((None, "floor", "ceil", "round_prefer_ceil")) if mode == "nearest" else None
    attrs["antialias"] = draw.choice((None, 0, 1)) if data.ndim == 4 else None
    attrs["exclude_outside"] = draw.choice((None, 1)) if mode == "cubic" else None
    if draw.chance(0.5):
        draw.traits.update(["scales", str(attrs["coordinate_transformation_mode"])])
        scales = [1.0, 1.0, *(draw.choice((0.5, 0.6, 1.0, 1.5, 2.0, 2.3)) for _ in data.shape[2:])]
        return sample(draw, op, data, None, Const(np.array(scales, np.float32)), **attrs)
    sizes = [*data.shape[:2], *(draw.random.randint(1, 9) for _ in data.shape[2:])]
    attrs["keep_aspect_ratio_policy"] = draw.choice((None, None, "not_larger", "not_smaller"))
    if attrs["keep_aspect_ratio_policy"]:
        return sample(
            draw, op, data, None, None, Const(np.array(sizes[2:], np.int64)), axes=list(range(2, data.ndim)), **attrs
        )
    return sample(draw, op, data, None, None, Const(np.array(sizes, np.int64)), **attrs)


def look(draw: Draw, op: str) -> Sample:
    data = image(draw, 2, 2)
    if op == "GridSample":
        grid = draw.array("float32", [data.shape[0], 2, 3, 2]) / 2
        modes = {
            "mode": draw.choice(("linear", "nearest", "cubic")),
            "padding_mode": draw.choice(("zeros", "border", "reflection")),
        }
        return sample(draw, op, data, grid, align_corners=draw.choice((0, 1)), opset=draw.choice((20, 22)), **modes)
    count = draw.choice((0, 1, 3))
    rois = np.sort(draw.numbers.uniform(-1, 9, (count, 2, 2)), 1).reshape(count, 4).astype(np.float32)
    of = np.zeros(count, np.int64)
    size = {
        "output_height": draw.choice((1, 2)),
        "output_width": draw.choice((1, 3)),
        "sampling_ratio": draw.choice((0, 2)),
    }
    way = {
        "mode": draw.choice(("avg", "max")),
        "coordinate_transformation_mode": draw.choice(("half_pixel", "output_half_pixel")),
    }
    return sample(
        draw, op, data, rois, of, spatial_scale=draw.choice((0.5, 1.0)), opset=draw.choice((18, 21, 22)), **size, **way
    )


def product(draw: Draw, op: str) -> Sample:
    kind = draw.choice(("float32", "float32", "float64", "float16", "int32", "int64"))
    m, k, n = (draw.choice((1, 2, 3, 5, 0) if draw.chance(0.2) else (1, 2, 3, 5)) for _ in range(3))
    draw.traits.update(["empty"] if 0 in (m, k, n) else [])
    if op == "Gemm":
        a, b = (draw.choice((0, 1)) for _ in range(2))
        third = draw.choice((None, draw.array(kind, draw.like([m, n])), draw.array(kind, [])))
        numbers = {"alpha": draw.choice((None, 0.5, 2.0)), "beta": draw.choice((None, 0.0, 0.5))}
        return sample(
            draw,
            op,
            draw.array(kind, [k, m] if a else [m, k]),
            draw.array(kind, [n, k] if b else [k, n]),
            third,
            transA=a,
            transB=b,
            **numbers,
        )
    if op == "Einsum":
        text = draw.choice(
            ("ij,jk->ik", "ij,jk", "bij,bjk->bik", "...ij,...jk->...ik", "ij,ij->", "ii->i" if m == k else "ij->ji")
        )
        one, other = [m, k], [m, k] if text.count("ij") == 2 and "jk" not in text else [k, n]
        lead = [2] if text.startswith(("b", ".")) else []
        return sample(
            draw, op, *(draw.array(kind, lead + s) for s in ([one, other] if "," in text else [one])), equation=text
        )
    lead = draw.shape(0, 0, 1, 2)
    one, other = [*draw.like(lead), m, k], [*lead, k, n]
    one, other = (one[-1:] if draw.chance(0.1) else one), (other[-2:-1] if draw.chance(0.1) else other)
    if op == "MatMulInteger":
        kinds = draw.choice(("uint8", "int8")), draw.choice(("uint8", "int8"))
        zeros = [draw.choice((None, draw.array(kind, []))) for kind in kinds]
        return sample(draw, op, draw.array(kinds[0], one), draw.array(kinds[1], other), *zeros, result="int32")
    return sample(draw, op, draw.array(kind, one), draw.array(kind, other))


def norm(draw: Draw, op: str) -> Sample:
    data = image(draw, draw.choice((1, 2)), kind=draw.choice(("float32", "float32", "float64", "float16")))
    kind, channels = data.dtype.name, data.shape[1]
    vector = lambda n: draw.array(kind, [n], odd=0)  # noqa: E731
    if op == "BatchNormalization":
        return sample(
            draw,
            op,
            data,
            vector(channels),
            vector(channels),
            vector(channels),
            abs(vector(channels)),
            epsilon=draw.choice((None, 0.1)),
        )
    if op == "InstanceNormalization":
        return sample(draw, op, data, vector(channels), vector(channels))
    if op == "GroupNormalization":
        groups = draw.choice([g for g in (1, 2, 4) if channels and channels % g == 0] or [1])
        return sample(
            draw, op, data, vector(channels), vector(channels), num_groups=groups, opset=draw.choice((21, 22))
        )
    if op == "LRN":
        return sample(draw, op, data.astype(np.float32), size=draw.choice((1, 2, 3, 5)), alpha=0.1)
    axis = draw.axis(data.ndim)
    scale = draw.array(kind, data.shape[axis % data.ndim :], odd=0)
    bias = (np.ones_like(scale),) if op == "LayerNormalization" and draw.chance(0.5) else ()
    return sample(draw, op, data, scale, *bias, axis=axis, opset=23, epsilon=draw.choice((None, 0.01)))


def cell(draw: Draw, op: str) -> Sample:
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[op]
    steps, batch, width, hidden = (draw.choice((1, 2, 3)) for _ in range(4))
    way = draw.choice(("forward", "reverse", "bidirectional"))
    ways = 2 if way == "bidirectional" else 1
    array = lambda *shape: draw.array("float32", shape, odd=0.02)  # noqa: E731
    lens = np.array([draw.random.randint(1, steps) for _ in range(batch)], np.int32) if draw.chance(0.4) else None
    if lens is not None and draw.odd("no steps", 0.1):
        lens[0] = 0
    state = [array(ways, batch, hidden) if draw.chance(0.4) else None for _ in range(2 if op == "LSTM" else 1)]
    attrs: dict[str, Any] = {"direction": way, "hidden_size": hidden, "clip": draw.choice((None, None, 0.7))}
    attrs["linear_before_reset"] = draw.choice((0, 1)) if op == "GRU" else None
    inputs = [array(steps, batch, width), array(ways, gates * hidden, width), array(ways, gates * hidden, hidden)]
    bias = array(ways, 2 * gates * hidden) if draw.chance(0.5) else None
    return sample(draw, op, *inputs, bias, lens, *state, result=("float32",) * (3 if op == "LSTM" else 2), **attrs)


def quantise(draw: Draw, op: str) -> Sample:
    kind, shape = draw.choice(("uint8", "int8", "uint16", "int16")), draw.shape(1, 2, 3)
    axis = draw.axis(len(shape))
    size = [shape[axis]] if draw.chance(0.4) else []
    scale = np.abs(draw.array("float32", size, odd=0)) + np.float32(0.1)
    zero = draw.array(kind, size, odd=0.1)
    if op == "DynamicQuantizeLinear":
        return sample(draw, op, draw.array("float32", shape), result=("uint8", "float32", "uint8"))
    if op == "QuantizeLinear":
        return sample(draw, op, draw.array("float32", shape), scale, zero, axis=axis, result=kind, opset=21)
    kind = draw.choice((kind, "int32"))
    given = (zero,) if kind != "int32" and draw.chance(0.7) else ()
    data = draw.array(given[0].dtype.name if given else kind, shape)
    return sample(draw, op, data, scale, *given, axis=axis, result="float32", opset=21)


OPERATORS: dict[str, Any] = {
    "Conv": convolve, "ConvTranspose": convolve, **dict.fromkeys(("MaxPool", "AveragePool", "LpPool"), pool), "GlobalAveragePool": whole,
    "GlobalMaxPool": whole, "Resize": resize, "GridSample": look, "RoiAlign": look,
    **dict.fromkeys(("MatMul", "Gemm", "MatMulInteger", "Einsum"), product), **dict.fromkeys(("RNN", "GRU", "LSTM"), cell),
    **dict.fromkeys(["BatchNormalization", "InstanceNormalization", "GroupNormalization", "LRN", "LayerNormalization", "RMSNormalization"], norm),
    **dict.fromkeys(("QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear"), quantise),
}  # fmt: skip
