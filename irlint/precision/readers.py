"""What operators do with infinite and with tiny operands, by their canonical names.

Measured in onnxruntime 1.32 and NumPy 2.4 with float16: a softmax of -infinity is 0 where its row has other numbers, and NaN where it
has none; 0 times infinity is NaN; 0 divided by 0 is NaN; a bound of infinity bounds nothing.
"""

from __future__ import annotations

from irlint.inspection.review import roles

# Families of operators (`Operator.family`) that only move the elements of their operands.
MOVING = frozenset(
    f"moving.{name}"
    for name in (
        "blocks", "diagonals", "flipping", "gathering", "inserting", "joining", "padding", "reshaping", "scattering", "slicing",
        "splitting", "tiling",
    )
)  # fmt: skip
ADDING = frozenset(("add", "add_n", "subtract"))
PASSING = (
    roles.SAME | roles.RESHAPING | {"transpose", "swap_axes", "broadcast_to", "where", "concatenate", "max", "min"}
)
BOUNDING = frozenset(("clip", "maximum", "minimum"))
SHARES = frozenset(("nn.softmax", "nn.log_softmax"))
# Their result for an infinite operand is what it is for a huge one: also in 32 bits, or a number.
_COMPARING = (
    "equal",
    "not_equal",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "argmax",
    "argmin",
    "topk",
    "sort",
    "argsort",
)
_SATURATING = (
    "sigmoid",
    "tanh",
    "erf",
    "exp",
    "sign",
    "atan",
    "isnan",
    "isinf",
    "isfinite",
    "nn.hard_sigmoid",
    "qnn.quantize",
)
ENDING = frozenset(
    (*_COMPARING, *_SATURATING, "shape_of", "ndarray_size", "one_hot", "nonzero", "vision.non_max_suppression")
)
# Of minus infinity only.
ENDING_BELOW = frozenset(("nn.relu", "nn.softplus", "nn.elu", "nn.selu", "nn.leaky_relu"))
PRODUCTS = roles.PRODUCTS | {
    "nn.dense",
    "nn.batch_matmul",
    "nn.conv1d",
    "nn.conv3d",
    "nn.conv1d_transpose",
    "nn.conv3d_transpose",
}

# What a product is of: operands by which others are multiplied, so that what vanishes in them vanishes in the result.
FACTORS = {
    **dict.fromkeys(PRODUCTS, (0, 1)),
    "multiply": (0, 1),
    **dict.fromkeys(roles.NORMS, (1,)),
    "nn.batch_norm": (1,),
}
# Operands that must not be 0, and what becomes of a result if they are.
GUARDED = {
    "divide": (1, "0 divided by 0 is NaN"),
    "reciprocal": (0, "1 divided by 0 is infinite"),
    "rsqrt": (0, "1 divided by 0 is infinite"),
    **dict.fromkeys(("log", "log2", "log10"), (0, "the logarithm of 0 is infinite")),
}  # fmt: skip
GUARDING = frozenset(("add", "add_n", "maximum", "clip", "where"))  # they make numbers that are not 0
ROOTS = frozenset(("sqrt", "abs"))  # 0 of 0 only
