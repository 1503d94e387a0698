"""The table of the dry run, for one sample (channels, height, width): shapes are those of Darknet's make_..._layer functions."""

from __future__ import annotations

from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.entries import Entry, Spec, Values, plain
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.ops.sample.common import made
from irlint.dryrun.ops.sample.elements import Merge
from irlint.dryrun.ops.sample.layout import SampleConcat
from irlint.dryrun.ops.sample.linear import SampleInnerProduct
from irlint.dryrun.ops.shaped import Alike
from irlint.dryrun.tensor import Tensor


class Shortcut(Merge):
    """The sum, of the channels that both have; of a larger layer, pjreddie's Darknet takes every k-th place (AlexeyAB's aborts)."""

    def shape(self, data: Tensor, *others: Tensor, **_: Any) -> Tensor:
        for k, other in enumerate(others, 1):
            for sizes in zip((data.shape or ())[1:], (other.shape or ())[1:], strict=False):
                if all(type(size) is int for size in sizes) and max(sizes) % min(sizes):  # type: ignore[type-var,operator]
                    message = f"height and width of {dims.show(data.shape)} and {dims.show(other.shape)} do not match"
                    raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
        return data


class Route(SampleConcat):
    """Layers joined, of which one of so many groups of channels is taken."""

    run = Alike.run

    def shape(self, *tensors: Tensor, groups: int, **attrs: Any) -> Tensor:
        found = super().shape(*tensors, **attrs).shape
        return made((dims.floor_divide(found[0], groups), *found[1:]), "attr:groups") if found else Tensor()


class Connected(SampleInnerProduct):
    """All elements times the weight: an image of one place."""

    def shape(self, data: Tensor, weight: Tensor, *_: Any, **__: Any) -> Tensor:
        return Tensor(data.dtype, (weight.shape[0], 1, 1) if weight.shape else None)


class Boxes(Alike):
    """The input, of which so many channels, or else elements, describe boxes. Darknet refuses other numbers."""

    def check(self, data: Tensor, *_: Any, channels: int | None = None, elements: int | None = None, **__: Any) -> None:
        found = (data.shape or (None,))[0] if elements is None else dims.product(data.shape or ())
        if not dims.compatible(found, wanted := channels if elements is None else elements):
            message = f"expected {wanted} {'channels' if elements is None else 'elements'} for the boxes, got {dims.show_dim(found)}"
            raise ShapeError(R.shape_mismatch, message, "op", [0])


def _padded(v: Values) -> tuple[int, ...]:
    """Padding is dilated, too; windows are counted as if neither it nor they were, which is the same if they are filled up."""
    pad = v["size"] // 2 if v["pad"] else v["padding"]
    if v["antialiasing"] or (v["dilation"] > 1 < v["size"] != 2 * pad + 1):
        raise Undecided
    return (pad * v["dilation"] if v["size"] > 1 else pad,) * 2


def _image(v: Values) -> tuple[int, ...] | None:
    found = v["channels"], v["height"], v["width"]
    return found if all(found) else None


_BOXES = f"{__name__}.Boxes"
_ACTIVATIONS: dict[str, Any] = {"linear": ("identity", ()), "logistic": ("sigmoid", ()), "leaky": ("relu", (0.1,))}
_ACTIVATED: dict[str, Spec] = {"activation": lambda v: _ACTIVATIONS.get(v["activation"], (v["activation"], ()))}
_WINDOW: dict[str, Spec] = {
    "kernel": ("size", "size"), "strides": ("stride_y", "stride_x"),
    "pads_begin": lambda v: (v["padding"] // 2,) * 2, "pads_end": lambda v: (v["padding"] - v["padding"] // 2,) * 2,
}  # fmt: skip
_FILTERS: dict[str, Spec] = {
    **_WINDOW, **_ACTIVATED, **dict.fromkeys(("pads_begin", "pads_end"), _padded), "groups": "groups",
    "dilations": lambda v: (v["dilation"] if v["size"] > 1 else 1,) * 2,
}  # fmt: skip
ENTRIES = {
    "net": Entry("", {"shape": lambda v: _image(v) or ((v["inputs"],) if v["inputs"] else None)}),
    "convolutional": Entry(
        "sample/windows.SampleConvolution", _FILTERS, {"weights": ("filters", -1, "size", "size"), "biases": ("filters",)},
        rest=lambda v, shape: shape[0] // v["groups"]),
    "connected": Entry(
        f"{__name__}.Connected", _ACTIVATED, {"weights": ("output", -1), "biases": ("output",)}, rest=lambda _, shape: prod(shape)),
    "shortcut": plain(f"{__name__}.Shortcut", function="add"),
    "scale_channels": plain("sample/elements.SampleBinary", function="multiply"),
    "sam": plain("sample/elements.Merge", function="multiply"),
    "route": plain(f"{__name__}.Route", "groups", axis=0),
    "upsample": Entry("sample/images.SampleResize", {"target": lambda v: lambda shapes: [n * v["stride"] for n in shapes[0][1:]]}, fixed={
        "mode": "nearest", "corners": False, "scales": (None, None)}),
    "crop": Entry("sample/images.SampleResize", {"target": ("crop_height", "crop_width")}),
    "maxpool": Entry("sample/windows.SamplePool", _WINDOW),
    "local_avgpool": Entry("sample/windows.SamplePool", _WINDOW, fixed={"average": True, "counts_padding": True}),
    "avgpool": plain("sample/windows.SamplePool", kernel=(1, 1), target=(1, 1), average=True),
    "reorg": Entry("sample/layout.Unshuffle", {"block": "stride"}),
    "softmax": plain("sample/elements.SampleSoftmax", axis=0),
    "yolo": Entry(_BOXES, {"channels": lambda v: len(v["mask"] or range(v["num"])) * (v["classes"] + 5)}),
    "Gaussian_yolo": Entry(_BOXES, {"channels": lambda v: len(v["mask"] or range(v["num"])) * (v["classes"] + 9)}),
    "region": Entry(_BOXES, {"channels": lambda v: v["num"] * (v["classes"] + v["coords"] + 1)}),
    "detection": Entry(_BOXES, {"elements": lambda v: v["side"] ** 2 * ((1 + v["coords"]) * v["num"] + v["classes"])}),
    **dict.fromkeys(("dropout", "cost", "empty"), plain("sample/common.SampleFormula", function="identity")),
    **dict.fromkeys(("batchnorm", "normalization", "activation"), plain("irlint.dryrun.ops.shaped.Alike")),
}  # fmt: skip
