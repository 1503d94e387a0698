"""MXNet's operators that make tensors out of attributes, linear algebra, and what few models have."""

from __future__ import annotations

from irlint.dryrun.entries import Entry, Of, Origins, Row, Spec, plain, whole
from irlint.formats.nnvm.dryrun import calls
from irlint.formats.nnvm.dryrun.calls import TYPE, SymbolAttrs, same, unless_empty, with_number
from irlint.formats.nnvm.dryrun.mxnet import CONVOLUTION, kernels

_DISTRIBUTIONS = (
    "uniform", "normal", "gamma", "exponential", "poisson", "negative_binomial", "generalized_negative_binomial",
)  # fmt: skip
_CHANGES = "brightness contrast saturation hue color_jitter lighting flip_left_right flip_top_bottom"
_FULL: dict[str, Spec] = {"shape": "shape", **TYPE}


def _random_integers(attrs: SymbolAttrs) -> str | None:
    return "int32" if attrs["dtype"] == "None" else calls.numpy_type(attrs)


def _ctc_places(attrs: SymbolAttrs) -> Origins:
    lengths, labels = attrs["use_data_lengths"], attrs["use_label_lengths"]
    return [0, 1, 2 if lengths else None, (3 if lengths else 2) if labels else None]


def _deformed(first: int) -> Entry:
    """A convolution with moved taps: `first` is the place of the weight."""
    return CONVOLUTION.having(first=first)._replace(
        operator="mxnet/rare.MovedTaps", complete=kernels(first), apart=False
    )


_ASSIGNED = plain("moving/scattering.SliceAssign", "begin", "end", "step")

