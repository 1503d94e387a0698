"""What ncnn's operator document lacks, written by hand from what its layers read, refuse and compute: see docs/formats/ncnn.md.

Expressions (`size`, `when`, `count`, `that`, bounds) are Python's over the labels of an operator's parameters, `inputs` and `outputs` (their numbers),
and refs(TEXT), the number of inputs that an expression like "0w,1h" names.
"""

from __future__ import annotations

from typing import Any

Facts = dict[str, Any]

CONV = [f"Convolution{kind}{rank}" for kind in ("", "DepthWise") for rank in ("", "1D", "3D")]
DECONV = [name.replace("Convolution", "Deconvolution") for name in CONV]
STORED = "not dynamic_weight"  # the layer has weights of its own
WINDOW = "not global_pooling and not adaptive_pooling"

DOCS = {
    "AbsVal": "Absolute value", "ArgMax": "Indices, or values too, of the largest elements",
    "BatchNorm": "Normalizes channels with stored mean and variance", "Bias": "Adds a stored bias to each channel",
    "BinaryOp": "Combines two blobs, or a blob and a number, element by element", "BNLL": "log(1 + exp(x))",
    "Cast": "Converts the element type", "CELU": "Continuously differentiable exponential linear unit", "Clip": "Limits values to a range",
    "Concat": "Joins blobs along an axis", "Convolution": "2-D convolution", "Convolution1D": "1-D convolution",
    "Convolution3D": "3-D convolution", "ConvolutionDepthWise": "2-D convolution in groups",
    "ConvolutionDepthWise1D": "1-D convolution in groups", "ConvolutionDepthWise3D": "3-D convolution in groups",
    "CopyTo": "Writes a blob into a copy of another at an offset", "Crop": "Cuts a part out of a blob", "CumulativeSum": "Running sum along an axis",
    "Deconvolution": "2-D transposed convolution", "Deconvolution1D": "1-D transposed convolution", "Deconvolution3D": "3-D transposed convolution",
    "DeconvolutionDepthWise": "2-D transposed convolution in groups", "DeconvolutionDepthWise1D": "1-D transposed convolution in groups",
    "DeconvolutionDepthWise3D": "3-D transposed convolution in groups", "DeepCopy": "Copies a blob",
    "DeformableConv2D": "2-D convolution at offsets that are an input", "Dequantize": "int32 to float by stored scales",
    "DetectionOutput": "Decodes and filters the boxes of an SSD", "Diag": "Diagonal of a matrix, or matrix of a diagonal",
    "Dropout": "Multiplies by a number; nothing is dropped at inference", "Einsum": "Einstein summation", "Eltwise": "Product, weighted sum or maximum of blobs",
    "ELU": "Exponential linear unit", "Embed": "Looks up rows of a table by index", "Erf": "Error function", "Exp": "base ^ (shift + x * scale)",
    "ExpandDims": "Inserts dimensions of size 1", "Flatten": "One dimension of all elements", "Flip": "Reverses axes",
    "Fold": "Adds columns of patches up to an image", "GELU": "Gaussian error linear unit", "Gemm": "Matrix product with optional addend",
    "GLU": "Gated linear unit: one half times the sigmoid of the other", "GridSample": "Samples at positions that are an input",
    "GroupNorm": "Normalizes groups of channels", "GRU": "Gated recurrent unit", "HardSigmoid": "clamp(x * alpha + beta, 0, 1)",
    "HardSwish": "x * clamp(x * alpha + beta, 0, 1)", "InnerProduct": "Fully connected layer", "Input": "An input of the network",
    "InstanceNorm": "Normalizes each channel", "Interp": "Resizes an image", "InverseSpectrogram": "Inverse short-time Fourier transform",
    "LayerNorm": "Normalizes over the innermost elements", "Log": "log of shift + x * scale", "LRN": "Local response normalization",
    "LSTM": "Long short-term memory", "MatMul": "Matrix product of two blobs", "MemoryData": "A constant from the .bin",
    "Mish": "x * tanh(log(1 + exp(x)))", "MultiHeadAttention": "Multi-head attention with its projections", "MVN": "Subtracts the mean, divides by the deviation",
    "Noop": "Nothing: outputs are the inputs", "Normalize": "Divides by the L2 norm", "Packing": "Changes how many channels are stored together",
    "Padding": "Adds a border", "Permute": "Reorders dimensions", "PixelShuffle": "Channels to space", "Pooling": "2-D pooling",
    "Pooling1D": "1-D pooling", "Pooling3D": "3-D pooling", "Power": "(shift + x * scale) ^ power", "PReLU": "Leaky ReLU with stored slopes",
    "PriorBox": "Anchor boxes of an SSD", "Proposal": "Region proposals of a Faster R-CNN", "PSROIPooling": "Position-sensitive pooling of regions",
    "Quantize": "float to int8 by stored scales", "Reduction": "Sum, mean, maximum ... over axes", "ReLU": "Rectified linear unit, leaky with a slope",
    "Reorg": "Space to channels", "Requantize": "int32 to int8 by stored scales", "Reshape": "Gives the elements another shape",
    "RMSNorm": "Divides by the root of the mean square", "RNN": "Plain recurrent network", "ROIAlign": "Pooling of regions with interpolation",
    "ROIPooling": "Max pooling of regions", "RotaryEmbed": "Rotary position embedding", "Scale": "Multiplies each channel by a scale",
    "SDPA": "Scaled dot-product attention", "SELU": "Scaled exponential linear unit", "Shrink": "Shrinks values towards 0",
    "ShuffleChannel": "Interleaves groups of channels", "Sigmoid": "1 / (1 + exp(-x))", "Slice": "Splits a blob along an axis",
    "Softmax": "Softmax along an axis", "Softplus": "log(1 + exp(x))", "Spectrogram": "Short-time Fourier transform", "SPP": "Spatial pyramid pooling",
    "Split": "Makes outputs of one blob, one for each reader", "Squeeze": "Removes dimensions of size 1", "StatisticsPooling": "Mean, and deviation, of each channel",
    "Swish": "x * sigmoid(x)", "TanH": "Hyperbolic tangent", "Threshold": "1 above a threshold, else 0", "Tile": "Repeats along axes",
    "UnaryOp": "A function of each element", "Unfold": "Patches of an image as columns",
    "YoloDetectionOutput": "Boxes of YOLOv2", "Yolov3DetectionOutput": "Boxes of YOLOv3",
}  # fmt: skip


