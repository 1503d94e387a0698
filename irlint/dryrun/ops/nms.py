"""Non-maximum suppression: the best of boxes that overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import operand, show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import same_dtype, want_dtype, want_rank, want_scalar
from irlint.dryrun.ops.pooling import want_index_type
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


def want_last(tensor: Tensor, wanted: int, name: str, index: int) -> None:
    if tensor.shape and not dims.can_be(tensor.shape[-1], wanted):
        message = f"expected {wanted} as the last dimension of {operand(name)}, got {show(tensor.shape)}"
        raise ShapeError(R.shape_mismatch, message, f"input:{index}", [index])


class NonMaxSuppression(Operator):
    """The best boxes of every class that do not cover each other: triples (batch, class, box), their scores, how many."""

    inputs = "boxes scores max_output_boxes_per_class? iou_threshold? score_threshold? soft_nms_sigma?"
    reads: ClassVar[tuple[int, ...]] = (2,)
    coordinates = 4
    kind = "float32, float16 or bfloat16"

    def shape(
        self, boxes: Tensor, scores: Tensor, *rest: Tensor | None, output_type: str | None = "int64", **_: Any
    ) -> list[Tensor]:
        want_index_type(output_type, "output_type")
        for k, tensor in enumerate((boxes, scores, *rest)):
            want_dtype(tensor, self.names[k], k, "a numeric type or bool" if k == 2 else self.kind)
        most = self.bound(boxes, scores, rest, or_single=True)
        if most is None or not rest:
            most = None
        triples = (upto(most), 3)
        return [Tensor(output_type, triples), Tensor("float32", triples), Tensor(output_type, (1,))]

    def bound(
        self, boxes: Tensor, scores: Tensor, rest: Sequence[Tensor | None], *, or_single: bool, per_class: bool = True
    ) -> Dim:
        """Return the maximum number of boxes."""
        want_rank(boxes, "boxes", 0, 3)
        want_rank(scores, "scores", 1, 3)
        for k, tensor in enumerate(rest, 2):
            want_scalar(tensor, self.names[k], k, or_single=or_single)
        names = ("boxes", "scores")
        batch = want_equal(boxes, 0, scores, 0, names, (0, 1), "batch sizes")
        count = want_equal(boxes, 1, scores, 2, names, (0, 1), "numbers of boxes")
        want_last(boxes, self.coordinates, "boxes", 0)
        if boxes.shape is None or scores.shape is None:
            return None
        most = rest[0] if rest else None
        if most is None:
            return 0
        wanted = most.entry
        count = dims.bounds(count)[1]  # OpenVINO 2026.4.1: of at most 2100 boxes at most 2100 are left
        if not values.is_number(wanted) or count is None:
            return None
        if not per_class:
            classes = scores.shape[1]
            return min(count, max(int(wanted), 0) * classes) if isinstance(classes, int) else None
        return dims.multiply(dims.multiply(max(min(count, int(wanted)), 0), scores.shape[1]), batch)

    def run(self, boxes: Any, scores: Any, *rest: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.detection import non_max_suppression

        return non_max_suppression(boxes, scores, *rest, **attrs)


class NonMaxSuppressionIndices(NonMaxSuppression):
    """Older versions, which only output the triples, as many as possible."""

    inputs = "boxes scores max_output_boxes_per_class? iou_threshold? score_threshold?"

    def shape(  # type: ignore[override]
        self,
        boxes: Tensor,
        scores: Tensor,
        *rest: Tensor | None,
        output_type: str | None = "int64",
        per_class: bool = True,
        **_: Any,
    ) -> Tensor:
        want_index_type(output_type, "output_type")
        for k, tensor in enumerate((boxes, scores, *rest)):
            want_dtype(tensor, self.names[k], k, "a numeric type or bool" if k == 2 else "float32, float16 or bfloat16")
        most = self.bound(boxes, scores, rest, or_single=False, per_class=per_class)
        return Tensor(output_type, (most, 3))

    def run(self, boxes: Any, scores: Any, *rest: Any, **attrs: Any) -> Any:
        return super().run(boxes, scores, *rest, **attrs)[0]


class SelectedBoxes(NonMaxSuppression):
    """Only the triples, class by class; without a least score all boxes count."""

    inputs = "boxes scores max_output_boxes_per_class? iou_threshold? score_threshold?"
    reads = (2, 3)

    def shape(self, boxes: Tensor, scores: Tensor, *rest: Tensor | None, **_: Any) -> Tensor:  # type: ignore[override]
        overlap: Any = rest[1].entry if len(rest) > 1 and rest[1] is not None else None
        if values.is_number(overlap) and not 0 <= overlap <= 1:
            raise ShapeError(
                R.value_out_of_range, f"expected 0 to 1 for `iou_threshold`, got {overlap:g}", "input:3", [3]
            )
        # onnxruntime 1.32 takes the first element of a longer limit
        limits = [
            None if tensor is None else Tensor(tensor.dtype, (), tensor.value and tensor.value[:1]) for tensor in rest
        ]
        return Tensor("int64", (upto(self.bound(boxes, scores, limits, or_single=True)), 3))

    def run(self, boxes: Any, scores: Any, *rest: Any, **attrs: Any) -> Any:
        most, iou, least = (*rest, None, None, None)[:3]
        least = np.array(-np.inf) if least is None else least
        return super().run(boxes, scores, most, iou, least, sort_result_descending=False, **attrs)[0]


class NMSRotated(NonMaxSuppression):
    """Boxes with an angle."""

    inputs = "boxes scores max_output_boxes_per_class iou_threshold score_threshold"
    coordinates = 5
    kind = "a floating-point type"


class MultiNms(Operator):
    """Selection of boxes of all classes: rows (class, score, box), their indices, the number per batch."""

    inputs = "boxes scores roisnum?"

    def shape(
        self,
        boxes: Tensor,
        scores: Tensor,
        counts: Tensor | None = None,
        *,
        output_type: str | None = "int64",
        nms_top_k: int = -1,
        keep_top_k: int = -1,
        background_class: int = -1,
        nms_eta: float = 1.0,
        **_: Any,
    ) -> list[Tensor]:
        want_index_type(output_type, "output_type")
        for name, number in (
            ("nms_top_k", nms_top_k),
            ("keep_top_k", keep_top_k),
            ("background_class", background_class),
        ):
            if number < -1:
                raise too_low(name, "at least -1", number)
        if not 0 <= nms_eta <= 1:
            raise ShapeError(R.value_out_of_range, f"expected 0 to 1 for `nms_eta`, got {nms_eta}", "attr:nms_eta")
        for k, tensor in ((0, boxes), (1, scores)):
            want_dtype(tensor, self.names[k], k, "float32, float16 or bfloat16")
        same_dtype((boxes, scores), self.names)
        want_rank(boxes, "boxes", 0, 3)
        want_rank(scores, "scores", 1, *((2,) if counts is not None else (3,)))
        want_last(boxes, 4, "boxes", 0)
        names = ("boxes", "scores")
        if counts is not None:
            want_dtype(counts, "roisnum", 2, "int32 or int64")
            want_rank(counts, "roisnum", 2, 1)
            classes = want_equal(boxes, 0, scores, 0, names, (0, 1), "numbers of classes")
            total = want_equal(boxes, 1, scores, 1, names, (0, 1), "numbers of boxes")
            batch = counts.shape[0] if counts.shape is not None else None
        else:
            batch = want_equal(boxes, 0, scores, 0, names, (0, 1), "batch sizes")
            total = want_equal(boxes, 1, scores, 2, names, (0, 1), "numbers of boxes")
            classes = scores.shape[1] if scores.shape is not None else None
        most = self._most(batch, classes, total, nms_top_k, keep_top_k, background_class)
        if boxes.shape is None or scores.shape is None:
            most = None
        return [
            Tensor(boxes.dtype if boxes.dtype is not None else None, (upto(most), 6)),
            Tensor(output_type, (upto(most), 1)),
            Tensor(output_type, (batch,)),
        ]

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

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.multiclass import multiclass_nms

        return multiclass_nms(*arrays, **attrs)


class MatrixNms(MultiNms):
    """Scores lowered by how much better boxes cover a box."""

    inputs = "boxes scores"

    def shape(self, boxes: Tensor, scores: Tensor, counts: Tensor | None = None, **attrs: Any) -> list[Tensor]:
        for name in ("nms_top_k", "keep_top_k"):
            if attrs.get(name) == 0:  # OpenVINO 2026.4.1 keeps no box and then crashes, or says so and gives up
                raise ShapeError(
                    R.value_out_of_range, f"expected -1 or more than 0 for `{name}`, got 0", f"attr:{name}"
                )
        return super().shape(boxes, scores, counts, **attrs)

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.multiclass import matrix_nms

        return matrix_nms(*arrays, **attrs)
