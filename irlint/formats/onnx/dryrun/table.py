"""The dry-run operators of ONNX's elementwise operators, reductions and changes of shape, at every opset."""

from __future__ import annotations

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor, constant
from irlint.formats.onnx.dryrun.calls import Attrs, Make, having, origins, taking, with_axes

_UNARY = {
    "Abs": "Abs", "Acos": "Acos", "Acosh": "Acosh", "Asin": "Asin", "Asinh": "Asinh", "Atan": "Atan", "Atanh": "Atanh",
    "BitwiseNot": "BitwiseNot", "Ceil": "Ceiling", "Cos": "Cos", "Cosh": "Cosh", "Exp": "Exp", "Floor": "Floor",
    "Identity": "Identity", "IsNaN": "IsNaN", "Log": "Log", "Neg": "Negative", "Not": "LogicalNot", "Round": "Round",
    "Sign": "Sign", "Sin": "Sin", "Sinh": "Sinh", "Sqrt": "Sqrt", "Tan": "Tan", "Tanh": "Tanh",
}  # fmt: skip
CALLS: dict[str, Make] = {name: having(f"unary.{word}") for name, word in _UNARY.items()}
CALLS |= {
    "Erf": having("activation.Erf"),
    "HardSwish": having("activation.HSwish"),
    "IsInf": taking("unary.IsInf", detect_negative=True, detect_positive=True),
    "Mish": having("activation.Mish"),
    "Reciprocal": having("unary.Mapped", function="reciprocal"),
    "Relu": having("activation.Relu"),
    "Sigmoid": having("activation.Sigmoid"),
    "Softplus": having("activation.SoftPlus"),
    "Softsign": having("activation.SoftSign"),
    "Elu": taking("gates.Elu", alpha=1.0),
    "Celu": taking("gates.Celu", alpha=1.0),
    "ThresholdedRelu": taking("gates.ThresholdedRelu", alpha=1.0),
    "Shrink": taking("gates.Shrink", lambd=0.5, bias=0.0),
    "SwiGLU": taking("gates.SwishGate", alpha=1.0),
    "BitCast": lambda a: Call(operator("casting.BitCast"), {"dtype": a.wanted_dtype("to")}),
}
CALLS["Gelu"] = lambda a: Call(
    operator("activation.Gelu"), {"approximation_mode": a.word("approximate", "none", {"none": "erf", "tanh": "tanh"})}
)
CALLS["LeakyRelu"] = lambda a: Call(
    operator("activation.LeakyRelu"), {"act_type": "leaky", "slope": a.get("alpha", 0.01)}
)
CALLS["Swish"] = lambda a: Call(operator("activation.Swish"), {}, [0, a.number("alpha", 1.0, None)])
CALLS["PRelu"] = lambda a: Call(operator("gates.SlopeBelowZero"), {"by_channel": a.opset < 7})


def _selu(a: Attrs) -> Call:
    old = a.opset < 6
    return Call(
        operator("gates.ScaledElu"),
        {
            "alpha": a.get("alpha", 1.6732 if old else 1.6732632423543772),
            "gamma": a.get("gamma", 1.0507 if old else 1.0507009873554805),
        },
    )


CALLS["Selu"] = _selu
CALLS["HardSigmoid"] = taking("gates.HardSigmoid", alpha=0.2, beta=0.5)

_BINARY = {
    "Add": "Add", "Sub": "Subtract", "Mul": "Multiply", "Div": "Divide", "Pow": "Power", "And": "LogicalAnd",
    "Or": "LogicalOr", "Xor": "LogicalXor", "Equal": "Equal", "Greater": "Greater", "Less": "Less",
    "GreaterOrEqual": "GreaterEqual", "LessOrEqual": "LessEqual", "BitwiseAnd": "BitwiseAnd", "BitwiseOr": "BitwiseOr",
    "BitwiseXor": "BitwiseXor",
}  # fmt: skip