def port(name: str, kind: str = "", **facts: Any) -> Facts:
    return {"name": name, **({"kind": kind} if kind else {}), **facts}


ONE = ([port("x")], [port("y")])
ROI = ([port("x", ranks=[3]), port("roi")], [port("y")])
KV = "kv_cache"
# Inputs and outputs; all others take one blob and make one.
PORTS: dict[str, tuple[list[Facts], list[Facts]]] = {
    **{name: ([port("x"), port("weight", when="dynamic_weight"), port("bias", when="dynamic_weight and bias_term")], [port("y")])
       for name in [*CONV, *DECONV] if not name.endswith("3D")},
    "BinaryOp": ([port("a"), port("b", when="not with_scalar")], [port("y")]),
    "Concat": ([port("x", "variadic")], [port("y")]),
    "CopyTo": ([port("self"), port("src")], [port("y")]),
    "Crop": ([port("x"), port("reference", when="not (outw or outh or outd or outc or woffset2 or hoffset2 or doffset2 or coffset2"
                                                " or starts and ends or starts_expr and ends_expr)"),
              port("sizes", "variadic0", count="max(refs(starts_expr), refs(ends_expr), refs(axes_expr), 1) - 1 if starts_expr and ends_expr else 0")], [port("y")]),
    "DeformableConv2D": ([port("x", ranks=[3]), port("offset", ranks=[3]), port("mask", "optional", ranks=[3])], [port("y")]),
    "DetectionOutput": ([port("location"), port("confidence"), port("priorbox")], [port("y")]),
    "Einsum": ([port("x", "variadic", count="equation.count(44) + 1")], [port("y")]),
    "Eltwise": ([port("a"), port("b"), port("more", "variadic0")], [port("y")]),
    "Gemm": ([port("A", when="not constantA", ranks=[2, 3]), port("B", when="not constantB", ranks=[2, 3]), port("C", "optional", when="not constantC")],
             [port("y")]),
    "GridSample": ([port("x", ranks=[3, 4]), port("grid", ranks=[3, 4])], [port("y")]),
    "GRU": ([port("x", ranks=[2]), port("hidden", "optional")], [port("y"), port("hidden", "optional")]),
    "RNN": ([port("x", ranks=[2]), port("hidden", "optional")], [port("y"), port("hidden", "optional")]),
    "LSTM": ([port("x", ranks=[2]), port("hidden", "optional"), port("cell", "optional")],
             [port("y"), port("hidden", "optional"), port("cell", "optional")]),
    "Input": ([], [port("y", "variadic0")]),
    "Interp": ([port("x"), port("reference", when="dynamic_target_size == 1"), port("sizes", "variadic0", count="max(refs(size_expr), 1) - 1")], [port("y")]),
    "MatMul": ([port("A"), port("B")], [port("y")]),
    "MemoryData": ([], [port("y")]),
    "MultiHeadAttention": ([port("q", ranks=[2, 3]), port("k", "optional", ranks=[2, 3]), port("v", "optional", ranks=[2, 3]), port("mask", when="attn_mask"),
                            port("cached_k", when=KV), port("cached_v", when=KV)], [port("y"), port("k", when=KV), port("v", when=KV)]),
    "Noop": ([port("x", "variadic0")], [port("y", "variadic0", most="inputs")]),
    "PriorBox": ([port("feature", ranks=[3]),
                  port("image", when="(image_width == -233 or image_height == -233) and (max_sizes or image_width != image_height)"),
                  port("image", "optional", when="not (image_width == -233 or image_height == -233) or not max_sizes and image_width == image_height")],
                 [port("y")]),
    "Proposal": ([port("score", ranks=[3]), port("bbox", ranks=[3]), port("im_info")], [port("roi"), port("score", "optional")]),
    "PSROIPooling": ROI, "ROIAlign": ROI, "ROIPooling": ROI,
    "Reshape": ([port("x"), port("sizes", "variadic0", count="max(refs(shape_expr), 1) - 1")], [port("y")]),
    "RotaryEmbed": ([port("x", ranks=[3]), port("cos", ranks=[2]), port("sin", ranks=[2])], [port("y")]),
    "Scale": ([port("x"), port("scale", when="scale_data_size == -233"), port("bias", when="scale_data_size == -233 and bias_term")], [port("y")]),
    "SDPA": ([port("q", ranks=[3]), port("k", ranks=[3]), port("v", ranks=[3]), port("mask", when="attn_mask"), port("past_k", when=KV), port("past_v", when=KV)],
             [port("y"), port("k", when=KV), port("v", when=KV)]),
    "Slice": ([port("x")], [port("y", "variadic")]),
    "Split": ([port("x")], [port("y", "variadic")]),
    "YoloDetectionOutput": ([port("x", "variadic", ranks=[3])], [port("y")]),
    "Yolov3DetectionOutput": ([port("x", "variadic", ranks=[3])], [port("y")]),
}  # fmt: skip
# When the loader insists on one input and one output (one_blob_only), where that depends on parameters.
SINGLE = {
    **dict.fromkeys((name for name in [*CONV, *DECONV] if not name.endswith("3D")), STORED),
    "BinaryOp": "with_scalar",
    "Crop": "(outw or outh or outd or outc or woffset2 or hoffset2 or doffset2 or coffset2 or starts and ends or starts_expr and ends_expr)"
    " and max(refs(starts_expr), refs(ends_expr), refs(axes_expr)) <= 1",
    "Gemm": "constantA + constantB + constantC == 2",
    "Interp": "dynamic_target_size != 1 and refs(size_expr) <= 1",
    "Reshape": "refs(shape_expr) <= 1",
    "Scale": "scale_data_size != -233",
}  # fmt: skip
COUNTS = {"LSTM": [1, 3]}  # other numbers of inputs and outputs are as good as the smallest


