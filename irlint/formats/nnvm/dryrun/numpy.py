"""MXNet's operators that behave as NumPy's functions: which one of the dry run each is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.entries import Entry, Of, Row, Spec, plain, whole
from irlint.dryrun.errors import Undecided
from irlint.formats.nnvm.dryrun import calls
from irlint.formats.nnvm.dryrun.calls import TYPE, optional, unless_empty, with_number

CALLS: dict[str, Row] = {}

_SAME = (
    "absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1 fix floor log log10 "
    "log1p log2 negative radians reciprocal rint sign sin sinh sqrt square tan tanh trunc"
)
CALLS |= {f"_npi_{name}": calls.function(name) for name in _SAME.split()}
CALLS |= {
    f"_npi_{name}": plain("shared/unary.Tested", function=name)
    for name in ("isfinite", "isinf", "isnan", "isneginf", "isposinf", "logical_not")
}

_ARITHMETIC = {
    "add": "Add", "subtract": "Subtract", "multiply": "Multiply", "power": "Power", "mod": "FloorModOrZero", "hypot": "Hypot",
    "true_divide": "Divide",
}  # fmt: skip
for _name, _word in _ARITHMETIC.items():
    _scalar = "mxnet/mixed.TrueDivide" if _word == "Divide" else f"shared/elementwise.{_word}"
    CALLS[f"_npi_{_name}"] = plain("mxnet/mixed.Mixed", function=_word)
    CALLS[f"_npi_{_name}_scalar"] = with_number(_scalar)
    CALLS[f"_npi_r{_name}_scalar"] = with_number(_scalar, turned=True)
CALLS["_npi_hypot"] = calls.stretched("Hypot")  # of one element type

_TESTS = ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal")
for _name in (*_TESTS, "arctan2", "copysign", "ldexp", "lcm", "bitwise_and", "bitwise_or", "bitwise_xor"):
    _fixed: dict[str, Any] = {"function": _name, "question": _name in _TESTS}
    CALLS[f"_npi_{_name}"] = plain("mxnet/mixed.Paired", **_fixed)
    CALLS[f"_npi_{_name}_scalar"] = with_number("mxnet/mixed.Paired", **_fixed)
    CALLS[f"_npi_r{_name}_scalar"] = with_number("mxnet/mixed.Paired", turned=True, **_fixed)


_RESULTS = {
    "mean": dict.fromkeys(("int8", "uint8", "int32", "int64", "bool"), "float32"),
    "sum": {"bool": "int64"},
    "prod": {"bool": "int64"},
}


def _unset(initial: float | None) -> None:
    """Sums that begin with a number are not followed."""
    if initial is not None:
        raise Undecided


def _reduced(fold: str) -> Entry:
    kinds = _RESULTS.get(fold)
    row = plain("shared/reduction.ReduceAxes", "axis", "keepdims", fold=fold, exact=True, kinds=kinds)
    return row.having({"dtype": optional("dtype"), "initial": Of("initial", _unset)})


def _needed(shape: Sequence[int] | None) -> Sequence[int]:
    if not shape:
        raise Undecided
    return shape


def _pair(shape: Sequence[int] | None) -> Sequence[int]:
    if shape is None or len(shape) != 2:
        raise Undecided
    return shape


_WHERE = plain("shared/selection.WhereBroadcast")
_FULL: dict[str, Spec] = {"shape": Of("shape", _needed), **TYPE}
_IDENTITY = {
    "rows": Of("shape", lambda shape: _pair(shape)[0]),
    "columns": Of("shape", lambda shape: _pair(shape)[1]),
    **TYPE,
}
_EYE: dict[str, Spec] = {"rows": "N", "columns": "M", "at": "k", **TYPE}
CALLS |= {
    "_npi_bitwise_not": calls.function("invert"),
    **{f"_np_{name}": _reduced(name) for name in ("sum", "prod", "max", "min")},
    "_npi_mean": _reduced("mean"),
    **{f"_npi_{name}": whole("shared/reduction.ReduceAxes", fold=name, exact=True, outputs=2) for name in ("std", "var")},
    **{f"_np_{name}": whole("shared/reduction.ReduceAxes", fold=name, exact=True, dtype="bool") for name in ("any", "all")},
    "_npi_zeros": Entry("moving/creation.Full", _FULL, fixed={"fill": 0.0}),
    "_npi_ones": Entry("moving/creation.Full", _FULL, fixed={"fill": 1.0}),
    "_npi_arange": calls.typed("moving/creation.Arange", may_be_empty=True),
    "_npi_logspace": calls.typed("moving/creation.LogSpace"),
    "_npi_indices": calls.typed("moving/creation.Indices"),
    "_npi_eye": Entry("moving/creation.OnesOnDiagonal", _EYE),
    "_npi_identity": Entry("moving/creation.OnesOnDiagonal", _IDENTITY),
    "_npi_full_like": Entry("shared/unary.FullLike", {"fill": "fill_value", "dtype": "dtype"}),
    **{
        f"_npi_{name}": Entry("moving/creation.Window", {"length": "M", **TYPE}, fixed={"function": name})
        for name in ("hanning", "hamming", "blackman")
    },
    "_np_copy": plain("shared/unary.Identity"),
    "_npx_constraint_check": plain("shared/unary.Identity"),
    "_npx_relu": calls.formula("relu"),
    "_npx_sigmoid": calls.formula("sigmoid"),
    "_npi_around": plain("shared/unary.Formula", "decimals", function="round"),
    "_npi_nan_to_num": plain("shared/unary.Formula", "nan", "posinf", "neginf", function="nan_to_num"),
    # mxnet 1.9.1 looks a negative axis up as it is when it runs
    "_np_cumsum": whole("shared/reduction.CumulativeSum", negative=False),
    **{f"_np_atleast_{rank}d": whole("mxnet/stacking.AtLeastNd", rank=rank) for rank in (1, 2, 3)},
    "_np_moveaxis": whole("mxnet/layout.MoveAxis"),
    "_np_roll": whole("moving/flipping.RollBy"),
    "_npi_rot90": whole("mxnet/layout.Rotate"),
    "_np_diag": whole("moving/diagonals.Diagonal", ranks=(1, 2)),
    "_np_diagonal": whole("moving/diagonals.Diagonals"),
    "_np_trace": whole("moving/diagonals.Diagonals", total=True),
    "_np_diagflat": whole("moving/diagonals.FlatDiagonal"),
    "_npi_tril": whole("moving/diagonals.LowerTriangle"),
    "_npi_diff": whole("mxnet/rare.Diff"),
    "_npi_matmul": plain("shared/products.Matmul"),
    "_np_dot": plain("shared/products.DotProduct"),
    "_npi_tensordot_int_axes": whole("shared/products.TensorDot"),
    "_npi_tensordot": Entry("shared/products.TensorDot", {"axes": ("a_axes_summed", "b_axes_summed")}),
    "_npi_einsum": whole("shared/products.EinsumOfSubscripts"),
    "_npi_polyval": plain("mxnet/mixed.Polynomial"),
    "_npi_pad": whole("moving/padding.PadPairs"),
    "_npi_flip": plain("moving/flipping.Flip", "axis", negative=False),
    "_npi_concatenate": whole("moving/joining.Concat"),
    "_npi_stack": whole("moving/joining.Stack", counted=True),
    **{f"_npi_{name}": plain("mxnet/stacking.NumpyStack", function=name) for name in ("vstack", "hstack", "dstack", "column_stack")},
    "_npi_hsplit": whole("moving/splitting.SectionSplit", axis=1, columns=True),
    "_npi_dsplit": whole("moving/splitting.SectionSplit", axis=2),
    "_np_transpose": Entry("mxnet/layout.Permute", {"axes": unless_empty("axes")}),
    "_np_squeeze": plain("mxnet/layout.SqueezeAxes", "axis"),
    **dict.fromkeys(
        ("_np_reshape", "_npx_reshape"),
        Entry("mxnet/layout.ReshapeNumpyCodes", {"shape": "newshape"}, every=True, ports=("a",)),
    ),
    "_npi_broadcast_to": plain("shared/broadcasting.BroadcastTo", "shape"),
    "_npi_where": _WHERE,
    "_npi_where_lscalar": _WHERE._replace(operands=(0, "scalar", 1)),
    "_npi_where_rscalar": _WHERE._replace(operands=(0, 1, "scalar")),
    "_npi_where_scalar2": _WHERE._replace(operands=(0, "x", "y")),
    "_npi_argmax": whole("shared/reduction.ArgExtreme", dtype="int64", scalar=True),
    "_npi_argmin": whole("shared/reduction.ArgExtreme", smallest=True, dtype="int64", scalar=True),
}  # fmt: skip
