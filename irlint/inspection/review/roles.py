"""What operators are to a network that is written in several forms, by their canonical names."""

from __future__ import annotations

# Operators whose result is their first operand, in other words or another order.
SAME = frozenset(("copy", "cast", "cast_like", "nn.dropout"))
_ROUNDED = frozenset(("qnn.quantize", "qnn.dequantize", "fake_quantize"))
RESHAPING = frozenset(("reshape", "reshape_like", "expand_dims", "squeeze", "nn.batch_flatten"))
_MOVED = RESHAPING | {"transpose", "swap_axes", "broadcast_to"}
CHOOSING = frozenset(("if",))
JOINING = frozenset(("concatenate", "stack"))  # whose result holds all numbers that they read
SHAPED = frozenset(("reshape", "broadcast_to"))  # whose second operand only says the shape of the result
SELECTING = frozenset(("take", "gather_nd", "embedding"))  # rows of the first operand
ADDING_AN_AXIS = frozenset(("one_hot", "stack"))  # which one counts from the end of the result
SHAPES = frozenset(("shape_of", "ndarray_size"))
AFFINE = frozenset(("add", "subtract", "multiply", "divide", "negative", "nn.batch_norm"))
PASSING, PLAIN = SAME | _ROUNDED | _MOVED, SAME | AFFINE
NORMS = frozenset(("nn.layer_norm", "nn.instance_norm", "nn.group_norm", "nn.rms_norm", "nn.mvn"))
PRODUCTS = frozenset(("nn.conv2d", "nn.conv2d_transpose", "nn.deformable_conv2d", "nn.matmul"))
RECURRENT = frozenset(("lstm", "gru", "rnn"))  # formats have their gates in other orders: see gate_weights.py
INDICES = frozenset(("bool", "int32", "int64", "uint32", "uint64", "string"))  # types that weights do not have
# Comparisons that differ only where both numbers are equal
STRICT = (frozenset(("greater", "greater_equal")), frozenset(("less", "less_equal")))
# Functions of one number whose results are not all numbers
BOUNDED = frozenset(
    (
        "abs",
        "clip",
        "erf",
        "exp",
        "nn.relu",
        "nn.softmax",
        "nn.softplus",
        "nn.softsign",
        "fake_quantize",
        "qnn.dequantize",
        "sigmoid",
        "sqrt",
        "square",
        "tanh",
    )
)
# One word for what formats have several operators for.
MEANT = {
    **dict.fromkeys(("nn.dense", "nn.batch_matmul", "qnn.dense"), "nn.matmul"),
    **dict.fromkeys(("nn.conv1d", "nn.conv3d", "qnn.conv2d"), "nn.conv2d"),
    **dict.fromkeys(("nn.conv1d_transpose", "nn.conv3d_transpose"), "nn.conv2d_transpose"),
    **dict.fromkeys(NORMS, "normalization"),
    **dict.fromkeys(("nn.global_avg_pool2d", "nn.adaptive_avg_pool2d"), "mean"),
    **dict.fromkeys(("nn.global_max_pool2d", "nn.adaptive_max_pool2d"), "max"),
    **dict.fromkeys(("mod", "floor_mod"), "mod"),
    **dict.fromkeys(("nn.max_pool1d", "nn.max_pool3d"), "nn.max_pool2d"),
    **dict.fromkeys(("nn.avg_pool1d", "nn.avg_pool3d"), "nn.avg_pool2d"),
    **dict.fromkeys(("argmax", "argmin", "topk"), "topk"),
    "square": "power",
    "nn.leaky_relu": "nn.prelu",
}