def weight(name: str, size: str, storage: str = "float", when: str = "") -> Facts:
    """storage: float; flag (four bytes before it tell how it is stored); bytes (packed, a multiple of four)."""
    return {
        "name": name,
        "size": size,
        **({"storage": storage} if storage != "float" else {}),
        **({"when": when} if when else {}),
    }


def _convolution(name: str) -> list[Facts]:
    stored = "" if name.endswith("3D") else STORED
    bias = "bias_term" + f" and {stored}" * bool(stored)
    found = [weight("weight_data", "weight_data_size", "flag", stored), weight("bias_data", "num_output", when=bias)]
    if name == "Convolution":
        found.append(weight("weight_data_int8_scales", "num_output", when="int8_scale_term and " + STORED))
        found.append(weight("bottom_blob_int8_scales", "1", when="int8_scale_term and " + STORED))
    if name == "ConvolutionDepthWise":
        found.append(weight("weight_data_int8_scales", "group", when="int8_scale_term in (1, 101) and " + STORED))
        found.append(weight("weight_data_int8_scales", "1", when="int8_scale_term in (2, 102) and " + STORED))
        found.append(weight("bottom_blob_int8_scales", "1", when="int8_scale_term in (1, 2, 101, 102) and " + STORED))
    if name in ("Convolution", "ConvolutionDepthWise"):
        found.append(weight("top_blob_int8_scales", "1", when="int8_scale_term > 100 and " + STORED))
    return found


def _recurrent(gates: int, biases: int, cell: str = "num_output") -> list[Facts]:
    twice = "(1 + (direction == 2))"
    rows = f"{cell} * {gates} * {twice}" if gates > 1 else f"{cell} * {twice}"
    found = [
        weight("weight_xc_data", f"weight_data_size // ({rows}) * {rows}", "flag"),
        weight("bias_c_data", f"{cell} * {biases} * {twice}", "flag"),
        weight("weight_hc_data", f"num_output * {rows}", "flag"),
    ]
    if cell != "num_output":
        found.append(weight("weight_hr_data", f"{cell} * num_output * {twice}", "flag", f"num_output != {cell}"))
    return [*found, *(weight(f"weight_{part}_data_int8_scales", rows, when="int8_scale_term") for part in ("xc", "hc"))]


_BLOCKS = "quantize_term >= 400"
_BITS, _BLOCK = "(quantize_term // 100)", "(32 << quantize_term % 10)"


