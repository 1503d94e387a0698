"""The dry-run operators of ONNX's layers: normalisation, recurrence, attention."""

from __future__ import annotations

from irlint.codes import R
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.formats.onnx.dryrun.calls import Attrs, Make, taking
from irlint.formats.onnx.wire.messages import DTYPES
from irlint.text import words

EPSILON = 9.999999747378752e-06

CALLS: dict[str, Make] = {
    "InstanceNormalization": taking("layer_norm.InstanceNormChannels", epsilon=EPSILON),
    "LpNormalization": taking("layer_norm.NormAlong", axis=-1, p=2),
}
# Since opset 13 onnx looks at the axes; onnxruntime 1.32 ignores those that the input does not have.
CALLS["MeanVarianceNormalization"] = lambda a: Call(
    operator("layer_norm.MeanVariance"), {"axes": a.get("axes", (0, 2, 3)), "strict": a.opset >= 13}
)


def _batch_norm(a: Attrs) -> Call:
    if a.opset >= 14:
        training = a.get("training_mode", False)
    elif a.opset >= 7:
        training = a.outputs > 1
    else:
        training = not a.get("is_test", False)
    attrs = {
        "epsilon": a.get("epsilon", EPSILON),
        "momentum": a.get("momentum", 0.8999999761581421),
        "training": training,
        "outputs": a.outputs,
        "by_place": a.opset < 9 and not a.get("spatial", True),
    }
    return Call(operator("layer_norm.BatchNormTraining"), attrs)


CALLS["BatchNormalization"] = _batch_norm
CALLS["LayerNormalization"] = lambda a: Call(
    operator("layer_norm.TrailingNorm"),
    {
        "axis": a.get("axis", -1),
        "epsilon": a.get("epsilon", EPSILON),
        "stash": DTYPES.get(a.get("stash_type", 1)),
    },
)
CALLS["SimplifiedLayerNormalization"] = lambda a: Call(
    operator("layer_norm.TrailingNorm"),
    {"axis": a.get("axis", -1), "epsilon": a.get("epsilon", EPSILON), "centred": False, "stash": "float32"},
)


def _rms_norm(a: Attrs) -> Call:
    attrs = {"axis": a.get("axis", -1), "epsilon": a.get("epsilon", EPSILON), "centred": False}
    call = Call(operator("layer_norm.TrailingNorm"), attrs)
    # The schema gives `scale` a type of its own, but what onnx 1.23.2 and onnxruntime 1.32 make of the node needs one type.
    call.demands = (("_/T _/T", ("X", "scale")),)
    return call


CALLS["RMSNormalization"] = _rms_norm
CALLS["GroupNormalization"] = lambda a: Call(
    operator("layer_norm.GroupNormScaled"),
    {
        "groups": a.need("num_groups", int),
        "epsilon": a.get("epsilon", EPSILON),
        "by_group": a.opset < 21,
    },
    keys={"groups": "num_groups"},
)
CALLS["LRN"] = lambda a: Call(
    operator("layer_norm.NeighbourNorm"),
    {
        "size": a.need("size", int),
        "alpha": a.get("alpha", 9.999999747378752e-05),
        "beta": a.get("beta", 0.75),
        "bias": a.get("bias", 1.0),
    },
)


_ACTIVATIONS = {"RNN": 1, "GRU": 2, "LSTM": 3}  # of each direction


def _recurrent(kind: str) -> Make:
    def make(a: Attrs) -> Call:
        _want_activations(a, kind)
        attrs = {
            "hidden_size": a.get("hidden_size", 0),
            "direction": a.get("direction", "forward"),
            "batch_first": a.get("layout", False),
            "activations": a.get("activations", ()),
            "activation_alpha": a.get("activation_alpha", ()),
            "activation_beta": a.get("activation_beta", ()),
            "clip": a.get("clip", 0.0),
            "linear_before_reset": a.get("linear_before_reset", False),
            "input_forget": a.get("input_forget", False),
        }
        return Call(operator(f"gated_rnn.{kind}"), attrs)

    return make


def _want_activations(a: Attrs, kind: str) -> None:
    """Raise where onnxruntime 1.32 does: a list is whole, or left out. Of an RNN in one direction it takes the two of the default."""
    given, sides = len(a.get("activations", ())), 2 if a.get("direction", "forward") == "bidirectional" else 1
    wanted = _ACTIVATIONS[kind] * sides
    if given not in (0, wanted) and not (kind == "RNN" and given == 2):
        message = f"expected {words.count(wanted, 'value')} in `activations`, got {given}"
        raise ShapeError(R.wrong_value_length, message, "attr:activations")


CALLS |= {kind: _recurrent(kind) for kind in ("RNN", "GRU", "LSTM")}
_HEADS = {
    "q_heads": "q_num_heads",
    "kv_heads": "kv_num_heads",
    "left": "left_window_size",
    "right": "right_window_size",
}


def _attention(a: Attrs) -> Call:
    scale, has_kernel = a.get("scale", None), a.opset < 25  # onnxruntime 1.32 computes later ones by their function
    if has_kernel and isinstance(scale, (int, float)) and scale <= 0:  # NaN is taken
        raise ShapeError(R.value_out_of_range, f"expected more than 0 for `scale`, got {scale:g}", "attr:scale")
    attrs = {
        "q_heads": a.get("q_num_heads", 0),
        "kv_heads": a.get("kv_num_heads", 0),
        "scale": scale,
        "causal": a.get("is_causal", False),
        "softcap": a.get("softcap", 0.0),
        "precision": DTYPES.get(a.get("softmax_precision", 0)),
        "mode": a.get("qk_matmul_output_mode", 0),
        "left": a.get("left_window_size", -1),
        "right": a.get("right_window_size", -1),
        "strict": has_kernel,
    }
    return Call(operator("cached_attention.CachedAttention"), attrs, None, _HEADS)


CALLS["Attention"] = _attention
CALLS["LinearAttention"] = lambda a: Call(
    operator("cached_attention.LinearAttention"),
    {
        "q_heads": a.need("q_num_heads", int),
        "kv_heads": a.need("kv_num_heads", int),
        "scale": a.get("scale", 0.0),
        "rule": a.get("update_rule", "gated_delta"),
    },
    None,
    _HEADS,
)
CALLS["RotaryEmbedding"] = lambda a: Call(
    operator("cached_attention.RotaryPositions"),
    {
        "heads": a.get("num_heads", 0),
        "size": a.get("rotary_embedding_dim", 0),
        "interleaved": a.get("interleaved", False),
    },
    None,
    {"heads": "num_heads", "size": "rotary_embedding_dim"},
)
