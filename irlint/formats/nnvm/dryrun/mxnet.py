"""MXNet's operators: which one of the dry run each is, and which shapes of weights follow from the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from irlint.dryrun import dims
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.dryrun.calls import (
    Known,
    Make,
    alike,
    bare,
    channels,
    dtype_of,
    formula,
    function,
    plain,
    same,
    stretched,
    vectors,
    windows,
    with_number,
)  # fmt: skip
from irlint.graph import Dim

if TYPE_CHECKING:
    from irlint.formats.nnvm.dryrun.attrs import Attrs

CALLS: dict[str, Make] = {}

_FUNCTIONS = (
    "abs arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1 fix floor log log10 log1p "
    "log2 negative radians reciprocal sign sin sinh sqrt square tan tanh trunc"
)
CALLS |= {name: function(name) for name in _FUNCTIONS.split()}
_FORMULAS = (
    "digamma erf erfinv gamma gammaln hard_sigmoid log_sigmoid logical_not mish relu rcbrt rsqrt sigmoid smooth_l1 "
    "softsign"
)
CALLS |= {name: formula(name) for name in _FORMULAS.split()}
CALLS["round"] = lambda attrs: Call(operator("unary.Formula"), {"function": "round_away"})
CALLS |= {f"_contrib_{_name}_ste": CALLS[_name] for _name in ("round", "sign")}  # only their gradients differ
CALLS["rint"] = lambda attrs: Call(operator("unary.Formula"), {"function": "round_down"})
CALLS["_contrib_div_sqrt_dim"] = lambda attrs: Call(operator("unary.Formula"), {"function": "by_root_of_width"})

_BINARY = {
    "add": "Add", "sub": "Subtract", "mul": "Multiply", "div": "Divide", "mod": "FloorModOrZero", "power": "Power",
    "maximum": "Maximum", "minimum": "Minimum", "hypot": "Hypot", "equal": "Equal", "not_equal": "NotEqual",
    "greater": "Greater", "greater_equal": "GreaterEqual", "lesser": "Less", "lesser_equal": "LessEqual",
    "logical_and": "LogicalAnd", "logical_or": "LogicalOr", "logical_xor": "LogicalXor",
}  # fmt: skip
for _name, _word in _BINARY.items():
    CALLS[f"broadcast_{_name}"] = stretched(f"elementwise.{_word}")
    CALLS[f"elemwise_{_name}"] = CALLS[f"_{_name}"] = same(f"elementwise.{_word}")
    CALLS[f"_{_name}_scalar"] = with_number(f"elementwise.{_word}")
CALLS |= {
    "_grad_add": same("elementwise.Add"),
    "_plus_scalar": with_number("elementwise.Add"),
    "_minus_scalar": with_number("elementwise.Subtract"),
    "_rminus_scalar": with_number("elementwise.Subtract", turned=True),
    "_rdiv_scalar": with_number("elementwise.Divide", turned=True),
    "_rmod_scalar": with_number("elementwise.FloorModOrZero", turned=True),
    "_rpower_scalar": with_number("elementwise.Power", turned=True),
}


def _identity(attrs: Attrs) -> Call:
    return Call(operator("unary.Identity"))


for _name in [
    "_copy",
    "BlockGrad",
    "make_loss",
    "MakeLoss",
    "Dropout",
    "identity_with_attr_like_rhs",
    "IdentityAttachKLSparseReg",
    "_contrib_gradientmultiplier",
]:
    CALLS[_name] = _identity
CALLS["Dropout"] = lambda attrs: Call(operator("unary.Identity"))
CALLS["identity_with_attr_like_rhs"] = lambda attrs: Call(operator("unary.Identity"), {}, [0])
CALLS["zeros_like"] = bare("unary.FullLike", fill=0)
CALLS["ones_like"] = bare("unary.FullLike", fill=1)
CALLS["Cast"] = lambda attrs: Call(operator("casting.Cast"), {"dtype": dtype_of(attrs["dtype"])})
CALLS["amp_cast"] = lambda attrs: Call(operator("casting.CastFraction"), {"dtype": dtype_of(attrs["dtype"])})
CALLS["clip"] = lambda attrs: Call(
    operator("unary.Clamp"),
    {"min": attrs["a_min"], "max": attrs["a_max"], "lenient": True},
    None,
    {"min": "a_min", "max": "a_max"},
)


def _summed(attrs: Attrs) -> Call:
    return Call(operator("joining.SumOf"), {}, complete=alike)


CALLS["add_n"] = _summed


def _reduced(fold: str) -> Make:
    def make(attrs: Attrs) -> Call:
        known = attrs.operator.attributes
        given: dict[str, Any] = {
            name: attrs[name] for name in ("axis", "axes", "keepdims", "exclude", "ord") if name in known
        }
        axis = given.pop("axes", None) if "axes" in given else given.pop("axis", None)
        axis = (axis,) if isinstance(axis, int) else axis
        outputs = 2 if fold == "moments" else 1
        keys = {"axis": "axes"} if "axes" in known else {}
        return Call(
            operator("reduction.ReduceAxes"),
            {**given, "axis": axis, "fold": fold, "least": 1, "outputs": outputs},
            None,
            keys,
        )

    return make


CALLS |= {
    "sum": _reduced("sum"), "mean": _reduced("mean"), "prod": _reduced("prod"), "max": _reduced("max"),
    "min": _reduced("min"), "nansum": _reduced("nansum"), "nanprod": _reduced("nanprod"), "norm": _reduced("norm"),
    "moments": _reduced("moments"),
    "argmax": plain("indexing.ArgExtreme"),
    "argmin": plain("indexing.ArgExtreme", smallest=True),
    "argmax_channel": bare("indexing.ArgExtreme", axis=1),
}  # fmt: skip


def _reshape(attrs: Attrs) -> Call:
    codes = attrs["shape"] or ()
    if not codes and attrs["target_shape"]:
        target = list(attrs["target_shape"])
        codes = [-1 if n == 0 else n for n in target]
        if attrs["keep_highest"]:
            codes[0] = 0
    return Call(operator("layout.ReshapeCodes"), {"shape": tuple(codes), "reverse": attrs["reverse"]})


def _squeeze(attrs: Attrs) -> Call:
    return Call(operator("layout.SqueezeAxes"), {"axis": attrs["axis"], "least": 1})


def _concat(attrs: Attrs) -> Call:
    name = "dim" if "dim" in attrs.operator.attributes else "axis"
    return Call(operator("joining.Concat"), {"axis": attrs[name]}, None, {"axis": name})


def _axes_or_none(attrs: Attrs) -> Call:
    return Call(operator("layout.Permute"), {"axes": attrs["axes"] or None})


CALLS |= {
    "Reshape": _reshape,
    "Flatten": bare("layout.Flatten"),
    "reshape_like": plain("layout.ReshapeLike"),
    "transpose": _axes_or_none,
    "SwapAxis": plain("layout.SwapAxes"),
    "expand_dims": plain("layout.ExpandDims"),
    "squeeze": _squeeze,
    "slice": plain("cropping.SliceRanges", empty_runs=True),
    "slice_axis": plain("cropping.SliceAxis"),
    "slice_like": plain("cropping.SliceLike"),
    "SliceChannel": plain("splitting.SplitEqual"),
    "_split_v2": plain("splitting.SectionSplit"),
    "Concat": _concat,
    "_rnn_param_concat": lambda attrs: Call(operator("joining.Concat"), {"axis": attrs["dim"]}, None, {"axis": "dim"}),
    "stack": plain("joining.Stack", counted=True),
    "tile": plain("tiling.TileReps"),
    "repeat": plain("tiling.Repeat"),
    "Pad": plain("padding.PadWidths"),
    "reverse": plain("flipping.Flip"),
    "broadcast_to": plain("broadcasting.BroadcastTo", same_rank=True),
    "broadcast_axis": plain("broadcasting.BroadcastAxes"),
    "broadcast_like": plain("broadcasting.BroadcastLike"),
    "diag": plain("diagonals.Diagonal"),
    "depth_to_space": plain("blocks.DepthToSpace", plane=True),
    "space_to_depth": plain("blocks.SpaceToDepth", plane=True),
    "shape_array": bare("reshaping.ShapeOf", output_type="int64"),
    "take": plain("indexing.Take"),
    "batch_take": bare("indexing.BatchTake"),
    "pick": plain("indexing.Pick"),
    "gather_nd": bare("indexing.GatherNDFirst"),
    "scatter_nd": plain("indexing.ScatterNDFirst"),
    "one_hot": lambda attrs: Call(operator("indexing.OneHotDepth"), {**attrs.all(), "dtype": dtype_of(attrs["dtype"])}),
    "where": bare("indexing.Where"),
    "topk": plain("indexing.TopKAttr"),
    "sort": plain("indexing.Sort"),
    "argsort": plain("indexing.Sort", places=True),
    "dot": plain("dense.Dot"),
    "batch_dot": plain("dense.BatchDot"),
    "khatri_rao": bare("dense.KhatriRao"),
    "_linalg_gemm": plain("dense.Gemm"),
    "_linalg_gemm2": plain("dense.Gemm"),
    "Activation": plain("activation.Activation"),
    "softmax": plain("softmax.SoftmaxAxis", kind="softmax"),
    "log_softmax": plain("softmax.SoftmaxAxis", kind="log_softmax"),
    "softmin": plain("softmax.SoftmaxAxis", kind="softmin"),
    "L2Normalization": plain("channel_norm.L2NormalizationMode"),
    "LRN": plain("channel_norm.LRNChannels"),
}


def _softmax_activation(attrs: Attrs) -> Call:
    if attrs["mode"] == "channel":
        return Call(operator("softmax.SoftmaxAxis"), {"axis": 1})
    return Call(operator("softmax.SoftmaxAxis"), {})


CALLS["SoftmaxActivation"] = _softmax_activation


def _sequence(word: str) -> Make:
    return lambda attrs: Call(operator(f"indexing.{word}"), attrs.all())


CALLS |= {name: _sequence(name) for name in ("SequenceMask", "SequenceLast", "SequenceReverse")}


def _dense(attrs: Attrs) -> Call:
    units, flatten = attrs["num_hidden"], attrs["flatten"]

    def complete(tensors: Sequence[Tensor]) -> Known:
        found = vectors(units, 2) if len(tensors) > 2 else {}
        data = tensors[0].shape
        width: Dim = None if not data else dims.product(data[1:]) if flatten else data[-1]
        if isinstance(width, int):
            found[1] = (units, width)
        return found

    return Call(
        operator("dense.Dense"), {"units": units, "flatten": flatten}, None, {"units": "num_hidden"}, complete=complete,
        apart=True,
    )  # fmt: skip


CALLS["FullyConnected"] = _dense


def _embedding(attrs: Attrs) -> Call:
    shape = (attrs["input_dim"], attrs["output_dim"])
    return Call(
        operator("dense.Embedding"), {"input_dim": shape[0], "output_dim": shape[1]}, complete=lambda _: {1: shape}
    )


CALLS["Embedding"] = CALLS["_contrib_SparseEmbedding"] = _embedding

_CONVOLUTION = {
    "strides": "stride",
    "dilations": "dilate",
    "pads_begin": "pad",
    "pads_end": "pad",
    "groups": "num_group",
}


def _convolution(attrs: Attrs) -> Call | None:
    kernel, filters, group = tuple(attrs["kernel"]), attrs["num_filter"], attrs["num_group"]
    last = _channels_last(attrs["layout"])

    def complete(tensors: Sequence[Tensor]) -> Known:
        found = vectors(filters, 2) if len(tensors) > 2 else {}
        depth = channels(tensors[0], -1 if last else 1)
        if isinstance(depth, int) and group and depth % group == 0:
            found[1] = (filters, *kernel, depth // group) if last else (filters, depth // group, *kernel)
        return found

    word = "biased.ConvolutionBias"
    return Call(
        operator(word), {**windows(attrs), "channels_last": last, "kernel": kernel, "units": filters}, None,
        {**_CONVOLUTION, "units": "num_filter"}, complete=complete, apart=True,
    )  # fmt: skip


def _deconvolution(attrs: Attrs) -> Call:
    kernel, filters, group = tuple(attrs["kernel"]), attrs["num_filter"], attrs["num_group"]
    last = _channels_last(attrs["layout"])

    def complete(tensors: Sequence[Tensor]) -> Known:
        found = vectors(filters, 2) if len(tensors) > 2 else {}
        depth = channels(tensors[0], -1 if last else 1)
        if isinstance(depth, int) and group:
            each = filters // group
            found[1] = (depth, *kernel, each) if last else (depth, each, *kernel)
        return found

    given = {
        **windows(attrs),
        "channels_last": last,
        "kernel": kernel,
        "units": filters,
        "output_padding": tuple(attrs["adj"] or ()),
        "target_shape": tuple(attrs["target_shape"] or ()),
    }
    return Call(
        operator("biased.DeconvolutionBias"), given, None, {**_CONVOLUTION, "units": "num_filter", "output_padding": "adj"},
        complete=complete, apart=True,
    )  # fmt: skip


def _channels_last(layout: str | None) -> bool:
    return layout in ("NWC", "NHWC", "NDHWC")


CALLS["Convolution"] = CALLS["Convolution_v1"] = _convolution  # type: ignore[assignment]
CALLS["Deconvolution"] = _deconvolution


def _pooling(attrs: Attrs) -> Call:
    given = attrs.all()
    given["channels_last"] = _channels_last(given.pop("layout", None))
    if given["kernel"] and not given["global_pool"]:  # more numbers than the kernel has nobody reads
        given |= {name: tuple(given[name] or ())[: len(given["kernel"])] for name in ("stride", "pad")}
    return Call(operator("pool_convention.PoolConvention"), given)


CALLS["Pooling"] = _pooling
CALLS["Pooling_v1"] = _pooling


def _per_channel(word: str, axis: str | None, places: tuple[int, ...], statistics: bool = False) -> Make:
    def make(attrs: Attrs) -> Call:
        given = attrs.all()
        at = given["axis"] if axis else 1
        given["axis"] = at
        if statistics and given.pop("output_mean_var", False):
            given["statistics"] = 2
            given["reduced"] = (at,) if word == "LayerNorm" else None

        def complete(tensors: Sequence[Tensor]) -> Known:
            return vectors(channels(tensors[0], at), *places)

        return Call(operator(f"channel_norm.{word}"), given, complete=complete, apart=True)

    return make


def _group_norm(attrs: Attrs) -> Call:
    given = attrs.all()
    given["statistics"] = 2 if given.pop("output_mean_var") else 0
    return Call(
        operator("channel_norm.GroupNormGroups"),
        given,
        complete=lambda _: vectors(given["num_groups"], 1, 2),
        apart=True,
    )


CALLS |= {
    "BatchNorm": _per_channel("BatchNormAxis", "axis", (1, 2, 3, 4), True),
    "BatchNorm_v1": _per_channel("BatchNormAxis", None, (1, 2, 3, 4), True),
    "_contrib_BatchNormWithReLU": _per_channel("BatchNormRelu", "axis", (1, 2, 3, 4), True),
    "_contrib_SyncBatchNorm": _per_channel("BatchNormAxis", None, (1, 2, 3, 4), True),
    "LayerNorm": _per_channel("LayerNorm", "axis", (1, 2), True),
    "InstanceNorm": _per_channel("InstanceNorm", None, (1, 2)),
    "GroupNorm": _group_norm,
}


def _leaky(attrs: Attrs) -> Call:
    def complete(tensors: Sequence[Tensor]) -> Known:
        data = tensors[0].shape
        length = channels(tensors[0], 1 if data is not None and len(data) > 1 else 0)
        return vectors(length, 1) if len(tensors) > 1 else {}

    return Call(operator("activation.LeakyRelu"), attrs.all(), complete=complete, apart=True)


CALLS["LeakyReLU"] = _leaky


def _softmax_output(attrs: Attrs) -> Call:
    given = attrs.all()

    def complete(tensors: Sequence[Tensor]) -> Known:
        data = tensors[0].shape
        if not data or not dims.is_known(data):
            return {}
        if given["multi_output"] and len(data) >= 2:
            return {1: (data[0], dims.product(data[2:]))}
        return {1: data[:-1]}

    return Call(operator("losses.SoftmaxOutput"), given, complete=complete)


def _regression(logistic: bool) -> Make:
    return lambda attrs: Call(operator("losses.Regression"), {"logistic": logistic}, complete=alike)


CALLS |= {
    "SoftmaxOutput": _softmax_output,
    "LinearRegressionOutput": _regression(False),
    "MAERegressionOutput": _regression(False),
    "LogisticRegressionOutput": _regression(True),
}


def _svm(attrs: Attrs) -> Call:
    def complete(tensors: Sequence[Tensor]) -> Known:
        data = tensors[0].shape
        return {1: data[:-1]} if data and dims.is_known(data) else {}

    return Call(operator("unary.Identity"), {}, [0], complete=complete)


CALLS["SVMOutput"] = _svm


def _rnn(attrs: Attrs) -> Call:
    given = attrs.all()
    layers, size, mode = given["num_layers"], given["state_size"], given["mode"]
    ways = 2 if given["bidirectional"] else 1
    projection = given["projection_size"]

    def complete(tensors: Sequence[Tensor]) -> Known:
        from irlint.dryrun.ops.fused_rnn import FusedRNN

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

    return Call(operator("fused_rnn.FusedRNN"), given, complete=complete)


CALLS["RNN"] = _rnn