def _binary(word: str) -> Make:
    def make(a: Attrs) -> Call:
        attrs: dict[str, object] = {}
        if word == "Divide":
            attrs["m_pythondiv"] = False
        if word == "Power":
            attrs["mixed"] = a.opset >= 12
        if a.opset < 7:
            attrs["auto_broadcast"] = "pdpd" if a.get("broadcast", 0) else "never"
            attrs["axis"] = a.get("axis", -1)
        return Call(operator(f"elementwise.{word}"), attrs)

    return make


CALLS |= {name: _binary(word) for name, word in _BINARY.items()}


def _mod(a: Attrs) -> Call:
    if a.get("fmod", 0):
        return Call(operator("elementwise.Mod"))
    call = Call(operator("elementwise.FloorMod"))
    if a.opset < 28:
        call.demands = (("_/!float16 _", ("A", "B")), ("_/!float32 _", ("A", "B")), ("_/!float64 _", ("A", "B")))
    return call


CALLS["Mod"] = _mod
CALLS["BitShift"] = lambda a: Call(
    operator("elementwise." + a.word("direction", "", {"LEFT": "BitwiseLeftShift", "RIGHT": "BitwiseRightShift"}))
)
CALLS["Where"] = having("selection.Select")
for _name, _word in {"Max": "Maximum", "Min": "Minimum", "Sum": "Add", "Mean": "Add"}.items():
    CALLS[_name] = lambda a, word=_word, mean=_name == "Mean": Call(  # type: ignore[misc]
        operator("joining.Folded"), {"inner": f"elementwise.{word}", "mean": mean, "broadcasts": a.opset >= 8}
    )


def _clip(a: Attrs) -> Call:
    if a.opset < 11:
        lowest = a.get("min", float("-inf")), a.get("max", float("inf"))
        return Call(operator("unary.Clamp"), {"min": lowest[0], "max": lowest[1], "lenient": True})
    return Call(operator("gates.Clip"))


CALLS["Clip"] = _clip


def _cast(a: Attrs) -> Call:
    if a.opset < 6:
        names = {"FLOAT": "float32", "DOUBLE": "float64"}
        word = a.need("to", str)
        dtype: str | None = names.get(word, word.lower())
    else:
        dtype = a.wanted_dtype("to")
    return Call(
        operator("casting.CastTo"),
        {"dtype": dtype, "saturate": a.get("saturate", True), "round_mode": a.get("round_mode", "up")},
        keys={"dtype": "to"},
    )


CALLS["Cast"] = _cast
CALLS["CastLike"] = taking("casting.CastLike", saturate=True, round_mode="up")

_FOLDS = {
    "ReduceL1": "ReduceL1", "ReduceL2": "ReduceL2", "ReduceMax": "ReduceMax", "ReduceMean": "ReduceMean",
    "ReduceMin": "ReduceMin", "ReduceProd": "ReduceProd", "ReduceSum": "ReduceSum", "ReduceLogSum": "ReduceLogSum",
    "ReduceLogSumExp": "ReduceLogSumExp", "ReduceSumSquare": "ReduceSumSquare",
}  # fmt: skip


def _reduced(name: str) -> Make:
    since = 13 if name == "ReduceSum" else 18

    def make(a: Attrs) -> Call:
        attrs = {"fold": name, "keep_dims": a.get("keepdims", 1) == 1, "noop": a.get("noop_with_empty_axes", False)}
        keys = {"keep_dims": "keepdims"}
        if a.opset >= since:
            return Call(operator("reducing.ReduceListed"), attrs, None, keys)
        return Call(operator("reducing.ReduceListed"), {**attrs, "noop": False}, [0, a.listed("axes")], keys)

    return make


CALLS |= {name: _reduced(word) for name, word in _FOLDS.items()}
for _name in ("ArgMax", "ArgMin"):
    CALLS[_name] = lambda a, least=_name == "ArgMin": Call(  # type: ignore[misc]
        operator("reducing.ArgAlong"),
        {
            "axis": a.get("axis", 0),
            "keepdims": a.get("keepdims", 1) == 1,
            "last": a.get("select_last_index", False),
            "smallest": least,
        },
    )