def _attention() -> list[Facts]:
    inner = {"q": "(weight_data_size // embed_dim)", "k": "kdim", "v": "vdim", "out": "embed_dim"}
    outer = {"q": "embed_dim", "k": "embed_dim", "v": "embed_dim", "out": inner["q"]}
    found = []
    for part, size in inner.items():
        found.append(
            weight(
                f"{part}_weight_data",
                f"embed_dim * {inner['q'] if part == 'out' else size}",
                "flag",
                "quantize_term < 400",
            )
        )
        found.append(weight(f"{part}_weight_data", f"({size} * {_BITS} + 7) // 8 * {outer[part]}", "bytes", _BLOCKS))
        found.append(weight(f"{part}_bias_data", outer[part]))
    found += [
        weight(
            f"{part}_weight_data_int8_scales",
            "1" if part == "out" else "embed_dim",
            when="quantize_term and quantize_term < 400",
        )
        for part in inner
    ]
    found += [
        weight(
            f"{part}_weight_data_quantize_scales", f"({size} + {_BLOCK} - 1) // {_BLOCK} * {outer[part]}", when=_BLOCKS
        )
        for part, size in inner.items()
    ]
    found += [
        weight(f"{part}_weight_data_input_scales", size, when=_BLOCKS + " and quantize_term % 100 >= 10")
        for part, size in inner.items()
    ]
    return found


_MATRIX = "w * h * d * c if d else w * h * c if c else w * h if h else w"
AFFINE = [weight("gamma_data", "channels", when="affine"), weight("beta_data", "channels", when="affine")]
# In the order in which they are in the .bin.
WEIGHTS: dict[str, list[Facts]] = {
    "BatchNorm": [weight(f"{name}_data", "channels") for name in ("slope", "mean", "var", "bias")],
    "Bias": [weight("bias_data", "bias_data_size")],
    **{name: _convolution(name) for name in [*CONV, *DECONV]},
    "DeformableConv2D": _convolution("3D"),
    "Dequantize": [weight("scale_data", "scale_data_size"), weight("bias_data", "bias_data_size")],
    "Embed": [weight("weight_data", "weight_data_size", "flag"), weight("bias_data", "num_output", when="bias_term"),
              weight("weight_data_int8_scale", "1", when="int8_scale_term")],
    "Gemm": [
        weight("A_data", "constantK * constantM", "flag", "constantA == 1"),
        weight("B_data", "constantK * constantN", "flag", "constantB == 1 and quantize_term < 400"),
        weight("B_data", f"(constantK * {_BITS} + 7) // 8 * constantN", "bytes", "constantB == 1 and " + _BLOCKS),
        weight("C_data", "(1, constantM, constantM, constantN * constantM, constantN)[constant_broadcast_type_C]", "flag",
               "constantC == 1 and constant_broadcast_type_C != -1"),
        weight("B_data_quantize_scales", f"(constantK + {_BLOCK} - 1) // {_BLOCK} * constantN", when=_BLOCKS),
        weight("B_data_input_scales", "constantK", when=_BLOCKS + " and quantize_term % 100 >= 10"),
        weight("A_data_int8_scales", "constantM", when="constantA == 1 and quantize_term and quantize_term < 400"),
        weight("B_data_int8_scale", "1", when="constantB == 1 and quantize_term and quantize_term < 400"),
    ],
    "GroupNorm": AFFINE, "InstanceNorm": AFFINE,
    "GRU": _recurrent(3, 4), "RNN": _recurrent(1, 1), "LSTM": _recurrent(4, 4, "hidden_size"),
    "InnerProduct": [weight("weight_data", "weight_data_size", "flag"), weight("bias_data", "num_output", when="bias_term"),
                     weight("weight_data_int8_scales", "num_output", when="int8_scale_term"), weight("bottom_blob_int8_scales", "1", when="int8_scale_term")],
    "LayerNorm": [weight("gamma_data", "affine_size", when="affine"), weight("beta_data", "affine_size", when="affine")],
    "MemoryData": [weight("data", _MATRIX, when="load_type == 1"), weight("data", _MATRIX, "flag", "load_type == 0"),
                   weight("data", _MATRIX, "bytes", "load_type > 1")],
    "MultiHeadAttention": _attention(),
    "Normalize": [weight("scale_data", "scale_data_size")],
    "Padding": [weight("per_channel_pad_data", "per_channel_pad_data_size")],
    "PReLU": [weight("slope_data", "num_slope")],
    "Quantize": [weight("scale_data", "scale_data_size")],
    "Requantize": [weight("scale_in_data", "scale_in_data_size"), weight("scale_out_data", "scale_out_data_size"), weight("bias_data", "bias_data_size")],
    "RMSNorm": [weight("gamma_data", "affine_size", when="affine")],
    "Scale": [weight("scale_data", "scale_data_size", when="scale_data_size != -233"),
              weight("bias_data", "scale_data_size", when="bias_term and scale_data_size != -233")],
}  # fmt: skip

LABELS = {"equation_mat": "equation"}  # a label that reads better than the source's
# An id that has another meaning since: what the source called it, and calls it.
CHANGED = {
    ("scale", "scale_data_size"), ("scale_in", "scale_in_data_size"), ("scale_out", "scale_out_data_size"), ("bias_term", "bias_data_size"),
    ("bias_data_size", "activation_type"), ("fusion_relu", "activation_params"), ("dim", "reduce_all"),
}  # fmt: skip
# Arrays of floats; the others are of ints. `exact`: ints are not converted either.
FLOATS = {"activation_params", "coeffs", "biases", "mask", "anchors_scale", "min_sizes", "max_sizes", "aspect_ratios"}

