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
# Operators and families after which a row along the last axis that is infinite all over is still one.
KEEPING = roles.SAME | {"reshape", "expand_dims", "squeeze", "broadcast_to", "moving.tiling"}
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
OTHERWISE = "outputs infinity or NaN"  # for an infinite operand
# Operands that must not be 0, and what becomes of a result if they are.
GUARDED = {
    "divide": (1, "outputs NaN for 0 / 0"),
    **dict.fromkeys(("reciprocal", "rsqrt", "log", "log2", "log10"), (0, "outputs infinity for 0")),
}  # fmt: skip
GUARDING = frozenset(("add", "add_n", "maximum", "clip", "where"))  # they make numbers that are not 0
ROOTS = frozenset(("sqrt", "abs"))  # 0 of 0 only

# What an operator does with an infinite operand, by its name; of others, those that move elements pass it on.
INFINITE = {
    **dict.fromkeys(ENDING | BOUNDING, "ends"),
    **dict.fromkeys(SHARES, "shares"),
    **dict.fromkeys(ADDING, "adds"),
    **dict.fromkeys(PASSING, "passes"),
    **dict.fromkeys(("multiply", "divide"), "multiplies"),
    "negative": "turns",
}
MINUS_INFINITE = {
    **INFINITE,
    **dict.fromkeys(ENDING_BELOW, "ends"),
}  # the same for an operand that is infinite only below 0