CALLS["CumSum"] = taking("reducing.Cumulative", exclusive=False, reverse=False)
CALLS["CumProd"] = lambda a: Call(
    operator("reducing.Cumulative"),
    {"exclusive": a.get("exclusive", False), "reverse": a.get("reverse", False), "product": True},
)


def _shares(kind: str) -> Make:
    def make(a: Attrs) -> Call:
        flat = a.opset < 13
        attrs = {"axis": a.get("axis", 1 if flat else -1), "flat": flat, "kind": kind, "has_scalars": False}
        return Call(operator("reducing.Shares"), attrs)

    return make


CALLS |= {"Softmax": _shares("softmax"), "LogSoftmax": _shares("log_softmax"), "Hardmax": _shares("hardmax")}

CALLS["Shape"] = lambda a: Call(
    operator("reshaping.ShapeOf"), {"start": a.get("start", 0), "end": a.get("end", 1 << 62)}
)
CALLS["Size"] = having("reshaping.SizeOf")


def _reshape(a: Attrs) -> Call:
    attrs = {"special_zero": not a.get("allowzero", False), "strict": True}
    if a.opset < 5:
        return Call(operator("reshaping.Reshape"), attrs, [0, FromAttr("shape", constant(a.need("shape", tuple)))])
    return Call(operator("reshaping.Reshape"), attrs)


CALLS["Reshape"] = _reshape
CALLS["Flatten"] = taking("reshaping.FlattenFrom", axis=1)
CALLS["Squeeze"] = with_axes("reshaping.Squeeze", 13, strict=True)
CALLS["Unsqueeze"] = with_axes("reshaping.Unsqueeze", 13, strict=True)
CALLS["Transpose"] = lambda a: Call(
    operator("reshaping.Transpose"),
    {"strict": a.values.get("perm") is not None},
    [0, FromAttr("perm", constant(a.get("perm", ())))],
)
CALLS["Expand"] = having("broadcasting.Broadcast", mode="bidirectional")


def _tile(a: Attrs) -> Call:
    return Call(operator("tiling.Tile" if a.opset >= 6 else "tiling.TileAlong"), {"strict": True})


CALLS["Tile"] = _tile
CALLS["Concat"] = lambda a: Call(
    operator("joining.Concat"), {"axis": a.need("axis", int) if a.opset >= 4 else a.get("axis", 1)}
)


def _split(a: Attrs) -> Call:
    attrs = {
        "axis": a.get("axis", 0),
        "count": a.outputs,
        "declared": a.get("num_outputs", 0),
        "even": a.opset < 18,
        "told": a.opset >= 18,
    }
    if a.opset >= 13:
        return Call(operator("splitting.SplitParts"), attrs, None, {"declared": "num_outputs"})
    return Call(operator("splitting.SplitParts"), attrs, [0, 1 if a.has(1) else a.listed("split")])


CALLS["Split"] = _split


def _slice(a: Attrs) -> Call:
    if a.opset >= 10:
        return Call(operator("slicing.Slice"), {}, origins(a, 0, 1, 2, 4, 3))
    return Call(operator("slicing.Slice"), {}, [0, a.listed("starts"), a.listed("ends"), None, a.listed("axes")])


CALLS["Slice"] = _slice
CALLS["Gather"] = lambda a: Call(operator("gathering.Gather"), {"strict": True}, [0, 1, a.number("axis", 0, "int64")])
CALLS["GatherElements"] = lambda a: Call(
    operator("gathering.GatherElements"), {"axis": a.get("axis", 0), "partial": True, "strict": True}
)
CALLS["GatherND"] = lambda a: Call(
    operator("gathering.GatherND"), {"batch_dims": a.get("batch_dims", 0), "strict": True}
)
_REDUCTION = {"none": "none", "add": "sum", "mul": "prod", "min": "min", "max": "max"}


def _scatter_elements(a: Attrs) -> Call:
    attrs = {"reduction": a.word("reduction", "none", _REDUCTION), "strict": True}
    return Call(operator("scattering.ScatterElementsUpdate"), attrs, [0, 1, 2, a.number("axis", 0, "int64")])


