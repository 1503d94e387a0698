"""MXNet's operators: which one of the dry run each is, and which shapes of weights follow from the data."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.dryrun import dims
from irlint.dryrun.entries import Entry, Of, Row, Spec, own, plain, whole
from irlint.dryrun.mapping import Complete
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.dryrun import calls
from irlint.formats.nnvm.dryrun.calls import Completion, Known, SymbolAttrs, known, length_of, unless_empty
from irlint.graph import Shape

_FUNCTIONS = (
    "arccos arccosh arcsin arcsinh arctan arctanh cbrt cos cosh degrees expm1 fix log10 log1p log2 radians reciprocal "
    "sign sin sinh square tan"
)
_FORMULAS = "digamma erf erfinv gamma gammaln hard_sigmoid log_sigmoid mish rcbrt rsqrt smooth_l1 softsign"
_BINARY = {
    "add": "Add", "sub": "Subtract", "mul": "Multiply", "div": "DivideToZero", "mod": "FloorModOrZero", "power": "Power",
    "maximum": "Maximum", "minimum": "Minimum", "hypot": "Hypot", "equal": "Equal", "not_equal": "NotEqual",
    "greater": "Greater", "greater_equal": "GreaterEqual", "lesser": "Less", "lesser_equal": "LessEqual",
    "logical_and": "LogicalAnd", "logical_or": "LogicalOr", "logical_xor": "LogicalXor",
}  # fmt: skip
_UNCHANGED = "_copy BlockGrad make_loss MakeLoss Dropout IdentityAttachKLSparseReg _contrib_gradientmultiplier"

CALLS: dict[str, Row] = {**calls.COMMON}
CALLS |= {name: calls.function(name) for name in _FUNCTIONS.split()}
CALLS |= {name: calls.formula(name) for name in _FORMULAS.split()}
CALLS |= dict.fromkeys(_UNCHANGED.split(), plain("shared/unary.Identity"))
for _name, _word in _BINARY.items():
    CALLS[f"broadcast_{_name}"] = calls.stretched(_word)
    CALLS[f"elemwise_{_name}"] = CALLS[f"_{_name}"] = calls.same(_word)
    CALLS[f"_{_name}_scalar"] = calls.with_number(f"shared/elementwise.{_word}")


def _codes(attrs: SymbolAttrs) -> tuple[int, ...]:
    """The new shape; old files say it by `target_shape`, where 0 is inferred."""
    codes = attrs["shape"] or ()
    if not codes and attrs["target_shape"]:
        codes = tuple(n or -1 for n in attrs["target_shape"])
        codes = (0, *codes[1:]) if attrs["keep_highest"] else codes
    return tuple(codes)


def _norm(order: int) -> str:
    return "l1" if order == 1 else "l2"


def _activation(name: str) -> str:
    return "softplus" if name == "softrelu" else name


_FOLDS = ("sum", "mean", "prod", "max", "min", "nansum", "nanprod")
_MOMENTS = {"fold": "moments", "least": 1, "outputs": 2}
CALLS |= {
    "_contrib_round_ste": CALLS["round"],  # only its gradient differs
    "_contrib_sign_ste": CALLS["sign"],
    "rint": plain("shared/unary.Formula", function="round_down"),
    "_contrib_div_sqrt_dim": plain("shared/unary.Formula", function="by_root_of_width"),
    "_grad_add": calls.same("Add"),
    "_plus_scalar": calls.with_number("shared/elementwise.Add"),
    "_minus_scalar": calls.with_number("shared/elementwise.Subtract"),
    "_rminus_scalar": calls.with_number("shared/elementwise.Subtract", turned=True),
    "_rdiv_scalar": calls.with_number("shared/elementwise.DivideToZero", turned=True),
    "_rmod_scalar": calls.with_number("shared/elementwise.FloorModOrZero", turned=True),
    "_rpower_scalar": calls.with_number("shared/elementwise.Power", turned=True),
    "identity_with_attr_like_rhs": Entry("shared/unary.Identity", operands=(0,)),
    "Cast": Entry("shared/casting.Cast", calls.TYPE),
    "amp_cast": Entry("shared/casting.CastFraction", calls.TYPE),
    "clip": Entry("shared/unary.Clamp", {"min": "a_min", "max": "a_max"}, fixed={"lenient": True}),
    "add_n": Entry("moving/joining.SumOf", complete=calls.alike),
    **{name: plain("shared/reduction.ReduceAxes", "axis", "keepdims", "exclude", fold=name, least=1) for name in _FOLDS},
    "norm": Entry("shared/reduction.ReduceAxes", {"fold": Of("ord", _norm), **own("axis", "keepdims")}, fixed={"least": 1}),
    "moments": Entry("shared/reduction.ReduceAxes", {"axis": "axes", "keepdims": "keepdims"}, fixed=_MOMENTS),
    "argmax": whole("shared/reduction.ArgExtreme"),
    "argmin": whole("shared/reduction.ArgExtreme", smallest=True),
    "argmax_channel": plain("shared/reduction.ArgExtreme", axis=1),
    "Reshape": Entry("mxnet/layout.ReshapeCodes", {"shape": _codes, "reverse": "reverse"}),
    "Flatten": plain("mxnet/layout.Flatten"),
    "reshape_like": whole("mxnet/layout.ReshapeLike"),
    "SwapAxis": whole("mxnet/layout.SwapAxes"),
    "squeeze": plain("mxnet/layout.SqueezeAxes", "axis", least=1),
    "slice": whole("mxnet/cropping.SliceRanges", empty_runs=True),
    "slice_axis": whole("mxnet/cropping.SliceAxis"),
    "slice_like": whole("mxnet/cropping.SliceLike"),
    "SliceChannel": whole("moving/splitting.SplitEqual"),
    "_split_v2": whole("moving/splitting.SectionSplit"),
    **dict.fromkeys(("Concat", "_rnn_param_concat"), Entry("moving/joining.Concat", {"axis": "dim"})),
    "stack": whole("moving/joining.Stack", counted=True),
    "tile": whole("moving/tiling.TileReps"),
    "repeat": whole("moving/tiling.RepeatElements"),
    "Pad": whole("moving/padding.PadWidths"),
    "reverse": whole("moving/flipping.Flip"),
    "broadcast_to": whole("shared/broadcasting.BroadcastTo", same_rank=True),
    "broadcast_axis": whole("shared/broadcasting.BroadcastAxes"),
    "broadcast_like": whole("shared/broadcasting.BroadcastLike"),
    "diag": whole("moving/diagonals.Diagonal"),
    "depth_to_space": whole("moving/blocks.DepthToSpace", plane=True),
    "space_to_depth": whole("moving/blocks.SpaceToDepth", plane=True),
    "shape_array": plain("moving/reshaping.ShapeOf", output_type="int64"),
    "batch_take": plain("mxnet/indexing.BatchTake"),
    "pick": whole("mxnet/indexing.Pick"),
    "scatter_nd": whole("mxnet/indexing.ScatterNDFirst"),
    "one_hot": calls.typed("mxnet/indexing.OneHotDepth"),
    "topk": whole("mxnet/indexing.TopKAttr"),
    "sort": whole("mxnet/indexing.Sort"),
    "argsort": whole("mxnet/indexing.Sort", places=True),
    **{name: whole(f"mxnet/indexing.{name}") for name in ("SequenceMask", "SequenceLast", "SequenceReverse")},
    "dot": whole("shared/dense.Dot"),
    "batch_dot": whole("shared/dense.BatchDot"),
    "khatri_rao": plain("shared/dense.KhatriRao"),
    "_linalg_gemm": whole("shared/dense.Gemm"),
    "_linalg_gemm2": whole("shared/dense.Gemm"),
    "Activation": Entry("shared/unary.Formula", {"function": Of("act_type", _activation)}),
    "softmin": whole("shared/reduction.SoftmaxWithin", kind="softmin"),
    "SoftmaxActivation": Entry("shared/reduction.SoftmaxWithin", {"axis": Of("mode", {"instance": -1, "channel": 1}.get)}),
    "L2Normalization": whole("mxnet/channel_norm.L2NormalizationMode"),
    "LRN": Entry("mxnet/channel_norm.LRNChannels", {**own("alpha", "beta"), "bias": "knorm", "size": "nsize"}),
}  # fmt: skip


# Layers with weights


def _is_last(attrs: SymbolAttrs) -> bool:
    """Whether the channels are."""
    return attrs.get("layout") in ("NWC", "NHWC", "NDHWC")


def _per_axis(name: str) -> Spec:
    """The numbers per axis of the kernel; more of them than the kernel has nobody reads."""
    return lambda v: tuple(v[name] or ())[: len(v["kernel"])]


def kernels(at: int = 1, is_transposed: bool = False) -> Completion:
    return lambda v: calls.kernels(
        tuple(v["kernel"]), v["num_filter"], v["num_group"], at, is_last=_is_last(v), is_transposed=is_transposed
    )


CONVOLUTION = Entry(
    "mxnet/biased.ConvolutionBias",
    {
        "kernel": Of("kernel", tuple), "units": "num_filter", "groups": "num_group", "strides": _per_axis("stride"),
        "dilations": _per_axis("dilate"), "pads_begin": _per_axis("pad"), "pads_end": _per_axis("pad"),
        "channels_last": _is_last,
    },
    blame={"strides": ("stride",), "dilations": ("dilate",), "pads_begin": ("pad",), "pads_end": ("pad",)},
    complete=kernels(),
    apart=True,
)  # fmt: skip
_DECONVOLUTION = CONVOLUTION.having(
    {"output_padding": unless_empty("adj", ()), "target_shape": unless_empty("target_shape", ())}
)._replace(operator="mxnet/biased.DeconvolutionBias", complete=kernels(is_transposed=True))


DENSE = Entry(
    "shared/dense.Dense",
    {"units": "num_hidden", "flatten": "flatten"},
    complete=calls.dense("num_hidden"),
    apart=True,
)
POOLING = Entry(
    "mxnet/pool_convention.PoolConvention",
    {"channels_last": _is_last, "stride": unless_empty("stride", ()), "pad": unless_empty("pad", ())},
    every=True,
)


def _normalization(word: str, *places: int, **more: Spec) -> Entry:
    """With vectors at these places; `output_mean_var` adds two outputs."""
    given: dict[str, Spec] = {"axis": calls.optional("axis", 1), "statistics": _statistics, **more}
    return Entry(f"mxnet/channel_norm.{word}", given, complete=calls.per_channel(*places), apart=True, every=True)


def _statistics(attrs: SymbolAttrs) -> int:
    return 2 if attrs.get("output_mean_var") else 0


def _groups(attrs: SymbolAttrs) -> Complete:
    count = attrs["num_groups"]
    return lambda _: {1: (count,), 2: (count,)}


def _slopes(_: SymbolAttrs) -> Complete:
    return lambda tensors: known({1: (length_of(tensors[0], 0 if tensors[0].rank == 1 else 1),)})


def _of_rnn(attrs: SymbolAttrs) -> Complete:
    layers, size, mode, projection = (attrs[name] for name in ("num_layers", "state_size", "mode", "projection_size"))
    ways = 2 if attrs["bidirectional"] else 1

    def complete(tensors: Sequence[Tensor]) -> Known:
        from irlint.dryrun.ops.mxnet.fused_rnn import FusedRNN

        data = tensors[0].shape
        if data is None or len(data) != 3:
            return {}
        _, batch, width = data
        found: dict[int, Shape] = {2: (layers * ways, batch, projection or size)}
        if isinstance(width, int):
            found[1] = (FusedRNN.parameter_count(mode, layers, ways, size, width, projection),)
        if mode == "lstm":
            found[3] = (layers * ways, batch, size)
        return known(found)

    return complete


def _label(attrs: SymbolAttrs) -> Complete:
    """The label, whose shape follows from the data."""
    is_per_position = attrs.get("multi_output", False)

    def complete(tensors: Sequence[Tensor]) -> Known:
        data = tensors[0].shape
        if not data or not dims.is_known(data):
            return {}
        return {1: (data[0], dims.product(data[2:])) if is_per_position and len(data) >= 2 else data[:-1]}

    return complete


def _embedded(attrs: SymbolAttrs) -> Complete:
    shape = attrs["input_dim"], attrs["output_dim"]
    return lambda _: {1: shape}


_REGRESSION = Entry("mxnet/losses.Regression", fixed={"logistic": False}, complete=calls.alike)

CALLS |= {
    "FullyConnected": DENSE,
    **dict.fromkeys(
        ("Embedding", "_contrib_SparseEmbedding"),
        plain("shared/dense.Embedding", "input_dim", "output_dim")._replace(complete=_embedded),
    ),
    **dict.fromkeys(("Convolution", "Convolution_v1"), CONVOLUTION),
    "Deconvolution": _DECONVOLUTION,
    **dict.fromkeys(("Pooling", "Pooling_v1"), POOLING),
    **dict.fromkeys(
        ("BatchNorm", "BatchNorm_v1", "_contrib_SyncBatchNorm"), _normalization("BatchNormAxis", 1, 2, 3, 4)
    ),
    "_contrib_BatchNormWithReLU": _normalization("BatchNormRelu", 1, 2, 3, 4),
    "LayerNorm": _normalization("LayerNorm", 1, 2, reduced=("axis",)),
    "InstanceNorm": _normalization("InstanceNorm", 1, 2),
    "GroupNorm": Entry(
        "mxnet/channel_norm.GroupNormGroups", {"statistics": _statistics}, complete=_groups, apart=True, every=True
    ),
    "LeakyReLU": Entry("shared/activation.LeakyRelu", complete=_slopes, apart=True, every=True),
    "RNN": Entry("mxnet/fused_rnn.FusedRNN", complete=_of_rnn, every=True),
    "SoftmaxOutput": Entry("mxnet/losses.SoftmaxOutput", complete=_label, every=True),
    "LinearRegressionOutput": _REGRESSION,
    "MAERegressionOutput": _REGRESSION,
    "LogisticRegressionOutput": _REGRESSION._replace(fixed={"logistic": True}),
    "SVMOutput": Entry("shared/unary.Identity", operands=(0,), complete=_label),
}
