"""The dry-run operators of ONNX's operators on space: convolution, pooling, resizing, sampling, boxes."""

from __future__ import annotations

from irlint.codes import R
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.ops.resampling import MODE_OF
from irlint.formats.onnx.dryrun.calls import WINDOW_KEYS, Attrs, Make, having, origins

CALLS: dict[str, Make] = {}


def _filter(word: str) -> Make:
    def make(a: Attrs) -> Call:
        attrs = {"kernel": a.get("kernel_shape", None), "groups": a.get("group", 1), **a.windows()}
        return Call(operator(word), attrs, None, WINDOW_KEYS)

    return make


CALLS["Conv"] = _filter("filters.FilterBias")
CALLS["ConvInteger"] = _filter("filters.FilterIntegers")


def _transposed(a: Attrs) -> Call:
    attrs = {
        "kernel": a.get("kernel_shape", None),
        "groups": a.get("group", 1),
        "output_padding": a.get("output_padding", ()),
        "output_shape": a.get("output_shape", ()),
        **a.windows(),
    }
    return Call(operator("filters.TransposedFilter"), attrs, None, WINDOW_KEYS)


CALLS["ConvTranspose"] = _transposed
CALLS["CausalConvWithState"] = lambda a: Call(
    operator("filters.CausalFilter"), {"activation": a.get("activation", "none")}
)


def _deformed(a: Attrs) -> Call:
    attrs = {
        "kernel": a.get("kernel_shape", None),
        "group": a.get("group", 1),
        "deformable_group": a.get("offset_group", 1),
        "bilinear_interpolation_pad": True,
        **a.windows(),
    }
    keys = {**WINDOW_KEYS, "deformable_group": "offset_group"}
    return Call(operator("filters.DeformedFilter"), attrs, None, keys)


CALLS["DeformConv"] = _deformed


def pooled(word: str) -> Make:
    def make(a: Attrs) -> Call:
        kernel = a.need("kernel_shape", tuple)
        windows = a.windows()
        attrs = {
            **windows,
            "kernel": kernel,
            "strides": windows["strides"] or (1,) * len(kernel),
            "rounding_type": "ceil_torch" if a.get("ceil_mode", False) else "floor",
        }
        if word == "MeanPool":
            attrs["exclude_pad"] = not a.get("count_include_pad", False)
        elif word == "NormPool":
            attrs["p"] = a.get("p", 2.0 if a.opset < 2 else 2)
        elif word == "MaxPoolPlaces":
            attrs["by_columns"] = a.get("storage_order", False)
        return Call(operator(f"pools.{word}"), attrs, None, WINDOW_KEYS)

    return make


CALLS["AveragePool"] = pooled("MeanPool")
CALLS["MaxPool"] = pooled("MaxPoolPlaces")
CALLS["LpPool"] = pooled("NormPool")
CALLS["GlobalAveragePool"] = having("pools.WholePool", fold="mean")
CALLS["GlobalMaxPool"] = having("pools.WholePool", fold="max")
CALLS["GlobalLpPool"] = lambda a: Call(operator("pools.WholePool"), {"fold": "norm", "p": a.get("p", 2)})
CALLS["MaxUnpool"] = lambda a: Call(
    operator("pools.Unpool"), {"kernel": a.need("kernel_shape", tuple), **a.windows()}, None, WINDOW_KEYS
)

_WAYS = frozenset((
    "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn",
    "tf_crop_and_resize",
))  # fmt: skip
_SHARED = {"exclude_outside": False, "extrapolation": 0.0, "antialias": False, "coefficient": -0.75}
_RESIZE_KEYS = {"way": "coordinate_transformation_mode", "policy": "keep_aspect_ratio_policy"}


def _resize(a: Attrs) -> Call:
    mode = a.word("mode", "nearest", MODE_OF)
    if a.opset < 11:
        return _upsample(a)
    way = a.get("coordinate_transformation_mode", "half_pixel")
    if way not in _WAYS:
        raise Undecided
    if a.get("exclude_outside", 0) and mode != MODE_OF["cubic"]:  # onnxruntime 1.32 refuses that
        raise ShapeError(R.value_not_allowed, "`exclude_outside` needs the mode `cubic`", "attr:exclude_outside")
    attrs = {
        "mode": mode,
        "way": way,
        "nearest": a.get("nearest_mode", "round_prefer_floor"),
        "axes": a.get("axes", None),
        "policy": a.get("keep_aspect_ratio_policy", "stretch"),
        "exclude_outside": a.get("exclude_outside", False),
        "extrapolation": a.get("extrapolation_value", 0.0),
        "antialias": a.get("antialias", False),
        "coefficient": a.get("cubic_coeff_a", -0.75),
    }
    return Call(operator("resampling.ResizeAxes"), attrs, None, _RESIZE_KEYS)


def _upsample(a: Attrs) -> Call:
    """Upsample, and Resize before it had other coordinates than these."""
    from irlint.dryrun.mapping import FromAttr
    from irlint.dryrun.tensor import constant

    attrs = {"mode": a.word("mode", "nearest", MODE_OF), "way": "asymmetric", "nearest": "simple", **_SHARED}
    if a.opset >= 9:
        return Call(operator("resampling.ResizeAxes"), attrs, [0, None, 1, None])
    scales = (
        a.need("scales", tuple)
        if a.opset >= 7
        else (1.0, 1.0, a.need("height_scale", float), a.need("width_scale", float))
    )
    return Call(
        operator("resampling.ResizeAxes"), attrs, [0, None, FromAttr("scales", constant(scales, dtype="float32")), None]
    )


CALLS["Resize"], CALLS["Upsample"] = _resize, _upsample
CALLS["GridSample"] = lambda a: Call(
    operator("resampling.SampleGrid"),
    {
        "mode": a.word("mode", "linear", MODE_OF),
        "padding": a.get("padding_mode", "zeros"),
        "corners": a.get("align_corners", False),
    },
)
CALLS["AffineGrid"] = lambda a: Call(operator("resampling.AffineGrid"), {"corners": a.get("align_corners", False)})
CALLS["Col2Im"] = lambda a: Call(operator("patches.FoldColumns"), a.windows(), None, WINDOW_KEYS)
CALLS["ImageDecoder"] = lambda a: Call(
    operator("pictures.Decoded"), {"channels": 1 if a.get("pixel_format", "RGB") == "Grayscale" else 3}
)
CALLS["RoiAlign"] = lambda a: Call(
    operator("regions.ROIAlign"),
    {
        "pooled_h": a.get("output_height", 1),
        "pooled_w": a.get("output_width", 1),
        "spatial_scale": a.get("spatial_scale", 1.0),
        "sampling_ratio": a.get("sampling_ratio", 0),
        "mode": a.get("mode", "avg"),
        "strict": True,
        "aligned_mode": "half_pixel"
        if a.opset >= 16 and a.get("coordinate_transformation_mode", "half_pixel") == "half_pixel"
        else "asymmetric",
    },
)
CALLS["MaxRoiPool"] = lambda a: Call(
    operator("regions.RegionPool"),
    {"pooled_size": a.need("pooled_shape", tuple), "spatial_scale": a.get("spatial_scale", 1.0)},
)
CALLS["NonMaxSuppression"] = lambda a: Call(
    operator("nms.SelectedBoxes"),
    {"box_encoding": "center" if a.get("center_point_box", 0) else "corner"},
    origins(a, 0, 1, 2, 3, 4),
)
