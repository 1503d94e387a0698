"""Object detection: choosing boxes, making anchor boxes, turning network outputs into boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, same_dtype, want_dtype, want_rank, want_scalar
from irlint.dryrun.ops.pooling import want_index_type
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


def upto(high: Dim) -> Dim:
    """Any length from nothing to that many."""
    return dims.interval(0, dims.bounds(high)[1])


def want_equal(
    a: Tensor, i: int, b: Tensor, j: int, names: tuple[str, str], indices: tuple[int, int], what: str
) -> Dim:
    """Dimension i of one operand and j of another mean the same."""
    one = a.shape[i] if a.shape is not None else None
    other = b.shape[j] if b.shape is not None else None
    if not dims.compatible(one, other):
        raise ShapeError(
            R.shape_mismatch,
            f"{what} is {show_dim(one)} in {names[0]} {show(a.shape)}, but {show_dim(other)} in {names[1]} {show(b.shape)}",
            f"input:{indices[1]}",
            indices,
        )
    return dims.merge(one, other)


def want_last(tensor: Tensor, wanted: int, name: str, index: int) -> None:
    if tensor.shape and not dims.can_be(tensor.shape[-1], wanted):
        raise ShapeError(
            R.shape_mismatch,
            f"the last dimension of {name} {show(tensor.shape)} must be {wanted}, but it is {show_dim(tensor.shape[-1])}",
            f"input:{index}",
            [index],
        )


class NonMaxSuppression(Operator):
    """The best boxes of every class that do not cover each other: triples (batch, class, box), their scores, how many."""

    inputs = "boxes scores max_output_boxes_per_class? iou_threshold? score_threshold? soft_nms_sigma?"
    reads = (2,)
    coordinates = 4
    kind = "f32, f16 or bf16"

    def shape(
        self, boxes: Tensor, scores: Tensor, *rest: Tensor | None, output_type: str | None = "int64", **_: Any
    ) -> list[Tensor]:
        want_index_type(output_type, "output_type")
        for k, tensor in enumerate((boxes, scores, *rest)):
            want_dtype(tensor, self.names[k], k, "a number or bool" if k == 2 else self.kind)
        most = self.bound(boxes, scores, rest, or_single=True)
        if most is None or not rest:
            most = None
        triples = (upto(most), 3)
        return [Tensor(output_type, triples), Tensor("float32", triples), Tensor(output_type, (1,))]

    def bound(
        self, boxes: Tensor, scores: Tensor, rest: Sequence[Tensor | None], *, or_single: bool, per_class: bool = True
    ) -> Dim:
        """How many boxes there can be at most."""
        want_rank(boxes, "boxes", 0, 3)
        want_rank(scores, "scores", 1, 3)
        for k, tensor in enumerate(rest, 2):
            want_scalar(tensor, self.names[k], k, or_single=or_single)
        names = ("boxes", "scores")
        batch = want_equal(boxes, 0, scores, 0, names, (0, 1), "the batch")
        count = want_equal(boxes, 1, scores, 2, names, (0, 1), "the number of boxes")
        want_last(boxes, self.coordinates, "boxes", 0)
        if boxes.shape is None or scores.shape is None:
            return None
        most = rest[0] if rest else None
        if most is None:
            return 0
        wanted = most.entry
        if not values.is_number(wanted) or not isinstance(count, int):
            return None
        if not per_class:
            classes = scores.shape[1]
            return min(count, max(int(wanted), 0) * classes) if isinstance(classes, int) else None
        return dims.multiply(dims.multiply(max(min(count, int(wanted)), 0), scores.shape[1]), batch)

    def run(self, boxes: Any, scores: Any, *rest: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.detection import non_max_suppression

        return non_max_suppression(boxes, scores, *rest, **attrs)


class NonMaxSuppressionIndices(NonMaxSuppression):
    """Older versions, which hand out only the triples, as many as there can be."""

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
            want_dtype(tensor, self.names[k], k, "a number or bool" if k == 2 else "f32, f16 or bf16")
        most = self.bound(boxes, scores, rest, or_single=False, per_class=per_class)
        return Tensor(output_type, (most, 3))

    def run(self, boxes: Any, scores: Any, *rest: Any, **attrs: Any) -> Any:
        return super().run(boxes, scores, *rest, **attrs)[0]


class NMSRotated(NonMaxSuppression):
    """Boxes with an angle."""

    inputs = "boxes scores max_output_boxes_per_class iou_threshold score_threshold"
    coordinates = 5
    kind = "a floating-point number"


class MultiNms(Operator):
    """Boxes of all classes chosen together: rows (class, score, box), where they stood, how many per batch."""

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
                raise ShapeError(R.value_out_of_range, f"{name} is {number}; it must be at least -1", f"attr:{name}")
        if not 0 <= nms_eta <= 1:
            raise ShapeError(R.value_out_of_range, f"nms_eta is {nms_eta:g}; it must be 0..1", "attr:nms_eta")
        for k, tensor in ((0, boxes), (1, scores)):
            want_dtype(tensor, self.names[k], k, "f32, f16 or bf16")
        same_dtype((boxes, scores), self.names)
        want_rank(boxes, "boxes", 0, 3)
        want_rank(scores, "scores", 1, *((2,) if counts is not None else (3,)))
        want_last(boxes, 4, "boxes", 0)
        names = ("boxes", "scores")
        if counts is not None:
            want_dtype(counts, "roisnum", 2, "int32 or int64")
            want_rank(counts, "roisnum", 2, 1)
            classes = want_equal(boxes, 0, scores, 0, names, (0, 1), "the number of classes")
            total = want_equal(boxes, 1, scores, 1, names, (0, 1), "the number of boxes")
            batch = counts.shape[0] if counts.shape is not None else None
        else:
            batch = want_equal(boxes, 0, scores, 0, names, (0, 1), "the batch")
            total = want_equal(boxes, 1, scores, 2, names, (0, 1), "the number of boxes")
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

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.multiclass import matrix_nms

        return matrix_nms(*arrays, **attrs)


class DetectionOutput(Operator):
    """Boxes out of offsets, class scores and anchor boxes: rows (image, class, score, box)."""

    inputs = "box_logits class_preds proposals aux_class_preds? aux_box_preds?"

    def shape(
        self,
        boxes: Tensor,
        classes: Tensor,
        priors: Tensor,
        aux_classes: Tensor | None = None,
        aux_boxes: Tensor | None = None,
        *,
        num_classes: int | None = None,
        keep_top_k: Sequence[int] = (),
        top_k: int = -1,
        share_location: bool = True,
        normalized: bool = False,
        variance_encoded_in_target: bool = False,
        **_: Any,
    ) -> Tensor:
        tensors = (boxes, classes, priors, aux_classes, aux_boxes)
        if (aux_classes is None) != (aux_boxes is None):
            raise ShapeError(R.wrong_input_count, "takes 3 or 5 inputs, has 4")
        for k, tensor in enumerate(tensors):
            if tensor is not None:
                want_dtype(tensor, self.names[k], k, "a floating-point number")
                want_rank(tensor, self.names[k], k, 3 if k == 2 else 2)
        dtype = same_dtype(tensors[:2], self.names)
        if aux_classes is not None:
            same_dtype((boxes, aux_classes, aux_boxes), ("box_logits", "aux_class_preds", "aux_box_preds"), (0, 3, 4))
        width = 4 if normalized else 5
        anchors: Dim = None
        if priors.shape is not None:
            if (not variance_encoded_in_target and not dims.can_be(priors.shape[1], 2)) or (
                variance_encoded_in_target and not dims.can_be(priors.shape[1], 1)
            ):
                wanted = 1 if variance_encoded_in_target else 2
                raise ShapeError(
                    R.shape_mismatch,
                    f"proposals {show(priors.shape)} must have {wanted} rows: "
                    f"boxes{'' if wanted == 1 else ' and their variances'}",
                    "input:2",
                    [2],
                )
            if not dims.divisible(priors.shape[2], width):
                raise ShapeError(
                    R.shape_mismatch,
                    f"the last dimension of proposals {show(priors.shape)} must be a multiple of {width}",
                    "input:2",
                    [2],
                )
            anchors = dims.exact_divide(priors.shape[2], width)
        batch = self._batch(boxes, classes, priors)
        if isinstance(anchors, int):
            anchors = self._check_widths(boxes, classes, priors, anchors, num_classes, share_location)
        if aux_classes is not None and aux_boxes is not None:
            for k, tensor, other in ((3, aux_classes, classes), (4, aux_boxes, boxes)):
                self._check_aux(tensor, k, anchors, boxes, other, k == 3)
        if (
            num_classes is None
            and isinstance(anchors, int)
            and anchors
            and classes.shape is not None
            and isinstance(classes.shape[1], int)
        ):
            num_classes = classes.shape[1] // anchors
        return Tensor(dtype, (1, 1, self._rows(batch, anchors, keep_top_k, top_k, num_classes), 7))

    def _batch(self, boxes: Tensor, classes: Tensor, priors: Tensor) -> Dim:
        batch = want_equal(boxes, 0, classes, 0, ("box_logits", "class_preds"), (0, 1), "the batch")
        if priors.shape is not None and not (
            dims.can_be(priors.shape[0], 1) or dims.compatible(priors.shape[0], batch)
        ):
            raise ShapeError(
                R.shape_mismatch,
                f"proposals {show(priors.shape)} must be for one image or for all {show_dim(batch)}",
                "input:2",
                [0, 2],
            )
        if batch is None and priors.shape is not None and isinstance(priors.shape[0], int) and priors.shape[0] != 1:
            return priors.shape[0]
        return batch

    def _check_widths(
        self, boxes: Tensor, classes: Tensor, priors: Tensor, anchors: int, num_classes: int | None, shared: bool
    ) -> int:
        groups = 1 if shared else num_classes
        if boxes.shape is not None and isinstance(boxes.shape[1], int):
            if groups is None:
                if anchors and boxes.shape[1] % (anchors * 4):
                    raise self._wrong_width("box_logits", boxes, 0, anchors * 4, priors, exact=False)
            elif boxes.shape[1] != anchors * groups * 4:
                raise self._wrong_width("box_logits", boxes, 0, anchors * groups * 4, priors, exact=True)
        if classes.shape is not None and isinstance(classes.shape[1], int):
            if num_classes is None:
                if anchors and classes.shape[1] % anchors:
                    raise self._wrong_width("class_preds", classes, 1, anchors, priors, exact=False)
            elif classes.shape[1] != anchors * num_classes:
                raise self._wrong_width("class_preds", classes, 1, anchors * num_classes, priors, exact=True)
        return anchors

    @staticmethod
    def _wrong_width(name: str, tensor: Tensor, index: int, wanted: int, priors: Tensor, *, exact: bool) -> ShapeError:
        much = f"{wanted} numbers" if exact else f"a multiple of {wanted} numbers"
        return ShapeError(
            R.shape_mismatch,
            f"{name} {show(tensor.shape)} must have {much} per image for the anchor boxes of proposals {show(priors.shape)}",
            f"input:{index}",
            [index, 2],
        )

    def _check_aux(self, tensor: Tensor, k: int, anchors: Dim, boxes: Tensor, main: Tensor, is_classes: bool) -> None:
        if tensor.shape is None:
            return
        wanted: Dim = (
            dims.multiply(anchors, 2)
            if is_classes and anchors is not None
            else main.shape[1]
            if main.shape is not None and not is_classes
            else None
        )
        if (boxes.shape is not None and not dims.compatible(tensor.shape[0], boxes.shape[0])) or not dims.compatible(
            tensor.shape[1], wanted
        ):
            raise ShapeError(
                R.shape_mismatch,
                f"{self.names[k]} must have the shape {show((boxes.shape[0] if boxes.shape else None, wanted))}, "
                f"but it is {show(tensor.shape)}",
                f"input:{k}",
                [0, k],
            )

    @staticmethod
    def _rows(batch: Dim, anchors: Dim, keep: Sequence[int], top_k: int, num_classes: int | None) -> Dim:
        if keep and keep[0] > 0:
            return dims.multiply(batch, keep[0])
        if top_k > 0 and num_classes is not None:
            return dims.multiply(batch, top_k * num_classes)
        if num_classes is not None and anchors is not None:
            return dims.multiply(dims.multiply(batch, anchors), num_classes)
        return None

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.outputs import detection_output

        return detection_output(*arrays, **attrs)


class RegionYolo(Operator):
    """Network outputs of YOLO turned into probabilities."""

    def shape(
        self,
        data: Tensor,
        *,
        axis: int,
        end_axis: int,
        coords: int,
        classes: int,
        num: int,
        mask: Sequence[int] = (),
        do_softmax: bool = True,
        **_: Any,
    ) -> Tensor:
        want_dtype(data, "data", 0, "a floating-point number")
        want_rank(data, "data", 0, 4)
        if data.shape is None:
            return Tensor(data.dtype, None)
        if not do_softmax:
            return Tensor(data.dtype, (data.shape[0], (classes + coords + 1) * len(mask), *data.shape[2:]))
        rank = len(data.shape)
        first = normalise_axis(axis, rank, "attr:axis")
        last = normalise_axis(end_axis, rank, "attr:end_axis", "end_axis")
        flat = dims.product(data.shape[first : last + 1])
        return Tensor(data.dtype, (*data.shape[:first], flat, *data.shape[last + 1 :]))

    def run(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.outputs import region_yolo

        return region_yolo(data, **attrs)


class PriorBox(Operator):
    """Anchor boxes of several sizes around every cell of a grid, and their variances."""

    inputs = "output_size image_size"
    reads = (0,)

    def shape(
        self,
        grid: Tensor,
        image: Tensor,
        *,
        step: float = 0.0,
        offset: float = 0.0,
        variance: Sequence[float] = (),
        **attrs: Any,
    ) -> Tensor:
        self.check(grid, image, variance)
        return Tensor("float32", (2, self.total(grid, self.boxes_per_cell(**attrs))))

    def check(self, grid: Tensor, image: Tensor, variance: Sequence[float]) -> None:
        for k, tensor in ((0, grid), (1, image)):
            want_dtype(tensor, self.names[k], k, "an integer")
        if grid.shape is not None and image.shape is not None and len(grid.shape) != len(image.shape):
            raise ShapeError(
                R.wrong_rank,
                f"output_size {show(grid.shape)} and image_size {show(image.shape)} must have one number of dimensions",
                "input:1",
                [0, 1],
            )
        for k, tensor in ((0, grid), (1, image)):
            want_rank(tensor, self.names[k], k, 1)
        if grid.shape and not dims.can_be(grid.shape[0], 2):
            raise ShapeError(
                R.shape_mismatch,
                f"output_size must be height and width, but its shape is {show(grid.shape)}",
                "input:0",
                [0],
            )
        for number in variance:
            if number <= 0:
                raise ShapeError(
                    R.value_out_of_range, f"variance holds {number:g}; it must be more than 0", "attr:variance"
                )

    def total(self, grid: Tensor, each: int) -> Dim:
        size = values.as_dims(grid)
        if size is None or grid.value is None or len(size) < 2:
            return None
        return dims.multiply(dims.multiply(values.to_dim(size[0]), values.to_dim(size[1])), 4 * each)

    @staticmethod
    def boxes_per_cell(
        *,
        min_size: Sequence[float] = (),
        max_size: Sequence[float] = (),
        aspect_ratio: Sequence[float] = (),
        flip: bool = False,
        fixed_size: Sequence[float] = (),
        fixed_ratio: Sequence[float] = (),
        density: Sequence[float] = (),
        scale_all_sizes: bool = True,
        **_: Any,
    ) -> int:
        ratios = len(aspect_ratios(aspect_ratio, flip))
        total = ratios * len(min_size) + len(max_size) if scale_all_sizes else ratios + len(min_size) - 1
        if fixed_size:
            total = ratios * len(fixed_size)
        for count in density:
            total += (len(fixed_ratio) or ratios) * (int(count) ** 2 - 1)
        return total

    def run(self, grid: Any, image: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.priors import prior_box

        ratios = aspect_ratios(attrs.get("aspect_ratio", ()), attrs.get("flip", False))
        return prior_box(grid, image, ratios, self.boxes_per_cell(**attrs), **attrs)


def aspect_ratios(given: Sequence[float], flip: bool) -> list[float]:
    """1, and every other ratio once; with `flip` its reciprocal too."""
    found = [1.0]
    for ratio in given:
        if any(abs(ratio - known) < 1e-6 for known in found):
            continue
        found.append(ratio)
        if flip:
            found.append(1.0 / ratio if ratio else float("inf"))
    return found


class PriorBoxClustered(PriorBox):
    """Anchor boxes of listed widths and heights."""

    def shape(
        self,
        grid: Tensor,
        image: Tensor,
        *,
        width: Sequence[float] = (),
        height: Sequence[float] = (),
        variance: Sequence[float] = (),
        **_: Any,
    ) -> Tensor:
        if len(width) != len(height):
            raise ShapeError(
                R.wrong_value_length,
                f"width has {len(width)} numbers, but height {len(height)}; every box needs both",
                "attr:width",
            )
        self.check(grid, image, variance)
        return Tensor("float32", (2, self.total(grid, len(width))))

    def run(self, grid: Any, image: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.priors import prior_box_clustered

        return prior_box_clustered(grid, image, **attrs)
