"""The operators of classic NNVM: which one of the dry run each is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call, Complete, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.ops import layouts
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.dryrun.calls import (
    Known,
    Make,
    alike,
    bare,
    channels,
    formula,
    function,
    plain,
    same,
    stretched,
    vectors,
    with_number,
)  # fmt: skip
from irlint.formats.nnvm.reading.values import BareNumber

if TYPE_CHECKING:
    from irlint.formats.nnvm.dryrun.attrs import Attrs

CALLS: dict[str, Make] = {
    name: function(name) for name in ["abs", "ceil", "exp", "floor", "log", "negative", "sqrt", "tanh", "trunc"]
}
CALLS |= {name: formula(name) for name in ["logical_not", "relu", "sigmoid"]}
CALLS["round"] = lambda attrs: Call(operator("unary.Formula"), {"function": "round_away"})
CALLS |= {name: bare("unary.Identity") for name in ["block_grad", "copy", "dropout"]}
CALLS["zeros_like"] = bare("unary.FullLike", fill=0)
CALLS["ones_like"] = bare("unary.FullLike", fill=1)
CALLS["full_like"] = lambda attrs: Call(operator("unary.FullLike"), {"fill": attrs["fill_value"]})

_BINARY = {
    "add": "Add", "sub": "Subtract", "mul": "Multiply", "div": "Divide", "mod": "FloorMod", "pow": "Power",
    "max": "Maximum", "min": "Minimum", "equal": "Equal", "not_equal": "NotEqual", "greater": "Greater",
    "greater_equal": "GreaterEqual", "less": "Less", "less_equal": "LessEqual", "left_shift": "BitwiseLeftShift",
    "right_shift": "BitwiseRightShift",
}  # fmt: skip
for _name, _word in _BINARY.items():
    CALLS[f"broadcast_{_name}"] = stretched(f"elementwise.{_word}")
for _name in ["add", "sub", "mul", "div", "mod", "pow"]:
    CALLS[f"elemwise_{_name}"] = same(f"elementwise.{_BINARY[_name]}")
    CALLS[f"__{_name}_scalar__"] = with_number(f"elementwise.{_BINARY[_name]}")
CALLS |= {
    "greater": same("elementwise.Greater"),
    "less": same("elementwise.Less"),
    "logical_and": same("elementwise.LogicalAnd"),
    "logical_or": same("elementwise.LogicalOr"),
    "__rsub_scalar__": with_number("elementwise.Subtract", turned=True),
    "__rdiv_scalar__": with_number("elementwise.Divide", turned=True),
    "__rpow_scalar__": with_number("elementwise.Power", turned=True),
    "__lshift_scalar__": with_number("elementwise.BitwiseLeftShift", integral=True),
    "__rshift_scalar__": with_number("elementwise.BitwiseRightShift", integral=True),
    "elemwise_sum": lambda attrs: Call(operator("joining.SumOf"), {}, complete=alike),
    "cast": lambda attrs: Call(operator("casting.Cast"), {"dtype": attrs["dtype"]}),
    "clip": lambda attrs: Call(
        operator("unary.Clamp"), {"min": attrs["a_min"], "max": attrs["a_max"]}, None, {"min": "a_min", "max": "a_max"}
    ),
    "concatenate": plain("joining.Concat"),
    "flatten": bare("layout.Flatten"),
    "reshape": plain("layout.ReshapeCodes"),
    "reshape_like": bare("layout.ReshapeLike"),
    "transpose": lambda attrs: Call(operator("layout.Permute"), {"axes": attrs["axes"] or None}),
    "expand_dims": plain("layout.ExpandDims"),
    "squeeze": lambda attrs: Call(operator("layout.SqueezeAxes"), {"axis": attrs["axis"] or None, "least": 1}),
    "flip": lambda attrs: Call(operator("flipping.Flip"), {"axis": (attrs["axis"],)}),
    "strided_slice": lambda attrs: Call(
        operator("cropping.SliceRanges"), {"begin": attrs["begin"], "end": attrs["end"], "step": attrs["stride"] or ()}, None,
        {"step": "stride"},
    ),
    "slice_like": lambda attrs: Call(operator("cropping.SliceLike"), {"axes": attrs["axis"] or ()}, None, {"axes": "axis"}),
    "broadcast_to": plain("broadcasting.BroadcastTo"),
    "take": plain("indexing.Take"),
    "gather_nd": bare("indexing.GatherNDFirst"),
    "where": bare("indexing.Where"),
    "matmul": plain("dense.Dot"),
    "softmax": plain("softmax.SoftmaxAxis", kind="softmax"),
    "log_softmax": plain("softmax.SoftmaxAxis", kind="log_softmax"),
    "leaky_relu": lambda attrs: Call(operator("activation.LeakyRelu"), {"slope": attrs["alpha"]}),
    "prelu": lambda attrs: Call(operator("activation.LeakyRelu"), {"act_type": "prelu", "axis": attrs["axis"]}),
    "l2_normalize": plain("channel_norm.L2NormalizeAxes"),
    "lrn": plain("channel_norm.LRNAxis"),
    "multibox_prior": plain("boxes.MultiBoxPrior"),
}  # fmt: skip


def _filled(value: float | None) -> Make:
    def make(attrs: Attrs) -> Call:
        fill = attrs["fill_value"] if value is None else value
        return Call(operator("creation.Full"), {"shape": attrs["shape"], "dtype": attrs["dtype"], "fill": fill})

    return make


CALLS |= {"zeros": _filled(0.0), "ones": _filled(1.0), "full": _filled(None)}


def _reduced(fold: str) -> Make:
    def make(attrs: Attrs) -> Call:
        given = {"axis": attrs["axis"] or None, "keepdims": attrs["keepdims"], "exclude": attrs["exclude"]}
        return Call(operator("reduction.ReduceAxes"), {**given, "fold": fold, "least": 1})

    return make


CALLS |= {name: _reduced(name) for name in ["sum", "mean", "prod", "max", "min"]}


def _extreme(smallest: bool) -> Make:
    def make(attrs: Attrs) -> Call:
        axis = attrs["axis"] or ()
        if len(axis) > 1 or attrs["exclude"]:
            raise Undecided
        given = {"axis": axis[0] if axis else None, "keepdims": attrs["keepdims"], "dtype": attrs["dtype"]}
        return Call(operator("indexing.ArgExtreme"), {**given, "smallest": smallest})

    return make


CALLS |= {"argmax": _extreme(False), "argmin": _extreme(True)}


def _split(attrs: Attrs) -> Call:
    parts = attrs["indices_or_sections"]
    if isinstance(parts, BareNumber):
        return Call(
            operator("splitting.SplitEqual"),
            {"num_outputs": parts[0], "axis": attrs["axis"]},
            None,
            {"num_outputs": "indices_or_sections"},
        )
    return Call(
        operator("splitting.SplitAt"),
        {"indices": (0, *parts), "axis": attrs["axis"]},
        None,
        {"indices": "indices_or_sections"},
    )


CALLS["split"] = _split


def _pad(attrs: Attrs) -> Call:
    widths = tuple(n for pair in attrs["pad_width"] for n in pair)
    return Call(operator("padding.PadWidths"), {"pad_width": widths, "constant_value": attrs["pad_value"]})


CALLS["pad"] = _pad


def _dense(attrs: Attrs) -> Call:
    units = attrs["units"]

    def complete(tensors: Sequence[Tensor]) -> Known:
        found = vectors(units, 2) if len(tensors) > 2 else {}
        width = channels(tensors[0], -1)
        if isinstance(width, int):
            found[1] = (units, width)
        return found

    return Call(operator("dense.Dense"), {"units": units}, complete=complete)


CALLS["dense"] = _dense


def _sides(padding: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Padding before and after: two numbers are for both sides, four begin with top and left."""
    if len(padding) == 4:
        return tuple(padding[:2]), tuple(padding[2:])
    return tuple(padding), tuple(padding)


