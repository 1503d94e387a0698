"""MXNet's operators that behave as NumPy's functions: which one of the dry run each is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.dryrun.calls import Make, bare, dtype_of, formula, function, plain, stretched, with_number

if TYPE_CHECKING:
    from irlint.formats.nnvm.dryrun.attrs import Attrs

CALLS: dict[str, Make] = {}

_SAME = (
    "absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1 fix floor log log10 "
    "log1p log2 negative radians reciprocal rint sign sin sinh sqrt square tan tanh trunc"
)
CALLS |= {f"_npi_{name}": function(name) for name in _SAME.split()}
CALLS["_npi_bitwise_not"] = bare("unary.Fitted", function="invert", arguments={})
CALLS |= {
    f"_npi_{name}": bare("unary.Tested", function=name)
    for name in ("isfinite", "isinf", "isnan", "isneginf", "isposinf", "logical_not")
}

_ARITHMETIC = {
    "add": "Add", "subtract": "Subtract", "multiply": "Multiply", "power": "Power", "mod": "FloorMod", "hypot": "Hypot",
    "true_divide": "Divide",
}  # fmt: skip
for _name, _word in _ARITHMETIC.items():
    CALLS[f"_npi_{_name}"] = bare("mixed.Mixed", function=_word)
    CALLS[f"_npi_{_name}_scalar"] = with_number(f"elementwise.{_word}")
    CALLS[f"_npi_r{_name}_scalar"] = with_number(f"elementwise.{_word}", turned=True)
CALLS["_npi_true_divide_scalar"] = with_number("mixed.TrueDivide")
CALLS["_npi_rtrue_divide_scalar"] = with_number("mixed.TrueDivide", turned=True)
CALLS["_npi_hypot"] = stretched("elementwise.Hypot")  # of one element type


def _paired(name: str, question: bool = False) -> Make:
    return bare("mixed.Paired", function=name, question=question)


def _beside(name: str, question: bool = False, turned: bool = False) -> Make:
    def make(attrs: Attrs) -> Call:
        number = FromAttr("scalar", Tensor(None, (), (attrs["scalar"],)))
        given = {"function": name, "question": question, "whole": attrs["is_int"]}
        return Call(operator("mixed.Paired"), given, [number, 0] if turned else [0, number])

    return make


for _name in ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal"):
    CALLS[f"_npi_{_name}"] = _paired(_name, True)
    CALLS[f"_npi_{_name}_scalar"] = _beside(_name, True)
for _name in ("arctan2", "copysign", "ldexp", "lcm", "bitwise_and", "bitwise_or", "bitwise_xor"):
    CALLS[f"_npi_{_name}"] = _paired(_name)
    CALLS[f"_npi_{_name}_scalar"] = _beside(_name)
    CALLS[f"_npi_r{_name}_scalar"] = _beside(_name, turned=True)


_RESULTS = {
    "mean": dict.fromkeys(("int8", "uint8", "int32", "int64", "bool"), "float32"),
    "sum": {"bool": "int64"},
    "prod": {"bool": "int64"},
}


def _reduced(fold: str) -> Make:
    def make(attrs: Attrs) -> Call:
        if attrs["initial"] is not None:
            raise Undecided
        given = {"axis": attrs["axis"], "keepdims": attrs["keepdims"], "fold": fold, "exact": True}
        given["kinds"] = _RESULTS.get(fold)
        if "dtype" in attrs.operator.attributes:
            given["dtype"] = attrs["dtype"]
        return Call(operator("reduction.ReduceAxes"), given)

    return make


def _over(word: str, name: str) -> Make:
    return plain(word, function=name)


CALLS |= {f"_np_{name}": _reduced(name) for name in ("sum", "prod", "max", "min")}
CALLS["_npi_mean"] = _reduced("mean")
CALLS |= {f"_npi_{name}": _over("statistics.Spread", name) for name in ("std", "var")}
CALLS |= {f"_np_{name}": _over("statistics.AnyOrAll", name) for name in ("any", "all")}


def _filled(value: float) -> Make:
    def make(attrs: Attrs) -> Call:
        shape = attrs["shape"]
        if not shape:
            raise Undecided
        return Call(operator("creation.Full"), {"shape": shape, "dtype": dtype_of(attrs["dtype"]), "fill": value})

    return make


def _typed(word: str, **fixed: Any) -> Make:
    """All attributes by their own names, the element type by NumPy's."""
    return lambda attrs: Call(operator(word), {**attrs.all(), "dtype": dtype_of(attrs["dtype"]), **fixed})


def _window(name: str) -> Make:
    def make(attrs: Attrs) -> Call:
        given = {"length": attrs["M"], "dtype": dtype_of(attrs["dtype"]), "function": name}
        return Call(operator("creation.Window"), given, None, {"length": "M"})

    return make


def _identity(attrs: Attrs) -> Call:
    shape = attrs["shape"]
    if not shape or len(shape) != 2:
        raise Undecided
    given = {"rows": shape[0], "columns": shape[1], "dtype": dtype_of(attrs["dtype"])}
    return Call(operator("creation.Diagonal"), given)


