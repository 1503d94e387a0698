"""The dry-run operators of com.microsoft: what onnxruntime fuses, and what its exporters write."""

from __future__ import annotations

from collections.abc import Callable

from irlint.dryrun.entries import Entry, Of, Row, Spec, constant, plain
from irlint.dryrun.mapping import FromAttr
from irlint.dryrun.tensor import Tensor
from irlint.formats.onnx.dryrun.calls import FILTER, GEMM, NodeAttrs, usually
from irlint.formats.onnx.dryrun.layers import LSTM
from irlint.formats.onnx.dryrun.windows import GRID, MEANS

_SUM_NORM = plain("onnx/fused.SumNorm", "epsilon")
_MATMUL = Entry("onnx/fused.ScaledMatMul", GEMM)
_HEADS: dict[str, Spec] = {"heads": "num_heads", "scale": usually("scale", 0.0)}
_MASKED: dict[str, Spec] = {**_HEADS, "causal": "unidirectional", "away": usually("mask_filter_value", -10000.0)}
CALLS: dict[str, Row] = {
    "Gelu": plain("shared/activation.Gelu"),
    "FastGelu": plain("onnx/fused.BiasedGelu", by_tanh=True),
    "BiasGelu": plain("onnx/fused.BiasedGelu"),
    "BiasSplitGelu": plain("onnx/fused.SplitGelu"),
    "QuickGelu": Entry("shared/activation.Swish", operands=(0, "alpha")),
    "GatherND": plain("moving/gathering.GatherND"),
    "Trilu": plain("moving/diagonals.Triangle", "upper"),
    "Pad": plain("moving/padding.PadByRow", "mode"),
    "GridSample": GRID,
    "Unique": plain("shared/selection.UniqueInOrder"),
    "Range": plain("moving/generation.Range", typed=False, or_single=True)._replace(
        operands=lambda v: (0, 1, 2 if 2 in v.present else FromAttr("delta", Tensor(None, (), (1,))))
    ),
    "Inverse": plain("shared/linear.Inverse", singular=True),
    "IsAllFinite": plain("onnx/fused.Finite"),
    "CDist": plain("shared/products.Distances", "metric", signature="[M,D]/T [N,D]/T -> [M,N]/T", names=("A", "B")),
    "Tokenizer": Entry(
        "onnx/text.Tokens",
        {
            "mark": "mark",
            "filler": "pad_value",
            "least": "mincharnum",
            "separators": "separators",
            "pattern": usually("tokenexp", ""),
        },
    ),
    "DynamicQuantizeMatMul": Entry("onnx/scaled.WholeProduct", operands=(0, 1, None, 2, None, 3, 4)),
    "MatMulIntegerToFloat": Entry("onnx/scaled.WholeProduct", operands=(0, 1, 2, 3, 4, 5, 6)),
    "QuantizeLinear": Entry("onnx/scales.QuantizeBy", {"axis": usually("axis", 1)}),
    "DequantizeLinear": Entry("onnx/scales.DequantizeBy", {"axis": usually("axis", 1)}),
    "SkipLayerNormalization": _SUM_NORM,
    "SkipSimplifiedLayerNormalization": _SUM_NORM.having(centred=False)._replace(operands=(0, 1, 2, None, 3)),
    "EmbedLayerNormalization": plain("onnx/fused.EmbedNorm", "epsilon"),
    "FusedMatMul": _MATMUL.having({"rows_first_a": "transBatchA", "rows_first_b": "transBatchB"}),
    "TransposeMatMul": _MATMUL,
    "FusedConv": Entry(
        "onnx/fused.Activated",
        {"activation": usually("activation", ""), "parameters": "activation_params", **FILTER},
        operands=(0, 1, 2, 3),
        fixed={"inner": "onnx/filters.FilterBias", "count": 3},
    ),
    "FusedGemm": Entry(
        "onnx/fused.Activated",
        {
            "activation": usually("activation", ""),
            "parameters": lambda v: (
                v["activation_alpha"] or 0.0,
                v["activation_beta"] or v["activation_gamma"] or 0.0,
            ),
            **GEMM,
            "beta": "beta",
        },
        operands=(0, 1, 2),
        fixed={"inner": "shared/dense.ProductPlus", "count": 3},
    ),
    "MatMulNBits": Entry(
        "onnx/fused.BlockProduct",
        {"depth": "K", "width": "N", "bits": "bits", "block": "block_size"},
        unless=("weight_prepacked",),
    ),
    "GatherBlockQuantized": Entry("onnx/picking.PackedRows", {"axis": "gather_axis", "bits": "bits"}),
    "QGemm": Entry("onnx/scaled.ScaledGemm", GEMM),
    "Attention": Entry(
        "onnx/packed_attention.ProjectedAttention",
        {**_MASKED, "sizes": "qkv_hidden_sizes", "rotary": "do_rotary"},
    ),
    "MultiHeadAttention": Entry("onnx/packed_attention.HeadAttention", _MASKED),
    "GroupQueryAttention": Entry(
        "onnx/packed_attention.GroupedAttention",
        {
            **_HEADS,
            "kv_heads": "kv_num_heads",
            "rotary": "do_rotary",
            "interleaved": "rotary_interleaved",
            "window": "local_window_size",
            "softcap": usually("softcap", 0.0),
            "smooth": Of("smooth_softmax", lambda smooth: smooth == 1),
        },
    ),
    "RotaryEmbedding": Entry(
        "onnx/packed_attention.PlacedRotary",
        {
            "heads": usually("num_heads", 0),
            "size": usually("rotary_embedding_dim", 0),
            "interleaved": usually("interleaved", 0),
        },
        unless=("is_packed_batching",),
    ),
}

