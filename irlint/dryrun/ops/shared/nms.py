"""Non-maximum suppression: the best of boxes that overlap."""

from __future__ import annotations

from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import operand, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator, Shapes
from irlint.dryrun.ops.common import want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


def upto(high: Dim) -> Dim:
    """Return a length from 0 to a maximum."""
    return dims.interval(0, dims.bounds(high)[1])


def want_equal(
    a: Tensor, i: int, b: Tensor, j: int, names: tuple[str, str], indices: tuple[int, int], what: str
) -> Dim:
    """Raise unless dimension i of one operand and j of another are equal."""
    one = a.shape[i] if a.shape is not None else None
    other = b.shape[j] if b.shape is not None else None
    if not dims.compatible(one, other):
        message = (
            f"{what} of {operand(names[0])} ({show_dim(one)}) and {operand(names[1])} ({show_dim(other)}) do not match"
        )
        raise ShapeError(R.shape_mismatch, message, f"input:{indices[1]}", indices)
    return dims.merge(one, other)


_FLOATS = "float32|float16|bfloat16"


class NonMaxSuppression(Operator):
    """The best boxes of every class that do not cover each other: triples (batch, class, box), their scores, how many."""

    inputs = (
        f"boxes:[B,N,4]/{_FLOATS} scores:[B,C,N]/{_FLOATS} max_output_boxes_per_class?:one/numbers|bool "
        f"iou_threshold?:one/{_FLOATS} score_threshold?:one/{_FLOATS} soft_nms_sigma?:one/{_FLOATS}"
    )
    reads: ClassVar[tuple[int, ...]] = (2,)
    kernel = "boxes/detection.non_max_suppression"

    def shape(self, *tensors: Tensor | None, output_type: str | None = "int64", **_: Any) -> Shapes:
        bound = self.bound(*tensors)
        most = upto(bound if len(tensors) > 2 else None)
        return [Tensor(output_type, (most, 3)), Tensor("float32", (most, 3)), Tensor(output_type, (1,))]

    def bound(self, *tensors: Any, per_class: bool = True) -> Dim:
        """Return the maximum number of boxes."""
        found = self.match(*tensors)
        boxes, scores, limit = (*tensors, None)[:3]
        if boxes.shape is None or scores.shape is None:
            return None
        if limit is None:
            return 0
        wanted, classes = limit.entry, found["C"]
        count = dims.bounds(found["N"])[1]  # OpenVINO 2026.4.1: of at most 2100 boxes at most 2100 are left
        if not values.is_number(wanted) or count is None:
            return None
        if not per_class:
            return min(count, max(int(wanted), 0) * classes) if isinstance(classes, int) else None
        return dims.multiply(dims.multiply(max(min(count, int(wanted)), 0), classes), found["B"])


class NonMaxSuppressionIndices(NonMaxSuppression):
    """Older versions, which only output the triples, as many as possible."""

    inputs = (
        f"boxes:[B,N,4]/{_FLOATS} scores:[B,C,N]/{_FLOATS} max_output_boxes_per_class?:[]/numbers|bool "
        f"iou_threshold?:[]/{_FLOATS} score_threshold?:[]/{_FLOATS}"
    )

    def shape(
        self, *tensors: Tensor | None, output_type: str | None = "int64", per_class: bool = True, **_: Any
    ) -> Shapes:
        return Tensor(output_type, (self.bound(*tensors, per_class=per_class), 3))

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        return super().run(*arrays, **attrs)[0]


