"""Tensors of small integers with the range that they stand for: the smallest and the largest number, a tensor of one each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator, operator
from irlint.dryrun.tensor import Tensor

_LIMITS = {"int8": 127.0, "uint8": 255.0, "int32": 2147483647.0}
_SPANS = {"int8": 127.5, "uint8": 255.5}  # mxnet 1.9.1 (CPU): 127 of -1 to 1 is dequantized to 0.9961
RANGE = Tensor("float32", (1,))


def _size(low: Any, high: Any) -> Any:
    """The larger of two absolute values."""
    return np.maximum(np.abs(low), np.abs(high)).astype(np.float32).reshape(-1)[0]


def _one(number: Any) -> Any:
    return np.array([number], np.float32)


def to_integers(data: Any, size: Any, limit: float) -> Any:
    """Zero stays zero, `size` becomes `limit`; halves go away from zero."""
    scaled = np.abs(data) * np.float32(limit / size) + np.float32(0.5)
    return np.trunc(np.sign(data) * np.minimum(scaled, limit))


class _Ranged(Operator):
    def shape(self, data: Tensor, *_: Any, kind: str | None = "int8", **__: Any) -> list[Tensor]:
        return [Tensor(kind, data.shape), RANGE, RANGE]


class Quantize(_Ranged):
    """Quantise real numbers, with a given range or that of the data."""

    inputs = "data min_range? max_range?"

    def run(
        self, data: Any, low: Any = None, high: Any = None, *, kind: str, told: Sequence[Any] = (None, None), **_: Any
    ) -> Any:
        if low is None:
            low, high = (data.min(), data.max()) if None in told else told
        size = _size(low, high)
        scaled = np.rint(data * np.float32(_SPANS[kind] / size))
        least, most = (0, 255) if kind == "uint8" else (-128, 127)
        ends = (low, high) if kind == "uint8" else (-size, size)
        return [np.clip(scaled, least, most).astype(kind), _one(ends[0]), _one(ends[1])]


class QuantizeBetween(Quantize):
    """By a range given as operands, of which the larger absolute value counts; the unsigned kind begins at zero."""

    def run(self, data: Any, low: Any = None, high: Any = None, *, kind: str, **_: Any) -> Any:
        first, last = (np.float32(np.reshape(end, -1)[0]) for end in (low, high))
        size = _size(first, last)
        if kind == "uint8":
            scaled = np.rint(data * np.float32(_LIMITS[kind] / size))
            return [np.clip(scaled, 0, 255).astype(np.uint8), _one(first), _one(last)]
        scaled = np.rint(data * np.float32(127.0 / size))  # mxnet 1.9.1 (CPU): the smallest is -128
        return [np.fmin(np.clip(scaled, -128, 127), 127).astype(np.int8), _one(-size), _one(size)]


class Requantize(_Ranged):
    """Long integers as short ones."""

    inputs = "data min_range max_range"

    def run(
        self, data: Any, low: Any, high: Any, *, kind: str = "int8", told: Sequence[Any] = (None, None), **_: Any
    ) -> Any:
        real = data.astype(np.float32) * np.float32(_size(low, high) / _LIMITS["int32"])
        size = np.abs(real).max() if None in told else np.float32(max(abs(told[0]), abs(told[1])))
        limit = _LIMITS[kind]
        return [to_integers(real, size, limit).astype(kind), _one(0.0 if kind == "uint8" else -size), _one(size)]


class Dequantize(Operator):
    """Dequantise."""

    inputs = "data:S min_range max_range -> S/float32"

    def run(self, data: Any, low: Any, high: Any, **_: Any) -> Any:
        return data.astype(np.float32) * np.float32(_size(low, high) / _SPANS.get(str(data.dtype), _LIMITS["int32"]))


class QuantisedKept(Operator):
    """An operator that works on quantised data unchanged: the range is kept. Ranges follow the operands."""

    inputs = "data more+"

    def shape(self, data: Tensor, *_: Tensor, inner: str, **attrs: Any) -> list[Tensor]:
        result = operator(inner).shape(data, **attrs)
        assert isinstance(result, Tensor)
        return [Tensor(data.dtype, result.shape), RANGE, RANGE]

    def run(self, data: Any, low: Any, high: Any, *, inner: str, **attrs: Any) -> Any:
        found = operator(inner).run(data.astype(np.float32), **attrs)
        found = np.rint(found) if attrs.get("pool_type") == "avg" else found
        return [found.astype(data.dtype), low.reshape(1), high.reshape(1)]


_PER_AXIS = ("kernel", "strides", "dilations", "pads_begin", "pads_end")


def _fitted(attrs: dict[str, Any], rank: int) -> dict[str, Any]:
    """Pooling; a kernel may have more numbers than spatial axes: the first ones are used."""
    return {name: value[: rank - 2] if name in _PER_AXIS and rank > 3 else value for name, value in attrs.items()}


class Multiplied(Operator):
    """Data times weight, plus bias: products are long integers. With `bias` the operands are data, weight, bias, then
    the three ranges."""

    inputs = "data weight more+"

    def shape(self, data: Tensor, weight: Tensor, *more: Tensor, inner: str, bias: bool, **attrs: Any) -> list[Tensor]:
        real = [Tensor(None, tensor.shape) for tensor in (data, weight, *more[: int(bias)])]
        result = operator(inner).shape(*real, **(attrs if data.shape is None else _fitted(attrs, len(data.shape))))
        assert isinstance(result, Tensor)
        return [Tensor("int32", result.shape), RANGE, RANGE]

    def run(self, data: Any, weight: Any, *more: Any, inner: str, bias: bool, **attrs: Any) -> Any:
        low, high, weight_low, weight_high = more[int(bias) : int(bias) + 4]
        sizes = _size(low, high) * _size(weight_low, weight_high)
        operands = [data.astype(np.float64), weight.astype(np.float64)]
        if bias:
            scale = _SPANS[str(data.dtype)] * _size(*more[5:7]) / sizes
            operands.append(np.trunc(more[0].astype(np.float64) * scale))
        found = operator(inner).run(*operands, **_fitted(attrs, data.ndim))
        limit = np.float32(sizes / 127.0 / 127.0 * _LIMITS["int32"])
        return [np.rint(found).astype(np.int32), _one(-limit), _one(limit)]


class QuantisedConcat(Operator):
    """Tensors side by side, in the widest of their ranges."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, count: int, axis: int, **_: Any) -> list[Tensor]:
        result = operator("moving/joining.Concat").shape(*tensors[:count], axis=axis)
        assert isinstance(result, Tensor)
        return [result, RANGE, RANGE]