# Operators on quantised operands, each followed by its scale and its zero point; then come those of the result.
# Of scales and zero points, onnxruntime 1.32 wants scalars, or lists of one number, or uses the first number of any list.
_SCALED = Entry("onnx/scaled.OnScaled", operands=lambda v: v.places)
_ONE = _SCALED.having(triples=((0, 1, 2),), result=(3, 4))
_TWO = _SCALED.having(triples=((0, 1, 2), (3, 4, 5)), result=(6, 7))
_CHOSEN = _SCALED.having(triples=((0,), (1, 2, 3), (4, 5, 6)), result=(7, 8))
_PAIR = (
    "_ [] [] _ [] [] [] []",
    ["A", "A_scale", "A_zero_point", "B", "B_scale", "B_zero_point", "C_scale", "C_zero_point"],
)
_ALONE = ("_ one one one one", ["X", "X_scale", "X_zero_point", "Y_scale", "Y_zero_point"])
_SHARED = ("_ one _ _ _", ["X", "X_scale", "X_zero_point", "Y_scale", "Y_zero_point"])
_POOLED = ("_ [] [] [] []", ["X", "x_scale", "x_zero_point", "y_scale", "y_zero_point"])
CALLS |= {
    "QLinearAdd": _TWO.having(inner="shared/elementwise.Add")._replace(demands=[_PAIR]),
    "QLinearMul": _TWO.having(inner="shared/elementwise.Multiply")._replace(demands=[_PAIR]),
    "QLinearWhere": _CHOSEN.having(inner="shared/selection.Select"),
    "QLinearConcat": _SCALED.having(
        {"triples": lambda v: [(k, k + 1, k + 2) for k in range(2, v.inputs, 3)], "axis": "axis"},
        inner="moving/joining.Concat",
        result=(0, 1),
    ),
    "QLinearLeakyRelu": _ONE.having({"slope": "alpha"}, inner="shared/activation.LeakyRelu", act_type="leaky")._replace(
        demands=[_ALONE]
    ),
    "QLinearSigmoid": _ONE.having(inner="shared/activation.Sigmoid")._replace(demands=[_ALONE]),
    "QLinearSoftmax": _ONE.having(
        {"axis": "axis", "flat": Of("opset", lambda opset: opset < 13)},
        inner="shared/reduction.Softmax",
        kind="softmax",
    )._replace(operator="onnx/scaled.SharesOnScaled", demands=[_SHARED]),
    "QLinearGlobalAveragePool": _ONE.having(inner="onnx/pools.WholePool", fold="mean")._replace(
        demands=[_ALONE], unless=("channels_last",)
    ),
    "QLinearAveragePool": _ONE.having(MEANS, inner="onnx/pools.MeanPool")._replace(
        demands=[_POOLED], unless=("channels_last",)
    ),
}


