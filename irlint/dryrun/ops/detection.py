"""Object detection: outputs of a network as boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, same_dtype, want_dtype, want_rank
from irlint.dryrun.ops.nms import want_equal
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class DetectionOutput(Operator):
    """Boxes from offsets, class scores and anchor boxes: rows (image, class, score, box)."""

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
        if keep_top_k and (keep_top_k[0] == 0 or keep_top_k[0] < -1) and top_k > 0:
            # OpenVINO 2026.4.1, as it runs: "insufficient output buffer size"
            message = f"expected -1 or more than 0 for `keep_top_k`, got {keep_top_k[0]}"
            raise ShapeError(R.value_out_of_range, message, "attr:keep_top_k")
        if (aux_classes is None) != (aux_boxes is None):
            raise ShapeError(R.wrong_input_count, "expected 3 or 5 inputs, got 4")
        for k, tensor in enumerate(tensors):
            if tensor is not None:
                want_dtype(tensor, self.names[k], k, "a floating-point type")
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
                message = (
                    f"expected {wanted} in dimension 1 of `proposals` "
                    f"(boxes{'' if wanted == 1 else ' and variances'}), got {show(priors.shape)}"
                )
                raise ShapeError(R.shape_mismatch, message, "input:2", [2])
            if not dims.divisible(priors.shape[2], width):
                message = f"last dimension of `proposals` {show(priors.shape)} is not a multiple of {width}"
                raise ShapeError(R.shape_mismatch, message, "input:2", [2])
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
        batch = want_equal(boxes, 0, classes, 0, ("box_logits", "class_preds"), (0, 1), "batch sizes")
        if priors.shape is not None and not (
            dims.can_be(priors.shape[0], 1) or dims.compatible(priors.shape[0], batch)
        ):
            message = f"expected batch size 1 or {show_dim(batch)} for `proposals`, got {show(priors.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [0, 2])
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
            (
                f"expected {much} per image in `{name}` (for anchors of `proposals` {show(priors.shape)}), got "
                f"{show(tensor.shape)}"
            ),
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
            message = (
                f"expected shape {show((boxes.shape[0] if boxes.shape else None, wanted))} for `{self.names[k]}`, "
                f"got {show(tensor.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])

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
    """Outputs of a YOLO network as probabilities."""

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
        want_dtype(data, "data", 0, "a floating-point type")
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
