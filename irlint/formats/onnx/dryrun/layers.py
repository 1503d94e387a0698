"""The dry-run operators of ONNX's layers: normalisation, recurrence, attention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun.errors import ShapeError
from irlint.formats.onnx.dryrun.calls import (
    Make,
    NodeAttrs,
    Setting,
    always,
    before,
    demanding,
    needed,
    of,
    since,
    taking,
)
from irlint.formats.onnx.wire import DTYPES
from irlint.text import words

EPSILON = 9.999999747378752e-06

CALLS: dict[str, Make] = {
    "InstanceNormalization": taking("onnx/layer_norm.InstanceNormChannels", epsilon=EPSILON),
    "LpNormalization": taking("onnx/layer_norm.NormAlong", axis=-1, p=2),
    # Since opset 13 onnx looks at the axes; onnxruntime 1.32 ignores those that the input does not have.
    "MeanVarianceNormalization": taking("onnx/layer_norm.MeanVariance", axes=(0, 2, 3), strict=since(13)),
    "LayerNormalization": taking(
        "onnx/layer_norm.TrailingNorm",
        axis=-1,
        epsilon=EPSILON,
        stash=Setting(lambda a: DTYPES.get(a.get("stash_type", 1))),
    ),
    "SimplifiedLayerNormalization": taking(
        "onnx/layer_norm.TrailingNorm", axis=-1, epsilon=EPSILON, centred=always(False), stash=always("float32")
    ),
    # The schema gives `scale` a type of its own, but what onnx 1.23.2 and onnxruntime 1.32 make of the node needs one type.
    "RMSNormalization": demanding(
        taking("onnx/layer_norm.TrailingNorm", axis=-1, epsilon=EPSILON, centred=always(False)), ("_/T _/T", "X scale")
    ),
    "GroupNormalization": taking(
        "onnx/layer_norm.GroupNormScaled",
        {"groups": "num_groups"},
        groups=needed("num_groups", int),
        epsilon=EPSILON,
        by_group=before(21),
    ),
    "LRN": taking(
        "onnx/layer_norm.NeighbourNorm", size=needed("size", int), alpha=9.999999747378752e-05, beta=0.75, bias=1.0
    ),
}


def _is_training(a: NodeAttrs) -> bool:
    if a.opset >= 14:
        return bool(a.get("training_mode", False))
    return a.outputs > 1 if a.opset >= 7 else not a.get("is_test", False)


CALLS["BatchNormalization"] = taking(
    "onnx/layer_norm.BatchNormTraining",
    training=Setting(_is_training),
    epsilon=EPSILON,
    momentum=0.8999999761581421,
    outputs=Setting(lambda a: a.outputs),
    by_place=Setting(lambda a: a.opset < 9 and not a.get("spatial", True)),
)
_ACTIVATIONS = {"RNN": 1, "GRU": 2, "LSTM": 3}  # of each direction


def _recurrent(kind: str) -> Make:
    return taking(
        f"onnx/gated_rnn.{kind}",
        activations=Setting(lambda a: _activations(a, kind)),
        hidden_size=0,
        direction="forward",
        batch_first=of("layout", False),
        activation_alpha=(),
        activation_beta=(),
        clip=0.0,
        linear_before_reset=False,
        input_forget=False,
    )


def _activations(a: NodeAttrs, kind: str) -> Sequence[str]:
    """Return the activations. Raise where onnxruntime 1.32 does: a list is whole, or left out. Of an RNN in one direction it takes the two
    of the default."""
    given: Sequence[str] = a.get("activations", ())
    wanted = _ACTIVATIONS[kind] * (2 if a.get("direction", "forward") == "bidirectional" else 1)
    if len(given) not in (0, wanted, 2 if kind == "RNN" else wanted):
        message = f"expected {words.count(wanted, 'value')} in `activations`, got {len(given)}"
        raise ShapeError(R.wrong_value_length, message, "attr:activations")
    return given


CALLS |= {kind: _recurrent(kind) for kind in _ACTIVATIONS}
_HEADS = {
    "q_heads": "q_num_heads",
    "kv_heads": "kv_num_heads",
    "left": "left_window_size",
    "right": "right_window_size",
}


def _scale(a: NodeAttrs) -> Any:
    scale = a.get("scale", None)
    # onnxruntime 1.32 computes later opsets by their function; NaN is taken
    if a.opset < 25 and isinstance(scale, (int, float)) and scale <= 0:
        raise ShapeError(R.value_out_of_range, f"expected more than 0 for `scale`, got {scale:g}", "attr:scale")
    return scale


CALLS["Attention"] = taking(
    "onnx/cached_attention.CachedAttention",
    _HEADS,
    scale=Setting(_scale),
    q_heads=of("q_num_heads", 0),
    kv_heads=of("kv_num_heads", 0),
    causal=of("is_causal", False),
    softcap=0.0,
    precision=Setting(lambda a: DTYPES.get(a.get("softmax_precision", 0))),
    mode=of("qk_matmul_output_mode", 0),
    left=of("left_window_size", -1),
    right=of("right_window_size", -1),
    strict=before(25),
)
CALLS["LinearAttention"] = taking(
    "onnx/cached_attention.LinearAttention",
    _HEADS,
    q_heads=needed("q_num_heads", int),
    kv_heads=needed("kv_num_heads", int),
    scale=0.0,
    rule=of("update_rule", "gated_delta"),
)
CALLS["RotaryEmbedding"] = taking(
    "onnx/cached_attention.RotaryPositions",
    {"heads": "num_heads", "size": "rotary_embedding_dim"},
    heads=of("num_heads", 0),
    size=of("rotary_embedding_dim", 0),
    interleaved=False,
)
