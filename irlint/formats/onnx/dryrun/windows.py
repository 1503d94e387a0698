"""The dry-run operators of ONNX's operators on space: convolution, pooling, resizing, sampling, boxes."""

from __future__ import annotations

from irlint.codes import R
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.mapping import Call, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.ops.onnx.resampling import MODE_OF
from irlint.dryrun.tensor import Tensor, constant
from irlint.formats.onnx.dryrun.calls import (
    FILTER,
    WINDOW_KEYS,
    WINDOWS,
    Inputs,
    Make,
    NodeAttrs,
    Setting,
    always,
    having,
    needed,
    of,
    origins,
    taking,
)

CALLS: dict[str, Make] = {}


CALLS["Conv"] = taking("onnx/filters.FilterBias", WINDOW_KEYS, **FILTER)
CALLS["ConvInteger"] = taking("onnx/filters.FilterIntegers", WINDOW_KEYS, **FILTER)
CALLS["ConvTranspose"] = taking(
    "onnx/filters.TransposedFilter", WINDOW_KEYS, output_padding=(), output_shape=(), **FILTER
)
CALLS["CausalConvWithState"] = taking("onnx/filters.CausalFilter", activation="none")
CALLS["DeformConv"] = taking(
    "onnx/filters.DeformedFilter",
    {**WINDOW_KEYS, "deformable_group": "offset_group"},
    kernel=of("kernel_shape", None),
    group=1,
    deformable_group=of("offset_group", 1),
    bilinear_interpolation_pad=always(True),
    **WINDOWS,
)


def pooled(word: str, **settings: Setting) -> Make:
    return taking(
        f"onnx/pools.{word}",
        WINDOW_KEYS,
        kernel=needed("kernel_shape", tuple),
        rounding_type=Setting(lambda a: "ceil_torch" if a.get("ceil_mode", False) else "to_zero"),
        may_crop=always(True),
        **{**WINDOWS, "strides": Setting(_strides), **settings},
    )


def _strides(a: NodeAttrs) -> tuple[int, ...]:
    found: tuple[int, ...] = a.get("strides", ())
    return found or (1,) * len(a.need("kernel_shape", tuple))


MEAN_POOL = pooled("MeanPool", exclude_pad=Setting(lambda a: not a.get("count_include_pad", False)))
CALLS["AveragePool"] = MEAN_POOL
CALLS["MaxPool"] = pooled("MaxPoolPlaces", by_columns=of("storage_order", False))
CALLS["LpPool"] = pooled("NormPool", p=Setting(lambda a: a.get("p", 2.0 if a.opset < 2 else 2)))
CALLS["GlobalAveragePool"] = having("onnx/pools.WholePool", fold="mean")
CALLS["GlobalMaxPool"] = having("onnx/pools.WholePool", fold="max")
CALLS["GlobalLpPool"] = taking("onnx/pools.WholePool", fold=always("norm"), p=2)
CALLS["MaxUnpool"] = taking("onnx/pools.Unpool", WINDOW_KEYS, kernel=needed("kernel_shape", tuple), **WINDOWS)

_WAYS = frozenset((
    "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn",
    "tf_crop_and_resize",
))  # fmt: skip
_SHARED = {"exclude_outside": False, "extrapolation": 0.0, "antialias": False, "coefficient": -0.75}


_RESIZING = taking(
    "onnx/resampling.ResizeAxes",
    {"way": "coordinate_transformation_mode", "policy": "keep_aspect_ratio_policy"},
    mode=Setting(lambda a: a.word("mode", "nearest", MODE_OF)),
    way=of("coordinate_transformation_mode", "half_pixel"),
    nearest=of("nearest_mode", "round_prefer_floor"),
    axes=None,
    policy=of("keep_aspect_ratio_policy", "stretch"),
    exclude_outside=False,
    extrapolation=of("extrapolation_value", 0.0),
    antialias=False,
    coefficient=of("cubic_coeff_a", -0.75),
)


def _resize(a: NodeAttrs) -> Call:
    mode = a.word("mode", "nearest", MODE_OF)
    if a.opset < 11:
        return _upsample(a)
    if a.get("coordinate_transformation_mode", "half_pixel") not in _WAYS:
        raise Undecided
    # onnxruntime 1.32 refuses that, unless it filters by `antialias`
    filters = mode == "cubic" or (mode == "linear" and a.get("antialias", 0))
    if a.get("exclude_outside", 0) and not filters:
        raise ShapeError(R.value_not_allowed, "`exclude_outside` needs the mode `cubic`", "attr:exclude_outside")
    if a.get("antialias", 0) and mode == "nearest":
        raise ShapeError(R.value_not_allowed, "`antialias` needs the mode `linear` or `cubic`", "attr:antialias")
    return _RESIZING(a)


def _upsample(a: NodeAttrs) -> Call:
    """Upsample, and Resize before it had other coordinates than these."""
    attrs = {"mode": a.word("mode", "nearest", MODE_OF), "way": "asymmetric", "nearest": "simple", **_SHARED}
    inputs: Inputs = [0, None, 1, None] if a.opset >= 9 else [0, None, FromAttr("scales", _scales(a)), None]
    return Call(operator("onnx/resampling.ResizeAxes"), attrs, inputs)


def _scales(a: NodeAttrs) -> Tensor:
    sides = [("height_scale", float), ("width_scale", float)] if a.opset < 7 else []
    scales = (1.0, 1.0, *(a.need(*side) for side in sides)) if sides else a.need("scales", tuple)
    return constant(scales, dtype="float32")


CALLS["Resize"], CALLS["Upsample"] = _resize, _upsample
CALLS["GridSample"] = taking(
    "onnx/resampling.SampleGrid",
    mode=Setting(lambda a: a.word("mode", "linear", MODE_OF)),
    padding=of("padding_mode", "zeros"),
    corners=of("align_corners", False),
)
CALLS["AffineGrid"] = taking("onnx/resampling.AffineGrid", corners=of("align_corners", False))
CALLS["Col2Im"] = taking("moving/patches.FoldColumns", WINDOW_KEYS, **WINDOWS)
CALLS["ImageDecoder"] = taking(
    "shared/pictures.Decoded", channels=Setting(lambda a: 1 if a.get("pixel_format", "RGB") == "Grayscale" else 3)
)


def _aligned(a: NodeAttrs) -> str:
    """Return which pixels are meant: opsets before 16 have no attribute for it."""
    way = a.get("coordinate_transformation_mode", "half_pixel") if a.opset >= 16 else ""
    return "half_pixel_for_nn" if way == "half_pixel" else "asymmetric"


CALLS["RoiAlign"] = taking(
    "shared/regions.ROIAlign",
    pooled_h=of("output_height", 1),
    pooled_w=of("output_width", 1),
    spatial_scale=1.0,
    sampling_ratio=0,
    mode="avg",
    strict=always(True),
    aligned_mode=Setting(_aligned),
)
CALLS["MaxRoiPool"] = taking("shared/regions.RegionPool", pooled_size=needed("pooled_shape", tuple), spatial_scale=1.0)
CALLS["NonMaxSuppression"] = taking(
    "shared/nms.SelectedBoxes",
    inputs=lambda a: origins(a, 0, 1, 2, 3, 4),
    box_encoding=Setting(lambda a: "center" if a.get("center_point_box", 0) else "corner"),
)
