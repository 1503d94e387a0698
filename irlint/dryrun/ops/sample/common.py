"""Shared by operators on one sample: tensors without a batch dimension, channels outermost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import operand, show, show_dim
from irlint.dryrun.errors import ShapeError, counted
from irlint.dryrun.lazy import Later
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.shaped import Alike
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape

formulas: Any = Later("irlint.dryrun.kernels.formulas")


def made(shape: Sequence[Dim], part: str = "node", inputs: Sequence[int] = (0,), dtype: str | None = None) -> Tensor:
    """Return an output; raise if it has no elements."""
    for dim in shape:
        if type(dim) is int and dim <= 0:
            raise ShapeError(R.empty_output, f"output {show(shape)} has no elements", part, inputs)
    return Tensor(dtype, tuple(shape))


def want_size(size: Dim, wanted: Dim, name: str, data: Tensor, part: str, is_all_used: bool = False) -> None:
    """Raise unless a weight has as many elements as the data has channels. What it has more is never read, unless all of it is used."""
    if not dims.compatible(size, wanted):
        channels = f"channels of `data` {show(data.shape)} ({show_dim(wanted)})"
        message = f"{channels} do not match the {show_dim(size)} of {operand(name)}"
        more = not is_all_used and isinstance(size, int) and isinstance(wanted, int) and size > wanted
        raise ShapeError(R.shape_mismatch, message, part, [0], [Tensor(data.dtype, data.shape)] if more else None)


def rank_error(name: str, place: int, wanted: str, shape: Shape | None) -> ShapeError:
    return ShapeError(
        R.wrong_rank, f"expected rank {wanted} for {operand(name)}, got {show(shape)}", f"input:{place}", [place]
    )


LARGEST_RANK = 4


def resolved(computed: Any, shapes: Sequence[Any], part: str, *more: Any) -> Any:
    """Return numbers, or what a function computes from the shapes of all inputs."""
    if not callable(computed):
        return computed
    try:
        return computed(shapes, *more)
    except ValueError as error:
        raise ShapeError(R.value_out_of_range, str(error), part) from error


def by_channel(array: Any, data: Any) -> Any:
    """Return one number per channel of the data, ready to broadcast; more are not used."""
    return array[: data.shape[0]].reshape((-1,) + (1,) * (data.ndim - 1))


class Settled(Operator):
    """The base of operators of which nothing is said unless all shapes are known to the last dimension."""

    outputs = 1

    def shape(self, *tensors: Tensor | None, **attrs: Any) -> Tensor | list[Tensor]:
        if all(tensor is None or dims.is_known(tensor.shape) for tensor in tensors):
            return self.result(*tensors, **attrs)
        unknown = [Tensor(tensors[0].dtype if tensors and tensors[0] else None)] * counted(
            attrs.get("count", self.outputs)
        )
        return unknown if len(unknown) != 1 else unknown[0]

    def result(self, *tensors: Any, **attrs: Any) -> Tensor | list[Tensor]:
        raise NotImplementedError


class Copies(Operator):
    """The input, several times."""

    def shape(self, data: Tensor, *, count: int, **_: Any) -> list[Tensor]:
        return [Tensor(data.dtype, data.shape)] * counted(count)

    def run(self, data: Any, *, count: int, **_: Any) -> Any:
        return [data] * count


class Same(Operator):
    """The inputs, as they are."""

    inputs = "data*"

    def shape(self, *tensors: Tensor, count: int, **_: Any) -> list[Tensor]:
        return [Tensor(tensor.dtype, tensor.shape) for tensor in tensors[:count]]

    def run(self, *arrays: Any, count: int, **_: Any) -> Any:
        return list(arrays[:count])


class Unknown(Operator):
    """Outputs whose shape depends on numbers that only a run knows, or of which too little is known."""

    inputs = "data*"

    def shape(self, *_: Tensor, count: int = 1, **__: Any) -> list[Tensor]:
        return [Tensor("float32")] * counted(count)


class SampleFormula(Alike):
    """A function of each element."""

    def run(self, data: Any, *, function: str, parameters: tuple[float, ...] = (), **_: Any) -> Any:
        if str(data.dtype) == "int8" and function not in ("identity", "relu", "scaled"):
            raise ValueError(f"expected floats, got {data.dtype}")
        return formulas.formula(data, function, *parameters)


def activated(array: Any, activation: tuple[str, tuple[float, ...]] | None) -> Any:
    """Return an activation of an output, if there is one."""
    return array if activation is None else formulas.formula(array, activation[0], *activation[1])
