"""The operators of classic NNVM: which one of the dry run each is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call, Complete, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.ops.mxnet import layouts
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.dryrun import calls
from irlint.formats.nnvm.dryrun.calls import Known, Make, SymbolAttrs, bare, mapped, own, plain, unless_empty
from irlint.formats.nnvm.reading.values import BareNumber

_FUNCTIONS = ("abs", "ceil", "exp", "floor", "log", "negative", "sqrt", "tanh", "trunc")
_BINARY = {
    "add": "Add", "sub": "Subtract", "mul": "Multiply", "div": "Divide", "mod": "FloorMod", "pow": "Power",
    "max": "Maximum", "min": "Minimum", "equal": "Equal", "not_equal": "NotEqual", "greater": "Greater",
    "greater_equal": "GreaterEqual", "less": "Less", "less_equal": "LessEqual", "left_shift": "BitwiseLeftShift",
    "right_shift": "BitwiseRightShift",
}  # fmt: skip

CALLS: dict[str, Make] = {name: calls.function(name) for name in _FUNCTIONS}
CALLS |= {name: calls.formula(name) for name in ("logical_not", "relu", "sigmoid")}
CALLS |= dict.fromkeys(("block_grad", "copy", "dropout"), bare("shared/unary.Identity"))
for _name, _word in _BINARY.items():
    CALLS[f"broadcast_{_name}"] = calls.stretched(f"shared/elementwise.{_word}")
for _name in ("add", "sub", "mul", "div", "mod", "pow"):
    CALLS[f"elemwise_{_name}"] = calls.same(f"shared/elementwise.{_BINARY[_name]}")
    CALLS[f"__{_name}_scalar__"] = calls.with_number(f"shared/elementwise.{_BINARY[_name]}")


def _reduced(fold: str) -> Make:
    given = {"axis": unless_empty("axis"), **own("keepdims", "exclude")}
    return mapped("shared/reduction.ReduceAxes", given, fold=fold, least=1)


def _extreme(smallest: bool) -> Make:
    def axis(attrs: SymbolAttrs) -> int | None:
        axes = attrs["axis"] or (None,)
        if len(axes) > 1 or attrs["exclude"]:
            raise Undecided
        found: int | None = axes[0]
        return found

    return mapped("mxnet/indexing.ArgExtreme", {"axis": axis, **own("keepdims", "dtype")}, smallest=smallest)


def _split(attrs: SymbolAttrs) -> Call:
    parts, axis = attrs["indices_or_sections"], attrs["axis"]
    word, keyword, value = "moving/splitting.SplitAt", "indices", (0, *parts)
    if isinstance(parts, BareNumber):
        word, keyword, value = "moving/splitting.SplitEqual", "num_outputs", parts[0]
    return Call(operator(word), {keyword: value, "axis": axis}, None, {keyword: "indices_or_sections"})


def _pad(attrs: SymbolAttrs) -> Call:
    widths = tuple(n for pair in attrs["pad_width"] for n in pair)
    return Call(operator("moving/padding.PadWidths"), {"pad_width": widths, "constant_value": attrs["pad_value"]})


def _dense(attrs: SymbolAttrs) -> Call:
    return Call(operator("shared/dense.Dense"), {"units": attrs["units"]}, complete=calls.dense(attrs["units"]))


def _batch_norm(attrs: SymbolAttrs) -> Call:
    axis = attrs["axis"]

    def complete(tensors: Sequence[Tensor]) -> Known:
        return calls.vectors(calls.channels(tensors[0], axis), 1, 2, 3, 4)

    given = {
        "axis": axis, "eps": attrs["epsilon"], "fix_gamma": not attrs["scale"], "without_beta": not attrs["center"],
        "statistics": 2,
    }  # fmt: skip
    return Call(operator("mxnet/channel_norm.BatchNormAxis"), given, complete=complete)


def _undecided(attrs: SymbolAttrs) -> Call:
    """Operators that compilers put in for their own ends: what comes out depends on the target."""
    raise Undecided


CALLS |= {
    "round": bare("shared/unary.Formula", function="round_away"),
    "zeros_like": bare("shared/unary.FullLike", fill=0),
    "ones_like": bare("shared/unary.FullLike", fill=1),
    "full_like": mapped("shared/unary.FullLike", {"fill": "fill_value"}),
    "greater": calls.same("shared/elementwise.Greater"),
    "less": calls.same("shared/elementwise.Less"),
    "logical_and": calls.same("shared/elementwise.LogicalAnd"),
    "logical_or": calls.same("shared/elementwise.LogicalOr"),
    "__rsub_scalar__": calls.with_number("shared/elementwise.Subtract", turned=True),
    "__rdiv_scalar__": calls.with_number("shared/elementwise.Divide", turned=True),
    "__rpow_scalar__": calls.with_number("shared/elementwise.Power", turned=True),
    "__lshift_scalar__": calls.with_number("shared/elementwise.BitwiseLeftShift", integral=True),
    "__rshift_scalar__": calls.with_number("shared/elementwise.BitwiseRightShift", integral=True),
    "elemwise_sum": lambda attrs: Call(operator("moving/joining.SumOf"), complete=calls.alike),
    "cast": mapped("shared/casting.Cast", own("dtype")),
    "clip": mapped("shared/unary.Clamp", {"min": "a_min", "max": "a_max"}),
    "concatenate": plain("moving/joining.Concat"),
    "flatten": bare("mxnet/layout.Flatten"),
    "reshape": plain("mxnet/layout.ReshapeCodes"),
    "reshape_like": bare("mxnet/layout.ReshapeLike"),
    "transpose": mapped("mxnet/layout.Permute", {"axes": unless_empty("axes")}),
    "expand_dims": plain("mxnet/layout.ExpandDims"),
    "squeeze": mapped("mxnet/layout.SqueezeAxes", {"axis": unless_empty("axis")}, least=1),
    "flip": mapped("moving/flipping.Flip", {"axis": lambda attrs: (attrs["axis"],)}),
    "strided_slice": mapped("mxnet/cropping.SliceRanges", {**own("begin", "end"), "step": "stride"}),
    "slice_like": mapped("mxnet/cropping.SliceLike", {"axes": "axis"}),
    "broadcast_to": plain("shared/broadcasting.BroadcastTo"),
    "take": plain("mxnet/indexing.Take"),
    "gather_nd": bare("mxnet/indexing.GatherNDFirst"),
    "where": bare("mxnet/indexing.Where"),
    "matmul": plain("shared/dense.Dot"),
    "softmax": plain("mxnet/softmax.SoftmaxAxis", kind="softmax"),
    "log_softmax": plain("mxnet/softmax.SoftmaxAxis", kind="log_softmax"),
    "leaky_relu": mapped("shared/activation.LeakyRelu", {"slope": "alpha"}),
    "prelu": mapped("shared/activation.LeakyRelu", own("axis"), act_type="prelu"),
    "l2_normalize": plain("mxnet/channel_norm.L2NormalizeAxes"),
    "lrn": plain("mxnet/channel_norm.LRNAxis"),
    "multibox_prior": plain("mxnet/boxes.MultiBoxPrior"),
    "multibox_transform_loc": plain("mxnet/boxes.Located"),
    "zeros": mapped("moving/creation.Full", own("shape", "dtype"), fill=0.0),
    "ones": mapped("moving/creation.Full", own("shape", "dtype"), fill=1.0),
    "full": mapped("moving/creation.Full", {**own("shape", "dtype"), "fill": "fill_value"}),
    **{name: _reduced(name) for name in ("sum", "mean", "prod", "max", "min")},
    "argmax": _extreme(False),
    "argmin": _extreme(True),
    "split": _split,
    "pad": _pad,
    "dense": _dense,
    "batch_norm": _batch_norm,
    **dict.fromkeys(("yolo_reorg", "yolo2_reorg"), mapped("moving/blocks.ReorgYolo", own("stride"))),
    **dict.fromkeys(("yolo_region", "yolo2_region", "nms"), bare("shared/unary.SameShape")),
    "non_max_suppression": plain("shared/unary.SameShape"),
    "expand_like": mapped("shared/broadcasting.ExpandLike", {"axis": unless_empty("axis", ()), **own("exclude")}),
    "collapse_sum": bare("shared/broadcasting.CollapseLike"),
    "_assign": bare("shared/unary.Identity", [1]),
    "_max_pool2d_grad": bare("shared/unary.LikeSecond"),
    "__layout_transform__": mapped("mxnet/layouts.LayoutTransform", {"source": "src_layout", "target": "dst_layout"}),
    **dict.fromkeys(
        (
            "__undef__", "_contrib_conv2d_NCHWc", "_contrib_conv2d_winograd_weight_transform",
            "_contrib_conv2d_winograd_nnpack_weight_transform", "_conv2d_grad", "_max_mask", "_min_mask",
        ),
        _undecided,
    ),
}  # fmt: skip


# Windows, in any layout

_KEYS = {
    "pads_begin": "padding",
    "pads_end": "padding",
    "dilations": "dilation",
    "kernel": "kernel_size",
    "units": "channels",
}
_POOL_KEYS = {"kernel": "pool_size", "pads_begin": "padding", "pads_end": "padding", "rounding_type": "ceil_mode"}


def _laid_out(
    word: str,
    given: dict[str, Any],
    layout: str,
    keys: dict[str, str] | None = None,
    *,
    weight: str = "OIHW",
    result: str | None = None,
    complete: Complete | None = None,
) -> Call:
    """The call of an operator that takes NCHW and OIHW, where data, weight or result have other layouts."""
    result = result or layout
    if (layout, weight, result) == ("NCHW", "OIHW", "NCHW"):
        return Call(operator(word), given, None, keys, complete=complete)
    places = {k: pair for k, pair in enumerate(((layout, "NCHW"), (weight, "OIHW"))) if pair[0] != pair[1]}
    given |= {"inner": word, "places": places, "back": ("NCHW", result)}
    return Call(operator("mxnet/layouts.Arranged"), given, None, keys, complete=complete)


def _padding(attrs: SymbolAttrs) -> dict[str, tuple[int, ...]]:
    """Padding before and after: two numbers are for both sides, four begin with top and left."""
    padding = tuple(attrs["padding"])
    begin, end = (padding[:2], padding[2:]) if len(padding) == 4 else (padding, padding)
    return {"pads_begin": begin, "pads_end": end}


def _convolution(attrs: SymbolAttrs) -> dict[str, Any]:
    """The attributes that convolutions share. Before operands are multiplied, they are converted to the type of the result."""
    given = {
        "strides": tuple(attrs["strides"]), "dilations": tuple(attrs["dilation"]), **_padding(attrs),
        "groups": attrs["groups"], "kernel": tuple(attrs["kernel_size"]), "units": attrs["channels"],
    }  # fmt: skip
    return given if attrs["out_dtype"] == "same" else {**given, "out_dtype": attrs["out_dtype"]}


def _weights(attrs: SymbolAttrs, given: dict[str, Any], is_transposed: bool = False) -> Complete:
    """The shapes of weight and bias, which follow from the channels of the data."""
    layout, kernel_layout = attrs["layout"], attrs["kernel_layout"]
    inner = calls.kernels(given, is_transposed=is_transposed)

    def complete(tensors: Sequence[Tensor]) -> Known:
        data, *others = tensors
        if data.shape is not None and layout != "NCHW":
            data = Tensor(None, layouts.arranged(data.shape, layout, "NCHW"))
        found = inner([data, *others])
        shape = layouts.arranged(found.pop(1), "OIHW", kernel_layout) if 1 in found else None
        return found if shape is None else {**found, 1: shape}

    return complete


def _conv2d(attrs: SymbolAttrs) -> Call:
    given, result = _convolution(attrs), attrs.get("out_layout", "__undef__")
    return _laid_out(
        "mxnet/biased.ConvolutionBias", given, attrs["layout"], _KEYS, weight=attrs["kernel_layout"],
        result=None if result == "__undef__" else result, complete=_weights(attrs, given),
    )  # fmt: skip


def _conv2d_transpose(attrs: SymbolAttrs) -> Call:
    given = {**_convolution(attrs), "output_padding": tuple(attrs["output_padding"])}
    return _laid_out(
        "mxnet/biased.DeconvolutionThenPad", given, attrs["layout"], _KEYS, weight=attrs["kernel_layout"],
        complete=_weights(attrs, given, True),
    )  # fmt: skip


def _unblocked(attrs: SymbolAttrs) -> Call:
    """A convolution whose weight comes in a form of its own; what comes out is that of a plain one."""
    call = _conv2d(attrs)
    call.inputs = [0, FromAttr("kernel_size", Tensor()), *([2] if attrs.count > 2 else [])]
    call.complete = None
    return call


def _pool(word: str) -> Make:
    def make(attrs: SymbolAttrs) -> Call:
        given: dict[str, Any] = {
            "kernel": tuple(attrs["pool_size"]),
            "strides": tuple(attrs["strides"]),
            **_padding(attrs),
        }
        given["rounding_type"] = "ceil" if attrs["ceil_mode"] else "floor"
        if (counts := attrs.get("count_include_pad")) is not None:
            given["exclude_pad"] = not counts
        return _laid_out(word, given, attrs["layout"], _POOL_KEYS)

    return make


def _global(kind: str) -> Make:
    return lambda attrs: _laid_out(
        "mxnet/pool_convention.PoolConvention", {"global_pool": True, "pool_type": kind}, attrs["layout"]
    )


def _upsampling(attrs: SymbolAttrs) -> Call:
    if attrs["method"] == "NEAREST_NEIGHBOR":
        return _laid_out(
            "shared/resize.UpSampling", {"scale": attrs["scale"], "sample_type": "nearest"}, attrs["layout"]
        )
    scale = float(attrs["scale"])
    given = {"scale_height": scale, "scale_width": scale, "mode": "scale", "way": "asymmetric"}
    return _laid_out("shared/resize.BilinearResize", given, attrs["layout"])


def _resize(attrs: SymbolAttrs) -> Call:
    """TVM 0.6: pixels are not taken to have a middle, so that the first stays where it is."""
    height, width = attrs["size"]
    given = {"height": height, "width": width, "way": "align_corners" if attrs["align_corners"] else "asymmetric"}
    if attrs["method"] == "NEAREST_NEIGHBOR":
        given["nearest"] = True
    return _laid_out("shared/resize.BilinearResize", given, attrs["layout"], {"height": "size", "width": "size"})


CALLS |= {
    "conv2d": _conv2d,
    "conv2d_transpose": _conv2d_transpose,
    "_contrib_conv2d_winograd_without_weight_transform": _unblocked,
    "_contrib_conv2d_winograd_nnpack_without_weight_transform": _unblocked,
    "max_pool2d": _pool("shared/pooling.MaxPool"),
    "avg_pool2d": _pool("shared/pooling.AvgPool"),
    "global_max_pool2d": _global("max"),
    "global_avg_pool2d": _global("avg"),
    "upsampling": _upsampling,
    "resize": _resize,
}
