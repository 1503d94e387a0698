"""MXNet's operators that make tensors out of attributes, linear algebra, and what few models have."""

from __future__ import annotations

from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.formats.nnvm.dryrun import calls
from irlint.formats.nnvm.dryrun.calls import Make, SymbolAttrs, bare, mapped, own, plain, unless_empty

_DISTRIBUTIONS = (
    "uniform", "normal", "gamma", "exponential", "poisson", "negative_binomial", "generalized_negative_binomial",
)  # fmt: skip
_CHANGES = (
    "brightness",
    "contrast",
    "saturation",
    "hue",
    "color_jitter",
    "lighting",
    "flip_left_right",
    "flip_top_bottom",
)
_FULL = {**own("shape"), "dtype": calls.numpy_type}


def _random_integers(attrs: SymbolAttrs) -> str | None:
    return "int32" if attrs["dtype"] == "None" else calls.numpy_type(attrs)


def _columns(attrs: SymbolAttrs) -> int | None:
    count: int = attrs["M"]
    return count if count > 0 else None


def _attention(word: str) -> Make:
    return mapped(f"mxnet/interleaved.{word}", own("heads"))


def _ctc(attrs: SymbolAttrs) -> Call:
    lengths, labels = attrs["use_data_lengths"], attrs["use_label_lengths"]
    places = [0, 1, 2 if lengths else None, (3 if lengths else 2) if labels else None]
    return Call(operator("mxnet/losses.CtcLoss"), {"first": attrs["blank_label"] == "first"}, places)


def _histogram(attrs: SymbolAttrs) -> Call:
    if attrs["bin_cnt"] is None:
        return Call(operator("mxnet/rare.Histogram"))
    return Call(operator("mxnet/rare.Histogram"), {"count": attrs["bin_cnt"], "range": attrs["range"]}, [0, None])


def _assigned_number(attrs: SymbolAttrs) -> Call:
    given = {name: attrs[name] for name in ("begin", "end", "step")}
    return Call(operator("moving/scattering.SliceAssign"), given, [0, calls.number("scalar")(attrs)])


def _deformed(first: int) -> Make:
    """A convolution with moved taps: `first` is the place of the weight."""

    def make(attrs: SymbolAttrs) -> Call:
        given = {**calls.windows(attrs), "first": first}
        return Call(operator("mxnet/rare.MovedTaps"), given, complete=calls.kernels(given, first))

    return make


def _density(kind: str) -> Make:
    return mapped("mxnet/drawing.Density", {"logarithm": "is_log"}, kind=kind, vectors=kind == "dirichlet")