_FLAG = {"0": "no", "1": "yes"}
_ACTIVATION = {"0": "none", "1": "ReLU", "2": "leaky ReLU", "3": "clip", "4": "sigmoid", "5": "mish", "6": "hard swish"}
_TYPES = {"0": "auto", "1": "float32", "2": "float16", "3": "int8", "4": "bfloat16"}
_FLAGS = (
    "affine align_corner aligned attn_mask avgpool_count_include_pad bias_term center center_mmdetection clip constantA constantB constantC dynamic_weight"
    " across_channel across_channels across_spatial channel_shared fast_gelu flip global_pooling adaptive_pooling include_stddev interleaved keepdims"
    " kv_cache normalize_variance onesided output_transpose permute_fusion reduce_all reverse step_mmdetection transA transB use_padding with_scalar"
    " out_max_val dynamic_target_size squeeze_w squeeze_h squeeze_d squeeze_c"
)
_WORDS: dict[str, dict[str, str]] = {  # by label
    **dict.fromkeys(_FLAGS.split(), _FLAG),
    "cast_type_from": _TYPES, "cast_type_to": _TYPES, "type_from": _TYPES, "type_to": _TYPES,     "eps_mode": {"0": "Caffe", "1": "PyTorch", "2": "TensorFlow"},
}  # fmt: skip
_VALUES: dict[str, dict[str, str]] = {  # by label: other values are refused
    "activation_type": _ACTIVATION,
    "direction": {"0": "forward", "1": "reverse", "2": "bidirectional"},
    "pad_mode": {"0": "full", "1": "valid", "2": "SAME_UPPER", "3": "SAME_LOWER"},
    "resize_type": {"0": "none", "1": "nearest", "2": "bilinear", "3": "bicubic"},
    "sample_type": {"1": "bilinear", "2": "nearest", "3": "bicubic"},
    "padding_mode": {"1": "zeros", "2": "border", "3": "reflection"},
    "window_type": {"0": "ones", "1": "Hann", "2": "Hamming"},
    "pad_type": {"0": "constant", "1": "replicate", "2": "reflect"},
    "normalized": {"0": "no", "1": "by n_fft", "2": "by the energy of the window"},
    "load_type": {"0": "as its tag says", "1": "float32", "3": "bytes", "4": "bytes", "6": "bytes", "8": "bytes"},
    "returns": {"0": "complex", "1": "real", "2": "imaginary"},
}  # fmt: skip
_POSITIVE = {"min": 1}
_AXIS = {"min": -4, "max": 3}
_AXES = {"max_length": 4, "items": _AXIS}
_PARAMS = {"min_length": "(0, 0, 1, 2, 0, 0, 2)[activation_type] if 0 <= activation_type <= 6 else 0"}
_KERNEL = dict.fromkeys(("kernel_w", "kernel_h", "kernel_d"), _POSITIVE)
_STEPS = dict.fromkeys(("dilation_w", "dilation_h", "dilation_d", "stride_w", "stride_h", "stride_d"), _POSITIVE)
_SIZE = {"min": 0}
_POOLED = {"pooled_width": _POSITIVE, "pooled_height": _POSITIVE}
_PADS = {f"pad_{side}": {"min": 0, "when": WINDOW} for side in ("left", "right", "top", "bottom", "front", "behind")}
_QUANTIZED = {"0": "no", "1": "int8", **{str(bits * 100 + scale * 10 + block): f"{bits} bits in blocks of {32 << block}" + ", with input scales" * scale
                                         for bits in (4, 6, 8) for scale in (0, 1) for block in (0, 1, 2)}}  # fmt: skip


def _of_convolutions(name: str) -> dict[str, Facts]:
    stored = {} if name.endswith("3D") or name.startswith("Deform") else {"when": STORED}
    product = " * ".join(
        f"kernel_{axis}" for axis in "whd"[: 1 if name.endswith("1D") else 3 if name.endswith("3D") else 2]
    )
    facts: dict[str, Facts] = {label: {**bounds, **stored} for label, bounds in _KERNEL.items()}
    facts |= _STEPS | {"num_output": {**_POSITIVE, **stored}, "activation_params": _PARAMS}
    facts["weight_data_size"] = {"min": 1, "multiple_of": f"num_output * {product}", **stored}
    if "DepthWise" in name:
        facts["group"] = _POSITIVE
        facts["num_output"] = {**facts["num_output"], "multiple_of": "group"}
        facts["int8_scale_term"] = {
            "values": {
                "0": "no",
                "1": "a scale for each group",
                "2": "one scale",
                "101": "1, and the output is int8",
                "102": "2, and the output is int8",
            }
        }
    if name == "Convolution":
        facts["int8_scale_term"] = {
            "words": {
                "0": "no",
                "1": "int8",
                "2": "int8",
                "101": "int8, and so is the output",
                "102": "int8, and so is the output",
            }
        }
    return facts


