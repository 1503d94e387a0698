"""The dry-run operators of com.microsoft: what onnxruntime fuses, and what its exporters write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.formats.onnx.dryrun.calls import (
    FILTER,
    GEMM,
    WINDOW_KEYS,
    Make,
    NodeAttrs,
    Setting,
    always,
    demanding,
    having,
    needed,
    of,
    taking,
)
from irlint.formats.onnx.dryrun.layers import CALLS as LAYERS
from irlint.formats.onnx.dryrun.layers import EPSILON
from irlint.formats.onnx.dryrun.windows import MEAN_POOL


def _without(make: Make, *names: str) -> Make:
    """Return how calls are made; of those with one of such flags nothing is known."""

    def made(a: NodeAttrs) -> Call:
        if any(a.get(name, 0) for name in names):
            raise Undecided
        return make(a)

    return made


_SCALING: dict[str, Any] = {"axis": 1, "block": of("block_size", 0)}
_SUM_NORM = taking("onnx/fused.SumNorm", epsilon=1e-12)
_MATMUL = _without(taking("onnx/fused.ScaledMatMul", **GEMM), "transBatchA", "transBatchB")
_ACTIVATED: dict[str, Any] = {"count": always(3), "activation": ""}
_HEADS = {"heads": "num_heads"}
CALLS: dict[str, Make] = {
    "Gelu": having("shared/activation.Gelu"),
    "FastGelu": having("onnx/fused.BiasedGelu", by_tanh=True),
    "BiasGelu": having("onnx/fused.BiasedGelu"),
    "BiasSplitGelu": having("onnx/fused.SplitGelu"),
    "QuickGelu": taking("shared/activation.Swish", inputs=lambda a: [0, a.number("alpha", 1.702, None)]),
    "GatherND": having("moving/gathering.GatherND"),
    "Trilu": taking("moving/diagonals.Triangle", upper=True),
    "Inverse": having("shared/linear.Inverse"),
    "IsAllFinite": having("onnx/fused.Finite"),
    "CDist": taking(
        "shared/products.Distances",
        signature=always("[M,D]/T [N,D]/T -> [M,N]/T"),
        names=always(("A", "B")),
        metric="sqeuclidean",
    ),
    "Tokenizer": taking(
        "onnx/text.Tokens",
        mark=needed("mark", int),
        filler=needed("pad_value", str),
        least=needed("mincharnum", int),
        separators=(),
        pattern=of("tokenexp", ""),
    ),
    "DynamicQuantizeMatMul": taking(
        "onnx/scaled.WholeProduct", inputs=lambda a: [0, 1, None, 2, None, a.at(3), a.at(4)]
    ),
    "MatMulIntegerToFloat": taking(
        "onnx/scaled.WholeProduct", inputs=lambda a: [0, 1, 2, 3, a.at(4), a.at(5), a.at(6)]
    ),
    "QuantizeLinear": taking("onnx/scales.QuantizeBy", **_SCALING),
    "DequantizeLinear": taking("onnx/scales.DequantizeBy", **_SCALING),
    "SkipLayerNormalization": _SUM_NORM,
    "SkipSimplifiedLayerNormalization": taking(
        "onnx/fused.SumNorm", inputs=lambda a: [0, 1, 2, None, a.at(3)], epsilon=1e-12, centred=always(False)
    ),
    "EmbedLayerNormalization": taking("onnx/fused.EmbedNorm", epsilon=1e-12),
    "LayerNormalization": taking("onnx/layer_norm.TrailingNorm", axis=-1, epsilon=EPSILON),
    "FusedMatMul": _MATMUL,
    "TransposeMatMul": _MATMUL,
    "FusedConv": taking(
        "onnx/fused.Activated",
        WINDOW_KEYS,
        inputs=lambda a: [0, 1, a.at(2), a.at(3)],
        inner=always("onnx/filters.FilterBias"),
        parameters=of("activation_params", ()),
        **_ACTIVATED,
        **FILTER,
    ),
    "FusedGemm": taking(
        "onnx/fused.Activated",
        inputs=lambda a: [0, 1, a.at(2)],
        inner=always("shared/dense.ProductPlus"),
        beta=1.0,
        parameters=Setting(lambda a: (a.get("activation_alpha", 0.0), a.get("activation_beta", 0.0))),
        **_ACTIVATED,
        **GEMM,
    ),
    "MatMulNBits": _without(
        taking(
            "onnx/fused.BlockProduct",
            {"depth": "K", "width": "N", "block": "block_size"},
            depth=needed("K", int),
            width=needed("N", int),
            bits=4,
            block=needed("block_size", int),
        ),
        "weight_prepacked",
    ),
    "QGemm": taking("onnx/scaled.ScaledGemm", **GEMM),
    "Attention": taking(
        "onnx/packed_attention.ProjectedAttention",
        _HEADS,
        heads=needed("num_heads", int),
        sizes=of("qkv_hidden_sizes", ()),
        causal=of("unidirectional", False),
        scale=0.0,
        rotary=of("do_rotary", False),
    ),
    "MultiHeadAttention": taking(
        "onnx/packed_attention.HeadAttention",
        _HEADS,
        heads=needed("num_heads", int),
        causal=of("unidirectional", False),
        scale=0.0,
    ),
    "GroupQueryAttention": taking(
        "onnx/packed_attention.GroupedAttention",
        {**_HEADS, "kv_heads": "kv_num_heads"},
        heads=needed("num_heads", int),
        kv_heads=needed("kv_num_heads", int),
        scale=0.0,
        rotary=of("do_rotary", False),
        interleaved=of("rotary_interleaved", False),
        window=of("local_window_size", -1),
        softcap=0.0,
    ),
    "RotaryEmbedding": _without(
        taking(
            "onnx/packed_attention.PlacedRotary",
            _HEADS,
            heads=of("num_heads", 0),
            size=of("rotary_embedding_dim", 0),
            interleaved=False,
        ),
        "is_packed_batching",
    ),
}


def scaled(a: NodeAttrs, inner: str, operands: Sequence[int], result: int, **attrs: Any) -> Call:
    """Return an operator on quantised operands, each followed by its scale and its zero point."""
    given = {"inner": inner, "triples": tuple((k, k + 1, k + 2) for k in operands), "result": (result, result + 1)}
    return Call(operator("onnx/scaled.OnScaled"), {**given, **attrs}, [a.at(k) for k in range(a.inputs)])


# Scales and zero points are scalars: onnxruntime 1.32 refuses lists of one number.
_PAIR = ("_ [] [] _ [] [] [] []", "A A_scale A_zero_point B B_scale B_zero_point C_scale C_zero_point")
_POOLED = ("_ [] [] [] []", "X x_scale x_zero_point y_scale y_zero_point")
CALLS |= {
    "QLinearAdd": demanding(lambda a: scaled(a, "shared/elementwise.Add", (0, 3), 6), _PAIR),
    "QLinearMul": demanding(lambda a: scaled(a, "shared/elementwise.Multiply", (0, 3), 6), _PAIR),
    "QLinearConcat": lambda a: scaled(a, "moving/joining.Concat", range(2, a.inputs, 3), 0, axis=a.need("axis", int)),
    "QLinearLeakyRelu": lambda a: scaled(
        a, "shared/activation.LeakyRelu", (0,), 3, act_type="leaky", slope=a.get("alpha", 0.01)
    ),
    "QLinearSigmoid": lambda a: scaled(a, "shared/activation.Sigmoid", (0,), 3),
    "QLinearSoftmax": lambda a: scaled(
        a, "onnx/reducing.Shares", (0,), 3, kind="softmax", axis=a.get("axis", -1), flat=a.need("opset", int) < 13
    ),
    "QLinearGlobalAveragePool": _without(
        lambda a: scaled(a, "onnx/pools.WholePool", (0,), 3, fold="mean"), "channels_last"
    ),
    "QLinearAveragePool": _without(
        demanding(lambda a: scaled(a, "onnx/pools.MeanPool", (0,), 3, **MEAN_POOL(a).attrs), _POOLED), "channels_last"
    ),
}


def _quantized_lstm(a: NodeAttrs) -> Call:
    """Weights are transposed, other than those of LSTM."""
    ways, hidden = 2 if a.get("direction", "forward") == "bidirectional" else 1, a.need("hidden_size", int)
    state = f"[{ways},B,{hidden}]/T"
    signature = (
        f"[S,B,I]/T [{ways},I,{4 * hidden}] [{ways},{hidden},{4 * hidden}] [{ways},{8 * hidden}]/T [B] {state} {state} "
        f"[{ways},{3 * hidden}]/T -> [S,{ways},B,{hidden}]/T {state} {state}"
    )
    names = ["X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P"]
    names += ["W_scale", "W_zero_point", "R_scale", "R_zero_point"]
    settings = LAYERS["LSTM"](a).attrs
    return Call(operator("onnx/gated_rnn.OwnRangeLSTM"), {**settings, "signature": signature, "names": names})


CALLS["DynamicQuantizeLSTM"] = _quantized_lstm
