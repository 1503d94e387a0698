"""The table of the dry run: which operator each layer is, and what its arguments mean to that."""

from __future__ import annotations

from typing import Any

from irlint.dryrun import dims
from irlint.dryrun.entries import Entry
from irlint.dryrun.errors import Undecided
from irlint.dryrun.ops.keras import layers
from irlint.graph import Shape
from irlint.operators import table


def _inner(value: Any) -> tuple[layers.Rule, Any]:
    """Return the rule and the arguments of a layer that is an argument."""
    if not isinstance(value, dict) or not isinstance(config := value.get("config"), dict):
        raise Undecided
    known = table("keras-3").get(str(value.get("class_name")))
    if known is None or known.name not in RULES:
        raise Undecided
    defaults = {name: one.default for name, one in known.attributes.items()}
    written = {name: tuple(one) if isinstance(one, list) else one for name, one in config.items()}
    return RULES[known.name], {**defaults, **written}


def _each_step(v: Any, shape: Shape, *_: Any) -> Shape:
    layers.want_rank(shape, 3)
    rule, values = _inner(v["layer"])
    found = rule(values, (shape[0], *shape[2:]))
    if isinstance(found, list):
        raise Undecided
    return (found[0], shape[1], *found[1:])


def _both_ways(v: Any, shape: Shape, *_: Any) -> Any:
    rule, values = _inner(v["layer"])
    found = rule(values, shape)
    first, states = (found[0], found[1:]) if isinstance(found, list) else (found, [])
    if v["merge_mode"] == "concat":
        first = (*first[:-1], dims.multiply(first[-1], 2))
    elif v["merge_mode"] is None:
        return [first, first, *states, *states]
    return [first, *states, *states] if states else first


_SAME = (
    "Activation", "ActivityRegularization", "AlphaDropout", "Dropout", "ELU", "GaussianDropout", "GaussianNoise",
    "Identity", "LeakyReLU", "Masking", "Normalization", "PReLU", "RMSNormalization", "RandomBrightness",
    "RandomContrast", "RandomFlip", "RandomRotation", "RandomTranslation", "RandomZoom", "ReLU", "Rescaling", "Softmax",
    "ThresholdedReLU", "UnitNormalization",
)  # fmt: skip
_ELEMENTS = (
    "Abs", "Add", "Divide", "Elu", "Erf", "Exp", "Gelu", "HardSigmoid", "HardSilu", "LeakyRelu", "Log", "Maximum", "Minimum",
    "Multiply", "Negative", "Power", "Relu", "Relu6", "Selu", "Sigmoid", "Silu", "Softmax", "Softplus", "Sqrt", "Square", "Subtract",
    "Tanh", "TrueDivide",
)  # fmt: skip
RULES: dict[str, layers.Rule] = {
    **{f"ops.{name}": layers.sequence for name in _ELEMENTS},
    **{f"ops.{name}": layers.concatenate for name in ("Concatenate",)},
    **dict.fromkeys(_SAME, layers.alike),
    **dict.fromkeys(("BatchNormalization", "LayerNormalization"), layers.normed),
    **{f"SpatialDropout{n}D": layers.ranked(n + 2) for n in (1, 2, 3)},
    **{f"Conv{n}D": layers.conv(n) for n in (1, 2, 3)},
    **{f"ConvLSTM{n}D": layers.convolved(n) for n in (1, 2, 3)},
    **{f"SeparableConv{n}D": layers.conv(n) for n in (1, 2)},
    **{f"DepthwiseConv{n}D": layers.depthwise(n) for n in (1, 2)},
    **{f"Conv{n}DTranspose": layers.transposed(n) for n in (1, 2, 3)},
    **{f"{kind}Pooling{n}D": layers.pool(n) for kind in ("Max", "Average") for n in (1, 2, 3)},
    **{f"Global{kind}Pooling{n}D": layers.pooled(n) for kind in ("Max", "Average") for n in (1, 2, 3)},
    **{f"UpSampling{n}D": layers.repeated(n) for n in (1, 2, 3)},
    **{f"ZeroPadding{n}D": layers.shifted(n, "padding", 1) for n in (1, 2, 3)},
    **{f"Cropping{n}D": layers.shifted(n, "cropping", -1) for n in (1, 2, 3)},
    **dict.fromkeys(("Add", "Average", "Maximum", "Minimum", "Multiply", "Subtract"), layers.merge),
    **dict.fromkeys(("GRU", "SimpleRNN"), layers.recurrent(1)),
    **dict.fromkeys(("Attention", "AdditiveAttention"), layers.attend),
    **dict.fromkeys(("MultiHeadAttention", "GroupQueryAttention", "GroupedQueryAttention"), layers.attend_heads),
    **dict.fromkeys(("Resizing", "CenterCrop", "RandomCrop"), layers.resized),
    "Bidirectional": _both_ways,
    "Concatenate": layers.concatenate,
    "Dense": layers.dense,
    "Dot": layers.dot,
    "EinsumDense": layers.einsum,
    "Embedding": layers.embedding,
    "Flatten": layers.flatten,
    "GroupNormalization": layers.grouped,
    "LSTM": layers.recurrent(2),
    "Permute": layers.permute,
    "RepeatVector": layers.repeat,
    "Reshape": layers.reshape,
    "TimeDistributed": _each_step,
}  # fmt: skip
_RULES_2 = {
    **RULES,
    **{f"Conv{n}D": layers.conv(n, is_of_2=True) for n in (1, 2)},
    **dict.fromkeys(("GRU", "SimpleRNN"), layers.recurrent(1, is_of_2=True)),
    "LSTM": layers.recurrent(2, is_of_2=True),
}
ENTRIES = {
    dialect: {
        name: Entry("keras/layers.Layer", {"values": lambda v: v}, fixed={"of": rule}) for name, rule in rules.items()
    }
    for dialect, rules in (("keras-2", _RULES_2), ("keras-3", RULES))
}
