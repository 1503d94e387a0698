"""The dry-run operators of ONNX's operators on space: convolution, pooling, resizing, sampling, boxes."""

from __future__ import annotations

from irlint.codes import R
from irlint.dryrun.entries import Entry, Of, Row, Spec, own, plain
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.mapping import FromAttr
from irlint.dryrun.ops.onnx.resampling import MODE_OF
from irlint.dryrun.tensor import constant
from irlint.formats.onnx.dryrun.calls import FILTER, PADDED, WINDOWS, NodeAttrs, word

CALLS: dict[str, Row] = {
    "Conv": Entry("onnx/filters.FilterBias", FILTER),
    "ConvInteger": Entry("onnx/filters.FilterIntegers", FILTER),
    "ConvTranspose": Entry("onnx/filters.TransposedFilter", {**FILTER, **own("output_padding", "output_shape")}),
    "CausalConvWithState": plain("onnx/filters.CausalFilter", "activation"),
    "DeformConv": Entry(
        "onnx/filters.DeformedFilter",
        {"kernel": "kernel_shape", "deformable_group": "offset_group", **PADDED, **own("group", "dilations")},
        fixed={"bilinear_interpolation_pad": True},
    ),
}


def _strides(v: NodeAttrs) -> tuple[int, ...]:
    found: tuple[int, ...] = v["strides"]
    return found or (1,) * len(v["kernel_shape"])


POOLED: dict[str, Spec] = {
    "kernel": "kernel_shape",
    **WINDOWS,
    "strides": _strides,
    "rounding_type": Of("ceil_mode", lambda ceil: "ceil_torch" if ceil else "to_zero"),
    "may_crop": lambda _: True,
}
MEANS: dict[str, Spec] = {**POOLED, "exclude_pad": Of("count_include_pad", lambda include: not include)}
CALLS |= {
    "AveragePool": Entry("onnx/pools.MeanPool", {**MEANS, **own("dilations")}),
    "MaxPool": Entry("onnx/pools.MaxPoolPlaces", {**POOLED, **own("dilations"), "by_columns": "storage_order"}),
    "LpPool": Entry("onnx/pools.NormPool", {**POOLED, **own("dilations", "p")}),
    "GlobalAveragePool": plain("onnx/pools.WholePool", fold="mean"),
    "GlobalMaxPool": plain("onnx/pools.WholePool", fold="max"),
    "GlobalLpPool": plain("onnx/pools.WholePool", "p", fold="norm"),
    "MaxUnpool": Entry("onnx/pools.Unpool", {"kernel": "kernel_shape", **PADDED}),
    "Col2Im": Entry("moving/patches.FoldColumns", {**PADDED, **own("dilations")}),
}

_WAYS = frozenset((
    "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn",
    "tf_crop_and_resize",
))  # fmt: skip


def _way(v: NodeAttrs) -> str:
    way: str = v["coordinate_transformation_mode"]
    if way not in _WAYS:
        raise Undecided
    # onnxruntime 1.32 takes the first element for the only one, unless it filters
    return "half_pixel" if way == "pytorch_half_pixel" and v["antialias"] else way


def _exclude_outside(v: NodeAttrs) -> int:
    found: int = v["exclude_outside"]
    mode = MODE_OF[v["mode"]]
    # onnxruntime 1.32 refuses that, unless it filters by `antialias`
    if found and mode != "cubic" and not (mode == "linear" and v["antialias"]):
        raise ShapeError(R.value_not_allowed, "`exclude_outside` needs the mode `cubic`", "attr:exclude_outside")
    return found


def _antialias(v: NodeAttrs) -> int:
    found: int = v["antialias"]
    if found and MODE_OF[v["mode"]] == "nearest":
        raise ShapeError(R.value_not_allowed, "`antialias` needs the mode `linear` or `cubic`", "attr:antialias")
    return found


def _sides(v: NodeAttrs) -> FromAttr:
    """Return the scales of Upsample before opset 7."""
    return FromAttr("scales", constant((1.0, 1.0, v["height_scale"], v["width_scale"]), dtype="float32"))


_MODE = word("mode", MODE_OF)
# Upsample, and Resize before it had other coordinates than these
GRID = Entry("onnx/resampling.SampleGrid", {"mode": _MODE, "padding": "padding_mode", "corners": "align_corners"})
_UPSAMPLED = Entry("onnx/resampling.ResizeAxes", {"mode": _MODE}, operands=(0, None, 1, None)).having(
    way="asymmetric", nearest="simple", exclude_outside=False, extrapolation=0.0, antialias=False, coefficient=-0.75
)
CALLS |= {
    "Resize": {
        11: Entry(
            "onnx/resampling.ResizeAxes",
            {
                "mode": _MODE,
                "way": _way,
                "nearest": "nearest_mode",
                "axes": "axes",
                "policy": "keep_aspect_ratio_policy",
                "exclude_outside": _exclude_outside,
                "extrapolation": "extrapolation_value",
                "antialias": _antialias,
                "coefficient": "cubic_coeff_a",
            },
        ),
        1: _UPSAMPLED,
    },
    "Upsample": {
        9: _UPSAMPLED,
        7: _UPSAMPLED._replace(operands=(0, None, "scales", None)),
        1: _UPSAMPLED._replace(operands=lambda v: (0, None, _sides(v), None)),
    },
    "GridSample": GRID,
    "AffineGrid": Entry("onnx/resampling.AffineGrid", {"corners": "align_corners"}),
    "ImageDecoder": Entry(
        "shared/pictures.Decoded", {"channels": Of("pixel_format", lambda colours: 1 if colours == "Grayscale" else 3)}
    ),
}

_POOLED_REGIONS = Entry(
    "shared/regions.ROIAlign",
    {"pooled_h": "output_height", "pooled_w": "output_width", **own("spatial_scale", "sampling_ratio", "mode")},
    fixed={"strict": True},
)
_ALIGNED = Of(
    "coordinate_transformation_mode", lambda way: "half_pixel_for_nn" if way == "half_pixel" else "asymmetric"
)
CALLS |= {
    "RoiAlign": {
        16: _POOLED_REGIONS.having({"aligned_mode": _ALIGNED}),
        1: _POOLED_REGIONS.having(aligned_mode="asymmetric"),
    },
    "MaxRoiPool": Entry("shared/regions.RegionPool", {"pooled_size": "pooled_shape", "spatial_scale": "spatial_scale"}),
    "NonMaxSuppression": Entry(
        "shared/nms.SelectedBoxes",
        {"box_encoding": Of("center_point_box", lambda center: "center" if center else "corner")},
        operands=(0, 1, 2, 3, 4),
    ),
}
