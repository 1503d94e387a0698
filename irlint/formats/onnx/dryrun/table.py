"""The dry-run operators of ONNX's elementwise operators, reductions and changes of shape, at every opset."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun.entries import Entry, Of, Row, Spec, own, plain
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.mapping import FromAttr
from irlint.dryrun.tensor import constant
from irlint.formats.onnx.dryrun.calls import NodeAttrs, element_type, int32, usually, word

_UNARY = {
    "Abs": "Abs", "Acos": "Acos", "Acosh": "Acosh", "Asin": "Asin", "Asinh": "Asinh", "Atan": "Atan", "Atanh": "Atanh",
    "BitwiseNot": "BitwiseNot", "Ceil": "Ceiling", "Cos": "Cos", "Cosh": "Cosh", "Exp": "Exp", "Floor": "Floor",
    "Identity": "Identity", "IsNaN": "IsNaN", "Log": "Log", "Neg": "Negative", "Not": "LogicalNot", "Round": "Round",
    "Sign": "Sign", "Sin": "Sin", "Sinh": "Sinh", "Sqrt": "Sqrt", "Tan": "Tan", "Tanh": "Tanh",
}  # fmt: skip
_ACTIVATIONS = {
    "Erf": "Erf", "HardSwish": "HSwish", "Mish": "Mish", "Relu": "Relu", "Sigmoid": "Sigmoid", "Softplus": "SoftPlus",
    "Softsign": "SoftSign",
}  # fmt: skip
_SIDES = {"LEFT": "Left", "RIGHT": "Right"}


def _limits(v: NodeAttrs) -> list[str | None]:
    """Return the limits that are written of Clip before opset 11. onnxruntime 1.32 refuses a `min` that is larger than `max`."""
    found = [label if label in v else None for label in ("min", "max")]
    if None not in found and v["min"] > v["max"]:
        raise ShapeError(R.value_out_of_range, f"`min` {v['min']} is larger than `max` {v['max']}", "attr:min")
    return found


def _formula(function: str, *labels: str) -> Entry:
    return plain("shared/unary.Formula", *labels, function=function)


CALLS: dict[str, Row] = {
    **{name: plain(f"shared/unary.{word}") for name, word in _UNARY.items()},
    **{name: plain(f"shared/activation.{word}") for name, word in _ACTIVATIONS.items()},
    "IsInf": plain("shared/unary.IsInf", "detect_negative", "detect_positive"),
    "Reciprocal": _formula("reciprocal"),
    "Elu": plain("shared/activation.Elu", "alpha"),
    "Celu": _formula("celu", "alpha"),
    "ThresholdedRelu": _formula("above", "alpha"),
    "Shrink": _formula("shrink", "bias").having({"threshold": "lambd"}),
    "SwiGLU": plain("onnx/gates.SwishGate", "alpha"),
    "Selu": _formula("selu", "alpha").having({"scale": "gamma"}),
    "HardSigmoid": _formula("hard_sigmoid", "alpha", "beta"),
    "Gelu": Entry(
        "shared/activation.Gelu", {"approximation_mode": word("approximate", {"none": "erf", "tanh": "tanh"})}
    ),
    "LeakyRelu": Entry("shared/activation.LeakyRelu", {"slope": "alpha"}, fixed={"act_type": "leaky"}),
    "Swish": Entry("shared/activation.Swish", operands=(0, "alpha")),
    "PRelu": {7: plain("onnx/gates.SlopeBelowZero"), 1: plain("onnx/gates.SlopeBelowZero", by_channel=True)},
    "Clip": {
        11: plain("onnx/gates.Clip"),
        1: Entry("onnx/gates.Clip", operands=lambda v: (0, *_limits(v))),
    },
    "BitShift": Entry(lambda v: f"shared/elementwise.Bitwise{_SIDES[v['direction']]}Shift"),
    "Where": plain("shared/selection.Select"),
}

_BROADCAST: dict[str, Spec] = {
    "auto_broadcast": Of("broadcast", lambda broadcast: "pdpd" if broadcast else "never"),
    "axis": usually("axis", -1),
}


def _binary(word: str, **fixed: Any) -> dict[int, Entry]:
    """Return an operator whose second operand is broadcast as attributes say before opset 7."""
    row = plain(f"shared/elementwise.{word}", **fixed)
    return {7: row, 1: row._replace(attrs=_BROADCAST)}


_BINARY = {
    "Add": "Add", "Sub": "Subtract", "Mul": "Multiply", "And": "LogicalAnd", "Or": "LogicalOr", "Xor": "LogicalXor",
    "Equal": "Equal", "Greater": "Greater", "Less": "Less",
}  # fmt: skip
_LATER = {
    "BitwiseAnd": "BitwiseAnd", "BitwiseOr": "BitwiseOr", "BitwiseXor": "BitwiseXor", "GreaterOrEqual": "GreaterEqual",
    "LessOrEqual": "LessEqual",
}  # fmt: skip
CALLS |= {name: _binary(word) for name, word in _BINARY.items()}
CALLS |= {name: plain(f"shared/elementwise.{word}") for name, word in _LATER.items()}
# onnxruntime 1.32: "Integer division by zero", "Integer modulo by zero"
CALLS["Div"] = _binary("Divide", m_pythondiv=False, fails_by_zero=True)
CALLS["Pow"] = {12: plain("shared/elementwise.Power", mixed=True), **_binary("Power", mixed=False)}


def _integers(v: NodeAttrs) -> Any:
    """Return what Mod demands before opset 28: only with `fmod` are there floating-point numbers."""
    return () if v["fmod"] else [(f"_/!{kind} _", ("A", "B")) for kind in ("float16", "float32", "float64")]


_MOD = Entry(
    lambda v: "shared/elementwise.Mod" if v["fmod"] else "shared/elementwise.FloorMod", fixed={"fails_by_zero": True}
)
CALLS["Mod"] = {28: _MOD, 1: _MOD._replace(demands=_integers)}
_FOLDED = {
    name: plain("moving/joining.Folded", inner=f"shared/elementwise.{word}", mean=name == "Mean")
    for name, word in {"Max": "Maximum", "Min": "Minimum", "Sum": "Add", "Mean": "Add"}.items()
}
CALLS |= {name: {8: row, 1: row.having(broadcasts=False)} for name, row in _FOLDED.items()}

_CASTING = own("saturate", "round_mode")
_NAMED = {"FLOAT": "float32", "DOUBLE": "float64"}
CALLS |= {
    "BitCast": Entry("shared/casting.BitCast", {"dtype": element_type("to")}),
    "Cast": {
        6: Entry("shared/casting.CastTo", {"dtype": element_type("to"), **_CASTING}),
        1: Entry("shared/casting.CastTo", {"dtype": Of("to", lambda to: _NAMED.get(to, to.lower())), **_CASTING}),
    },
    "CastLike": Entry("shared/casting.CastLike", _CASTING),
}

_KEEPING = Of("keepdims", lambda keep: keep == 1)
_FOLDS = {
    "ReduceL1": "l1", "ReduceL2": "l2", "ReduceLogSum": "log_sum", "ReduceLogSumExp": "log_sum_exp",
    "ReduceMean": "mean_or_0", "ReduceProd": "prod", "ReduceSum": "sum", "ReduceSumSquare": "sum_square",
}  # fmt: skip
_EXTREMES = {"ReduceMax": "max_or_infinity", "ReduceMin": "min_or_infinity"}
_REDUCED = Entry("shared/reduction.ReduceListed", {"keep_dims": _KEEPING, "noop": "noop_with_empty_axes"})
_REDUCED_BY_ATTRIBUTE = Entry(
    "shared/reduction.ReduceListed", {"keep_dims": _KEEPING}, operands=(0, "axes"), fixed={"noop": False}
)


def _reduction(since: int, fold: str, **fixed: Any) -> dict[int, Entry]:
    """Return a reduction whose axes are an operand since an opset."""
    return {since: _REDUCED.having(fold=fold, **fixed), 1: _REDUCED_BY_ATTRIBUTE.having(fold=fold, **fixed)}


CALLS |= {name: _reduction(13 if name == "ReduceSum" else 18, fold, as_fractions=True) for name, fold in _FOLDS.items()}
CALLS |= {name: _reduction(18, fold) for name, fold in _EXTREMES.items()}
_ARG = Entry(
    "shared/reduction.ArgExtreme",
    {"axis": "axis", "keepdims": _KEEPING, "last": "select_last_index"},
    fixed={"dtype": "int64", "scalar": True, "strict": True},
)
_SHARES = Entry("shared/reduction.Softmax", {"axis": int32("axis")}, fixed={"scalars": "refused"})
CALLS |= {name: _ARG.having(smallest=name == "ArgMin") for name in ("ArgMax", "ArgMin")}
CALLS |= {
    name: {13: _SHARES.having(kind=kind), 1: _SHARES.having(kind=kind, flat=True)}
    for name, kind in {"Softmax": "softmax", "LogSoftmax": "log_softmax", "Hardmax": "hardmax"}.items()
}

_RESHAPED = Entry(
    "moving/reshaping.Reshape", {"special_zero": Of("allowzero", lambda zero: not zero)}, fixed={"strict": True}
)
_SQUEEZED = plain("moving/reshaping.Squeeze", strict=True)
_UNSQUEEZED = plain("moving/reshaping.Unsqueeze", strict=True)
_SPLIT = Entry(
    "moving/splitting.SplitParts",
    {"axis": usually("axis", 0), "count": lambda v: v.outputs, "declared": usually("num_outputs", 0)},
)
CALLS |= {
    "CumSum": plain("shared/reduction.Cumulative", "exclusive", "reverse"),
    "CumProd": plain("shared/reduction.Cumulative", "exclusive", "reverse", product=True),
    "Shape": Entry("moving/reshaping.ShapeOf", {"start": "start", "end": usually("end", 1 << 62)}),
    "Size": plain("moving/reshaping.SizeOf"),
    "Reshape": {
        5: _RESHAPED,
        1: _RESHAPED._replace(operands=lambda v: (0, FromAttr("shape", constant(v.need("shape"))))),
    },
    "Flatten": plain("moving/reshaping.FlattenFrom", "axis"),
    "Squeeze": {13: _SQUEEZED, 1: _SQUEEZED._replace(operands=(0, "axes"))},
    "Unsqueeze": {13: _UNSQUEEZED, 1: _UNSQUEEZED._replace(operands=(0, "axes"))},
    "Transpose": Entry(
        "moving/reshaping.Transpose",
        {"strict": lambda v: v.written.get("perm") is not None},
        operands=lambda v: (0, FromAttr("perm", constant(v["perm"]))),
    ),
    "Expand": plain("shared/broadcasting.Broadcast", mode="bidirectional"),
    "Tile": {6: plain("moving/tiling.Tile", strict=True), 1: plain("moving/tiling.TileAlong", strict=True)},
    "Concat": Entry("moving/joining.Concat", {"axis": usually("axis", 1)}),
    "Split": {
        18: _SPLIT.having(told=True),
        13: _SPLIT.having(even=True),
        1: _SPLIT.having(even=True)._replace(operands=lambda v: (0, 1 if 1 in v.present else "split")),
    },
    "Slice": {
        10: Entry("moving/slicing.Slice", operands=(0, 1, 2, 4, 3)),
        1: Entry("moving/slicing.Slice", operands=(0, "starts", "ends", None, "axes")),
    },
}

_REDUCTION = word("reduction", {"none": "none", "add": "sum", "mul": "prod", "min": "min", "max": "max"})
_SCATTERED = Entry(
    "moving/scattering.ScatterElementsUpdate",
    {"reduction": _REDUCTION},
    operands=(0, 1, 2, "axis"),
    fixed={"strict": True},
)
_TOP = Entry(
    "shared/selection.TopK",
    {
        "axis": "axis",
        "mode": Of("largest", lambda largest: "max" if largest else "min"),
        "sort": Of("sorted", lambda is_sorted: "value" if is_sorted else "none"),
    },
    fixed={"index_element_type": "int64", "or_vector": True},
)
_BLOCKS: dict[str, Spec] = {
    "block_size": "blocksize",
    "mode": word("mode", {"DCR": "blocks_first", "CRD": "depth_first"}),
}
CALLS |= {
    "Gather": Entry("moving/gathering.Gather", operands=(0, 1, "axis"), fixed={"strict": True}),
    "GatherElements": plain("moving/gathering.GatherElements", "axis", partial=True, strict=True),
    "GatherND": plain("moving/gathering.GatherND", "batch_dims", strict=True),
    "Scatter": _SCATTERED._replace(attrs={}).having(reduction="none"),
    "ScatterElements": _SCATTERED,
    "ScatterND": Entry("moving/scattering.ScatterNDUpdate", {"reduction": _REDUCTION}, fixed={"strict": True}),
    "TensorScatter": plain("moving/inserting.CacheUpdate", "axis", "mode"),
    "NonZero": plain("shared/selection.NonZero"),
    "Unique": Entry("shared/selection.Unique", own("sorted"), operands=(0, "axis")),
    "Compress": plain("onnx/picking.Compress", "axis"),
    "TopK": {
        10: _TOP.having(strict=True),
        1: _TOP._replace(operands=lambda v: (0, FromAttr("k", constant((v["k"],))))),
    },
    "OneHot": plain("onnx/picking.OneHotPair", "axis"),
    "ReverseSequence": Entry(
        "moving/flipping.ReverseSequence",
        {"batch_axis": "batch_axis", "seq_axis": "time_axis"},
        fixed={"strict": True},
    ),
    "DepthToSpace": Entry("moving/blocks.DepthToSpace", _BLOCKS, fixed={"plane": True}),
    "SpaceToDepth": Entry("moving/blocks.SpaceToDepth", _BLOCKS, fixed={"plane": True}),
}


def _fill(value: Any) -> Any:
    """Return the element that ConstantOfShape repeats. Raise where onnx's inference (1.23.2) or onnxruntime 1.32 does."""
    if value is not None and value.shape != (1,):
        message = f"expected shape [1] for `value`, got {list(value.shape)}"
        raise ShapeError(R.wrong_value_length, message, "attr:value")
    found = (0.0,) if value is None else value.entries()
    if not found and value.dtype != "string":
        raise Undecided
    return found[0] if found else ""


