"""The dry-run operator of each layer type, and what its parameters, named as in the operator table, mean to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from struct import pack, unpack
from typing import Any

from irlint.dryrun.entries import Entry, Spec, Values, constant
from irlint.dryrun.prefix import sizes


def _word(label: str, *words: Any) -> Spec:
    """Return a word by its number."""
    return lambda v: words[v[label]]


def _true(label: str, wanted: int | None = None) -> Spec:
    return lambda v: v[label] == wanted if wanted is not None else bool(v[label])


# Activations that layers apply to their output
_ACTIVATIONS = (None, "relu", "relu", "clip", "sigmoid", "mish", "hard_swish")


def _activation(v: Values) -> tuple[str, tuple[float, ...]] | None:
    word, taken = _ACTIVATIONS[v["activation_type"]], (0, 0, 1, 2, 0, 0, 2)[v["activation_type"]]
    return None if word is None else (word, tuple(v["activation_params"][:taken]))


# Windows. The names of axes from the outermost on are the ends of labels: kernel_d, kernel_h, kernel_w
Sizes = tuple[int, ...]
_BEFORE, _AFTER = (
    {"d": "pad_front", "h": "pad_top", "w": "pad_left"},
    {"d": "pad_behind", "h": "pad_bottom", "w": "pad_right"},
)
_SAME = {-233: "same_upper", -234: "same_lower"}


def _mixed(how: str, axes: str) -> str:
    """The runtime pads depth like SAME_UPPER where it pads the other axes like SAME_LOWER."""
    return "same_mixed" if how == "same_lower" and "d" in axes else how


def _padding(axes: str, pads: Callable[[Values], tuple[str, Sizes, Sizes]]) -> dict[str, Spec]:
    """Return keywords of windows by a function that returns how the data is padded, and by how much before and after each axis."""
    return {
        "auto_pad": lambda v: _mixed(pads(v)[0], axes),
        "pads_begin": lambda v: pads(v)[1],
        "pads_end": lambda v: pads(v)[2],
    }


def _written(v: Values, axes: str) -> tuple[Sizes, Sizes]:
    return tuple([v[_BEFORE[axis]] for axis in axes]), tuple([v[_AFTER[axis]] for axis in axes])


def _pads(axes: str) -> dict[str, Spec]:
    def pads(v: Values) -> tuple[str, Sizes, Sizes]:
        before, after = _written(v, axes)
        if any(pad > 0 for pad in before + after):
            return "explicit", before, after
        codes = set(before + after)
        how = _SAME.get(codes.pop(), "explicit") if len(codes) == 1 else "explicit"
        return how, (0,) * len(axes), (0,) * len(axes)

    return _padding(axes, pads)


_EXPLICIT = _padding("hw", lambda v: ("explicit", *_written(v, "hw")))


def _labels(word: str, axes: str) -> tuple[str, ...]:
    return tuple(f"{word}_{axis}" for axis in axes)


def _windows(axes: str) -> dict[str, Spec]:
    return {
        "kernel": _labels("kernel", axes),
        "strides": _labels("stride", axes),
        "dilations": _labels("dilation", axes),
        **_pads(axes),
    }


_PADS_BLAME = {"pads_begin": ("pad_left", "pad_right", "pad_top", "pad_bottom")}
_SCALES = {"weight_data_int8_scales": (-1,), "bottom_blob_int8_scales": (1,), "top_blob_int8_scales": (1,)}


def _convolution(axes: str, grouped: bool = False) -> Entry:
    group: dict[str, Spec] = {"groups": "group"} if grouped else {}
    dynamic: dict[str, Spec] = {"given": _true("dynamic_weight")} if axes != "dhw" else {}
    quantized: dict[str, Spec] = {"quantized": "int8_scale_term"} if axes == "hw" else {}
    attrs = {**_windows(axes), "pad_value": "pad_value", "activation": _activation, **group, **dynamic, **quantized}
    shape = ("num_output", -1, *_labels("kernel", axes))
    scales = _SCALES if quantized else {}
    return Entry(
        "sample/windows.SampleConvolution",
        attrs,
        {"weight_data": shape, "bias_data": (-1,), **scales},
        blame=_PADS_BLAME,
    )


_EXTRA = {"d": "output_pad_behind", "h": "output_pad_bottom", "w": "output_pad_right"}


def _target(axes: str) -> Spec:
    def target(v: Values) -> tuple[int, ...]:
        lengths = tuple(v[f"output_{axis}"] for axis in axes)
        before = [v[names[axis]] for axis in axes for names in (_BEFORE, _AFTER)]
        wanted = min(lengths) > 0 and all(pad <= 0 for pad in before) and not set(_SAME).isdisjoint(before)
        return lengths if wanted else ()

    return target


def _deconvolution(axes: str, grouped: bool = False) -> Entry:
    group: dict[str, Spec] = {"groups": "group"} if grouped else {}
    dynamic: dict[str, Spec] = {"given": _true("dynamic_weight")} if axes != "dhw" else {}
    extra = tuple(_EXTRA[axis] for axis in axes)
    attrs = {**_windows(axes), "extra": extra, "target": _target(axes), "activation": _activation, **group, **dynamic}

    def how(v: Values) -> str:
        before, after = _written(v, axes)
        return _SAME.get(next((pad for pad in before + after if pad in _SAME), 0), "explicit")

    def pads(v: Values) -> tuple[str, Sizes, Sizes]:
        before, after = _written(v, axes)
        return "explicit", tuple([max(pad, 0) for pad in before]), tuple([max(pad, 0) for pad in after])

    attrs |= {"odd_first": lambda v: how(v) == "same_lower", **_padding(axes, pads)}
    shape = ("num_output", -1, *_labels("kernel", axes))
    blame = {**_PADS_BLAME, "target": _labels("output", axes)}
    return Entry("sample/windows.Deconvolution", attrs, {"weight_data": shape, "bias_data": (-1,)}, blame=blame)


def _pooling(axes: str) -> Entry:
    def pads(v: Values) -> tuple[str, Sizes, Sizes]:
        return ("explicit", "explicit", "same_upper", "same_lower")[v["pad_mode"]], *_written(v, axes)

    def target(v: Values) -> tuple[int, ...]:
        return tuple(max(v[f"out_{axis}"], 0) for axis in axes) if v["adaptive_pooling"] else ()

    attrs: dict[str, Spec] = {
        "kernel": _labels("kernel", axes),
        "strides": _labels("stride", axes),
        **_padding(axes, pads),
        "rounding_type": _word("pad_mode", "full", "floor", "floor", "floor"),
        "target": target,
        "whole": _true("global_pooling"),
        "average": _true("pooling_type", 1),
        "counts_padding": _true("avgpool_count_include_pad"),
    }
    return Entry("sample/windows.SamplePool", attrs, blame=_PADS_BLAME)


def _formula(function: str | Callable[[Values], str], *labels: str) -> Entry:
    word = constant(function) if isinstance(function, str) else function
    return Entry("sample/common.SampleFormula", {"function": word, "parameters": labels})


_UNARY = [
    "abs", "negative", "floor", "ceil", "square", "sqrt", "rsqrt", "exp", "log", "sin", "cos", "tan", "arcsin", "arccos",
    "arctan", "reciprocal", "tanh", "log10", "rint", "trunc", "sign", "expm1", "sinh", "arcsinh", "cosh", "arccosh", "arctanh", "log1p",
]  # fmt: skip
_BINARY = (
    ("add", 0), ("subtract", 0), ("multiply", 0), ("divide", 0), ("maximum", 0), ("minimum", 0), ("power", 0), ("subtract", 1),
    ("divide", 1), ("power", 1), ("arctan2", 0), ("arctan2", 1), ("fmod", 0), ("fmod", 1), ("logaddexp", 0), ("floor_divide", 0),
    ("floor_divide", 1), ("remainder", 0), ("remainder", 1),
)  # fmt: skip
_FOLDS = ["sum", "l1", "sum_square", "mean", "max", "min", "prod", "l1", "l2", "log_sum", "log_of_exp"]


def _orders() -> dict[int, list[tuple[int, ...]]]:
    """Return the orders of axes, outermost first, by rank: the runtime numbers those of width, height, depth and channels."""
    names = {2: "wh hw", 3: "whc hwc wch cwh hcw chw", 4: (
        "whdc hwdc wdhc dwhc hdwc dhwc whcd hwcd wchd cwhd hcwd chwd wdch dwch wcdh cwdh dcwh cdwh hdcw dhcw hcdw chdw dchw cdhw"
    )}  # fmt: skip
    axes = {2: "hw", 3: "chw", 4: "cdhw"}
    return {
        rank: [tuple(axes[rank].index(name) for name in reversed(order)) for order in words.split()]
        for rank, words in names.items()
    }


_ORDERS = _orders()


def _permutation(v: Values) -> dict[int, tuple[int, ...]]:
    number = v["order_type"]
    return {1: (0,), **{rank: orders[number] for rank, orders in _ORDERS.items() if 0 <= number < len(orders)}}


def _reshaped(v: Values) -> Any:
    if v["shape_expr"]:
        return lambda shapes: sizes(v["shape_expr"], shapes)[::-1]
    lengths = [v[label] for label in "wh"]
    lengths += [v["c"]] if v["d"] == -233 or v["c"] == -233 else [v["d"], v["c"]]
    return tuple(reversed(lengths[: lengths.index(-233)] if -233 in lengths else lengths))


def _batch(v: Values) -> tuple[int | None, int | None] | None:
    axes = [None if v[f"{word}_batch_axis"] == 233 else v[f"{word}_batch_axis"] for word in ("input", "output")]
    return None if axes == [None, None] else (axes[0], axes[1])


def _squeezed(v: Values) -> str:
    return "".join(name for name in "whdc" if v[f"squeeze_{name}"])


def _sides(v: Values) -> dict[str, tuple[int, int]]:
    return {"w": (v["left"], v["right"]), "h": (v["top"], v["bottom"]), "d": (v["front"], v["behind"])}


_AXES = {1: "w", 2: "hw", 3: "chw", 4: "cdhw"}


def _range(size: int, start: int, end: int) -> tuple[int, int]:
    start, end = 0 if start == -233 else start, size if end == -233 else end
    return start if start >= 0 else size + start, min(size, end if end > 0 else size + end)


def _listed(axes: Sequence[int], starts: Sequence[int], rank: int) -> Sequence[int]:
    """Return the axes that a list is for: all, if none are listed."""
    if not axes and len(starts) < rank:
        raise ValueError(f"{len(starts)} `starts` for rank {rank}, and no `axes`")
    return axes or range(rank)


def _crop(v: Values) -> Any:
    """Return where a box begins and ends along each axis: given by offsets and sizes, as in NumPy, or by another input."""

    def ranges(shapes: list[Any], *values: Any) -> list[tuple[int, int]] | None:
        shape, names = shapes[0], _AXES[len(shapes[0])]
        starts, ends, axes = v["starts"], v["ends"], v["axes"]
        if v["starts_expr"] and v["ends_expr"]:
            starts, ends, axes = (sizes(v[f"{word}_expr"], shapes) for word in ("starts", "ends", "axes"))
        if starts and ends:
            return _cut(shape, starts, ends, _listed(axes, starts, len(shape)))
        if len(shapes) > 1 and v["woffset"] == -233:
            return _box(values[0], names) if values else None
        lengths = _lengths_of(shapes[1], shape, names) if len(shapes) > 1 else _lengths(v, shape, names)
        offsets = [v[f"{name}offset"] for name in names]
        return [(start, start + length) for start, length in zip(offsets, lengths, strict=True)]

    return ranges


def _cut(
    shape: Sequence[int], starts: Sequence[int], ends: Sequence[int], axes: Sequence[int]
) -> list[tuple[int, int]]:
    found = [(0, size) for size in shape]
    for axis, start, end in zip(axes, starts, ends, strict=False):
        if axis < len(shape):
            found[axis] = _range(shape[axis], start, end)
    return found


def _box(values: Any, names: str) -> list[tuple[int, int]]:
    """Return the box that an input holds: where it begins along the axes, from width on, then where it ends."""
    flat = (values if values.dtype == "int32" else values.view("int32")).reshape(-1).tolist()
    half = max(len(names), 3)
    return [(flat[k], flat[half + k]) for k in map(names[::-1].index, names)]


def _lengths_of(other: Sequence[int], shape: Sequence[int], names: str) -> list[int]:
    """Return the sizes of another input; along channels only if it has as many axes."""
    found = dict(zip(_AXES[len(other)], other, strict=True))
    if len(other) != len(shape):
        found["c"] = shape[0]
    return [found.get(name, 1) for name in names]


def _lengths(v: Values, shape: Sequence[int], names: str) -> list[int]:
    rest = [size - v[f"{name}offset"] - v[f"{name}offset2"] for name, size in zip(names, shape, strict=True)]
    wanted = [v[f"out{name}"] for name in names]
    return [most if size == -233 else min(size, most) for size, most in zip(wanted, rest, strict=True)]


def _copied(v: Values) -> Any:
    def starts(shape: Any) -> list[int]:
        names = _AXES[len(shape)]
        if not v["starts"]:
            return [v[f"{name}offset"] for name in names]
        found = [0] * len(shape)
        for axis, start in zip(_listed(v["axes"], v["starts"], len(shape)), v["starts"], strict=False):
            start = 0 if start == -233 else start
            if axis < len(shape):
                found[axis] = start if start >= 0 else shape[axis] + start
        return found

    return starts


def _affine(**attrs: Spec) -> Entry:
    return Entry(
        "sample/norms.SampleLayerNorm",
        {"size": "affine_size", "eps": "eps", **attrs},
        {"gamma_data": (-1,), "beta_data": (-1,)},
    )


_CROP_BLAME = "starts ends starts_expr ends_expr outw outh outc outd woffset hoffset coffset doffset woffset2 hoffset2 coffset2 doffset2"


def _rows(*sizes: tuple[int | None, ...]) -> Entry:
    return Entry("sample/images.SampleRows", {"sizes": constant(sizes), "count": "outputs"})


def _regions(way: str | Callable[[Values], str], **attrs: Spec) -> Entry:
    word = constant(way) if isinstance(way, str) else way
    more: dict[str, Spec] = {"size": ("pooled_height", "pooled_width"), "scale": "spatial_scale"}
    return Entry("sample/images.SampleRegionPool", {"way": word, **more, **attrs})


def _equation(v: Values) -> str:
    text = "".join(map(chr, v["equation"]))
    return text if ">" in text else f"{text}->"


def _recurrent(cell: str, gates: int, biases: int) -> Entry:
    def directions(v: Values) -> int:
        return 2 if v["direction"] == 2 else 1

    def width(v: Values) -> int:
        return int(v.get("hidden_size") or v["num_output"])

    def rows(v: Values) -> int:
        return gates * width(v)

    attrs: dict[str, Spec] = {
        "cell": constant(cell),
        "units": "num_output",
        "width": width,
        "both": _true("direction", 2),
        "reverse": _true("direction", 1),
        "count": "outputs",
    }
    weights = {
        "weight_xc_data": (directions, rows, -1),
        "bias_c_data": (directions, biases, width),
        "weight_hc_data": (directions, rows, "num_output"),
        "weight_hr_data": (directions, "num_output", width),
        "weight_xc_data_int8_scales": (-1,),
        "weight_hc_data_int8_scales": (-1,),
    }
    return Entry("sample/recurrent.SampleRecurrent", attrs, weights, 3)


def _matrix(rows: str, columns: str, transposed: str) -> Spec:
    return lambda v: (v[columns], v[rows]) if v[transposed] else (v[rows], v[columns])


_GEMM: dict[str, Spec] = {
    "alpha": "alpha",
    "beta": "beta",
    "transpose_a": _true("transA"),
    "transpose_b": _true("transB"),
    "transposed": _true("output_transpose"),
    "spread": _true("output_N1M"),
    "packed": lambda v: max(v["output_elempack"], 1),
    "quantized": "quantize_term",
}
_GEMM_WEIGHTS: dict[str, Any] = {
    "A_data": _matrix("constantM", "constantK", "transA"),
    "B_data": _matrix("constantK", "constantN", "transB"),
    "C_data": lambda v: ((1,), (-1, 1), (-1, 1), (v["constantM"], v["constantN"]), (1, -1))[
        v["constant_broadcast_type_C"]
    ],
    "A_data_int8_scales": (-1,),
    "B_data_int8_scale": (1,),
}
_PROJECTIONS: dict[str, Any] = {
    "q_weight_data": ("embed_dim", -1),
    "q_bias_data": (-1,),
    "k_weight_data": ("embed_dim", "kdim"),
    "k_bias_data": (-1,),
    "v_weight_data": ("embed_dim", "vdim"),
    "v_bias_data": (-1,),
    "out_weight_data": (-1, "embed_dim"),
    "out_bias_data": (-1,),
}


def _single(number: float) -> float:
    """Return a number rounded to 32 bits."""
    found: float = unpack("f", pack("f", number))[0]
    return found


def _resized(v: Values) -> Any:
    def target(shapes: list[Any]) -> tuple[int, int]:
        height, width = (1, 1) if len(shapes[0]) == 1 else shapes[0][-2:]
        if v["size_expr"]:
            width, *rest = sizes(v["size_expr"], shapes)
            return rest[0] if rest else height, width
        if v["dynamic_target_size"] == 1:
            height, width = (1, *shapes[1])[-2:]
        elif v["output_width"] and v["output_height"]:
            height, width = v["output_height"], v["output_width"]
        else:
            height = int(_single(height * _single(v["height_scale"])))
            width = int(_single(width * _single(v["width_scale"])))
        return height, width

    return target


def _scales(v: Values) -> tuple[float | None, float | None]:
    if v["size_expr"] or v["dynamic_target_size"]:
        return None, None
    return None if v["output_height"] else v["height_scale"], None if v["output_width"] else v["width_scale"]


_SPECTRUM: dict[str, Spec] = {
    "size": "n_fft",
    "step": "hoplen",
    "length": "winlen",
    "window": "window_type",
    "centered": _true("center", 1),
    "normalized": "normalized",
}


def _is_bare(v: Values) -> bool:
    return v["inputs"] == 1 and v["image_width"] == v["image_height"] == -233 and not v["max_sizes"]


def _per_place(v: Values) -> int:
    smallest, ratios = len(v["min_sizes"]), len(v["aspect_ratios"])
    if _is_bare(v):
        return smallest - 1 + ratios
    return smallest + len(v["max_sizes"]) + smallest * ratios * (2 if v["flip"] else 1)


_PRIORS: dict[str, Spec] = {
    "per_place": _per_place,
    "bare": _is_bare,
    "smallest": "min_sizes",
    "largest": "max_sizes",
    "ratios": "aspect_ratios",
    "flipped": _true("flip"),
    "clipped": _true("clip"),
    "size": lambda v: tuple(max(v[label], 0) for label in ("image_height", "image_width")),
    "step": lambda v: tuple(0 if v[label] == -233 else v[label] for label in ("step_height", "step_width")),
    "offset": "offset",
    "variances": tuple(f"variances[{k}]" for k in range(4)),
    "whole_steps": _true("step_mmdetection"),
    "late": _true("center_mmdetection"),
}

OPERATORS: dict[str, Entry] = {
    "AbsVal": _formula("abs"),
    "ArgMax": Entry("sample/elements.TopIndices", {"top": "topk", "values": _true("out_max_val")}),
    "BNLL": _formula("softplus"),
    "BatchNorm": Entry(
        "sample/norms.SampleBatchNorm",
        {"eps": "eps"},
        dict.fromkeys(("slope_data", "mean_data", "var_data", "bias_data"), (-1,)),
    ),
    "Bias": Entry("sample/norms.Bias", {}, {"bias_data": (-1,)}),
    "BinaryOp": Entry(
        "sample/elements.SampleBinary",
        {
            "function": lambda v: _BINARY[v["op_type"]][0],
            "swapped": lambda v: bool(_BINARY[v["op_type"]][1]),
            "number": "b",
        },
    ),
    "CELU": _formula("celu", "alpha"),
    "Cast": _formula(lambda v: {2: "float16", 4: "bfloat16"}.get(v["type_to"], "identity")),
    "Clip": _formula("clip", "min", "max"),
    "Concat": Entry("sample/layout.SampleConcat", {"axis": "axis"}),
    "Convolution": _convolution("hw"),
    "Convolution1D": _convolution("w"),
    "Convolution3D": _convolution("dhw"),
    "ConvolutionDepthWise": _convolution("hw", True),
    "ConvolutionDepthWise1D": _convolution("w", True),
    "ConvolutionDepthWise3D": _convolution("dhw", True),
    "CopyTo": Entry(
        "sample/layout.CopyInto",
        {"starts": _copied},
        blame={"starts": ("starts", "woffset", "hoffset", "coffset", "doffset")},
    ),
    "Crop": Entry("sample/layout.SampleCrop", {"ranges": _crop}, blame={"ranges": tuple(_CROP_BLAME.split())}),
    "CumulativeSum": Entry("sample/elements.SampleCumulativeSum", {"axis": "axis"}),
    "Deconvolution": _deconvolution("hw"),
    "Deconvolution1D": _deconvolution("w"),
    "Deconvolution3D": _deconvolution("dhw"),
    "DeconvolutionDepthWise": _deconvolution("hw", True),
    "DeconvolutionDepthWise1D": _deconvolution("w", True),
    "DeconvolutionDepthWise3D": _deconvolution("dhw", True),
    "DeepCopy": _formula("identity"),
    "DeformableConv2D": Entry(
        "sample/images.SampleDeformableConvolution",
        {**_windows("hw"), **_EXPLICIT, "activation": _activation},
        {"weight_data": ("num_output", -1, "kernel_h", "kernel_w"), "bias_data": (-1,)},
        3,
        _PADS_BLAME,
    ),
    "Dequantize": Entry("sample/quantized.SampleDequantize", {}, {"scale_data": (-1,), "bias_data": (-1,)}),
    "DetectionOutput": _rows((None, 6)),
    "Diag": Entry("sample/layout.Diag", {"diagonal": "diagonal"}),
    "Dropout": _formula("scaled", "scale"),
    "ELU": _formula("elu", "alpha"),
    "Einsum": Entry("sample/images.SampleEinsum", {"equation": _equation}),
    "Eltwise": Entry(
        "sample/elements.Merge", {"function": _word("op_type", "multiply", "add", "maximum"), "factors": "coeffs"}
    ),
    "Embed": Entry(
        "sample/linear.Embed",
        {},
        {"weight_data": (-1, "num_output"), "bias_data": (-1,), "weight_data_int8_scale": (1,)},
    ),
    "Erf": _formula("erf"),
    "Exp": _formula("exponential", "base", "scale", "shift"),
    "ExpandDims": Entry("sample/layout.SampleExpandDims", {"axes": "axes"}),
    "Flatten": Entry("sample/layout.SampleFlatten"),
    "Flip": Entry("moving/flipping.Flip", {"axis": "axes"}),
    "Fold": Entry(
        "sample/windows.SampleFromColumns",
        {**_windows("hw"), **_EXPLICIT, "target": _labels("output", "hw")},
        blame={"target": ("output_w", "output_h", "kernel_w")},
    ),
    "GELU": _formula(lambda v: "gelu_tanh" if v["fast_gelu"] else "gelu"),
    "GLU": Entry("sample/elements.GatedHalf", {"axis": "axis"}),
    "GRU": _recurrent("gru", 3, 4),
    "Gemm": Entry("sample/linear.SampleGemm", _GEMM, _GEMM_WEIGHTS, 0),
    "GridSample": Entry(
        "sample/images.SampleGridSample",
        {
            "mode": lambda v: ("bilinear", "nearest", "bicubic")[v["sample_type"] - 1],
            "padding": lambda v: ("zeros", "border", "reflection")[v["padding_mode"] - 1],
            "corners": _true("align_corner"),
            "first": _true("permute_fusion"),
        },
    ),
    "GroupNorm": Entry(
        "sample/norms.SampleGroupNorm",
        {"groups": "group", "channels": "channels", "eps": "eps"},
        {"gamma_data": (-1,), "beta_data": (-1,)},
    ),
    "HardSigmoid": _formula("hard_sigmoid", "alpha", "beta"),
    "HardSwish": _formula("hard_swish", "alpha", "beta"),
    "InnerProduct": Entry(
        "sample/linear.SampleInnerProduct",
        {"activation": _activation, "quantized": "int8_scale_term"},
        {"weight_data": ("num_output", -1), "bias_data": (-1,), **_SCALES},
    ),
    "InstanceNorm": Entry(
        "sample/norms.SampleGroupNorm",
        {"channels": lambda v: v["channels"] if v["affine"] else 0, "eps": "eps"},
        {"gamma_data": (-1,), "beta_data": (-1,)},
        blame={"channels": ("channels",)},
    ),
    "Interp": Entry(
        "sample/images.SampleResize",
        {
            "mode": lambda v: ("nearest", "linear", "cubic")[v["resize_type"] - 1],
            "corners": _true("align_corner"),
            "target": _resized,
            "scales": _scales,
        },
        blame={"target": ("size_expr", "output_height", "output_width", "height_scale", "width_scale")},
    ),
    "InverseSpectrogram": Entry("sample/signal.InverseSpectrogram", {**_SPECTRUM, "part": "returns"}),
    "LRN": Entry(
        "sample/norms.LocalResponse",
        {"within": _true("region_type", 1), "size": "local_size", "alpha": "alpha", "beta": "beta", "bias": "bias"},
    ),
    "LSTM": _recurrent("lstm", 4, 4),
    "LayerNorm": _affine(),
    "Log": _formula("logarithm", "base", "scale", "shift"),
    "MVN": Entry(
        "sample/norms.SampleMeanVariance",
        {"deviation": _true("normalize_variance"), "across": _true("across_channels"), "eps": "eps"},
    ),
    "MatMul": Entry("sample/linear.SampleMatMul", {"transposed": _true("transB")}),
    "Mish": _formula("mish"),
    "MultiHeadAttention": Entry(
        "sample/attention.MultiHeadAttention",
        {
            "heads": "num_heads",
            "size": "embed_dim",
            "sizes": lambda v: (v["weight_data_size"] // v["embed_dim"], v["kdim"], v["vdim"]),
            "scale": "scale",
            "masked": _true("attn_mask"),
            "cached": _true("kv_cache"),
            "count": "outputs",
            "quantized": "quantize_term",
        },
        _PROJECTIONS,
        0,
    ),
    "Noop": Entry("sample/common.Same", {"count": "outputs"}),
    "Normalize": Entry(
        "sample/norms.SampleNormalize",
        {
            "across_channels": _true("across_channel"),
            "across_space": _true("across_spatial"),
            "shared": _true("channel_shared"),
            "eps": "eps",
            "mode": "eps_mode",
        },
        {"scale_data": (-1,)},
    ),
    "PReLU": Entry("sample/norms.PReLU", {}, {"slope_data": (-1,)}),
    "PSROIPooling": _regions("shares", channels="output_dim"),
    "Packing": _formula("identity"),
    "Padding": Entry(
        "sample/layout.SamplePad",
        {"mode": _word("type", "constant", "edge", "reflect"), "value": "value", "sides": _sides},
        {"per_channel_pad_data": (-1,)},
        blame={"sides": ("top", "bottom", "left", "right", "front", "behind")},
    ),
    "Permute": Entry("sample/layout.SamplePermute", {"orders": _permutation}, blame={"orders": ("order_type",)}),
    "PixelShuffle": Entry("sample/layout.PixelShuffle", {"block": "upscale_factor", "blocks_first": _true("mode")}),
    "Pooling": _pooling("hw"),
    "Pooling1D": _pooling("w"),
    "Pooling3D": _pooling("dhw"),
    "Power": _formula("power", "power", "scale", "shift"),
    "PriorBox": Entry("sample/images.PriorBoxes", _PRIORS),
    "Proposal": _rows((None, 1, 4), (None, 1, 1)),
    "Quantize": Entry("sample/quantized.SampleQuantize", {}, {"scale_data": (-1,)}),
    "RMSNorm": _affine(mean=constant(False)),
    "RNN": _recurrent("rnn", 1, 1),
    "ROIAlign": _regions(
        lambda v: "aligned" if v["version"] else "clipped", samples="sampling_ratio", centered=_true("aligned")
    ),
    "ROIPooling": _regions("max"),
    "ReLU": _formula("relu", "slope"),
    "Reduction": Entry(
        "sample/elements.SampleReduce",
        {
            "fold": lambda v: _FOLDS[v["operation"]],
            "axis": lambda v: None if v["reduce_all"] else v["axes"],
            "keepdims": _true("keepdims"),
            "factor": "coeff",
        },
        blame={"axis": ("axes",)},
        fixed={"least": 1},
    ),
    "Reorg": Entry("sample/layout.Unshuffle", {"block": "stride", "blocks_first": _true("mode")}),
    "Requantize": Entry(
        "sample/quantized.SampleRequantize",
        {"activation": _activation},
        {"scale_in_data": (-1,), "scale_out_data": (-1,), "bias_data": (-1,)},
    ),
    "Reshape": Entry(
        "sample/layout.SampleReshape",
        {"lengths": _reshaped, "batch": _batch},
        blame={"lengths": ("shape_expr", "w", "h", "c", "d"), "batch": ("input_batch_axis", "output_batch_axis")},
    ),
    "RotaryEmbed": Entry("sample/attention.RotaryEmbedding", {"interleaved": _true("interleaved")}),
    "SDPA": Entry(
        "sample/attention.DotProductAttention",
        {
            "scale": "scale",
            "masked": _true("attn_mask"),
            "cached": _true("kv_cache"),
            "count": "outputs",
            "quantized": "int8_scale_term",
        },
    ),
    "SELU": _formula("selu", "alpha", "lambda"),
    "SPP": Entry("sample/images.Pyramid", {"levels": "pyramid_height"}),
    "Scale": Entry("sample/norms.Scale", {}, {"scale_data": (-1,), "bias_data": (-1,)}),
    "Shrink": _formula("shrink", "bias", "lambd"),
    "ShuffleChannel": Entry("sample/layout.SampleShuffleChannels", {"groups": "group", "reverse": _true("reverse")}),
    "Sigmoid": _formula("sigmoid"),
    "Slice": Entry(
        "sample/layout.SampleSlice",
        {
            "axis": "axis",
            "lengths": lambda v: [max(n, 0) for n in v["slices"]],
            "places": "indices",
            "count": "outputs",
        },
        blame={"lengths": ("slices",)},
    ),
    "Softmax": Entry("sample/elements.SampleSoftmax", {"axis": "axis"}),
    "Softplus": _formula("softplus"),
    "Spectrogram": Entry(
        "sample/signal.Spectrogram",
        {
            **_SPECTRUM,
            "padding": lambda v: ("constant", "edge", "reflect")[v["pad_type"]],
            "power": "power",
            "half": _true("onesided"),
        },
    ),
    "Split": Entry("sample/common.Copies", {"count": "outputs"}),
    "Squeeze": Entry("sample/layout.SampleSqueeze", {"axes": "axes", "named": _squeezed}),
    "StatisticsPooling": Entry("sample/norms.SampleStatistics", {"deviation": _true("include_stddev")}),
    "Swish": _formula("swish"),
    "TanH": _formula("tanh"),
    "Threshold": _formula("threshold", "threshold"),
    "Tile": Entry("sample/layout.SampleTile", {"axis": "axis", "tiles": "tiles", "repeats": "repeats"}),
    "UnaryOp": _formula(lambda v: _UNARY[v["op_type"]]),
    "Unfold": Entry("sample/windows.SampleColumns", {**_windows("hw"), "pad_value": "pad_value"}),
    "YoloDetectionOutput": _rows((None, 6)),
    "Yolov3DetectionOutput": _rows((None, 6)),
}