class SelectedBoxes(NonMaxSuppression):
    """Only the triples, class by class; without a least score all boxes count."""

    inputs = "boxes:[B,N,4] scores:[B,C,N] max_output_boxes_per_class? iou_threshold? score_threshold?"
    reads = (2, 3)

    def shape(self, *tensors: Tensor | None, **_: Any) -> Shapes:
        overlap: Any = tensors[3].entry if len(tensors) > 3 and tensors[3] is not None else None
        if values.is_number(overlap) and not 0 <= overlap <= 1:
            raise ShapeError(
                R.value_out_of_range, f"expected 0 to 1 for `iou_threshold`, got {overlap:g}", "input:3", [3]
            )
        # onnxruntime 1.32 takes the first element of a longer limit
        return Tensor("int64", (upto(self.bound(*tensors)), 3))

    def run(self, boxes: Any, scores: Any, *rest: Any, **attrs: Any) -> Any:
        most, iou, least = (*rest, None, None, None)[:3]
        least = np.array(-np.inf) if least is None else least
        return super().run(boxes, scores, most, iou, least, sort_result_descending=False, equal=False, **attrs)[0]


class NMSRotated(NonMaxSuppression):
    """Boxes with an angle."""

    inputs = (
        "boxes:[B,N,5]/floats scores:[B,C,N]/floats max_output_boxes_per_class:one/numbers|bool "
        "iou_threshold:one/floats score_threshold:one/floats"
    )


class MultiNms(Operator):
    """Selection of boxes of all classes: rows (class, score, box), their indices, the number per batch."""

    inputs = f"boxes:[A,N,4]/T={_FLOATS} scores:[A,N]|[A,C,N]/T={_FLOATS} roisnum?:[B]/index"
    kernel = "boxes/multiclass.multiclass_nms"

    def shape(
        self,
        boxes: Tensor,
        scores: Tensor,
        counts: Tensor | None = None,
        *,
        output_type: str | None = "int64",
        nms_eta: float = 1.0,
        **limits: int,
    ) -> list[Tensor]:
        nms_top_k, keep_top_k, background = (limits.get(name, -1) for name in _LIMITS)
        for name in _LIMITS:
            if limits.get(name, -1) < -1:
                raise too_low(name, "at least -1", limits[name])
        if not 0 <= nms_eta <= 1:
            raise ShapeError(R.value_out_of_range, f"expected 0 to 1 for `nms_eta`, got {nms_eta}", "attr:nms_eta")
        want_rank(scores, "scores", 1, 3 if counts is None else 2)
        found = self.match(boxes, scores, counts)
        batch, classes = (found["A"], found["C"]) if counts is None else (found["B"], found["A"])
        most = None
        if boxes.shape is not None and scores.shape is not None:
            most = self._most(batch, classes, found["N"], nms_top_k, keep_top_k, background)
        rows = upto(most)
        return [Tensor(boxes.dtype, (rows, 6)), Tensor(output_type, (rows, 1)), Tensor(output_type, (batch,))]

    @staticmethod
    def _most(batch: Dim, classes: Dim, total: Dim, nms_top_k: int, keep_top_k: int, background: int) -> Dim:
        if not isinstance(total, int) or not isinstance(classes, int):
            return None
        each = min(total, nms_top_k) if nms_top_k > -1 else total
        if 0 <= background < classes:
            classes = max(1, classes - 1)
        most = each * classes
        if keep_top_k > -1:
            most = min(most, keep_top_k)
        return dims.multiply(most, batch)


_LIMITS = ("nms_top_k", "keep_top_k", "background_class")


class MatrixNms(MultiNms):
    """Scores lowered by how much better boxes cover a box."""

    inputs = f"boxes:[A,N,4]/T={_FLOATS} scores:[A,C,N]/T={_FLOATS}"
    kernel = "boxes/multiclass.matrix_nms"

    def shape(self, boxes: Tensor, scores: Tensor, counts: Tensor | None = None, **attrs: Any) -> list[Tensor]:
        for name in ("nms_top_k", "keep_top_k"):
            if attrs.get(name) == 0:  # OpenVINO 2026.4.1 keeps no box and then crashes, or says so and gives up
                raise ShapeError(
                    R.value_out_of_range, f"expected -1 or more than 0 for `{name}`, got 0", f"attr:{name}"
                )
        return super().shape(boxes, scores, counts, **attrs)
