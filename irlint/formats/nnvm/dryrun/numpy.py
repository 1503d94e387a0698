"""MXNet's operators that behave as NumPy's functions: which one of the dry run each is."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.formats.nnvm.dryrun import calls
from irlint.formats.nnvm.dryrun.calls import Make, SymbolAttrs, bare, mapped, own, plain, unless_empty

CALLS: dict[str, Make] = {}

_SAME = (
    "absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1 fix floor log log10 "
    "log1p log2 negative radians reciprocal rint sign sin sinh sqrt square tan tanh trunc"
)
CALLS |= {f"_npi_{name}": calls.function(name) for name in _SAME.split()}
CALLS |= {
    f"_npi_{name}": bare("shared/unary.Tested", function=name)
    for name in ("isfinite", "isinf", "isnan", "isneginf", "isposinf", "logical_not")
}

_ARITHMETIC = {
    "add": "Add", "subtract": "Subtract", "multiply": "Multiply", "power": "Power", "mod": "FloorModOrZero", "hypot": "Hypot",
    "true_divide": "Divide",
}  # fmt: skip
for _name, _word in _ARITHMETIC.items():
    CALLS[f"_npi_{_name}"] = bare("mxnet/mixed.Mixed", function=_word)
    CALLS[f"_npi_{_name}_scalar"] = calls.with_number(f"shared/elementwise.{_word}")
    CALLS[f"_npi_r{_name}_scalar"] = calls.with_number(f"shared/elementwise.{_word}", turned=True)
CALLS["_npi_true_divide_scalar"] = calls.with_number("mxnet/mixed.TrueDivide")
CALLS["_npi_rtrue_divide_scalar"] = calls.with_number("mxnet/mixed.TrueDivide", turned=True)
CALLS["_npi_hypot"] = calls.stretched("shared/elementwise.Hypot")  # of one element type


for _name in ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal"):
    CALLS[f"_npi_{_name}"] = bare("mxnet/mixed.Paired", function=_name, question=True)
    CALLS[f"_npi_{_name}_scalar"] = calls.with_number("mxnet/mixed.Paired", function=_name, question=True)
for _name in ("arctan2", "copysign", "ldexp", "lcm", "bitwise_and", "bitwise_or", "bitwise_xor"):
    CALLS[f"_npi_{_name}"] = bare("mxnet/mixed.Paired", function=_name, question=False)
    CALLS[f"_npi_{_name}_scalar"] = calls.with_number("mxnet/mixed.Paired", function=_name, question=False)
    CALLS[f"_npi_r{_name}_scalar"] = calls.with_number(
        "mxnet/mixed.Paired", turned=True, function=_name, question=False
    )


_RESULTS = {
    "mean": dict.fromkeys(("int8", "uint8", "int32", "int64", "bool"), "float32"),
    "sum": {"bool": "int64"},
    "prod": {"bool": "int64"},
}


def _reduced(fold: str) -> Make:
    def make(attrs: SymbolAttrs) -> Call:
        if attrs["initial"] is not None:
            raise Undecided
        given: dict[str, Any] = {
            name: attrs[name] for name in ("axis", "keepdims", "dtype") if name in attrs.operator.attributes
        }
        return Call(
            operator("shared/reduction.ReduceAxes"), {**given, "fold": fold, "exact": True, "kinds": _RESULTS.get(fold)}
        )

    return make


def _needed_shape(attrs: SymbolAttrs) -> tuple[int, ...]:
    if not attrs["shape"]:
        raise Undecided
    found: tuple[int, ...] = attrs["shape"]
    return found


def _filled(value: float) -> Make:
    return mapped("moving/creation.Full", {"shape": _needed_shape, "dtype": calls.numpy_type}, fill=value)


def _window(name: str) -> Make:
    return mapped("moving/creation.Window", {"length": "M", "dtype": calls.numpy_type}, function=name)


def _identity(attrs: SymbolAttrs) -> Call:
    shape = _needed_shape(attrs)
    if len(shape) != 2:
        raise Undecided
    given = {"rows": shape[0], "columns": shape[1], "dtype": calls.numpy_type(attrs)}
    return Call(operator("moving/creation.OnesOnDiagonal"), given)


def _listed(*names: str) -> calls.Spec:
    return lambda attrs: {name: attrs[name] for name in names}


def _where(first: str | int, second: str | int) -> Make:
    """The second and third operand: inputs by place, numbers by attribute."""

    def make(attrs: SymbolAttrs) -> Call:
        parts = [k if isinstance(k, int) else calls.number(k)(attrs) for k in (first, second)]
        return Call(operator("shared/selection.WhereBroadcast"), {}, [0, *parts])

    return make


def _reshape(attrs: SymbolAttrs) -> Call:
    given = attrs.all()
    given["shape"] = given.pop("newshape")
    call = Call(operator("mxnet/layout.ReshapeNumpyCodes"), given, keys={"shape": "newshape"})
    call.ports = ("a",)
    return call


_EYE: dict[str, calls.Spec] = {"rows": "N", "columns": "M", "at": "k", "dtype": calls.numpy_type}
CALLS |= {
    "_npi_bitwise_not": bare("shared/unary.Fitted", function="invert", arguments={}),
    **{f"_np_{name}": _reduced(name) for name in ("sum", "prod", "max", "min")},
    "_npi_mean": _reduced("mean"),
    **{f"_npi_{name}": plain("mxnet/statistics.Spread", function=name) for name in ("std", "var")},
    **{f"_np_{name}": plain("mxnet/statistics.AnyOrAll", function=name) for name in ("any", "all")},
    "_npi_zeros": _filled(0.0),
    "_npi_ones": _filled(1.0),
    "_npi_arange": calls.typed("moving/creation.Arange", may_be_empty=True),
    "_npi_logspace": calls.typed("moving/creation.LogSpace"),
    "_npi_indices": calls.typed("moving/creation.Indices"),
    "_npi_eye": mapped("moving/creation.OnesOnDiagonal", _EYE),
    "_npi_identity": _identity,
    "_npi_full_like": mapped("shared/unary.FullLike", {"fill": "fill_value", **own("dtype")}),
    **{f"_npi_{name}": _window(name) for name in ("hanning", "hamming", "blackman")},
    "_np_copy": bare("shared/unary.Identity"),
    "_npx_constraint_check": bare("shared/unary.Identity"),
    "_npx_relu": calls.formula("relu"),
    "_npx_sigmoid": calls.formula("sigmoid"),
    "_npi_around": mapped("shared/unary.Fitted", {"arguments": _listed("decimals")}, function="round"),
    "_npi_nan_to_num": mapped("shared/unary.Fitted", {"arguments": _listed("nan", "posinf", "neginf")}, function="nan_to_num"),
    "_np_cumsum": plain("mxnet/statistics.CumulativeSum"),
    "_np_atleast_1d": plain("mxnet/stacking.AtLeastNd", rank=1),
    "_np_atleast_2d": plain("mxnet/stacking.AtLeastNd", rank=2),
    "_np_atleast_3d": plain("mxnet/stacking.AtLeastNd", rank=3),
    "_np_moveaxis": plain("mxnet/layout.MoveAxis"),
    "_np_roll": plain("moving/flipping.RollBy"),
    "_npi_rot90": plain("mxnet/layout.Rotate"),
    "_np_diag": plain("moving/diagonals.Diagonal", ranks=(1, 2)),
    "_np_diagonal": plain("moving/diagonals.Diagonals"),
    "_np_trace": plain("moving/diagonals.Diagonals", total=True),
    "_np_diagflat": plain("moving/diagonals.FlatDiagonal"),
    "_npi_tril": plain("moving/diagonals.LowerTriangle"),
    "_npi_diff": plain("mxnet/statistics.Diff"),
    "_npi_matmul": bare("shared/products.Matmul"),
    "_np_dot": bare("shared/products.DotProduct"),
    "_npi_tensordot_int_axes": plain("shared/products.TensorDot"),
    "_npi_tensordot": lambda attrs: Call(
        operator("shared/products.TensorDot"), {"axes": (attrs["a_axes_summed"], attrs["b_axes_summed"])}
    ),
    "_npi_einsum": plain("shared/products.EinsumOfSubscripts"),
    "_npi_polyval": bare("mxnet/mixed.Polynomial"),
    "_npi_pad": plain("moving/padding.PadPairs"),
    "_npi_flip": mapped("moving/flipping.Flip", own("axis")),
    "_npi_concatenate": plain("moving/joining.Concat"),
    "_npi_stack": plain("moving/joining.Stack", counted=True),
    **{f"_npi_{name}": bare("mxnet/stacking.NumpyStack", function=name) for name in ("vstack", "hstack", "dstack", "column_stack")},
    "_npi_hsplit": plain("moving/splitting.SectionSplit", axis=1, columns=True),
    "_npi_dsplit": plain("moving/splitting.SectionSplit", axis=2),
    "_np_transpose": mapped("mxnet/layout.Permute", {"axes": unless_empty("axes")}),
    "_np_squeeze": mapped("mxnet/layout.SqueezeAxes", own("axis")),
    "_np_reshape": _reshape,
    "_npx_reshape": _reshape,
    "_npi_broadcast_to": mapped("shared/broadcasting.BroadcastTo", own("shape")),
    "_npi_where": bare("shared/selection.WhereBroadcast"),
    "_npi_where_lscalar": _where("scalar", 1),
    "_npi_where_rscalar": _where(1, "scalar"),
    "_npi_where_scalar2": _where("x", "y"),
    "_npi_argmax": plain("mxnet/indexing.ArgExtreme", dtype="int64", scalar=True),
    "_npi_argmin": plain("mxnet/indexing.ArgExtreme", smallest=True, dtype="int64", scalar=True),
}  # fmt: skip
