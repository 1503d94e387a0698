"""The dry-run operators of ONNX's elementwise operators, reductions and changes of shape, at every opset."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import constant
from irlint.formats.onnx.dryrun.calls import (
    Make,
    NodeAttrs,
    Setting,
    always,
    before,
    demanding,
    dtype_of,
    from_opset,
    having,
    needed,
    of,
    origins,
    since,
    taking,
    with_axes,
)

_UNARY = {
    "Abs": "Abs", "Acos": "Acos", "Acosh": "Acosh", "Asin": "Asin", "Asinh": "Asinh", "Atan": "Atan", "Atanh": "Atanh",
    "BitwiseNot": "BitwiseNot", "Ceil": "Ceiling", "Cos": "Cos", "Cosh": "Cosh", "Exp": "Exp", "Floor": "Floor",
    "Identity": "Identity", "IsNaN": "IsNaN", "Log": "Log", "Neg": "Negative", "Not": "LogicalNot", "Round": "Round",
    "Sign": "Sign", "Sin": "Sin", "Sinh": "Sinh", "Sqrt": "Sqrt", "Tan": "Tan", "Tanh": "Tanh",
}  # fmt: skip
CALLS: dict[str, Make] = {name: having(f"shared/unary.{word}") for name, word in _UNARY.items()}
CALLS |= {
    "Erf": having("shared/activation.Erf"),
    "HardSwish": having("shared/activation.HSwish"),
    "IsInf": taking("shared/unary.IsInf", detect_negative=True, detect_positive=True),
    "Mish": having("shared/activation.Mish"),
    "Reciprocal": having("shared/unary.Mapped", function="reciprocal"),
    "Relu": having("shared/activation.Relu"),
    "Sigmoid": having("shared/activation.Sigmoid"),
    "Softplus": having("shared/activation.SoftPlus"),
    "Softsign": having("shared/activation.SoftSign"),
    "Elu": taking("onnx/gates.EluGate", alpha=1.0),
    "Celu": taking("onnx/gates.Celu", alpha=1.0),
    "ThresholdedRelu": taking("onnx/gates.ThresholdedRelu", alpha=1.0),
    "Shrink": taking("onnx/gates.Shrink", lambd=0.5, bias=0.0),
    "SwiGLU": taking("onnx/gates.SwishGate", alpha=1.0),
    "BitCast": taking("shared/casting.BitCast", dtype=Setting(lambda a: a.wanted_dtype("to"))),
    "Gelu": taking(
        "shared/activation.Gelu",
        approximation_mode=Setting(lambda a: a.word("approximate", "none", {"none": "erf", "tanh": "tanh"})),
    ),
    "LeakyRelu": taking("shared/activation.LeakyRelu", act_type=always("leaky"), slope=of("alpha", 0.01)),
    "Swish": taking("shared/activation.Swish", inputs=lambda a: [0, a.number("alpha", 1.0, None)]),
    "PRelu": taking("onnx/gates.SlopeBelowZero", by_channel=before(7)),
    "Selu": from_opset(
        6,
        taking("onnx/gates.ScaledElu", alpha=1.6732632423543772, gamma=1.0507009873554805),
        taking("onnx/gates.ScaledElu", alpha=1.6732, gamma=1.0507),
    ),
    "HardSigmoid": taking("onnx/gates.HardSigmoidGate", alpha=0.2, beta=0.5),
}

_BINARY = {
    "Add": "Add", "Sub": "Subtract", "Mul": "Multiply", "Div": "Divide", "Pow": "Power", "And": "LogicalAnd",
    "Or": "LogicalOr", "Xor": "LogicalXor", "Equal": "Equal", "Greater": "Greater", "Less": "Less",
    "GreaterOrEqual": "GreaterEqual", "LessOrEqual": "LessEqual", "BitwiseAnd": "BitwiseAnd", "BitwiseOr": "BitwiseOr",
    "BitwiseXor": "BitwiseXor",
}  # fmt: skip


def _binary(word: str) -> Make:
    # onnxruntime 1.32: "Integer division by zero", "Integer modulo by zero"
    divide = {"m_pythondiv": always(False), "fails_by_zero": always(True)}
    settings: dict[str, Any] = {"Divide": divide, "Power": {"mixed": since(12)}}.get(word, {})
    newer = taking(f"shared/elementwise.{word}", **settings)
    way = Setting(lambda a: "pdpd" if a.get("broadcast", 0) else "never")
    return from_opset(7, newer, taking(f"shared/elementwise.{word}", auto_broadcast=way, axis=-1, **settings))


CALLS |= {name: _binary(word) for name, word in _BINARY.items()}


def _mod(a: NodeAttrs) -> Call:
    if a.get("fmod", 0):
        return Call(operator("shared/elementwise.Mod"), {"fails_by_zero": True})
    call = Call(operator("shared/elementwise.FloorMod"), {"fails_by_zero": True})
    if a.opset < 28:
        call.demands = (("_/!float16 _", ("A", "B")), ("_/!float32 _", ("A", "B")), ("_/!float64 _", ("A", "B")))
    return call


CALLS["Mod"] = _mod
CALLS["BitShift"] = lambda a: Call(
    operator(
        "shared/elementwise." + a.word("direction", "", {"LEFT": "BitwiseLeftShift", "RIGHT": "BitwiseRightShift"})
    )
)
CALLS["Where"] = having("shared/selection.Select")
CALLS |= {
    name: taking(
        "moving/joining.Folded",
        inner=always(f"shared/elementwise.{word}"),
        mean=always(name == "Mean"),
        broadcasts=since(8),
    )
    for name, word in {"Max": "Maximum", "Min": "Minimum", "Sum": "Add", "Mean": "Add"}.items()
}
CALLS["Clip"] = from_opset(
    11,
    having("onnx/gates.Clip"),
    taking("shared/unary.Clamp", min=float("-inf"), max=float("inf"), lenient=always(True)),
)


def _target(a: NodeAttrs) -> str | None:
    """Return the element type of a Cast; opsets before 6 name it."""
    if a.opset >= 6:
        return a.wanted_dtype("to")
    word: str = a.need("to", str)
    return {"FLOAT": "float32", "DOUBLE": "float64"}.get(word, word.lower())


CALLS["Cast"] = taking("shared/casting.CastTo", {"dtype": "to"}, dtype=Setting(_target), saturate=True, round_mode="up")
CALLS["CastLike"] = taking("shared/casting.CastLike", saturate=True, round_mode="up")

_FOLDS = (
    "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd",
    "ReduceSum", "ReduceSumSquare",
)  # fmt: skip
_KEEPING = Setting(lambda a: a.get("keepdims", 1) == 1)


def _reduced(name: str) -> Make:
    keys = {"keep_dims": "keepdims"}
    settings: dict[str, Any] = {"fold": always(name), "keep_dims": _KEEPING}
    newer = taking("onnx/reducing.ReduceListed", keys, **settings, noop=of("noop_with_empty_axes", False))
    older = taking(
        "onnx/reducing.ReduceListed", keys, inputs=lambda a: [0, a.listed("axes")], **settings, noop=always(False)
    )
    return from_opset(13 if name == "ReduceSum" else 18, newer, older)


CALLS |= {name: _reduced(name) for name in _FOLDS}
CALLS |= {
    name: taking(
        "onnx/reducing.ArgAlong",
        axis=0,
        keepdims=_KEEPING,
        last=of("select_last_index", False),
        smallest=always(name == "ArgMin"),
    )
    for name in ("ArgMax", "ArgMin")
}
CALLS["CumSum"] = taking("onnx/reducing.Cumulative", exclusive=False, reverse=False)
CALLS["CumProd"] = taking("onnx/reducing.Cumulative", exclusive=False, reverse=False, product=always(True))


def _shares(kind: str) -> Make:
    settings: dict[str, Any] = {"flat": before(13), "kind": always(kind), "has_scalars": always(False)}
    word = "onnx/reducing.Shares"
    return from_opset(13, taking(word, axis=-1, **settings), taking(word, axis=1, **settings))


CALLS |= {"Softmax": _shares("softmax"), "LogSoftmax": _shares("log_softmax"), "Hardmax": _shares("hardmax")}
CALLS["Shape"] = taking("moving/reshaping.ShapeOf", start=0, end=1 << 62)
CALLS["Size"] = having("moving/reshaping.SizeOf")


_RESHAPING: dict[str, Any] = {"special_zero": Setting(lambda a: not a.get("allowzero", False)), "strict": always(True)}
CALLS["Reshape"] = from_opset(
    5,
    taking("moving/reshaping.Reshape", **_RESHAPING),
    taking(
        "moving/reshaping.Reshape",
        inputs=lambda a: [0, FromAttr("shape", constant(a.need("shape", tuple)))],
        **_RESHAPING,
    ),
)
CALLS["Flatten"] = taking("moving/reshaping.FlattenFrom", axis=1)
CALLS["Squeeze"] = with_axes("moving/reshaping.Squeeze", 13, strict=True)
CALLS["Unsqueeze"] = with_axes("moving/reshaping.Unsqueeze", 13, strict=True)
CALLS["Transpose"] = taking(
    "moving/reshaping.Transpose",
    inputs=lambda a: [0, FromAttr("perm", constant(a.get("perm", ())))],
    strict=Setting(lambda a: a.values.get("perm") is not None),
)
CALLS["Expand"] = having("shared/broadcasting.Broadcast", mode="bidirectional")
CALLS["Tile"] = from_opset(6, having("moving/tiling.Tile", strict=True), having("moving/tiling.TileAlong", strict=True))
CALLS["Concat"] = from_opset(
    4, taking("moving/joining.Concat", axis=needed("axis", int)), taking("moving/joining.Concat", axis=1)
)
_SPLITTING: dict[str, Any] = {
    "axis": 0,
    "count": Setting(lambda a: a.outputs),
    "declared": of("num_outputs", 0),
    "even": before(18),
    "told": since(18),
}
CALLS["Split"] = from_opset(
    13,
    taking("moving/splitting.SplitParts", {"declared": "num_outputs"}, **_SPLITTING),
    taking("moving/splitting.SplitParts", inputs=lambda a: [0, 1 if a.has(1) else a.listed("split")], **_SPLITTING),
)
CALLS["Slice"] = from_opset(
    10,
    taking("moving/slicing.Slice", inputs=lambda a: origins(a, 0, 1, 2, 4, 3)),
    taking("moving/slicing.Slice", inputs=lambda a: [0, a.listed("starts"), a.listed("ends"), None, a.listed("axes")]),
)
CALLS["Gather"] = taking(
    "moving/gathering.Gather", inputs=lambda a: [0, 1, a.number("axis", 0, "int64")], strict=always(True)
)
CALLS["GatherElements"] = taking("moving/gathering.GatherElements", axis=0, partial=always(True), strict=always(True))
CALLS["GatherND"] = taking("moving/gathering.GatherND", batch_dims=0, strict=always(True))
_REDUCTION = {"none": "none", "add": "sum", "mul": "prod", "min": "min", "max": "max"}
_SCATTERING: dict[str, Any] = {
    "reduction": Setting(lambda a: a.word("reduction", "none", _REDUCTION)),
    "strict": always(True),
}
CALLS["Scatter"] = CALLS["ScatterElements"] = taking(
    "moving/scattering.ScatterElementsUpdate", inputs=lambda a: [0, 1, 2, a.number("axis", 0, "int64")], **_SCATTERING
)
CALLS["ScatterND"] = taking("moving/scattering.ScatterNDUpdate", **_SCATTERING)
CALLS["TensorScatter"] = taking("moving/inserting.CacheUpdate", axis=-2, mode="linear")
CALLS["NonZero"] = having("shared/selection.NonZero")
CALLS["Unique"] = taking(
    "shared/selection.Unique", inputs=lambda a: [0, a.number("axis", 0, "int64") if "axis" in a else None], sorted=True
)
CALLS["Compress"] = taking("onnx/picking.Compress", axis=None)
_TOP: dict[str, Any] = {
    "axis": -1,
    "mode": Setting(lambda a: "max" if a.get("largest", True) else "min"),
    "index_element_type": always("int64"),
    "or_vector": always(True),
    "strict": since(10),
}
CALLS["TopK"] = from_opset(
    10,
    taking("shared/selection.TopK", **_TOP),
    taking("shared/selection.TopK", inputs=lambda a: [0, FromAttr("k", constant((a.need("k", int),)))], **_TOP),
)
CALLS["OneHot"] = taking("onnx/picking.OneHotPair", axis=-1)
CALLS["ConstantOfShape"] = lambda a: Call(operator("moving/generation.Filled"), _filling(a))
CALLS["EyeLike"] = taking("moving/generation.EyeLike", k=0, dtype=dtype_of("dtype"))
CALLS["Range"] = having("moving/generation.Range", typed=False, or_single=True)
CALLS["Trilu"] = taking("moving/diagonals.Triangle", upper=True)
CALLS["ReverseSequence"] = taking(
    "moving/flipping.ReverseSequence",
    {"seq_axis": "time_axis"},
    batch_axis=1,
    seq_axis=of("time_axis", 0),
    strict=always(True),
)
_BLOCKS: dict[str, Any] = {
    "block_size": needed("blocksize", int),
    "mode": Setting(lambda a: a.word("mode", "DCR", {"DCR": "blocks_first", "CRD": "depth_first"})),
    "plane": always(True),
}
CALLS["DepthToSpace"] = taking("moving/blocks.DepthToSpace", {"block_size": "blocksize"}, **_BLOCKS)
CALLS["SpaceToDepth"] = taking("moving/blocks.SpaceToDepth", {"block_size": "blocksize"}, **_BLOCKS)


def _filling(a: NodeAttrs) -> dict[str, object]:
    """Return the element that ConstantOfShape repeats."""
    value = a.values.get("value")
    if value is None:
        return {"fill": 0.0, "dtype": "float32"}
    found = value.entries()
    if not found and value.dtype != "string":
        raise Undecided
    return {"fill": found[0] if found else "", "dtype": value.dtype}


_PAD_MODES = {word: word for word in ("constant", "reflect", "edge", "wrap")}
_PADDING: dict[str, Any] = {"mode": Setting(lambda a: a.word("mode", "constant", _PAD_MODES))}


def _listed_pads(name: str) -> Make:
    return taking(
        "moving/padding.PadListed", inputs=lambda a: [0, a.listed(name), a.number("value", 0.0, None)], **_PADDING
    )


CALLS["Pad"] = from_opset(
    11, taking("moving/padding.PadListed", **_PADDING), from_opset(2, _listed_pads("pads"), _listed_pads("paddings"))
)
CALLS["CenterCropPad"] = taking("moving/padding.CentreCropPad", axes=None)
CALLS["Dropout"] = demanding(
    taking("onnx/training.Dropout", seed=None, by_operand=since(12), mask_as_data=before(10)),
    ("_ [] []", "data ratio training_mode"),
)
