"""Random samples, and their probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import fits
from irlint.dryrun.ops.moving.creation import RandomLike
from irlint.dryrun.tensor import Tensor


class SampleMultinomial(Operator):
    """Random classes by their probabilities, and the logarithm of these."""

    inputs = "data:[*B,_]"
    is_random = True

    def shape(
        self, data: Tensor, *, shape: Sequence[int] = (), dtype: str | None = "int32", chances: bool = False, **_: Any
    ) -> list[Tensor]:
        lead = self.match(data).shape("B")
        whole = None if lead is None else (*lead, *shape) or (1,)
        return [Tensor(dtype, whole), Tensor(data.dtype, whole)][: 1 + chances]


class Shuffle(RandomLike):
    """Rows in another order."""


class Density(Operator):
    """Probabilities of samples, by the parameters of each one's distribution."""

    inputs = "sample first:P second?:P"
    kernel = "formulas.density"

    def shape(
        self, sample: Tensor, first: Tensor, second: Tensor | None = None, *, vectors: bool = False, **_: Any
    ) -> Tensor:
        self.match(sample, first, second)
        if sample.shape is None:
            return sample
        if first.shape is not None:
            last = sample.shape[-1:] if vectors else ()
            begins = sample.shape[: len(first.shape) - len(last)] + last
            if len(first.shape) > len(sample.shape) or not fits(begins, first.shape):
                wanted = "expected a shape of `sample` that starts with that of the parameters"
                message = f"{wanted}, {show(first.shape)}, got {show(sample.shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(sample.dtype, sample.shape[:-1] or (1,)) if vectors else sample
