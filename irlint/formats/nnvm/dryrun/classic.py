"""The operators of classic NNVM: which one of the dry run each is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import not_

from irlint.dryrun.entries import Entry, Of, Row, Spec, plain, whole
from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call, Complete, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.ops.mxnet import layouts
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.dryrun import calls
from irlint.formats.nnvm.dryrun.calls import Completion, Known, SymbolAttrs, either, unless_empty
from irlint.formats.nnvm.reading.values import BareNumber

_BINARY = {
    "add": "Add", "sub": "Subtract", "mul": "Multiply", "div": "Divide", "mod": "FloorMod", "pow": "Power",
    "max": "Maximum", "min": "Minimum", "equal": "Equal", "not_equal": "NotEqual", "greater": "Greater",
    "greater_equal": "GreaterEqual", "less": "Less", "less_equal": "LessEqual", "left_shift": "BitwiseLeftShift",
    "right_shift": "BitwiseRightShift",
}  # fmt: skip

CALLS: dict[str, Row] = {**calls.COMMON}
CALLS |= {f"broadcast_{name}": calls.stretched(word) for name, word in _BINARY.items()}
for _name in ("add", "sub", "mul", "div", "mod", "pow"):
    CALLS[f"elemwise_{_name}"] = calls.same(_BINARY[_name])
    CALLS[f"__{_name}_scalar__"] = calls.with_number(f"shared/elementwise.{_BINARY[_name]}")


def _shifted(word: str) -> Entry:
    """A number of bits without its fraction."""
    return calls.with_number(f"shared/elementwise.{word}")._replace(
        operands=lambda attrs: [0, FromAttr("scalar", Tensor(None, (), (int(attrs["scalar"]),)))]
    )


def _extreme(smallest: bool) -> Entry:
    row = plain("shared/reduction.ArgExtreme", "keepdims", "dtype", smallest=smallest)
    return row.having({"axis": Of("axis", _only)})._replace(unless=("exclude",))


def _only(axes: Sequence[int] | None) -> int | None:
    axis, *more = axes or (None,)
    if more:
        raise Undecided
    return axis


def _undecided(attrs: SymbolAttrs) -> Call:
    """Operators that compilers put in for their own ends: what comes out depends on the target."""
    raise Undecided


_REDUCED: dict[str, Spec] = {"axis": unless_empty("axis"), "keepdims": "keepdims", "exclude": "exclude"}
_PARTS = "indices_or_sections"
CALLS |= {
    **dict.fromkeys(("block_grad", "copy", "dropout"), plain("shared/unary.Identity")),
    "full_like": Entry("shared/unary.FullLike", {"fill": "fill_value"}),
    "greater": calls.same("Greater"),
    "less": calls.same("Less"),
    "logical_and": calls.same("LogicalAnd"),
    "logical_or": calls.same("LogicalOr"),
    "__rsub_scalar__": calls.with_number("shared/elementwise.Subtract", turned=True),
    "__rdiv_scalar__": calls.with_number("shared/elementwise.Divide", turned=True),
    "__rpow_scalar__": calls.with_number("shared/elementwise.Power", turned=True),
    "__lshift_scalar__": _shifted("BitwiseLeftShift"),
    "__rshift_scalar__": _shifted("BitwiseRightShift"),
    "elemwise_sum": Entry("moving/joining.SumOf", complete=calls.alike),
    "cast": plain("shared/casting.Cast", "dtype"),
    "clip": Entry("shared/unary.Clamp", {"min": "a_min", "max": "a_max"}),
    "concatenate": whole("moving/joining.Concat"),
    "flatten": plain("mxnet/layout.Flatten"),
    "reshape": whole("mxnet/layout.ReshapeCodes"),
    "reshape_like": plain("mxnet/layout.ReshapeLike"),
    "squeeze": Entry("mxnet/layout.SqueezeAxes", {"axis": unless_empty("axis")}, fixed={"least": 1}),
    "flip": Entry("moving/flipping.Flip", {"axis": ("axis",)}),
    "strided_slice": Entry("mxnet/cropping.SliceRanges", {"begin": "begin", "end": "end", "step": "stride"}),
    "slice_like": Entry("mxnet/cropping.SliceLike", {"axes": "axis"}),
    "broadcast_to": whole("shared/broadcasting.BroadcastTo"),
    "matmul": whole("shared/dense.Dot"),
    "leaky_relu": Entry("shared/activation.LeakyRelu", {"slope": "alpha"}),
    "prelu": plain("shared/activation.LeakyRelu", "axis", act_type="prelu"),
    "l2_normalize": whole("mxnet/channel_norm.L2NormalizeAxes"),
    "lrn": whole("mxnet/channel_norm.LRNAxis"),
    "multibox_prior": whole("mxnet/boxes.MultiBoxPrior"),
    "multibox_transform_loc": whole("mxnet/boxes.Located"),
    "zeros": plain("moving/creation.Full", "shape", "dtype", fill=0.0),
    "ones": plain("moving/creation.Full", "shape", "dtype", fill=1.0),
    "full": Entry("moving/creation.Full", {"shape": "shape", "dtype": "dtype", "fill": "fill_value"}),
    **{
        name: Entry("shared/reduction.ReduceAxes", _REDUCED, fixed={"fold": name, "least": 1})
        for name in ("sum", "mean", "prod", "max", "min")
    },
    "argmax": _extreme(False),
    "argmin": _extreme(True),
    "split": either(
        lambda attrs: isinstance(attrs[_PARTS], BareNumber),
        Entry("moving/splitting.SplitEqual", {"num_outputs": Of(_PARTS, lambda parts: parts[0]), "axis": "axis"}),
        Entry(
            "moving/splitting.SectionSplit", {"indices": Of(_PARTS, lambda parts: (0, *parts)), "axis": "axis"}, fixed={"strict": True}
        ),
    ),
    "pad": Entry(
        "moving/padding.PadWidths",
        {"pad_width": Of("pad_width", lambda pairs: tuple(chain.from_iterable(pairs))), "constant_value": "pad_value"},
    ),
    "dense": Entry("shared/dense.Dense", {"units": "units"}, complete=calls.dense("units")),
    "batch_norm": Entry(
        "mxnet/channel_norm.BatchNormAxis",
        {
            "axis": "axis", "eps": "epsilon", "fix_gamma": Of("scale", not_),
            "without_beta": Of("center", not_),
        },
        fixed={"statistics": 2},
        complete=calls.per_channel(1, 2, 3, 4),
    ),
    **dict.fromkeys(("yolo_reorg", "yolo2_reorg"), plain("moving/blocks.ReorgYolo", "stride")),
    **dict.fromkeys(("yolo_region", "yolo2_region", "nms"), plain("shared/unary.SameShape")),
    "non_max_suppression": whole("shared/unary.SameShape"),
    "expand_like": Entry("shared/broadcasting.ExpandLike", {"axis": unless_empty("axis", ()), "exclude": "exclude"}),
    "collapse_sum": plain("shared/broadcasting.CollapseLike"),
    "_assign": Entry("shared/unary.Identity", operands=(1,)),
    "_max_pool2d_grad": plain("shared/unary.LikeSecond"),
    "__layout_transform__": Entry("mxnet/layouts.LayoutTransform", {"source": "src_layout", "target": "dst_layout"}),
    **dict.fromkeys(
        (
            "__undef__", "_contrib_conv2d_NCHWc", "_contrib_conv2d_winograd_weight_transform",
            "_contrib_conv2d_winograd_nnpack_weight_transform", "_conv2d_grad", "_max_mask", "_min_mask",
        ),
        _undecided,
    ),
}  # fmt: skip


# Windows, in any layout


def _laid_out(entry: Entry) -> Row:
    """An operator that takes NCHW and OIHW, where data, weight or result may have other layouts."""

    def make(attrs: SymbolAttrs) -> Call:
        call, data, weight = entry.call(attrs), attrs["layout"], attrs.get("kernel_layout", "OIHW")
        result = attrs.get("out_layout", "__undef__")
        result = data if result in ("", "__undef__") else result
        if (data, weight, result) != ("NCHW", "OIHW", "NCHW"):
            pairs = {0: (data, "NCHW"), 1: (weight, "OIHW")}
            places = {k: pair for k, pair in pairs.items() if pair[0] != pair[1]}
            call.attrs |= {"inner": entry.operator, "places": places, "back": ("NCHW", result)}
            call.operator = operator("mxnet/layouts.Arranged")
        return call

    return make


def _sides(first: int) -> Spec:
    """Padding before or behind: two numbers are for both sides, of four these."""
    return Of("padding", lambda pads: tuple(pads[first : first + 2] if len(pads) == 4 else pads))


def _weights(is_transposed: bool) -> Completion:
    """The shapes of weight and bias, which follow from the channels of the data."""

    def completion(attrs: SymbolAttrs) -> Complete:
        layout, kernel_layout = attrs["layout"], attrs["kernel_layout"]
        kernel, units, groups = attrs["kernel_size"], attrs["channels"], attrs["groups"]
        inner = calls.kernels(kernel, units, groups, is_transposed=is_transposed)

        def complete(tensors: Sequence[Tensor]) -> Known:
            data, *others = tensors
            if data.shape is not None and layout != "NCHW":
                data = Tensor(None, layouts.arranged(data.shape, layout, "NCHW"))
            found = inner([data, *others])
            shape = layouts.arranged(found.pop(1), "OIHW", kernel_layout) if 1 in found else None
            return found if shape is None else {**found, 1: shape}

        return complete

    return completion


def _result_type(name: str) -> str | None:
    """Before operands are multiplied, they are converted to the type of the result."""
    return None if name == "same" else name


_SLID: dict[str, Spec] = {"strides": Of("strides", tuple), "pads_begin": _sides(0), "pads_end": _sides(2)}
_CONVOLUTION = Entry(
    "mxnet/biased.ConvolutionBias",
    {
        **_SLID, "dilations": Of("dilation", tuple), "groups": "groups", "kernel": Of("kernel_size", tuple),
        "units": "channels", "out_dtype": Of("out_dtype", _result_type),
    },
    complete=_weights(False),
)  # fmt: skip
_TRANSPOSED = _CONVOLUTION.having({"output_padding": Of("output_padding", tuple)})._replace(
    operator="mxnet/biased.DeconvolutionThenPad", complete=_weights(True)
)
# A convolution whose weight comes in a form of its own; what comes out is that of a plain one
_UNBLOCKED = _CONVOLUTION._replace(
    operands=lambda attrs: [0, FromAttr("kernel_size", Tensor()), *range(2, attrs.count)][:3], complete=None
)


def _pool(word: str, **more: Spec) -> Row:
    given: dict[str, Spec] = {
        **_SLID,
        "kernel": Of("pool_size", tuple),
        "rounding_type": Of("ceil_mode", lambda is_up: "ceil" if is_up else "floor"),
        **more,
    }
    return _laid_out(Entry(f"shared/pooling.{word}", given))


def _global(kind: str) -> Row:
    return _laid_out(plain("mxnet/pool_convention.PoolConvention", global_pool=True, pool_type=kind))


def _is_nearest(attrs: SymbolAttrs) -> bool:
    return bool(attrs["method"] == "NEAREST_NEIGHBOR")


def _height(size: tuple[int, ...]) -> int:
    height, _ = size
    return height


def _width(size: tuple[int, ...]) -> int:
    _, width = size
    return width


# TVM 0.6: pixels are not taken to have a middle, so that the first stays where it is
_RESIZED = Entry(
    "shared/resize.BilinearResize",
    {
        "height": Of("size", _height),
        "width": Of("size", _width),
        "way": Of("align_corners", lambda is_aligned: "align_corners" if is_aligned else "asymmetric"),
        "nearest": _is_nearest,
    },
)
_SCALE = Of("scale", float)
_SCALED = Entry("shared/resize.BilinearResize", {"scale_height": _SCALE, "scale_width": _SCALE})

CALLS |= {
    "conv2d": _laid_out(_CONVOLUTION),
    "conv2d_transpose": _laid_out(_TRANSPOSED),
    "_contrib_conv2d_winograd_without_weight_transform": _laid_out(_UNBLOCKED),
    "_contrib_conv2d_winograd_nnpack_without_weight_transform": _laid_out(_UNBLOCKED),
    "max_pool2d": _pool("MaxPool"),
    "avg_pool2d": _pool("AvgPool", exclude_pad=Of("count_include_pad", not_)),
    "global_max_pool2d": _global("max"),
    "global_avg_pool2d": _global("avg"),
    "upsampling": either(
        _is_nearest,
        _laid_out(plain("shared/resize.UpSampling", "scale", sample_type="nearest")),
        _laid_out(_SCALED.having(mode="scale", way="asymmetric")),
    ),
    "resize": _laid_out(_RESIZED),
}