_POOL = {
    **{
        label: {"min": 1, "when": WINDOW}
        for label in ("kernel_w", "kernel_h", "kernel_d", "stride_w", "stride_h", "stride_d")
    },
    **{f"out_{axis}": {"min": 1, "also": [-233], "when": "adaptive_pooling and not global_pooling"} for axis in "whd"},
    **_PADS,
    "pad_mode": {"when": WINDOW},
    "pooling_type": {"values": {"0": "max", "1": "average"}},
}
_SPECTRUM = {"n_fft": _POSITIVE, "winlen": {"min": 1, "max": "n_fft"}, "hoplen": _POSITIVE}
_AFFINE = {"channels": {"min": 1, "when": "affine"}}
_YOLO = {"num_class": _POSITIVE, "num_box": _POSITIVE}
# Bounds and words of parameters, by layer and label: what the loader refuses, crashes on or computes nonsense with.
BOUNDS: dict[str, dict[str, Facts]] = {
    **{name: _of_convolutions(name) for name in [*CONV, *DECONV, "DeformableConv2D"]},
    "BatchNorm": {"channels": _POSITIVE}, "Bias": {"bias_data_size": _POSITIVE},
    "CopyTo": {"starts": {"max_length": 4}, "axes": {**_AXES, "length": "len(starts) if starts and axes else len(axes)"}, "woffset": _SIZE},
    "Crop": {"outw": {"min": 0, "also": [-233], "when": "not (starts and ends or starts_expr and ends_expr)"}, "starts": {"max_length": 4}, "ends": {"length": "len(starts)"}, "axes": {**_AXES, "length": "len(starts) if axes else 0"}},
    "Dequantize": {"scale_data_size": _POSITIVE, "bias_data_size": {"min": 0}},
    "Embed": {"num_output": {"min": 1}, "weight_data_size": {"min": 1}},
    "ExpandDims": {"axes": _AXES}, "Flip": {"axes": _AXES},
    "Fold": {**_KERNEL, **_STEPS, **{f"pad_{side}": _SIZE for side in ("left", "right", "top", "bottom")}, "output_w": _POSITIVE, "output_h": _POSITIVE}, "Unfold": {**_KERNEL, **_STEPS},
    "Gemm": {
        **{f"constant{n}": {"min": 1, "when": when} for n, when in {
            "M": "constantA == 1 or constantC == 1 and constant_broadcast_type_C in (1, 2, 3)",
            "N": "constantB == 1 or constantC == 1 and constant_broadcast_type_C in (3, 4)", "K": "constantA == 1 or constantB == 1"}.items()},
        "constantA": {"values": _FLAG}, "constantB": {"values": _FLAG},
        "constant_broadcast_type_C": {"values": {"-1": "none", "0": "a number", "1": "M", "2": "M, a column", "3": "a matrix", "4": "N, a row"}, "when": "constantC == 1"},
        "output_elempack": {"min": 0}, "quantize_term": {"words": _QUANTIZED},
    },
    "DetectionOutput": {"nms_top_k": _SIZE, "keep_top_k": _SIZE}, "Proposal": {"after_nms_topN": _SIZE},
    "PSROIPooling": _POOLED, "ROIPooling": _POOLED, "MemoryData": dict.fromkeys("whdc", _SIZE),
    "GroupNorm": {"group": _POSITIVE, "channels": {"min": 0, "multiple_of": "group"}},
    "Input": {axis: {"idle": True} for axis in "whdc"},
    "InstanceNorm": _AFFINE,
    "GRU": {"num_output": _POSITIVE, "weight_data_size": {"min": 1, "multiple_of": "num_output * 3 * (1 + (direction == 2))"}},
    "RNN": {"num_output": _POSITIVE, "weight_data_size": {"min": 1, "multiple_of": "num_output * (1 + (direction == 2))"}},
    "LSTM": {"num_output": _POSITIVE, "hidden_size": _POSITIVE, "weight_data_size": {"min": 1, "multiple_of": "hidden_size * 4 * (1 + (direction == 2))"}},
    "InnerProduct": {"num_output": _POSITIVE, "weight_data_size": {"min": 1, "multiple_of": "num_output"}, "activation_params": _PARAMS},
    "InverseSpectrogram": _SPECTRUM,
    "LayerNorm": {"affine_size": {"min": 1, "when": "affine"}}, "RMSNorm": {"affine_size": {"min": 1, "when": "affine"}},
    "MultiHeadAttention": {
        "num_heads": _POSITIVE, "embed_dim": {"min": 1, "multiple_of": "num_heads"}, "kdim": _POSITIVE, "vdim": _POSITIVE,
        "weight_data_size": {"min": 1, "multiple_of": "embed_dim"}, "quantize_term": {"words": _QUANTIZED},
    },
    "Normalize": {"scale_data_size": _POSITIVE},
    "Packing": {"out_elempack": _POSITIVE},
    "Padding": {**dict.fromkeys(("top", "bottom", "left", "right", "per_channel_pad_data_size"), _SIZE), "type": {"values": {"0": "constant", "1": "replicate", "2": "reflect"}}},
    "Permute": {"order_type": {"min": 0, "max": 23}},
    "PixelShuffle": {"upscale_factor": _POSITIVE, "mode": {"values": {"0": "sw-sh-outc", "1": "outc-sw-sh"}}},
    "Reorg": {"stride": _POSITIVE, "mode": {"values": {"0": "sw-sh-outc", "1": "outc-sw-sh"}}},
    "Pooling": _POOL, "Pooling3D": _POOL, "Pooling1D": {**_POOL, "out_w": {"min": 1, "when": "adaptive_pooling and not global_pooling"}},
    "PReLU": {"num_slope": _POSITIVE},
    "PriorBox": {"min_sizes": {"min_length": "1"}, "max_sizes": {"length": "len(min_sizes) if max_sizes else 0"}},
    "Quantize": {"scale_data_size": _POSITIVE},
    "Reduction": {"axes": _AXES},
    "Requantize": {"scale_in_data_size": _POSITIVE, "scale_out_data_size": _POSITIVE, "bias_data_size": {"min": 0}, "activation_params": _PARAMS},
    "Reshape": {"input_batch_axis": {"min": -5, "max": 4, "also": [233]}, "output_batch_axis": {"min": -5, "max": 4, "also": [233]}, **{axis: {"words": {"0": "as the input", "-1": "what remains", "-233": "no such dimension"}} for axis in "whdc"}},
    "ROIAlign": {**_POOLED, "version": {"values": {"0": "original", "1": "Detectron2"}}},
    "Scale": {"scale_data_size": {"min": 1, "also": [-233]}},
    "ShuffleChannel": {"group": _POSITIVE},
    "Slice": {"slices": {"items": {"min": 1, "also": [-233]}}, "axis": _AXIS},
    "Spectrogram": {**_SPECTRUM, "power": {"values": {"0": "complex", "1": "magnitude", "2": "power"}}, "pad_type": {"when": "center == 1"}},
    "SPP": {"pyramid_height": {"min": 1, "max": 15}, "pooling_type": {"values": {"0": "max", "1": "average"}}},
    "Squeeze": {"axes": _AXES},
    "Tile": {"axis": {"min": 0, "max": 3, "when": "not repeats"}, "tiles": {"min": 1, "when": "not repeats"}, "repeats": {"max_length": 4, "items": {"min": 1}}},
    "YoloDetectionOutput": {**_YOLO, "biases": {"min_length": "num_box * 2"}},
    "Yolov3DetectionOutput": {**_YOLO, "mask": {"exact": True, "min_length": "1", "items": {"min": 0, "max": "len(biases) // 2 - 1"}},
                              "biases": {"min_length": "2"}, "anchors_scale": {"min_length": "len(mask) // num_box"}},
}  # fmt: skip
# What the loader asks of several parameters at once: where, what, and how a message says it.
_TERM = (
    "quantize_term not in (4, 5, 6) and (quantize_term < 400 or quantize_term // 100 in (4, 6, 8) and quantize_term % 100 // 10 < 2"
    " and quantize_term % 10 < 3)"
)
_OUTPUT = ", ".join(
    str([*range(105, end)]) for end in range(106, 110)
)  # what an equation makes: i, ij, ijk or ijkl, as characters
_SIDES = {
    "1D": ("left", "right"),
    "": ("left", "right", "top", "bottom"),
    "3D": ("left", "right", "top", "bottom", "front", "behind"),
}


