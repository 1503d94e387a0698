"""Tensors from attributes only: constants, ranges, diagonals, random numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import filled_with, normalise_axis
from irlint.dryrun.ops.shaped import FromShape
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


def _open(shape: Sequence[int] | None) -> tuple[Any, ...] | None:
    """Return a shape in which 0 and -1 mean "unknown"."""
    return None if shape is None else tuple(n if n > 0 else None for n in shape)


class Full(Operator):
    """A constant."""

    inputs = ""

    def shape(self, *, shape: Sequence[int] | None, dtype: str | None = "float32", **_: Any) -> Tensor:
        return Tensor(dtype, _open(shape) if shape else None)

    def run(self, *, shape: Sequence[int], fill: float = 0.0, dtype: str = "float32", **_: Any) -> Any:
        return filled_with(tuple(shape), fill, dtype)


def _drawn(shape: tuple[int, ...], dtype: str) -> Any:
    """Return numbers between 0 and 1 (integers: 0 and 100), the same in every run; their values are arbitrary."""
    return (np.random.default_rng(0).random(shape) * (1 if dtype.startswith("float") else 100)).astype(dtype)


class Random(Operator):
    """Random numbers of some distribution."""

    inputs = ""
    is_random = True

    def shape(
        self, *, shape: Sequence[int] | None, dtype: str | None = "float32", has_scalars: bool = False, **_: Any
    ) -> Tensor:
        return Tensor(dtype, () if has_scalars and not shape else _open(shape) or (1,))

    def run(self, *, shape: Sequence[int] | None, dtype: str = "float32", has_scalars: bool = False, **_: Any) -> Any:
        return _drawn(tuple(shape or (() if has_scalars else (1,))), dtype)


class RandomEach(Operator):
    """Random numbers, a block for each element of the distributions' parameters."""

    inputs = "first:P second?:P"
    is_random = True

    def shape(
        self,
        first: Tensor,
        second: Tensor | None = None,
        *,
        shape: Sequence[int] = (),
        dtype: str | None = "float32",
        **_: Any,
    ) -> Tensor:
        lead = self.match(first, second).shape("P")
        return Tensor(dtype, None if lead is None else (*lead, *shape))

    def run(self, first: Any, *_: Any, shape: Sequence[int] = (), dtype: str = "float32", **__: Any) -> Any:
        return _drawn((*first.shape, *shape), dtype)


class RandomLike(Operator):
    """Random numbers in the shape of another tensor, of its element type or another."""

    is_random = True

    def shape(self, data: Tensor, *, dtype: str | None = None, **_: Any) -> Tensor:
        return Tensor(dtype or data.dtype, data.shape)

    def run(self, data: Any, *, dtype: str | None = None, **_: Any) -> Any:
        from irlint.dryrun.running.arrays import stored

        return _drawn(data.shape, stored(dtype or str(data.dtype)))


class Arange(Operator):
    """Numbers from start to stop (exclusive) by step, each repeated."""

    inputs = ""

    def shape(
        self,
        *,
        start: float,
        stop: float | None,
        step: float,
        repeat: int = 1,
        dtype: str | None = "float32",
        may_be_empty: bool = False,
        **_: Any,
    ) -> Tensor:
        first, last = (0.0, start) if stop is None else (start, stop)
        count = max(math.ceil((last - first) / step), 0)
        if count == 0 and not may_be_empty:
            raise ShapeError(R.empty_output, f"range from {first} to {last} with step {step} is empty", "attr:step")
        return Tensor(dtype, (count * repeat,))

    def run(
        self, *, start: float, stop: float | None, step: float, repeat: int = 1, dtype: str = "float32", **_: Any
    ) -> Any:
        first, last = (0.0, start) if stop is None else (start, stop)
        return np.repeat(np.arange(first, last, step), repeat).astype(dtype)


class Linspace(Operator):
    inputs = " -> [num]/@dtype:float32"

    def run(
        self, *, start: float, stop: float, num: int, endpoint: bool = True, dtype: str = "float32", **_: Any
    ) -> Any:
        return np.linspace(start, stop, num, endpoint=endpoint).astype(dtype)


class LogSpace(Linspace):
    def run(self, *, base: float = 10.0, dtype: str = "float32", **attrs: Any) -> Any:
        return np.power(base, super().run(dtype="float64", **attrs)).astype(dtype)


class OnesOnDiagonal(Operator):
    """Ones on a diagonal."""

    inputs = ""

    def shape(self, *, rows: int, columns: int | None = None, dtype: str | None = "float32", **_: Any) -> Tensor:
        return Tensor(dtype, (rows, rows if columns is None else columns))

    def run(self, *, rows: int, columns: int | None = None, at: int = 0, dtype: str = "float32", **_: Any) -> Any:
        return np.eye(rows, columns, at, dtype=dtype)


class ArangeLike(FromShape):
    """A range with as many numbers as another tensor, or one of its axes."""

    def made(self, shape: Shape, /, *, axis: int | None = None, **_: Any) -> Shape:
        return shape if axis is None else (shape[normalise_axis(axis, len(shape), "attr:axis")],)

    def run(
        self, data: Any, *, axis: int | None = None, start: float = 0.0, step: float = 1.0, repeat: int = 1, **_: Any
    ) -> Any:
        shape = data.shape if axis is None else (data.shape[axis],)
        count = dims.numel(shape) or 0
        # mxnet 1.9.1 converts the start and the step
        first, by = data.dtype.type(start), data.dtype.type(step)
        return (first + by * (np.arange(count) // repeat)).astype(data.dtype).reshape(shape)


class Window(Operator):
    """A window function of a length."""

    inputs = ""

    def shape(self, *, length: int | None, dtype: str | None = None, **_: Any) -> Tensor:
        return Tensor(dtype, (max(length or 0, 0),))

    def run(self, *, length: int | None, function: str, dtype: str = "float32", **_: Any) -> Any:
        return getattr(np, function)(length or 0).astype(dtype)


class Indices(Operator):
    """The indices of a grid, axis by axis."""

    inputs = ""

    def shape(self, *, dimensions: Sequence[int], dtype: str | None = "int32", **_: Any) -> Tensor:
        return Tensor(dtype, (len(dimensions), *dimensions))

    def run(self, *, dimensions: Sequence[int], dtype: str = "int32", **_: Any) -> Any:
        return np.indices(tuple(dimensions)).astype(dtype)
