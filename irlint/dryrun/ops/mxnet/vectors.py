"""LightNet operators on vectors, and on images."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.errors import Undecided
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor


class _Untyped(Operator):
    """Kernels only: the format that has these operators infers their types itself."""

    def shape(self, *inputs: Any, **attrs: Any) -> Tensor:
        raise Undecided


class Literal(_Untyped):
    """Numbers in the file: one 0 fills the tensor, with too few the rest is 0; between two bounds they
    are drawn."""

    inputs = ""
    kernel = "vectors.literal"


class Renumbered(_Untyped):
    """As many numbers as before, from a start by a step."""

    kernel = "vectors.renumbered"


class MaxWithArgmax(_Untyped):
    """The largest number along an axis and its first index; the axis is kept."""

    kernel = "vectors.max_with_argmax"


class LeakyReluVector(_Untyped):
    """Below zero times a slope, which is of the data's own type."""

    kernel = "vectors.leaky_relu"


class SortByKey(_Untyped):
    """Keys in order, and with every key its value."""

    inputs = "src_key src_val"
    kernel = "vectors.sort_by_key"


class PickBlocks(_Untyped):
    """Blocks of `stride` numbers, as many as asked for, by their indices."""

    inputs = "src src_index"
    kernel = "vectors.pick_blocks"


class InnerProductVector(_Untyped):
    """The sum of all products, as a vector of one."""

    inputs = "src1 src2"
    kernel = "vectors.inner_product"


class NearestResize(_Untyped):
    """Every axis resized to a length: the nearest element, halves away from zero."""

    kernel = "vectors.nearest_resize"


class SubtractMean(_Untyped):
    """A picture less a number for each channel, channels first."""

    kernel = "vectors.subtract_mean"


class PadRows(_Untyped):
    """Rows made longer, with zeros, to a multiple of a number."""

    kernel = "vectors.pad_rows"


class Print(_Untyped):
    """Nothing is computed: the tensor is looked at."""

    inputs = "src"
    kernel = "vectors.nothing"


class BoxesFromDeltas(_Untyped):
    """Corners of boxes on an image, out of anchors (x, y, width, height) and how they are moved and stretched."""

    inputs = "src_delta src_anchor"
    kernel = "vectors.boxes_from_deltas"


class YoloBoxes(_Untyped):
    """Centres, sizes, corners, confidence and classes of boxes in every cell, for every anchor."""

    inputs = "feature anchors"
    kernel = "vectors.yolo_boxes"