_KEYS = {
    "pads_begin": "padding",
    "pads_end": "padding",
    "dilations": "dilation",
    "kernel": "kernel_size",
    "units": "channels",
}


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
    return Call(operator("layouts.Arranged"), given, None, keys, complete=complete)


def _windows(attrs: Attrs) -> dict[str, Any]:
    begin, end = _sides(attrs["padding"])
    return {
        "strides": tuple(attrs["strides"]), "dilations": tuple(attrs["dilation"]), "pads_begin": begin, "pads_end": end,
        "groups": attrs["groups"], "kernel": tuple(attrs["kernel_size"]), "units": attrs["channels"],
    }  # fmt: skip


def _known(attrs: Attrs, transposed: bool) -> Complete:
    """The shapes of weight and bias, which follow from the channels of the data."""
    units, groups, layout = attrs["channels"], attrs["groups"], attrs["layout"]

    def complete(tensors: Sequence[Tensor]) -> Known:
        found = vectors(units, 2) if len(tensors) > 2 else {}
        data = tensors[0].shape
        plain = data if data is None or layout == "NCHW" else layouts.arranged(data, layout, "NCHW")
        depth = channels(Tensor(None, plain))
        if isinstance(depth, int) and groups > 0 and (transposed or depth % groups == 0):
            weight = (depth, units // groups) if transposed else (units, depth // groups)
            shape = layouts.arranged((*weight, *attrs["kernel_size"]), "OIHW", attrs["kernel_layout"])
            found |= {} if shape is None else {1: shape}
        return found

    return complete


def _conv2d(attrs: Attrs) -> Call:
    result = attrs["out_layout"] if "out_layout" in attrs.operator.attributes else "__undef__"
    given = {**_windows(attrs), **_result_type(attrs)}
    return _laid_out(
        "biased.ConvolutionBias", given, attrs["layout"], _KEYS, weight=attrs["kernel_layout"],
        result=None if result == "__undef__" else result, complete=_known(attrs, False),
    )  # fmt: skip


def _conv2d_transpose(attrs: Attrs) -> Call:
    given = {**_windows(attrs), "output_padding": tuple(attrs["output_padding"]), **_result_type(attrs)}
    return _laid_out(
        "biased.DeconvolutionThenPad", given, attrs["layout"], _KEYS, weight=attrs["kernel_layout"],
        complete=_known(attrs, True),
    )  # fmt: skip


def _result_type(attrs: Attrs) -> dict[str, str]:
    """The type that operands are converted to before they are multiplied."""
    return {} if attrs["out_dtype"] == "same" else {"out_dtype": attrs["out_dtype"]}


CALLS |= {"conv2d": _conv2d, "conv2d_transpose": _conv2d_transpose}


def _pool(word: str) -> Make:
    def make(attrs: Attrs) -> Call:
        begin, end = _sides(attrs["padding"])
        given: dict[str, Any] = {
            "kernel": tuple(attrs["pool_size"]), "strides": tuple(attrs["strides"]), "pads_begin": begin, "pads_end": end,
            "rounding_type": "ceil" if attrs["ceil_mode"] else "floor",
        }  # fmt: skip
        if "count_include_pad" in attrs.operator.attributes:
            given["exclude_pad"] = not attrs["count_include_pad"]
        keys = {"kernel": "pool_size", "pads_begin": "padding", "pads_end": "padding", "rounding_type": "ceil_mode"}
        return _laid_out(word, given, attrs["layout"], keys)

    return make


def _global(kind: str) -> Make:
    return lambda attrs: _laid_out(
        "pool_convention.PoolConvention", {"global_pool": True, "pool_type": kind}, attrs["layout"]
    )


CALLS |= {
    "max_pool2d": _pool("pooling.MaxPool"),
    "avg_pool2d": _pool("pooling.AvgPool"),
    "global_max_pool2d": _global("max"),
    "global_avg_pool2d": _global("avg"),
}


def _batch_norm(attrs: Attrs) -> Call:
    axis = attrs["axis"]

    def complete(tensors: Sequence[Tensor]) -> Known:
        return vectors(channels(tensors[0], axis), 1, 2, 3, 4)

    given = {
        "axis": axis, "eps": attrs["epsilon"], "fix_gamma": not attrs["scale"], "without_beta": not attrs["center"],
        "statistics": 2,
    }  # fmt: skip
    return Call(operator("channel_norm.BatchNormAxis"), given, complete=complete)


CALLS["batch_norm"] = _batch_norm


def _upsampling(attrs: Attrs) -> Call:
    if attrs["method"] == "NEAREST_NEIGHBOR":
        return _laid_out("resize.UpSampling", {"scale": attrs["scale"], "sample_type": "nearest"}, attrs["layout"])
    scale = float(attrs["scale"])
    given = {"scale_height": scale, "scale_width": scale, "mode": "scale", "way": "asymmetric"}
    return _laid_out("resize.BilinearResize", given, attrs["layout"])


def _resize(attrs: Attrs) -> Call:
    """TVM 0.6: pixels are not taken to have a middle, so that the first stays where it is."""
    height, width = attrs["size"]
    given = {"height": height, "width": width, "way": "align_corners" if attrs["align_corners"] else "asymmetric"}
    if attrs["method"] == "NEAREST_NEIGHBOR":
        given["nearest"] = True
    return _laid_out("resize.BilinearResize", given, attrs["layout"], {"height": "size", "width": "size"})


CALLS |= {"upsampling": _upsampling, "resize": _resize}


def _reorg(attrs: Attrs) -> Call:
    return Call(operator("blocks.ReorgYolo"), {"stride": attrs["stride"]})


CALLS |= {
    "yolo_reorg": _reorg,
    "yolo2_reorg": _reorg,
    "yolo_region": bare("unary.SameShape"),
    "yolo2_region": bare("unary.SameShape"),
    "non_max_suppression": plain("unary.SameShape"),
    "nms": bare("unary.SameShape"),
}


def _expand_like(attrs: Attrs) -> Call:
    return Call(operator("broadcasting.ExpandLike"), {"axis": attrs["axis"] or (), "exclude": attrs["exclude"]})


def _collapse(attrs: Attrs) -> Call:
    return Call(operator("broadcasting.CollapseLike"))


CALLS |= {"expand_like": _expand_like, "collapse_sum": _collapse}


def _undecided(attrs: Attrs) -> Call:
    """Operators that compilers put in for their own ends: what comes out depends on the target."""
    raise Undecided


def _unblocked(attrs: Attrs) -> Call:
    """A convolution whose weight comes in a form of its own; what comes out is that of a plain one."""
    call = _conv2d(attrs)
    call.inputs = [0, FromAttr("kernel_size", Tensor()), *([2] if attrs.count > 2 else [])]
    call.complete = None
    return call


CALLS |= dict.fromkeys(
    (
        "__undef__", "_contrib_conv2d_NCHWc", "_contrib_conv2d_winograd_weight_transform",
        "_contrib_conv2d_winograd_nnpack_weight_transform", "_conv2d_grad", "_max_mask", "_min_mask",
    ),
    _undecided,
)  # fmt: skip
CALLS |= {
    "_assign": lambda attrs: Call(operator("unary.Identity"), {}, [1]),
    "_max_pool2d_grad": lambda attrs: Call(operator("unary.LikeSecond"), {}),
    "_contrib_conv2d_winograd_without_weight_transform": _unblocked,
    "_contrib_conv2d_winograd_nnpack_without_weight_transform": _unblocked,
    "__layout_transform__": lambda attrs: Call(
        operator("layouts.Transform"), {"source": attrs["src_layout"], "target": attrs["dst_layout"]}
    ),
    "multibox_transform_loc": plain("boxes.Located"),
}
