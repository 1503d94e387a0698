"""The dry-run operators of ONNX's layers: normalisation, recurrence, attention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun.entries import Entry, Of, Row, Spec, own, plain
from irlint.dryrun.errors import ShapeError
from irlint.formats.onnx.dryrun.calls import NodeAttrs, usually
from irlint.formats.onnx.wire import DTYPES
from irlint.text import words


def _stash(v: NodeAttrs) -> str:
    """Return the type of the means. onnxruntime 1.32 computes in float whatever `stash_type` says; only of a node that outputs its means
    onnx (1.23.2) asks for a type that they may have."""
    number: int = v["stash_type"]
    if v.outputs > 1 and number not in (1, 16):
        raise ShapeError(R.value_not_in_enum, f"expected 1 or 16 for `stash_type`, got {number}", "attr:stash_type")
    return DTYPES[number] if number in (1, 16) else "float32"


_MEAN_VARIANCE = plain("onnx/layer_norm.MeanVariance", "axes")
_TRAILING = plain("onnx/layer_norm.TrailingNorm", "axis", "epsilon")
_ROOT_MEAN_SQUARE = _TRAILING.having(centred=False)
_GROUPS = plain("shared/normalisation.GroupNorm", "num_groups", "epsilon")
CALLS: dict[str, Row] = {
    "InstanceNormalization": plain("shared/normalisation.InstanceNorm", "epsilon"),
    "LpNormalization": plain("onnx/layer_norm.NormAlong", "axis", "p"),
    # Since opset 13 onnx looks at the axes; onnxruntime 1.32 ignores those that the input does not have.
    "MeanVarianceNormalization": {13: _MEAN_VARIANCE, 1: _MEAN_VARIANCE.having(strict=False)},
    "LayerNormalization": _TRAILING.having({"stash": _stash}),
    "SimplifiedLayerNormalization": _ROOT_MEAN_SQUARE,
    # The schema gives `scale` a type of its own, but what onnx 1.23.2 and onnxruntime 1.32 make of the node needs one type.
    "RMSNormalization": _ROOT_MEAN_SQUARE._replace(demands=(("_/T _/T", ("X", "scale")),)),
    "GroupNormalization": {21: _GROUPS, 1: _GROUPS.having(by_group=True)},
    "LRN": plain("onnx/layer_norm.OddNeighbourNorm", "size", "alpha", "beta", "bias"),
}


_BATCH = Entry("onnx/layer_norm.BatchNormTraining", {**own("epsilon", "momentum"), "outputs": lambda v: v.outputs})
_BY_PLACE: dict[str, Spec] = {"by_place": Of("spatial", lambda spatial: not spatial)}
CALLS["BatchNormalization"] = {
    14: _BATCH.having({"training": "training_mode"}),
    9: _BATCH.having({"training": lambda v: v.outputs > 1}),
    7: _BATCH.having({"training": lambda v: v.outputs > 1, **_BY_PLACE}),
    1: _BATCH.having({"training": Of("is_test", lambda is_test: not is_test), **_BY_PLACE}),
}


def _activations(most: int, *others: int) -> Callable[[NodeAttrs], Sequence[str]]:
    """Return the activations. Raise where onnxruntime 1.32 does: a list is whole, or left out. Of an RNN in one direction it takes the two
    of the default."""

    def activations(v: NodeAttrs) -> Sequence[str]:
        given: Sequence[str] = v.get("activations", ())
        wanted = most * (2 if v["direction"] == "bidirectional" else 1)
        if len(given) not in (0, wanted, *others):
            message = f"expected {words.count(wanted, 'value')} in `activations`, got {len(given)}"
            raise ShapeError(R.wrong_value_length, message, "attr:activations")
        return given

    return activations


_RECURRENT: dict[str, Spec] = {
    **own("direction", "activation_alpha", "activation_beta"),
    "hidden_size": lambda v: v.get("hidden_size", 0),
    "clip": usually("clip", 0.0),
}
LSTM: dict[str, Spec] = {"activations": _activations(3), **_RECURRENT, **own("input_forget")}
_GRU: dict[str, Spec] = {"activations": _activations(2), **_RECURRENT, **own("linear_before_reset")}
_RNN: dict[str, Spec] = {"activations": _activations(1, 2), **_RECURRENT}
CALLS |= {
    name: Entry(f"onnx/gated_rnn.{name}", {**attrs, "batch_first": "layout"})
    for name, attrs in {"RNN": _RNN, "GRU": _GRU, "LSTM": LSTM}.items()
}


def _scale(v: NodeAttrs) -> Any:
    scale = v["scale"]
    if scale is not None and scale <= 0:
        raise ShapeError(R.value_out_of_range, f"expected more than 0 for `scale`, got {scale:g}", "attr:scale")
    return scale


_ATTENTION = Entry(
    "onnx/cached_attention.CachedAttention",
    {
        "scale": "scale",
        "q_heads": usually("q_num_heads", 0),
        "kv_heads": usually("kv_num_heads", 0),
        "causal": "is_causal",
        "softcap": "softcap",
        "precision": Of("softmax_precision", DTYPES.get),
        "mode": "qk_matmul_output_mode",
        "left": "left_window_size",
        "right": "right_window_size",
    },
)
CALLS |= {
    # onnxruntime 1.32 computes later opsets by their function; NaN is taken
    "Attention": {
        25: _ATTENTION,
        1: _ATTENTION.having({"scale": _scale}, strict=True),
    },
    "LinearAttention": Entry(
        "onnx/cached_attention.LinearAttention",
        {"q_heads": "q_num_heads", "kv_heads": "kv_num_heads", "scale": "scale", "rule": "update_rule"},
    ),
    "RotaryEmbedding": Entry(
        "onnx/cached_attention.RotaryPositions",
        {"heads": usually("num_heads", 0), "size": "rotary_embedding_dim", "interleaved": "interleaved"},
    ),
}