CALLS["Scatter"] = CALLS["ScatterElements"] = _scatter_elements
CALLS["ScatterND"] = lambda a: Call(
    operator("scattering.ScatterNDUpdate"),
    {"reduction": a.word("reduction", "none", _REDUCTION), "strict": True},
)
CALLS["TensorScatter"] = taking("inserting.CacheUpdate", axis=-2, mode="linear")
CALLS["NonZero"] = having("selection.NonZero")
CALLS["Unique"] = lambda a: Call(
    operator("selection.Unique"),
    {"sorted": a.get("sorted", True)},
    [0, FromAttr("axis", Tensor("int64", (), (a.get("axis", 0),))) if "axis" in a else None],
)
CALLS["Compress"] = lambda a: Call(operator("picking.Compress"), {"axis": a.get("axis", None)})


def _top_k(a: Attrs) -> Call:
    attrs = {
        "axis": a.get("axis", -1),
        "mode": "max" if a.get("largest", True) else "min",
        "index_element_type": "int64",
        "or_vector": True,
        "strict": a.opset >= 10,
    }
    if a.opset >= 10:
        return Call(operator("selection.TopK"), attrs)
    return Call(operator("selection.TopK"), attrs, [0, FromAttr("k", constant((a.need("k", int),)))])


CALLS["TopK"] = _top_k
CALLS["OneHot"] = taking("picking.OneHotPair", axis=-1)
CALLS["ConstantOfShape"] = lambda a: Call(operator("generation.Filled"), _filling(a))
CALLS["EyeLike"] = lambda a: Call(operator("generation.EyeLike"), {"k": a.get("k", 0), "dtype": a.dtype("dtype")})
CALLS["Range"] = having("generation.Range", typed=False, or_single=True)
CALLS["Trilu"] = taking("diagonals.Triangle", upper=True)
CALLS["ReverseSequence"] = lambda a: Call(
    operator("flipping.ReverseSequence"),
    {"batch_axis": a.get("batch_axis", 1), "seq_axis": a.get("time_axis", 0), "strict": True},
    keys={"seq_axis": "time_axis"},
)
CALLS["DepthToSpace"] = lambda a: Call(operator("blocks.DepthToSpace"), _blocks(a), None, {"block_size": "blocksize"})
CALLS["SpaceToDepth"] = lambda a: Call(operator("blocks.SpaceToDepth"), _blocks(a), None, {"block_size": "blocksize"})


def _blocks(a: Attrs) -> dict[str, object]:
    mode = a.word("mode", "DCR", {"DCR": "blocks_first", "CRD": "depth_first"})
    return {"block_size": a.need("blocksize", int), "mode": mode, "plane": True}


def _filling(a: Attrs) -> dict[str, object]:
    """Return the element that ConstantOfShape repeats."""
    value = a.values.get("value")
    if value is None:
        return {"fill": 0.0, "dtype": "float32"}
    found = value.entries()
    if not found and value.dtype != "string":
        raise Undecided
    return {"fill": found[0] if found else "", "dtype": value.dtype}


def _pad(a: Attrs) -> Call:
    mode = a.word("mode", "constant", {"constant": "constant", "reflect": "reflect", "edge": "edge", "wrap": "wrap"})
    if a.opset >= 11:
        return Call(operator("padding.PadListed"), {"mode": mode})
    name = "pads" if a.opset >= 2 else "paddings"
    return Call(operator("padding.PadListed"), {"mode": mode}, [0, a.listed(name), a.number("value", 0.0, None)])


CALLS["Pad"] = _pad
CALLS["CenterCropPad"] = lambda a: Call(operator("padding.CentreCropPad"), {"axes": a.get("axes", None)})


def _dropout(a: Attrs) -> Call:
    call = Call(
        operator("training.Dropout"),
        {"seed": a.get("seed", None), "by_operand": a.opset >= 12, "mask_as_data": a.opset < 10},
    )
    call.demands = (("_ [] []", ("data", "ratio", "training_mode")),)
    return call


CALLS["Dropout"] = _dropout