_PADDED = Entry(
    "moving/padding.PadListed", {"mode": word("mode", {mode: mode for mode in ("constant", "reflect", "edge", "wrap")})}
)
_DROPOUT = plain("onnx/training.Dropout")._replace(demands=(("_ [] []", ("data", "ratio", "training_mode")),))
_DROPOUT_BY_ATTRIBUTE = _DROPOUT._replace(operands=(0, "ratio"))
CALLS |= {
    "ConstantOfShape": Entry(
        "moving/generation.Filled",
        {"fill": Of("value", _fill), "dtype": Of("value", lambda value: "float32" if value is None else value.dtype)},
    ),
    "EyeLike": Entry("moving/generation.EyeLike", {"k": "k", "dtype": element_type("dtype")}),
    "Range": plain("moving/generation.Range", typed=False, or_single=True),
    "Trilu": plain("moving/diagonals.Triangle", "upper"),
    "Pad": {
        11: _PADDED,
        2: _PADDED._replace(operands=(0, "pads", "value")),
        1: _PADDED._replace(operands=(0, "paddings", "value")),
    },
    "CenterCropPad": plain("moving/padding.CentreCropPad", "axes"),
    "Dropout": {12: _DROPOUT, 10: _DROPOUT_BY_ATTRIBUTE, 1: _DROPOUT_BY_ATTRIBUTE.having(mask_as_data=True)},
}