def _signature(v: NodeAttrs) -> str:
    """Return the signature of DynamicQuantizeLSTM: weights are transposed, other than those of LSTM. Scales and zero points are one
    for each direction, or one for each column of its weights."""
    ways, hidden = 2 if v["direction"] == "bidirectional" else 1, v["hidden_size"]
    state, scale = f"[{ways},B,{hidden}]/T", f"[{ways}]|[{ways},{4 * hidden}]"
    return (
        f"[S,B,I]/T [{ways},I,{4 * hidden}] [{ways},{hidden},{4 * hidden}] [{ways},{8 * hidden}]/T [B] {state} {state} "
        f"[{ways},{3 * hidden}]/T {scale} {scale} {scale} {scale} -> [S,{ways},B,{hidden}]/T {state} {state}"
    )


_NAMES = (
    "X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P", "W_scale", "W_zero_point", "R_scale", "R_zero_point",
)  # fmt: skip
CALLS["DynamicQuantizeLSTM"] = Entry(
    "onnx/gated_rnn.OwnRangeLSTM",
    {"signature": _signature, **LSTM},
    fixed={"names": _NAMES},
)


def _of_windows(signature: str) -> Callable[[NodeAttrs], str]:
    """Return what says the signature of a pool, with as many axes as its windows have for `*`."""
    return lambda v: signature.replace("*", ",".join(f"S{k}" for k in range(len(v.need("kernel_shape")))))


def _projected(v: NodeAttrs) -> str:
    """Return the signature of QAttention: a third of the columns of the weights is for queries, and each head has a part of it."""
    width = f"{3 * v['num_heads']}*P"
    return f"[B,S,D] [D,{width}] [{width}]/T -> [B,S,_]/T _"


def _signed(signature: str | Callable[[NodeAttrs], str], *names: str) -> Entry:
    """Return the row of an operator of which only types are known."""
    spec: dict[str, Spec] = {"signature": constant(signature) if isinstance(signature, str) else signature}
    return Entry("shared/signed.Signed", spec, fixed={"names": names})


CALLS |= {
    "MatMulInteger16": plain("onnx/scales.ProductOfIntegers"),
    "CropAndResize": _signed(
        "[_,C,_,_]/T [R,4]/T [R] [2] -> [R,C,_,_]/T", "X", "rois", "batch_indices", "crop_size"
    ),
    "NGramRepeatBlock": _signed("[B,_] [B,V]/T -> [B,V]/T", "input_ids", "scores"),
    "DynamicTimeWarping": _signed("[_,_]|[1,_,_] -> [2,_]/int32", "input"),
    "MaxpoolWithMask": _signed(_of_windows("[N,C,*]/T [_,_,*] -> _/T"), "X", "M"),
    "NhwcMaxPool": _signed(_of_windows("[N,*,C]/T -> _/T"), "x"),
    "MoE": _signed(
        "[*S,H]/T [_,E] [E,I,H] [E,I] [E,H,_] [E,H] -> [*S,H]/T",
        "input", "router_probs", "fc1_experts_weights", "fc1_experts_bias", "fc2_experts_weights", "fc2_experts_bias",
    ),
    "DecoderMaskedMultiHeadAttention": Entry(
        "onnx/packed_attention.DecoderAttention", {"heads": "num_heads"}, operands=(0, 1, 2, 10, 3, 4, 5, 6, 7)
    ),
    "MatMulBnb4": _signed(lambda v: f"[*S,{v['K']}]/T [_] [_] -> [*S,{v['N']}]/T", "A", "B", "absmax"),
    "BifurcationDetector": _signed("_ [_] _ _ -> [_]/int64 _/int64", "src_tokens", "cur_tokens"),
    "ConvTransposeWithDynamicPads": _signed("[_,_,_,*_]/T [_,_,_,*_]/T [_] -> _/T", "X", "W", "Pads"),
    "QAttention": _signed(_projected, "input", "weight", "bias"),
}  # fmt: skip