CALLS: dict[str, Row] = {
    "_zeros": Entry("moving/creation.Full", _FULL, fixed={"fill": 0.0}),
    "_ones": Entry("moving/creation.Full", _FULL, fixed={"fill": 1.0}),
    "_full": Entry("moving/creation.Full", {**_FULL, "fill": "value"}),
    "_zeros_without_dtype": plain("moving/creation.Full", "shape", fill=0.0),
    "_arange": calls.typed("moving/creation.Arange"),
    "_linspace": calls.typed("moving/creation.Linspace"),
    "_eye": Entry(
        "moving/creation.OnesOnDiagonal",
        {"rows": "N", "columns": Of("M", lambda count: count if count > 0 else None), "at": "k", **TYPE},
    ),
    "_contrib_arange_like": whole("moving/creation.ArangeLike"),
    "_random_randint": Entry("moving/creation.Random", {"shape": "shape", "dtype": _random_integers}),
    "_shuffle": plain("mxnet/drawing.Shuffle"),
    **dict.fromkeys(
        ("_CrossDeviceCopy", "_identity_with_attr_like_rhs", "_contrib_sync"),
        Entry("shared/unary.Identity", operands=(0,)),
    ),
    "cast_storage": Entry("mxnet/rare.Stored", {"sparse": Of("stype", lambda kind: kind == "csr")}),
    "_contrib_quadratic": whole("mxnet/rare.Quadratic"),
    "_contrib_interleaved_matmul_selfatt_qk": plain("mxnet/interleaved.SelfScores", "heads"),
    "_contrib_interleaved_matmul_selfatt_valatt": plain("mxnet/interleaved.SelfValues", "heads"),
    "_contrib_interleaved_matmul_encdec_qk": plain("mxnet/interleaved.CrossScores", "heads"),
    "_contrib_interleaved_matmul_encdec_valatt": plain("mxnet/interleaved.CrossValues", "heads"),
    "_contrib_index_array": whole("mxnet/elements.IndexArray"),
    "_contrib_index_copy": plain("mxnet/elements.IndexCopy"),
    "_contrib_boolean_mask": whole("mxnet/elements.BooleanMask"),
    "_contrib_allclose": whole("mxnet/rare.AllClose"),
    "_contrib_fft": plain("shared/fourier.Fft"),
    "_contrib_ifft": plain("shared/fourier.Ifft"),
    "_contrib_count_sketch": whole("mxnet/rare.CountSketch"),
    "_contrib_getnnz": whole("mxnet/rare.CountNonzero"),
    "_contrib_DeformableConvolution": _deformed(2),
    "_contrib_ModulatedDeformableConvolution": _deformed(3),
    "softmax_cross_entropy": plain("mxnet/losses.CrossEntropy"),
    "CTCLoss": Entry(
        "mxnet/losses.CtcLoss", {"first": Of("blank_label", lambda which: which == "first")}, operands=_ctc_places
    ),
    "_histogram": calls.either(
        lambda attrs: attrs["bin_cnt"] is None,
        plain("mxnet/rare.Histogram"),
        Entry("mxnet/rare.Histogram", {"count": "bin_cnt", "range": "range"}, operands=(0, None)),
    ),
    "_ravel_multi_index": whole("mxnet/elements.Ravel"),
    "_unravel_index": whole("mxnet/elements.Unravel"),
    "size_array": plain("mxnet/rare.SizeArray"),
    "all_finite": plain("mxnet/rare.AllFinite"),
    "multi_all_finite": plain("mxnet/rare.AllFinite"),
    "multi_sum_sq": plain("mxnet/rare.SumsOfSquares"),
    "amp_multicast": Entry("mxnet/rare.SameType", {"narrow": "cast_narrow"}),
    "_slice_assign": _ASSIGNED._replace(operands=(0, 1)),
    "_slice_assign_scalar": _ASSIGNED._replace(operands=(0, "scalar")),
    "_scatter_set_nd": Entry("moving/scattering.ScatterSet", {"whole": "shape"}),
    "_scatter_elemwise_div": same("DivideToZero"),
    "_scatter_plus_scalar": with_number("shared/elementwise.Add"),
    "_scatter_minus_scalar": with_number("shared/elementwise.Subtract"),
    "_square_sum": plain("shared/reduction.ReduceAxes", "axis", "keepdims", "exclude", fold="sum_square", least=1),
    "_sample_multinomial": Entry(
        "mxnet/drawing.SampleMultinomial", {"shape": unless_empty("shape", ()), "dtype": "dtype", "chances": "get_prob"}
    ),
    "_image_to_tensor": plain("shared/pictures.ToTensor"),
    "_image_normalize": whole("shared/pictures.NormalizePicture"),
    "_image_crop": whole("shared/pictures.Cut"),
    "_image_flip_left_right": plain("shared/pictures.FlipPicture", axis=-2),
    "_image_flip_top_bottom": plain("shared/pictures.FlipPicture", axis=-3),
    "_image_resize": whole("shared/pictures.ResizePicture"),
    "_image_adjust_lighting": whole("shared/pictures.Lighting"),
    **{f"_image_random_{name}": plain("shared/pictures.Changed") for name in _CHANGES.split()},
    "_cvcopyMakeBorder": whole("shared/pictures.Border"),
    **{
        f"_random_pdf_{name}": Entry(
            "mxnet/drawing.Density", {"logarithm": "is_log"}, fixed={"kind": name, "vectors": name == "dirichlet"}
        )
        for name in (*_DISTRIBUTIONS, "dirichlet")
    },
    "_linalg_potrf": whole("shared/linear.Cholesky"),
    "_npi_cholesky": whole("shared/linear.Cholesky"),
    "_linalg_potri": whole("shared/linear.CholeskyInverse"),
    "_linalg_inverse": plain("shared/linear.Inverse"),
    "_linalg_det": plain("shared/linear.Determinant"),
    "_linalg_slogdet": plain("shared/linear.Determinant", logarithm=True),
    "_linalg_sumlogdiag": plain("shared/linear.SumOfLogDiagonal"),
    "_linalg_syevd": plain("shared/linear.Eigen"),
    "_linalg_gelqf": plain("shared/linear.LQ"),
    "_linalg_syrk": whole("shared/linear.SelfProduct"),
    "_linalg_trmm": whole("shared/linear.Triangular"),
    "_linalg_trsm": whole("shared/linear.Triangular", solve=True),
    "_linalg_extractdiag": whole("shared/linear.ExtractDiagonal"),
    "_linalg_makediag": whole("shared/linear.MakeDiagonal"),
    "_linalg_extracttrian": whole("shared/linear.ExtractTriangle"),
    "_linalg_maketrian": whole("shared/linear.MakeTriangle"),
    "_npi_solve": plain("shared/linear.Solve", wide=True),
}
for _name in _DISTRIBUTIONS:
    CALLS[f"_random_{_name}"] = Entry("moving/creation.Random", _FULL)
    CALLS[f"_random_{_name}_like"] = plain("moving/creation.RandomLike")
    CALLS[f"_sample_{_name}"] = Entry("moving/creation.RandomEach", {**_FULL, "shape": unless_empty("shape", ())})
