"""What only training computes otherwise: dropout, and losses of classes."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun.errors import NoKernel, ShapeError
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor
from irlint.dryrun.values import is_number
from irlint.graph import Dim
from irlint.text.words import count

reducing: Any = Later("irlint.dryrun.kernels.reducing")


class Dropout(Operator):
    """The data as it is, and which elements were kept: all, unless an operand says that this is training."""

    inputs = "data ratio?:one training_mode?:one/bool"
    reads = (1, 2)

    def shape(
        self,
        data: Tensor,
        ratio: Tensor | None = None,
        training: Tensor | None = None,
        *,
        mask_as_data: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        self.match(data, ratio, training)
        # onnxruntime 1.32 removes a node without `training_mode` before it looks at the ratio.
        if training is not None and ratio is not None and is_number(drop := ratio.entry) and not 0 <= drop < 1:
            message = f"expected at least 0 and less than 1 for `ratio`, got {drop:g}"
            raise ShapeError(R.value_out_of_range, message, "input:1", [1])
        return [data, Tensor(data.dtype if mask_as_data else "bool", data.shape)]

    def run(self, data: Any, ratio: Any = None, training: Any = None, *, mask_as_data: bool = False, **_: Any) -> Any:
        if training is not None and bool(training.reshape(-1)[0]) and (ratio is None or ratio.reshape(-1)[0] != 0):
            raise NoKernel
        return [data, np.ones(data.shape, data.dtype if mask_as_data else bool)]


class ClassLoss(Operator):
    """The negative logarithm of the probability of each target class, weighted by class, and summed or averaged. With `scores`
    the operand has no logarithms yet; they are the second output."""

    inputs = "data:[N,C,*D]/T target:[N,*D]/index weight?:[C] -> [N,*D]/T"
    reads = (1,)

    def shape(
        self,
        data: Tensor,
        target: Tensor,
        weight: Tensor | None = None,
        *,
        reduction: str = "mean",
        ignore_index: int | None = None,
        scores: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        # onnxruntime 1.32 runs other numbers of weights where it makes the logarithms itself
        says = "data:[N,C,*D]/T target:[N,*D]/index weight?:[_] -> [N,*D]/T" if scores else ""
        found = self.match(data, target, weight, says=says)
        self._check_targets(found["C"], target, ignore_index)
        loss = found.results if reduction == "none" else [Tensor(data.dtype, ())]
        return [*loss, data] if scores else loss

    @staticmethod
    def _check_targets(classes: Dim, target: Tensor, ignored: int | None) -> None:
        """Raise for a known class past the end; onnxruntime 1.32 counts classes below zero from the end."""
        if not isinstance(classes, int):
            return
        for one in target.value or ():
            if is_number(one) and one != ignored and not -classes <= one < classes:
                message = f"class {one} in `target` is out of range for {count(classes, 'class', 'classes')}"
                raise ShapeError(R.value_out_of_range, message, "input:1", [0, 1])

    def run(
        self,
        data: Any,
        target: Any,
        weight: Any = None,
        *,
        reduction: str = "mean",
        ignore_index: int | None = None,
        scores: bool = False,
        **_: Any,
    ) -> Any:
        logs = reducing.softmax(data, axis=1, kind="log_softmax") if scores else data
        skipped = np.zeros(target.shape, bool) if ignore_index is None else target == ignore_index
        safe = np.where(skipped, 0, target).astype(np.int64)
        loss = -np.take_along_axis(logs, np.expand_dims(safe, 1), 1)[:, 0]
        share = np.ones(target.shape, data.dtype) if weight is None else weight[safe]
        share = np.where(skipped, 0, share)
        loss = np.where(skipped, 0, loss * share)
        if reduction == "mean":
            loss = np.sum(loss) / np.sum(share) if target.size else 0  # onnxruntime 1.32
        elif reduction == "sum":
            loss = np.sum(loss)
        loss = np.asarray(loss, data.dtype)
        return [loss, logs.astype(data.dtype)] if scores else [loss]
