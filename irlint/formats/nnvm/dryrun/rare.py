"""MXNet's operators that make tensors out of attributes, and those that few models have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from irlint.dryrun.mapping import Call, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.dryrun.calls import (
    Known,
    Make,
    bare,
    channels,
    dtype_of,
    plain,
    same,
    vectors,
    windows,
    with_number,
)

if TYPE_CHECKING:
    from irlint.formats.nnvm.dryrun.attrs import Attrs

_DISTRIBUTIONS = (
    "uniform", "normal", "gamma", "exponential", "poisson", "negative_binomial", "generalized_negative_binomial",
)  # fmt: skip
CALLS: dict[str, Make] = {}


def _filled(value: float | None) -> Make:
    def make(attrs: Attrs) -> Call:
        fill = attrs["value"] if value is None else value
        return Call(
            operator("creation.Full"), {"shape": attrs["shape"], "dtype": dtype_of(attrs["dtype"]), "fill": fill}
        )

    return make


def _random(attrs: Attrs) -> Call:
    kind = dtype_of(attrs["dtype"] if "dtype" in attrs.operator.attributes else None)
    if attrs.operator.name == "_random_randint" and attrs["dtype"] == "None":
        kind = "int32"
    return Call(operator("creation.Random"), {"shape": attrs["shape"], "dtype": kind})


def _sampled(attrs: Attrs) -> Call:
    kind = dtype_of(attrs["dtype"] if "dtype" in attrs.operator.attributes else None)
    return Call(
        operator("creation.Sample"),
        {"shape": attrs["shape"] or (), "dtype": kind},
    )


CALLS |= {
    "_zeros": _filled(0.0),
    "_ones": _filled(1.0),
    "_full": _filled(None),
    "_arange": lambda attrs: Call(operator("creation.Arange"), {**attrs.all(), "dtype": dtype_of(attrs["dtype"])}),
    "_linspace": lambda attrs: Call(operator("creation.Linspace"), {**attrs.all(), "dtype": dtype_of(attrs["dtype"])}),
    "_eye": lambda attrs: Call(
        operator("creation.Diagonal"),
        {
            "rows": attrs["N"],
            "columns": attrs["M"] if attrs["M"] > 0 else None,
            "at": attrs["k"],
            "dtype": dtype_of(attrs["dtype"]),
        },
    ),
    "_contrib_arange_like": plain("creation.ArangeLike"),
}
for _name in _DISTRIBUTIONS:
    CALLS[f"_random_{_name}"] = _random
    CALLS[f"_sample_{_name}"] = _sampled
CALLS["_random_randint"] = _random


def _identity(attrs: Attrs) -> Call:
    return Call(operator("unary.Identity"), {}, [0])


CALLS |= dict.fromkeys(["_CrossDeviceCopy", "_identity_with_attr_like_rhs", "_contrib_sync"], _identity)
CALLS["cast_storage"] = lambda attrs: Call(operator("rare.Stored"), {"sparse": attrs["stype"] == "csr"})
CALLS |= dict.fromkeys([f"_random_{name}_like" for name in _DISTRIBUTIONS], bare("creation.RandomLike"))
CALLS["_shuffle"] = bare("drawing.Shuffle")


def _quadratic(attrs: Attrs) -> Call:
    return Call(operator("rare.Quadratic"), attrs.all())


def _attention(word: str) -> Make:
    return lambda attrs: Call(operator(f"interleaved.{word}"), {"heads": attrs["heads"]})


def _ctc(attrs: Attrs) -> Call:
    lengths, labels = attrs["use_data_lengths"], attrs["use_label_lengths"]
    places = [0, 1, 2 if lengths else None, (3 if lengths else 2) if labels else None]
    return Call(operator("losses.CtcLoss"), {"first": attrs["blank_label"] == "first"}, places)


def _histogram(attrs: Attrs) -> Call:
    if attrs["bin_cnt"] is None:
        return Call(operator("rare.Histogram"), {})
    return Call(operator("rare.Histogram"), {"count": attrs["bin_cnt"], "range": attrs["range"]}, [0, None])


def _slice_assign(number: bool) -> Make:
    def make(attrs: Attrs) -> Call:
        given = {name: attrs[name] for name in ("begin", "end", "step")}
        value = FromAttr("scalar", Tensor(None, (), (attrs["scalar"],))) if number else 1
        return Call(operator("scattering.SliceAssign"), given, [0, value])

    return make


def _multicast(attrs: Attrs) -> Call:
    return Call(operator("rare.SameType"), {"narrow": attrs["cast_narrow"]})


def _square_sum(attrs: Attrs) -> Call:
    given = {name: attrs[name] for name in ("axis", "keepdims", "exclude")}
    return Call(operator("rare.SquareSum"), {**given, "least": 1})


def _deformed(first: int) -> Make:
    """A convolution with moved taps: `first` is the place of the weight."""

    def make(attrs: Attrs) -> Call:
        kernel, filters, group = tuple(attrs["kernel"]), attrs["num_filter"], attrs["num_group"]

        def complete(tensors: Sequence[Tensor]) -> Known:
            found = vectors(filters, first + 1) if len(tensors) > first + 1 else {}
            depth = channels(tensors[0])
            if isinstance(depth, int) and group and depth % group == 0:
                found[first] = (filters, depth // group, *kernel)
            return found

        given = {**windows(attrs), "kernel": kernel, "units": filters, "first": first}
        return Call(operator("rare.MovedTaps"), given, complete=complete)

    return make


def _sampled_kinds(attrs: Attrs) -> Call:
    return Call(
        operator("drawing.SampleMultinomial"),
        {"shape": attrs["shape"] or (), "dtype": attrs["dtype"], "chances": attrs["get_prob"]},
    )


def _density(kind: str) -> Make:
    given = {"kind": kind, "vectors": kind == "dirichlet"}
    return lambda attrs: Call(operator("drawing.Density"), {**given, "logarithm": attrs["is_log"]})


CALLS |= {
    "_contrib_quadratic": _quadratic,
    "_contrib_interleaved_matmul_selfatt_qk": _attention("SelfScores"),
    "_contrib_interleaved_matmul_selfatt_valatt": _attention("SelfValues"),
    "_contrib_interleaved_matmul_encdec_qk": _attention("CrossScores"),
    "_contrib_interleaved_matmul_encdec_valatt": _attention("CrossValues"),
    "_contrib_index_array": plain("elements.IndexArray"),
    "_contrib_index_copy": bare("elements.IndexCopy"),
    "_contrib_boolean_mask": plain("elements.BooleanMask"),
    "_contrib_allclose": plain("rare.AllClose"),
    "_contrib_fft": bare("fourier.Fft"),
    "_contrib_ifft": bare("fourier.Ifft"),
    "_contrib_count_sketch": plain("rare.CountSketch"),
    "_contrib_getnnz": plain("rare.CountNonzero"),
    "_contrib_DeformableConvolution": _deformed(2),
    "_contrib_ModulatedDeformableConvolution": _deformed(3),
    "softmax_cross_entropy": bare("losses.CrossEntropy"),
    "CTCLoss": _ctc,
    "_histogram": _histogram,
    "_ravel_multi_index": plain("elements.Ravel"),
    "_unravel_index": plain("elements.Unravel"),
    "size_array": bare("rare.SizeArray"),
    "all_finite": bare("rare.AllFinite"),
    "multi_all_finite": bare("rare.AllFinite"),
    "multi_sum_sq": bare("rare.SumsOfSquares"),
    "amp_multicast": _multicast,
    "_slice_assign": _slice_assign(False),
    "_slice_assign_scalar": _slice_assign(True),
    "_scatter_set_nd": lambda attrs: Call(operator("scattering.ScatterSet"), {"whole": attrs["shape"]}),
    "_scatter_elemwise_div": same("elementwise.Divide"),
    "_scatter_plus_scalar": with_number("elementwise.Add"),
    "_scatter_minus_scalar": with_number("elementwise.Subtract"),
    "_square_sum": _square_sum,
    "_sample_multinomial": _sampled_kinds,
    "_zeros_without_dtype": lambda attrs: Call(operator("creation.Full"), {"shape": attrs["shape"], "fill": 0.0}),
    "_image_to_tensor": bare("pictures.ToTensor"),
    "_image_normalize": plain("pictures.Normalize"),
    "_image_crop": plain("pictures.Cut"),
    "_image_flip_left_right": bare("pictures.Flip", axis=-2),
    "_image_flip_top_bottom": bare("pictures.Flip", axis=-3),
    "_image_resize": plain("pictures.Resize"),
    "_cvcopyMakeBorder": plain("pictures.Border"),
    **{f"_random_pdf_{name}": _density(name) for name in (*_DISTRIBUTIONS, "dirichlet")},
}
for _name in (
    "brightness",
    "contrast",
    "saturation",
    "hue",
    "color_jitter",
    "lighting",
    "flip_left_right",
    "flip_top_bottom",
):
    CALLS[f"_image_random_{_name}"] = bare("pictures.Changed")
CALLS["_image_adjust_lighting"] = plain("pictures.Lighting")
