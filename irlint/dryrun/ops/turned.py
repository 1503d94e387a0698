"""Operators on images whose channels stand last."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator, operator
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


def channels_second(shape: Shape | None) -> Shape | None:
    return shape if shape is None or len(shape) < 3 else (shape[0], shape[-1], *shape[1:-1])


def channels_last(shape: Shape | None) -> Shape | None:
    return shape if shape is None or len(shape) < 3 else (shape[0], *shape[2:], shape[1])


class ChannelsLast(Operator):
    """The operator `inner`, with the channels of data and result moved to the end."""

    inputs = "data more*"

    def shape(self, data: Tensor, *rest: Tensor, inner: str, **attrs: Any) -> Tensor:
        result = operator(inner).shape(Tensor(data.dtype, channels_second(data.shape)), *rest, **attrs)
        assert isinstance(result, Tensor)
        return Tensor(result.dtype, channels_last(result.shape))

    def run(self, data: Any, *rest: Any, inner: str, **attrs: Any) -> Any:
        return np.moveaxis(operator(inner).run(np.moveaxis(data, -1, 1), *rest, **attrs), 1, -1)