CALLS: dict[str, Make] = {
    "_zeros": mapped("moving/creation.Full", _FULL, fill=0.0),
    "_ones": mapped("moving/creation.Full", _FULL, fill=1.0),
    "_full": mapped("moving/creation.Full", {**_FULL, "fill": "value"}),
    "_zeros_without_dtype": mapped("moving/creation.Full", own("shape"), fill=0.0),
    "_arange": calls.typed("moving/creation.Arange"),
    "_linspace": calls.typed("moving/creation.Linspace"),
    "_eye": mapped(
        "moving/creation.OnesOnDiagonal", {"rows": "N", "columns": _columns, "at": "k", "dtype": calls.numpy_type}
    ),
    "_contrib_arange_like": plain("moving/creation.ArangeLike"),
    "_random_randint": mapped("moving/creation.Random", {**own("shape"), "dtype": _random_integers}),
    "_shuffle": bare("mxnet/drawing.Shuffle"),
    **dict.fromkeys(
        ("_CrossDeviceCopy", "_identity_with_attr_like_rhs", "_contrib_sync"), bare("shared/unary.Identity", [0])
    ),
    "cast_storage": mapped("mxnet/rare.Stored", {"sparse": lambda attrs: attrs["stype"] == "csr"}),
    "_contrib_quadratic": plain("mxnet/rare.Quadratic"),
    "_contrib_interleaved_matmul_selfatt_qk": _attention("SelfScores"),
    "_contrib_interleaved_matmul_selfatt_valatt": _attention("SelfValues"),
    "_contrib_interleaved_matmul_encdec_qk": _attention("CrossScores"),
    "_contrib_interleaved_matmul_encdec_valatt": _attention("CrossValues"),
    "_contrib_index_array": plain("mxnet/elements.IndexArray"),
    "_contrib_index_copy": bare("mxnet/elements.IndexCopy"),
    "_contrib_boolean_mask": plain("mxnet/elements.BooleanMask"),
    "_contrib_allclose": plain("mxnet/rare.AllClose"),
    "_contrib_fft": bare("shared/fourier.Fft"),
    "_contrib_ifft": bare("shared/fourier.Ifft"),
    "_contrib_count_sketch": plain("mxnet/rare.CountSketch"),
    "_contrib_getnnz": plain("mxnet/rare.CountNonzero"),
    "_contrib_DeformableConvolution": _deformed(2),
    "_contrib_ModulatedDeformableConvolution": _deformed(3),
    "softmax_cross_entropy": bare("mxnet/losses.CrossEntropy"),
    "CTCLoss": _ctc,
    "_histogram": _histogram,
    "_ravel_multi_index": plain("mxnet/elements.Ravel"),
    "_unravel_index": plain("mxnet/elements.Unravel"),
    "size_array": bare("mxnet/rare.SizeArray"),
    "all_finite": bare("mxnet/rare.AllFinite"),
    "multi_all_finite": bare("mxnet/rare.AllFinite"),
    "multi_sum_sq": bare("mxnet/rare.SumsOfSquares"),
    "amp_multicast": mapped("mxnet/rare.SameType", {"narrow": "cast_narrow"}),
    "_slice_assign": mapped("moving/scattering.SliceAssign", own("begin", "end", "step"), [0, 1]),
    "_slice_assign_scalar": _assigned_number,
    "_scatter_set_nd": mapped("moving/scattering.ScatterSet", {"whole": "shape"}),
    "_scatter_elemwise_div": calls.same("shared/elementwise.DivideToZero"),
    "_scatter_plus_scalar": calls.with_number("shared/elementwise.Add"),
    "_scatter_minus_scalar": calls.with_number("shared/elementwise.Subtract"),
    "_square_sum": mapped("mxnet/rare.SquareSum", own("axis", "keepdims", "exclude"), least=1),
    "_sample_multinomial": mapped(
        "mxnet/drawing.SampleMultinomial", {"shape": unless_empty("shape", ()), **own("dtype"), "chances": "get_prob"}
    ),
    "_image_to_tensor": bare("shared/pictures.ToTensor"),
    "_image_normalize": plain("shared/pictures.NormalizePicture"),
    "_image_crop": plain("shared/pictures.Cut"),
    "_image_flip_left_right": bare("shared/pictures.FlipPicture", axis=-2),
    "_image_flip_top_bottom": bare("shared/pictures.FlipPicture", axis=-3),
    "_image_resize": plain("shared/pictures.ResizePicture"),
    "_image_adjust_lighting": plain("shared/pictures.Lighting"),
    **{f"_image_random_{name}": bare("shared/pictures.Changed") for name in _CHANGES},
    "_cvcopyMakeBorder": plain("shared/pictures.Border"),
    **{f"_random_pdf_{name}": _density(name) for name in (*_DISTRIBUTIONS, "dirichlet")},
    "_linalg_potrf": plain("shared/linear.Cholesky"),
    "_npi_cholesky": plain("shared/linear.Cholesky"),
    "_linalg_potri": plain("shared/linear.CholeskyInverse"),
    "_linalg_inverse": bare("shared/linear.Inverse"),
    "_linalg_det": bare("shared/linear.Determinant"),
    "_linalg_slogdet": bare("shared/linear.Determinant", logarithm=True),
    "_linalg_sumlogdiag": bare("shared/linear.SumOfLogDiagonal"),
    "_linalg_syevd": bare("shared/linear.Eigen"),
    "_linalg_gelqf": bare("shared/linear.LQ"),
    "_linalg_syrk": plain("shared/linear.SelfProduct"),
    "_linalg_trmm": plain("shared/linear.Triangular"),
    "_linalg_trsm": plain("shared/linear.Triangular", solve=True),
    "_linalg_extractdiag": plain("shared/linear.ExtractDiagonal"),
    "_linalg_makediag": plain("shared/linear.MakeDiagonal"),
    "_linalg_extracttrian": plain("shared/linear.ExtractTriangle"),
    "_linalg_maketrian": plain("shared/linear.MakeTriangle"),
    "_npi_solve": bare("shared/linear.Solve", wide=True),
}
for _name in _DISTRIBUTIONS:
    CALLS[f"_random_{_name}"] = mapped("moving/creation.Random", _FULL)
    CALLS[f"_random_{_name}_like"] = bare("moving/creation.RandomLike")
    CALLS[f"_sample_{_name}"] = mapped("moving/creation.RandomEach", {**_FULL, "shape": unless_empty("shape", ())})
