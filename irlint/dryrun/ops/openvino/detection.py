"""Object detection: outputs of a network as boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


class DetectionOutput(Operator):
    """Boxes from offsets, class scores and anchor boxes: rows (image, class, score, box)."""

    inputs = (
        "box_logits:[B,L]/T=floats class_preds:[B,K]/T=floats proposals:[P,_,_]/floats aux_class_preds?:[_,_]/T=floats "
        "aux_box_preds?:[_,_]/T=floats"
    )
    kernel = "outputs.detection_output"

    def shape(
        self,
        *tensors: Any,
        num_classes: int | None = None,
        keep_top_k: Sequence[int] = (),
        top_k: int = -1,
        share_location: bool = True,
        normalized: bool = False,
        variance_encoded_in_target: bool = False,
        **_: Any,
    ) -> Tensor:
        boxes, classes, priors, aux_classes, aux_boxes = (*tensors, None, None)[:5]
        if keep_top_k and (keep_top_k[0] == 0 or keep_top_k[0] < -1) and top_k > 0:
            # OpenVINO 2026.4.1, as it runs: "insufficient output buffer size"
            message = f"expected -1 or more than 0 for `keep_top_k`, got {keep_top_k[0]}"
            raise ShapeError(R.value_out_of_range, message, "attr:keep_top_k")
        if (aux_classes is None) != (aux_boxes is None):
            raise ShapeError(R.wrong_input_count, "expected 3 or 5 inputs, got 4")
        found = self.match(*tensors)
        anchors = self._anchors(priors, 4 if normalized else 5, 1 if variance_encoded_in_target else 2)
        batch = self._batch(found["B"], found["P"], priors)
        if isinstance(anchors, int):
            self._check_width(boxes, 0, anchors * 4, 1 if share_location else num_classes, priors)
            self._check_width(classes, 1, anchors, num_classes, priors)
            if num_classes is None and anchors and isinstance(found["K"], int):
                num_classes = found["K"] // anchors
        self._check_aux(aux_classes, 3, (found["B"], None if anchors is None else dims.multiply(anchors, 2)))
        self._check_aux(aux_boxes, 4, (found["B"], found["L"]))
        return Tensor(found.dtype("T"), (1, 1, self._rows(batch, anchors, keep_top_k, top_k, num_classes), 7))

    @staticmethod
    def _anchors(priors: Tensor, width: int, parts: int) -> Dim:
        """Return the number of anchors, of so many numbers each, perhaps with variances in a second part."""
        if priors.shape is None:
            return None
        if not dims.can_be(priors.shape[1], parts):
            message = (
                f"expected {parts} in dimension 1 of `proposals` (boxes{'' if parts == 1 else ' and variances'}), got "
                f"{show(priors.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:2", [2])
        if not dims.divisible(priors.shape[2], width):
            message = f"last dimension of `proposals` {show(priors.shape)} is not a multiple of {width}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [2])
        return dims.exact_divide(priors.shape[2], width)

    @staticmethod
    def _batch(batch: Dim, own: Dim, priors: Tensor) -> Dim:
        if not (dims.can_be(own, 1) or dims.compatible(own, batch)):
            message = f"expected batch size 1 or {show_dim(batch)} for `proposals`, got {show(priors.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [0, 2])
        return own if batch is None and isinstance(own, int) and own != 1 else batch

    def _check_width(self, tensor: Tensor, index: int, each: int, times: int | None, priors: Tensor) -> None:
        """Raise unless there are `each` numbers, so many times or, if that is unknown, any number of times."""
        width = tensor.shape[1] if tensor.shape is not None else None
        if not isinstance(width, int) or not (width != each * times if times is not None else each and width % each):
            return
        much = f"a multiple of {each} numbers" if times is None else f"{each * times} numbers"
        message = (
            f"expected {much} per image in `{self.names[index]}` (for anchors of `proposals` {show(priors.shape)}), got "
            f"{show(tensor.shape)}"
        )
        raise ShapeError(R.shape_mismatch, message, f"input:{index}", [index, 2])

    def _check_aux(self, tensor: Tensor | None, k: int, wanted: Shape) -> None:
        if tensor is not None and tensor.shape is not None and not all(map(dims.compatible, tensor.shape, wanted)):
            message = f"expected shape {show(wanted)} for `{self.names[k]}`, got {show(tensor.shape)}"
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


class RegionYolo(Operator):
    """Outputs of a YOLO network as probabilities."""

    inputs = "data:[N,_,H,W]/T=floats -> [N,depth,H,W]/T"
    kernel = "outputs.region_yolo"

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
        (found,) = self.match(data, depth=(classes + coords + 1) * len(mask)).results
        if data.shape is None or not do_softmax:
            return found if data.shape is not None else data
        rank = len(data.shape)
        first = normalise_axis(axis, rank, "attr:axis")
        last = normalise_axis(end_axis, rank, "attr:end_axis", "end_axis")
        flat = dims.product(data.shape[first : last + 1])
        return Tensor(data.dtype, (*data.shape[:first], flat, *data.shape[last + 1 :]))