CALLS |= {
    "_npi_zeros": _filled(0.0),
    "_npi_ones": _filled(1.0),
    "_npi_arange": _typed("creation.Arange", may_be_empty=True),
    "_npi_logspace": _typed("creation.LogSpace"),
    "_npi_indices": _typed("creation.Indices"),
    "_npi_eye": lambda attrs: Call(
        operator("creation.Diagonal"),
        {"rows": attrs["N"], "columns": attrs["M"], "at": attrs["k"], "dtype": dtype_of(attrs["dtype"])},
    ),
    "_npi_identity": _identity,
    "_npi_full_like": lambda attrs: Call(
        operator("unary.FullLike"), {"fill": attrs["fill_value"], "dtype": attrs["dtype"]}
    ),
    **{f"_npi_{name}": _window(name) for name in ("hanning", "hamming", "blackman")},
}


def _listed(name: str) -> Make:
    """Flipped along one axis or several."""
    return lambda attrs: Call(operator("flipping.Flip"), {"axis": attrs[name]})


def _around(attrs: Attrs) -> Call:
    return Call(operator("unary.Fitted"), {"function": "round", "arguments": {"decimals": attrs["decimals"]}})


def _nan_to_num(attrs: Attrs) -> Call:
    arguments = {name: attrs[name] for name in ("nan", "posinf", "neginf")}
    return Call(operator("unary.Fitted"), {"function": "nan_to_num", "arguments": arguments})


def _where(first: str | int, second: str | int) -> Make:
    """The second and third operand: inputs by place, numbers by attribute."""

    def make(attrs: Attrs) -> Call:
        parts = [k if isinstance(k, int) else FromAttr(k, Tensor(None, (), (attrs[k],))) for k in (first, second)]
        return Call(operator("selection.WhereBroadcast"), {}, [0, *parts])

    return make


def _reshape(attrs: Attrs) -> Call:
    call = Call(operator("layout.ReshapeNumpyCodes"), attrs.all(), keys={"shape": "newshape"})
    call.attrs["shape"] = call.attrs.pop("newshape")
    call.ports = ("a",)
    return call


CALLS |= {
    "_np_copy": bare("unary.Identity"),
    "_npx_constraint_check": bare("unary.Identity"),
    "_npx_relu": formula("relu"),
    "_npx_sigmoid": formula("sigmoid"),
    "_npi_around": _around,
    "_npi_nan_to_num": _nan_to_num,
    "_np_cumsum": plain("statistics.CumulativeSum"),
    "_np_atleast_1d": plain("stacking.AtLeastNd", rank=1),
    "_np_atleast_2d": plain("stacking.AtLeastNd", rank=2),
    "_np_atleast_3d": plain("stacking.AtLeastNd", rank=3),
    "_np_moveaxis": plain("layout.MoveAxis"),
    "_np_roll": plain("flipping.RollBy"),
    "_npi_rot90": plain("layout.Rotate"),
    "_np_diag": plain("diagonals.Diagonal", ranks=(1, 2)),
    "_np_diagonal": plain("diagonals.Diagonals"),
    "_np_trace": plain("diagonals.Diagonals", total=True),
    "_np_diagflat": plain("diagonals.FlatDiagonal"),
    "_npi_tril": plain("diagonals.LowerTriangle"),
    "_npi_diff": plain("statistics.Diff"),
    "_npi_matmul": bare("products.Matmul"),
    "_np_dot": bare("products.Dot"),
    "_npi_tensordot_int_axes": plain("products.TensorDot"),
    "_npi_tensordot": lambda attrs: Call(
        operator("products.TensorDot"), {"axes": (attrs["a_axes_summed"], attrs["b_axes_summed"])}
    ),
    "_npi_einsum": plain("products.Einsum"),
    "_npi_polyval": bare("mixed.Polynomial"),
    "_npi_pad": plain("padding.PadPairs"),
    "_npi_flip": _listed("axis"),
    "_npi_concatenate": plain("joining.Concat"),
    "_npi_stack": plain("joining.Stack", counted=True),
    **{f"_npi_{name}": bare("stacking.NumpyStack", function=name) for name in ("vstack", "hstack", "dstack", "column_stack")},
    "_npi_hsplit": plain("splitting.SectionSplit", axis=1, columns=True),
    "_npi_dsplit": plain("splitting.SectionSplit", axis=2),
    "_np_transpose": lambda attrs: Call(operator("layout.Permute"), {"axes": attrs["axes"] or None}),
    "_np_squeeze": lambda attrs: Call(operator("layout.SqueezeAxes"), {"axis": attrs["axis"]}),
    "_np_reshape": _reshape,
    "_npx_reshape": _reshape,
    "_npi_broadcast_to": lambda attrs: Call(operator("broadcasting.BroadcastTo"), {"shape": attrs["shape"]}),
    "_npi_where": bare("selection.WhereBroadcast"),
    "_npi_where_lscalar": _where("scalar", 1),
    "_npi_where_rscalar": _where(1, "scalar"),
    "_npi_where_scalar2": _where("x", "y"),
    "_npi_argmax": plain("indexing.ArgExtreme", dtype="int64", scalar=True),
    "_npi_argmin": plain("indexing.ArgExtreme", smallest=True, dtype="int64", scalar=True),
}  # fmt: skip