def _paddings(name: str) -> list[Facts]:
    axes = name[-2:] if name.endswith("D") and not name.startswith("Deform") else ""
    pads = ", ".join(f"pad_{side}" for side in _SIDES[axes])
    if name.startswith("Deform"):
        return [{"id": "4", "that": f"min({pads}) > -233", "says": "SAME padding (-233, -234) is not available"}]
    found: list[Facts] = [
        {
            "id": "4",
            "that": f"min({pads}) >= 0 or max({pads}) <= 0",
            "says": "expected no negative padding beside positive padding",
        }
    ]
    if name.startswith("Deconv"):
        sizes = " and ".join(f"output_{axis} > 0" for axis in "whd"[: len(_SIDES[axes]) // 2])
        found.append(
            {
                "id": "20",
                "that": f"not ({sizes}) or max({pads}) > 0 or -233 in ({pads}) or -234 in ({pads})",
                "says": "an output size requires SAME padding (`4=-233` or `4=-234`)",
            }
        )
    return found


DEMANDS: dict[str, list[Facts]] = {
    **{name: _paddings(name) for name in [*CONV, *DECONV, "DeformableConv2D"]},
    "Softmax": [{"id": "1", "that": "fixbug0 or axis == 0", "says": "`axis` other than 0 needs `1=1` (fixbug0)", "insert": "1=1"}],
    "Reduction": [{"id": "5", "that": "fixbug0 or not axes", "says": "`axes` needs `5=1` (fixbug0)", "insert": "5=1"}],
    "Reshape": [{"id": "0", "that": "w != -233 or shape_expr", "says": "expected `0` (w) or `6` (shape_expr)"},
                {"id": "6", "that": "shape_expr.count('(') == shape_expr.count(')')", "says": "expected as many `(` as `)` in `shape_expr`"}],
    "Einsum": [{"id": "0", "that": "equation == [105, 105] or equation.count(62) == 1 and equation[equation.index(62) - 1] == 45"
                                   f" and equation[equation.index(62) + 1:] in ({_OUTPUT})",
                "says": "expected the character codes of an equation like `ij,jk->ik`"}],
    "Gemm": [{"id": "18", "that": _TERM, "says": "unknown `quantize_term`"},
             {"id": "18", "that": "quantize_term < 400 or constantA == 0 and constantB == 1 and transB == 1",
              "says": "expected a constant, transposed B, which this `quantize_term` needs,"}],
    "MemoryData": [{"id": "0", "that": f"({_MATRIX}) or not (w or h or d or c)",
                    "says": "expected no size of 0"}],
    "GroupNorm": [{"id": "1", "that": "channels or not affine", "says": "expected at least 1 for `1` (channels)"}],
    "MultiHeadAttention": [{"id": "18", "that": _TERM, "says": "unknown `quantize_term`"}],
    "Slice": [{"id": "0", "that": "len(indices) >= outputs - 1 if indices else len(slices) >= outputs", "says": "fewer `slices` than outputs"}],
    "YoloDetectionOutput": [{"id": "4", "that": "not biases or min(biases) > 0", "says": "expected positive `biases`"}],
    "Yolov3DetectionOutput": [
        {"id": "5", "that": "num_box <= 0 or len(mask) % num_box == 0", "says": "expected a multiple of `num_box` as the length of `mask`"},
        {"id": "4", "that": "not biases or min(biases) > 0", "says": "expected positive `biases`"},
        {"id": "6", "that": "not anchors_scale or min(anchors_scale) > 0", "says": "expected positive `anchors_scale`"},
    ],
}  # fmt: skip
# Layers that builds have only if they are asked for.
UNBUILT = {"ArgMax", "SPP"}
# Parameters of every layer, read by the network itself.
COMMON: list[Facts] = [
    {"name": "30", "kind": "ints", "label": "shape_hints", "default": [], "since": 20200226},
    {"name": "31", "kind": "int", "label": "featmask", "default": 0, "since": 20221128},
]


def facts_of(operator: str, label: str) -> Facts:
    """Return bounds, values and words of a parameter."""
    found = dict(BOUNDS.get(operator, {}).get(label, {}))
    words = found.pop("values", None) if isinstance(found.get("values"), dict) else None
    if words is None and label in _VALUES and operator not in ("SDPA",):
        words = _VALUES[label]
    if words is not None:
        return {**found, "values": list(words), "words": words}
    if label in _WORDS and "words" not in found:
        found["words"] = _WORDS[label]
    if label == "pad_left" and operator in (*CONV, *DECONV):
        found["words"] = {"-233": "SAME_UPPER", "-234": "SAME_LOWER"}
    return found


# What other frameworks and formats call a layer, by the words that people write into files
_MEANT = {
    "InnerProduct": "Linear Dense FullyConnected fc",
    "Convolution": "Conv Conv2d Conv2D SpatialConvolution",
    "ConvolutionDepthWise": "DepthwiseConv DepthwiseConv2D DepthwiseConv2dNative",
    "Deconvolution": "ConvTranspose ConvTranspose2d Conv2DTranspose ConvolutionTranspose",
    "BatchNorm": "BatchNormalization BatchNorm1d BatchNorm2d BatchNorm3d BN",
    "InstanceNorm": "InstanceNorm2d InstanceNormalization",
    "LayerNorm": "LayerNormalization",
    "GroupNorm": "GroupNormalization",
    "Pooling": "MaxPool MaxPool2d MaxPooling2D AvgPool AveragePool AvgPool2d AveragePooling2D GlobalAveragePool GlobalMaxPool AdaptiveAvgPool2d AdaptiveMaxPool2d",
    "BinaryOp": "Add Sub Mul Div Pow Max Min Sum Subtract Multiply Divide Maximum Minimum",
    "UnaryOp": "Abs Neg Sqrt Exp Log Sin Cos Tan Floor Ceil Round Reciprocal Square",
    "ReLU": "LeakyReLU LeakyRelu ReLU6",
    "Clip": "Hardtanh",
    "HardSwish": "Hardswish",
    "Swish": "SiLU",
    "Permute": "Transpose",
    "ExpandDims": "Unsqueeze",
    "Interp": "Upsample Resize UpsamplingNearest2d Interpolate",
    "Padding": "Pad ZeroPad2d",
    "Reduction": "ReduceMean ReduceSum ReduceMax ReduceMin ReduceProd Mean",
    "PixelShuffle": "DepthToSpace",
    "Reorg": "SpaceToDepth",
    "MemoryData": "Const Constant Parameter",
    "Input": "Data Placeholder",
    "Noop": "Output",
    "Embed": "Embedding Gather",
    "MultiHeadAttention": "MultiheadAttention Attention",
    "Concat": "Cat Concatenate",
}
ELSEWHERE = {word: layer for layer, words in _MEANT.items() for word in words.split()}
