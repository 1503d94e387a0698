"""MXNet's operators: which one of the dry run each is, and which shapes of weights follow from the data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from irlint.dryrun import dims
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.dryrun import calls
from irlint.formats.nnvm.dryrun.calls import Known, Make, SymbolAttrs, bare, mapped, own, plain, unless_empty

_FUNCTIONS = (
    "abs arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1 fix floor log log10 log1p "
    "log2 negative radians reciprocal sign sin sinh sqrt square tan tanh trunc"
)
_FORMULAS = (
    "digamma erf erfinv gamma gammaln hard_sigmoid log_sigmoid logical_not mish relu rcbrt rsqrt sigmoid smooth_l1 "
    "softsign"
)
_BINARY = {
    "add": "Add", "sub": "Subtract", "mul": "Multiply", "div": "DivideToZero", "mod": "FloorModOrZero", "power": "Power",
    "maximum": "Maximum", "minimum": "Minimum", "hypot": "Hypot", "equal": "Equal", "not_equal": "NotEqual",
    "greater": "Greater", "greater_equal": "GreaterEqual", "lesser": "Less", "lesser_equal": "LessEqual",
    "logical_and": "LogicalAnd", "logical_or": "LogicalOr", "logical_xor": "LogicalXor",
}  # fmt: skip
_UNCHANGED = (
    "_copy",
    "BlockGrad",
    "make_loss",
    "MakeLoss",
    "Dropout",
    "IdentityAttachKLSparseReg",
    "_contrib_gradientmultiplier",
)
_ROUNDED = bare("shared/unary.Formula", function="round_away")

CALLS: dict[str, Make] = {name: calls.function(name) for name in _FUNCTIONS.split()}
CALLS |= {name: calls.formula(name) for name in _FORMULAS.split()}
CALLS |= dict.fromkeys(_UNCHANGED, bare("shared/unary.Identity"))
for _name, _word in _BINARY.items():
    CALLS[f"broadcast_{_name}"] = calls.stretched(f"shared/elementwise.{_word}")
    CALLS[f"elemwise_{_name}"] = CALLS[f"_{_name}"] = calls.same(f"shared/elementwise.{_word}")
    CALLS[f"_{_name}_scalar"] = calls.with_number(f"shared/elementwise.{_word}")


def _reduced(fold: str, outputs: int = 1) -> Make:
    def make(attrs: SymbolAttrs) -> Call:
        known = attrs.operator.attributes
        given: dict[str, Any] = {name: attrs[name] for name in ("keepdims", "exclude", "ord") if name in known}
        key = "axes" if "axes" in known else "axis"
        axis = attrs.get(key)
        given["axis"] = (axis,) if isinstance(axis, int) else axis
        more = {"fold": fold, "least": 1, "outputs": outputs}
        return Call(operator("shared/reduction.ReduceAxes"), {**given, **more}, None, {"axis": key})

    return make


def _reshape(attrs: SymbolAttrs) -> Call:
    codes = attrs["shape"] or ()
    if not codes and attrs["target_shape"]:
        codes = [n or -1 for n in attrs["target_shape"]]
        if attrs["keep_highest"]:
            codes[0] = 0
    return Call(operator("mxnet/layout.ReshapeCodes"), {"shape": tuple(codes), "reverse": attrs["reverse"]})


def _concat(attrs: SymbolAttrs) -> Call:
    name = "dim" if "dim" in attrs.operator.attributes else "axis"
    return Call(operator("moving/joining.Concat"), {"axis": attrs[name]}, None, {"axis": name})


def _softmax_activation(attrs: SymbolAttrs) -> Call:
    return Call(operator("mxnet/softmax.SoftmaxAxis"), {"axis": 1} if attrs["mode"] == "channel" else {})


CALLS |= {
    "round": _ROUNDED,
    "_contrib_round_ste": _ROUNDED,  # only its gradient differs
    "_contrib_sign_ste": CALLS["sign"],
    "rint": bare("shared/unary.Formula", function="round_down"),
    "_contrib_div_sqrt_dim": bare("shared/unary.Formula", function="by_root_of_width"),
    "_grad_add": calls.same("shared/elementwise.Add"),
    "_plus_scalar": calls.with_number("shared/elementwise.Add"),
    "_minus_scalar": calls.with_number("shared/elementwise.Subtract"),
    "_rminus_scalar": calls.with_number("shared/elementwise.Subtract", turned=True),
    "_rdiv_scalar": calls.with_number("shared/elementwise.DivideToZero", turned=True),
    "_rmod_scalar": calls.with_number("shared/elementwise.FloorModOrZero", turned=True),
    "_rpower_scalar": calls.with_number("shared/elementwise.Power", turned=True),
    "identity_with_attr_like_rhs": bare("shared/unary.Identity", [0]),
    "zeros_like": bare("shared/unary.FullLike", fill=0),
    "ones_like": bare("shared/unary.FullLike", fill=1),
    "Cast": mapped("shared/casting.Cast", {"dtype": calls.numpy_type}),
    "amp_cast": mapped("shared/casting.CastFraction", {"dtype": calls.numpy_type}),
    "clip": mapped("shared/unary.Clamp", {"min": "a_min", "max": "a_max"}, lenient=True),
    "add_n": lambda attrs: Call(operator("moving/joining.SumOf"), complete=calls.alike),
    **{name: _reduced(name) for name in ("sum", "mean", "prod", "max", "min", "nansum", "nanprod", "norm")},
    "moments": _reduced("moments", outputs=2),
    "argmax": plain("mxnet/indexing.ArgExtreme"),
    "argmin": plain("mxnet/indexing.ArgExtreme", smallest=True),
    "argmax_channel": bare("mxnet/indexing.ArgExtreme", axis=1),
    "Reshape": _reshape,
    "Flatten": bare("mxnet/layout.Flatten"),
    "reshape_like": plain("mxnet/layout.ReshapeLike"),
    "transpose": mapped("mxnet/layout.Permute", {"axes": unless_empty("axes")}),
    "SwapAxis": plain("mxnet/layout.SwapAxes"),
    "expand_dims": plain("mxnet/layout.ExpandDims"),
    "squeeze": mapped("mxnet/layout.SqueezeAxes", own("axis"), least=1),
    "slice": plain("mxnet/cropping.SliceRanges", empty_runs=True),
    "slice_axis": plain("mxnet/cropping.SliceAxis"),
    "slice_like": plain("mxnet/cropping.SliceLike"),
    "SliceChannel": plain("moving/splitting.SplitEqual"),
    "_split_v2": plain("moving/splitting.SectionSplit"),
    "Concat": _concat,
    "_rnn_param_concat": mapped("moving/joining.Concat", {"axis": "dim"}),
    "stack": plain("moving/joining.Stack", counted=True),
    "tile": plain("moving/tiling.TileReps"),
    "repeat": plain("moving/tiling.RepeatElements"),
    "Pad": plain("moving/padding.PadWidths"),
    "reverse": plain("moving/flipping.Flip"),
    "broadcast_to": plain("shared/broadcasting.BroadcastTo", same_rank=True),
    "broadcast_axis": plain("shared/broadcasting.BroadcastAxes"),
    "broadcast_like": plain("shared/broadcasting.BroadcastLike"),
    "diag": plain("moving/diagonals.Diagonal"),
    "depth_to_space": plain("moving/blocks.DepthToSpace", plane=True),
    "space_to_depth": plain("moving/blocks.SpaceToDepth", plane=True),
    "shape_array": bare("moving/reshaping.ShapeOf", output_type="int64"),
    "take": plain("mxnet/indexing.Take"),
    "batch_take": bare("mxnet/indexing.BatchTake"),
    "pick": plain("mxnet/indexing.Pick"),
    "gather_nd": bare("mxnet/indexing.GatherNDFirst"),
    "scatter_nd": plain("mxnet/indexing.ScatterNDFirst"),
    "one_hot": calls.typed("mxnet/indexing.OneHotDepth"),
    "where": bare("mxnet/indexing.Where"),
    "topk": plain("mxnet/indexing.TopKAttr"),
    "sort": plain("mxnet/indexing.Sort"),
    "argsort": plain("mxnet/indexing.Sort", places=True),
    **{name: plain(f"mxnet/indexing.{name}") for name in ("SequenceMask", "SequenceLast", "SequenceReverse")},
    "dot": plain("shared/dense.Dot"),
    "batch_dot": plain("shared/dense.BatchDot"),
    "khatri_rao": bare("shared/dense.KhatriRao"),
    "_linalg_gemm": plain("shared/dense.Gemm"),
    "_linalg_gemm2": plain("shared/dense.Gemm"),
    "Activation": plain("shared/activation.Activation"),
    "softmax": plain("mxnet/softmax.SoftmaxAxis", kind="softmax"),
    "log_softmax": plain("mxnet/softmax.SoftmaxAxis", kind="log_softmax"),
    "softmin": plain("mxnet/softmax.SoftmaxAxis", kind="softmin"),
    "SoftmaxActivation": _softmax_activation,
    "L2Normalization": plain("mxnet/channel_norm.L2NormalizationMode"),
    "LRN": plain("mxnet/channel_norm.LRNChannels"),
}  # fmt: skip


# Layers with weights

_CONVOLUTION = {
    "strides": "stride", "dilations": "dilate", "pads_begin": "pad", "pads_end": "pad", "groups": "num_group",
    "units": "num_filter", "output_padding": "adj",
}  # fmt: skip


def _dense(attrs: SymbolAttrs) -> Call:
    given = {"units": attrs["num_hidden"], "flatten": attrs["flatten"]}
    complete = calls.dense(**given)
    return Call(operator("shared/dense.Dense"), given, None, {"units": "num_hidden"}, complete=complete, apart=True)


def _embedding(attrs: SymbolAttrs) -> Call:
    rows, width = attrs["input_dim"], attrs["output_dim"]
    given = {"input_dim": rows, "output_dim": width}
    return Call(operator("shared/dense.Embedding"), given, complete=lambda _: {1: (rows, width)})


def _convolution(attrs: SymbolAttrs) -> Call:
    last = _channels_last(attrs["layout"])
    given = {**calls.windows(attrs), "channels_last": last}
    complete = calls.kernels(given, is_last=last)
    return Call(operator("mxnet/biased.ConvolutionBias"), given, None, _CONVOLUTION, complete=complete, apart=True)


def _deconvolution(attrs: SymbolAttrs) -> Call:
    last = _channels_last(attrs["layout"])
    given = {
        **calls.windows(attrs), "channels_last": last, "output_padding": tuple(attrs["adj"] or ()),
        "target_shape": tuple(attrs["target_shape"] or ()),
    }  # fmt: skip
    complete = calls.kernels(given, is_last=last, is_transposed=True)
    return Call(operator("mxnet/biased.DeconvolutionBias"), given, None, _CONVOLUTION, complete=complete, apart=True)


def _channels_last(layout: str | None) -> bool:
    return layout in ("NWC", "NHWC", "NDHWC")


def _pooling(attrs: SymbolAttrs) -> Call:
    given = attrs.all()
    given["channels_last"] = _channels_last(given.pop("layout", None))
    if given["kernel"] and not given["global_pool"]:  # more numbers than the kernel has nobody reads
        given |= {name: tuple(given[name] or ())[: len(given["kernel"])] for name in ("stride", "pad")}
    return Call(operator("mxnet/pool_convention.PoolConvention"), given)


def _per_channel(word: str, *places: int) -> Make:
    """A normalization, and the places of what it has for each channel."""

    def make(attrs: SymbolAttrs) -> Call:
        axis = attrs.get("axis", 1)
        given = {**attrs.all(), "axis": axis}
        if given.pop("output_mean_var", False):
            given |= {"statistics": 2, "reduced": (axis,) if word == "LayerNorm" else None}

        def complete(tensors: Sequence[Tensor]) -> Known:
            return calls.vectors(calls.channels(tensors[0], axis), *places)

        return Call(operator(f"mxnet/channel_norm.{word}"), given, complete=complete, apart=True)

    return make


def _group_norm(attrs: SymbolAttrs) -> Call:
    given = attrs.all()
    given["statistics"] = 2 if given.pop("output_mean_var") else 0
    vectors = calls.vectors(given["num_groups"], 1, 2)
    return Call(operator("mxnet/channel_norm.GroupNormGroups"), given, complete=lambda _: vectors, apart=True)


def _leaky(attrs: SymbolAttrs) -> Call:
    def complete(tensors: Sequence[Tensor]) -> Known:
        data = tensors[0].shape
        length = calls.channels(tensors[0], 1 if data is not None and len(data) > 1 else 0)
        return calls.vectors(length, 1) if len(tensors) > 1 else {}

    return Call(operator("shared/activation.LeakyRelu"), attrs.all(), complete=complete, apart=True)


def _rnn(attrs: SymbolAttrs) -> Call:
    given = attrs.all()
    layers, size, mode = given["num_layers"], given["state_size"], given["mode"]
    ways = 2 if given["bidirectional"] else 1
    projection = given["projection_size"]

    def complete(tensors: Sequence[Tensor]) -> Known:
        from irlint.dryrun.ops.mxnet.fused_rnn import FusedRNN

        data = tensors[0].shape
        if data is None or len(data) != 3:
            return {}
        found: Known = {}
        if isinstance(data[2], int):
            found[1] = (FusedRNN.parameter_count(mode, layers, ways, size, data[2], projection),)
        if isinstance(data[1], int):
            found[2] = (layers * ways, data[1], projection or size)
            if mode == "lstm" and len(tensors) > 3:
                found[3] = (layers * ways, data[1], size)
        return found

    return Call(operator("mxnet/fused_rnn.FusedRNN"), given, complete=complete)


# Outputs with a label, whose shape follows from the data


def _label(tensors: Sequence[Tensor], is_per_position: bool = False) -> Known:
    data = tensors[0].shape
    if not data or not dims.is_known(data):
        return {}
    return {1: (data[0], dims.product(data[2:])) if is_per_position and len(data) >= 2 else data[:-1]}


def _softmax_output(attrs: SymbolAttrs) -> Call:
    given = attrs.all()
    complete = partial(_label, is_per_position=given["multi_output"])
    return Call(operator("mxnet/losses.SoftmaxOutput"), given, complete=complete)


def _regression(logistic: bool) -> Make:
    return lambda attrs: Call(operator("mxnet/losses.Regression"), {"logistic": logistic}, complete=calls.alike)


def _svm(attrs: SymbolAttrs) -> Call:
    return Call(operator("shared/unary.Identity"), {}, [0], complete=_label)


CALLS |= {
    "FullyConnected": _dense,
    **dict.fromkeys(("Embedding", "_contrib_SparseEmbedding"), _embedding),
    **dict.fromkeys(("Convolution", "Convolution_v1"), _convolution),
    "Deconvolution": _deconvolution,
    **dict.fromkeys(("Pooling", "Pooling_v1"), _pooling),
    "BatchNorm": _per_channel("BatchNormAxis", 1, 2, 3, 4),
    "BatchNorm_v1": _per_channel("BatchNormAxis", 1, 2, 3, 4),
    "_contrib_BatchNormWithReLU": _per_channel("BatchNormRelu", 1, 2, 3, 4),
    "_contrib_SyncBatchNorm": _per_channel("BatchNormAxis", 1, 2, 3, 4),
    "LayerNorm": _per_channel("LayerNorm", 1, 2),
    "InstanceNorm": _per_channel("InstanceNorm", 1, 2),
    "GroupNorm": _group_norm,
    "LeakyReLU": _leaky,
    "RNN": _rnn,
    "SoftmaxOutput": _softmax_output,
    "LinearRegressionOutput": _regression(False),
    "MAERegressionOutput": _regression(False),
    "LogisticRegressionOutput": _regression(True),
    "SVMOutput": _svm,
}
