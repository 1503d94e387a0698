"""The dry-run operators of com.microsoft: what onnxruntime fuses, and what its exporters write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.formats.onnx.dryrun.calls import WINDOW_KEYS, Attrs, Make, having, taking
from irlint.formats.onnx.dryrun.layers import EPSILON
from irlint.formats.onnx.dryrun.windows import pooled

CALLS: dict[str, Make] = {
    "Gelu": having("activation.Gelu"),
    "FastGelu": having("fused.BiasedGelu", by_tanh=True),
    "BiasGelu": having("fused.BiasedGelu"),
    "BiasSplitGelu": having("fused.SplitGelu"),
    "QuickGelu": lambda a: Call(operator("activation.Swish"), {}, [0, a.number("alpha", 1.702, None)]),
    "GatherND": having("gathering.GatherND"),
    "Trilu": taking("diagonals.Triangle", upper=True),
    "Inverse": having("linear.Inverse"),
    "IsAllFinite": having("fused.Finite"),
    "DynamicQuantizeMatMul": lambda a: Call(
        operator("scaled.WholeProduct"), {}, [0, 1, None, 2, None, a.at(3), a.at(4)]
    ),
    "MatMulIntegerToFloat": lambda a: Call(
        operator("scaled.WholeProduct"), {}, [0, 1, 2, 3, a.at(4), a.at(5), a.at(6)]
    ),
}


def _quantizing(word: str) -> Make:
    return lambda a: Call(operator(word), {"axis": a.get("axis", 1), "block": a.get("block_size", 0)})


CALLS |= {"QuantizeLinear": _quantizing("scales.QuantizeBy"), "DequantizeLinear": _quantizing("scales.DequantizeBy")}


def _skip_norm(a: Attrs) -> Call:
    return Call(operator("fused.SumNorm"), {"epsilon": a.get("epsilon", 1e-12)})


CALLS["SkipLayerNormalization"] = _skip_norm
CALLS["SkipSimplifiedLayerNormalization"] = lambda a: Call(
    operator("fused.SumNorm"), {"epsilon": a.get("epsilon", 1e-12), "centred": False}, [0, 1, 2, None, a.at(3)]
)
CALLS["EmbedLayerNormalization"] = taking("fused.EmbedNorm", epsilon=1e-12)
CALLS["LayerNormalization"] = taking("layer_norm.TrailingNorm", axis=-1, epsilon=EPSILON)


def _matmul(a: Attrs) -> Call:
    if a.get("transBatchA", 0) or a.get("transBatchB", 0):
        raise Undecided
    attrs = {
        "transpose_a": a.get("transA", False),
        "transpose_b": a.get("transB", False),
        "alpha": a.get("alpha", 1.0),
    }
    return Call(operator("fused.ScaledMatMul"), attrs)


CALLS |= {"FusedMatMul": _matmul, "TransposeMatMul": _matmul}


def _conv(a: Attrs) -> Call:
    attrs = {
        "inner": "filters.FilterBias",
        "count": 3,
        "kernel": a.get("kernel_shape", None),
        "groups": a.get("group", 1),
        "activation": a.get("activation", ""),
        "parameters": a.get("activation_params", ()),
        **a.windows(),
    }
    return Call(operator("fused.Activated"), attrs, [0, 1, a.at(2), a.at(3)], WINDOW_KEYS)


CALLS["FusedConv"] = _conv


def _gemm(a: Attrs) -> Call:
    attrs = {
        "inner": "dense.ProductPlus",
        "count": 3,
        "transpose_a": a.get("transA", False),
        "transpose_b": a.get("transB", False),
        "alpha": a.get("alpha", 1.0),
        "beta": a.get("beta", 1.0),
        "activation": a.get("activation", ""),
        "parameters": (a.get("activation_alpha", 0.0), a.get("activation_beta", 0.0)),
    }
    return Call(operator("fused.Activated"), attrs, [0, 1, a.at(2)])


CALLS["FusedGemm"] = _gemm


def _block_product(a: Attrs) -> Call:
    if a.get("weight_prepacked", 0):
        raise Undecided
    attrs = {
        "depth": a.need("K", int),
        "width": a.need("N", int),
        "bits": a.get("bits", 4),
        "block": a.need("block_size", int),
    }
    keys = {"depth": "K", "width": "N", "block": "block_size"}
    return Call(operator("fused.BlockProduct"), attrs, None, keys)


CALLS["MatMulNBits"] = _block_product


def scaled(a: Attrs, inner: str, operands: Sequence[int], result: int, **attrs: Any) -> Call:
    """Return an operator on quantised operands, each followed by its scale and its zero point."""
    given = {"inner": inner, "triples": tuple((k, k + 1, k + 2) for k in operands), "result": (result, result + 1)}
    return Call(operator("scaled.OnScaled"), {**given, **attrs}, [a.at(k) for k in range(a.inputs)])


def _by_scalars(call: Call, pattern: str, names: str) -> Call:
    """Demand scalars as scales and zero points: onnxruntime 1.32 refuses lists of one number."""
    call.demands = ((pattern, names.split()),)
    return call


def _scaled_pair(word: str) -> Make:
    names = "A A_scale A_zero_point B B_scale B_zero_point C_scale C_zero_point"
    return lambda a: _by_scalars(scaled(a, word, (0, 3), 6), "_ [] [] _ [] [] [] []", names)


CALLS |= {"QLinearAdd": _scaled_pair("elementwise.Add"), "QLinearMul": _scaled_pair("elementwise.Multiply")}
CALLS["QLinearConcat"] = lambda a: scaled(a, "joining.Concat", range(2, a.inputs, 3), 0, axis=a.need("axis", int))
CALLS["QLinearLeakyRelu"] = lambda a: scaled(
    a, "activation.LeakyRelu", (0,), 3, act_type="leaky", slope=a.get("alpha", 0.01)
)
CALLS["QLinearSigmoid"] = lambda a: scaled(a, "activation.Sigmoid", (0,), 3)
CALLS["QLinearSoftmax"] = lambda a: scaled(
    a, "reducing.Shares", (0,), 3, kind="softmax", axis=a.get("axis", -1), flat=a.need("opset", int) < 13
)
CALLS["QGemm"] = lambda a: Call(
    operator("scaled.ScaledGemm"),
    {
        "transpose_a": a.get("transA", False),
        "transpose_b": a.get("transB", False),
        "alpha": a.get("alpha", 1.0),
    },
)


def _whole_pool(a: Attrs) -> Call:
    if a.get("channels_last", 0):
        raise Undecided
    return scaled(a, "pools.WholePool", (0,), 3, fold="mean")


CALLS["QLinearGlobalAveragePool"] = _whole_pool


def _average_pool(a: Attrs) -> Call:
    if a.get("channels_last", 0):
        raise Undecided
    call = scaled(a, "pools.MeanPool", (0,), 3, **pooled("MeanPool")(a).attrs)
    return _by_scalars(call, "_ [] [] [] []", "X x_scale x_zero_point y_scale y_zero_point")


CALLS["QLinearAveragePool"] = _average_pool


def _attention(a: Attrs) -> Call:
    attrs = {
        "heads": a.need("num_heads", int),
        "sizes": a.get("qkv_hidden_sizes", ()),
        "causal": a.get("unidirectional", False),
        "scale": a.get("scale", 0.0),
        "rotary": a.get("do_rotary", False),
    }
    return Call(operator("packed_attention.ProjectedAttention"), attrs, None, {"heads": "num_heads"})


CALLS["Attention"] = _attention
CALLS["MultiHeadAttention"] = lambda a: Call(
    operator("packed_attention.HeadAttention"),
    {
        "heads": a.need("num_heads", int),
        "causal": a.get("unidirectional", False),
        "scale": a.get("scale", 0.0),
    },
    None,
    {"heads": "num_heads"},
)


def _grouped(a: Attrs) -> Call:
    attrs = {
        "heads": a.need("num_heads", int),
        "kv_heads": a.need("kv_num_heads", int),
        "scale": a.get("scale", 0.0),
        "rotary": a.get("do_rotary", False),
        "interleaved": a.get("rotary_interleaved", False),
        "window": a.get("local_window_size", -1),
        "softcap": a.get("softcap", 0.0),
    }
    keys = {"heads": "num_heads", "kv_heads": "kv_num_heads"}
    return Call(operator("packed_attention.GroupedAttention"), attrs, None, keys)


CALLS["GroupQueryAttention"] = _grouped


def _rotary(a: Attrs) -> Call:
    if a.get("is_packed_batching", 0):
        raise Undecided
    attrs = {
        "heads": a.get("num_heads", 0),
        "size": a.get("rotary_embedding_dim", 0),
        "interleaved": a.get("interleaved", False),
    }
    return Call(operator("packed_attention.PlacedRotary"), attrs, None, {"heads": "num_heads"})


CALLS["RotaryEmbedding"] = _rotary


def _quantized_lstm(a: Attrs) -> Call:
    """Weights are transposed, other than those of LSTM."""
    ways, hidden = 2 if a.get("direction", "forward") == "bidirectional" else 1, a.need("hidden_size", int)
    state = f"[{ways},B,{hidden}]/T"
    signature = (
        f"[S,B,I]/T [{ways},I,{4 * hidden}] [{ways},{hidden},{4 * hidden}] [{ways},{8 * hidden}]/T [B] {state} {state} "
        f"[{ways},{3 * hidden}]/T -> [S,{ways},B,{hidden}]/T {state} {state}"
    )
    names = ["X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P"]
    return Call(operator("signed.Signed"), {"signature": signature, "names": names})


CALLS["DynamicQuantizeLSTM"] = _quantized_lstm
