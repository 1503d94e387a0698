"""Operators of one operand, element by element: mathematics, rounding, activations, tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show
from irlint.dryrun.dtypes import FLOATS
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import same_dtype, want_dtype, want_rank, want_scalar
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.graph import Shape


class Unary(Operator):
    """The base of all: the shape stays."""

    kind: ClassVar[str | None] = "a number"
    result: ClassVar[str | None] = None
    entry: ClassVar[Any] = None  # of one number
    rises: ClassVar[bool] = False  # keeps order, so that it can be applied to the ends of a range

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        if self.kind is not None:
            want_dtype(data, self.names[0], 0, self.kind)
        return data if self.result is None else Tensor(self.result, data.shape)

    def value(self, data: Tensor, **_: Any) -> Entries | None:
        if self.entry is None or (value := data.value) is None:
            return None
        return tuple([self._one(entry, data.dtype) for entry in value])

    def _one(self, entry: Entry, dtype: str | None) -> Entry:
        function = self.entry
        assert function is not None
        try:
            result = (
                values.monotonic(function, entry)
                if self.rises
                else function(entry)
                if values.is_number(entry)
                else None
            )
        except (ValueError, OverflowError, ZeroDivisionError):
            return None
        return values.convert(result, self.result or dtype)

    def run(self, data: Any, **_: Any) -> Any:
        raise NotImplementedError


class Identity(Unary):
    kind = None

    def value(self, data: Tensor, **_: Any) -> Entries | None:
        return data.value

    def run(self, data: Any, **_: Any) -> Any:
        return data


class Abs(Unary):
    entry = staticmethod(abs)

    def run(self, data: Any, **_: Any) -> Any:
        return np.abs(data)


class Negative(Unary):
    def value(self, data: Tensor, **_: Any) -> Entries | None:
        return None if (value := data.value) is None else tuple(map(values.negate, value))

    def run(self, data: Any, **_: Any) -> Any:
        return np.negative(data)


class Sign(Unary):
    entry = staticmethod(lambda x: (x > 0) - (x < 0))
    rises = True

    def run(self, data: Any, **_: Any) -> Any:
        return np.sign(data)


class Ceiling(Unary):
    entry = staticmethod(lambda x: x if isinstance(x, int) else math.ceil(x))
    rises = True

    def run(self, data: Any, **_: Any) -> Any:
        return np.ceil(data) if data.dtype.kind == "f" else data


class Floor(Unary):
    entry = staticmethod(lambda x: x if isinstance(x, int) else math.floor(x))
    rises = True

    def run(self, data: Any, **_: Any) -> Any:
        return np.floor(data) if data.dtype.kind == "f" else data


class Round(Unary):
    """To the nearest integer; halves to the even one, or away from zero."""

    kind = None

    def value(self, data: Tensor, *, mode: str = "half_to_even", **_: Any) -> Entries | None:
        if (value := data.value) is None:
            return None
        rule: Callable[[Any], Any] = (
            round if mode == "half_to_even" else lambda x: math.copysign(math.floor(abs(x) + 0.5), x)
        )
        return tuple([values.convert(values.monotonic(rule, entry), data.dtype) for entry in value])

    def run(self, data: Any, *, mode: str = "half_to_even", **_: Any) -> Any:
        if data.dtype.kind != "f":
            return data
        if mode == "half_to_even":
            return np.round(data)
        return np.copysign(np.floor(np.abs(data) + data.dtype.type(0.5)), data)


class Sqrt(Unary):
    entry = staticmethod(math.sqrt)
    rises = True

    def run(self, data: Any, **_: Any) -> Any:
        return np.sqrt(data)


class Exp(Unary):
    entry = staticmethod(math.exp)
    rises = True

    def run(self, data: Any, **_: Any) -> Any:
        return np.exp(data)


class Log(Unary):
    entry = staticmethod(math.log)
    rises = True

    def run(self, data: Any, **_: Any) -> Any:
        return np.log(data)


class Sin(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.sin(data)


class Cos(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.cos(data)


class Tan(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.tan(data)


class Asin(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.arcsin(data)


class Acos(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.arccos(data)


class Atan(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.arctan(data)


class Sinh(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.sinh(data)


class Cosh(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.cosh(data)


class Tanh(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.tanh(data)


class Asinh(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.arcsinh(data)


class Acosh(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.arccosh(data)


class Atanh(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.arctanh(data)


class Erf(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        from irlint.dryrun.special import erf

        return erf(data)


class ErfInv(Unary):
    kind = "a floating-point number"

    def run(self, data: Any, **_: Any) -> Any:
        from irlint.dryrun.special import erfinv

        return erfinv(data)


class Relu(Unary):
    entry = staticmethod(lambda x: max(x, 0))
    rises = True

    def run(self, data: Any, **_: Any) -> Any:
        return self._clipped(data) if data.dtype.kind == "f" else np.maximum(data, data.dtype.type(0))

    def run_over(self, place: int, data: Any, **_: Any) -> Any:
        return self._clipped(data, out=data)

    @staticmethod
    def _clipped(data: Any, out: Any = None) -> Any:
        """What `np.maximum` gives, in half the time."""
        return np.clip(data, data.dtype.type(0), data.dtype.type(np.inf), out=out)


class Sigmoid(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        result = np.asarray(np.negative(data))  # of a scalar NumPy makes no array
        with np.errstate(over="ignore"):
            np.exp(result, out=result)
        result += 1
        return np.reciprocal(result, out=result)


class Elu(Unary):
    kind = None

    def run(self, data: Any, *, alpha: float = 1.0, **_: Any) -> Any:
        return np.where(data > 0, data, data.dtype.type(alpha) * np.expm1(np.minimum(data, 0)))


class Gelu(Unary):
    kind = "a floating-point number"

    def run(self, data: Any, *, approximation_mode: str = "erf", **_: Any) -> Any:
        kind = data.dtype.type
        if approximation_mode == "tanh":
            inner = kind(math.sqrt(2 / math.pi)) * (data + kind(0.044715) * data * data * data)
            return kind(0.5) * data * (1 + np.tanh(inner))
        from irlint.dryrun.special import erf

        return kind(0.5) * data * (1 + erf(data * kind(math.sqrt(0.5))))


class HSigmoid(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.clip(data + 3, 0, 6) / data.dtype.type(6)


class HSwish(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return data * (np.clip(data + 3, 0, 6) / data.dtype.type(6))


class Mish(Unary):
    kind = "a floating-point number"

    def run(self, data: Any, **_: Any) -> Any:
        return data * np.tanh(np.logaddexp(data, data.dtype.type(0)))


class SoftPlus(Unary):
    kind = "a floating-point number"

    def run(self, data: Any, **_: Any) -> Any:
        return np.logaddexp(data, data.dtype.type(0))


class SoftSign(Unary):
    kind = "a floating-point number"

    def run(self, data: Any, **_: Any) -> Any:
        return data / (1 + np.abs(data))


class LogicalNot(Unary):
    kind = None
    entry = staticmethod(lambda x: not x)

    def run(self, data: Any, **_: Any) -> Any:
        return np.logical_not(data)


class BitwiseNot(Unary):
    kind = "an integer or bool"
    entry = staticmethod(lambda x: not x if isinstance(x, bool) else ~x)

    def run(self, data: Any, **_: Any) -> Any:
        return np.bitwise_not(data)


class IsNaN(Unary):
    kind = "a floating-point number"
    result = "bool"

    def run(self, data: Any, **_: Any) -> Any:
        return np.isnan(data)


class IsFinite(Unary):
    kind = "a floating-point number"
    result = "bool"

    def run(self, data: Any, **_: Any) -> Any:
        return np.isfinite(data)


class IsInf(Unary):
    kind = "a floating-point number"
    result = "bool"

    def run(self, data: Any, *, detect_negative: bool = True, detect_positive: bool = True, **_: Any) -> Any:
        found = np.zeros(data.shape, bool)
        if detect_negative:
            found |= np.isneginf(data)
        if detect_positive:
            found |= np.isposinf(data)
        return found


class Elementary(Operator):
    """The shape and the type stay, whatever they are."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return data


class Mapped(Elementary):
    """A function of NumPy, by name."""

    def run(self, data: Any, *, function: str, **_: Any) -> Any:
        return getattr(np, function)(data).astype(data.dtype, copy=False)


class Formula(Elementary):
    """A function that NumPy has no name for, by name."""

    def run(self, data: Any, *, function: str, **attrs: Any) -> Any:
        from irlint.dryrun import special

        return getattr(special, function)(data, **attrs).astype(data.dtype, copy=False)


class Cast(Operator):
    """Another element type, by NumPy's name."""

    def shape(self, data: Tensor, *, dtype: str | None, **_: Any) -> Tensor:
        return Tensor(dtype, data.shape)

    def run(self, data: Any, *, dtype: str | None, **_: Any) -> Any:
        from irlint.dryrun.arrays import cast

        return cast(data, dtype)


class CastFraction(Cast):
    """The same for tensors of fractions; whole numbers stay what they are."""

    def shape(self, data: Tensor, *, dtype: str | None, **_: Any) -> Tensor:
        if data.dtype is None:
            return Tensor(None, data.shape)
        return Tensor(dtype if data.dtype in FLOATS else data.dtype, data.shape)

    def run(self, data: Any, *, dtype: str | None, **_: Any) -> Any:
        return super().run(data, dtype=dtype) if data.dtype.name in FLOATS else data


class Filled(Elementary):
    """The same shape, one number everywhere."""

    def shape(self, data: Tensor, *, dtype: str | None = None, **attrs: Any) -> Tensor:
        found = super().shape(data, **attrs)
        return found if dtype is None else Tensor(dtype, found.shape)

    def run(self, data: Any, *, fill: float, dtype: str | None = None, **_: Any) -> Any:
        return np.full_like(data, fill, dtype)


class Clamp(Unary):
    """With `lenient` the runtime goes on where min is larger than max."""

    def shape(
        self, data: Tensor, *, min: float = -math.inf, max: float = math.inf, lenient: bool = False, **_: Any
    ) -> Tensor:
        from irlint.dryrun.errors import ShapeError

        result = super().shape(data)
        if not min <= max:
            raise ShapeError(
                R.value_out_of_range,
                f"min is {min:g}; it must not be more than max {max:g}",
                "attr:min",
                (),
                [result] if lenient else None,
            )
        return result

    def value(self, data: Tensor, *, min: float = -math.inf, max: float = math.inf, **_: Any) -> Entries | None:
        if (value := data.value) is None:
            return None

        def clamp(x: float) -> float:
            return min if x < min else max if x > max else x

        return tuple([values.convert(values.monotonic(clamp, entry), data.dtype) for entry in value])

    def run(self, data: Any, *, min: float = -math.inf, max: float = math.inf, **_: Any) -> Any:
        if min > max:  # MXNet 1.9.1 looks at max first
            return np.where(data > max, data.dtype.type(max), data.dtype.type(min))
        if data.dtype.kind in "iu":
            info = np.iinfo(data.dtype)
            low, high = np.clip(math.ceil(min), info.min, info.max), np.clip(math.floor(max), info.min, info.max)
            return np.clip(data, int(low), int(high))
        return np.clip(data, data.dtype.type(min), data.dtype.type(max))

    def run_over(self, place: int, data: Any, *, min: float = -math.inf, max: float = math.inf, **_: Any) -> Any:
        return None if min > max else np.clip(data, data.dtype.type(min), data.dtype.type(max), out=data)


class Convert(Unary):
    """Another element type."""

    kind = None

    def shape(self, data: Tensor, *, destination_type: str | None = None, **_: Any) -> Tensor:
        return Tensor(destination_type, data.shape)

    def value(self, data: Tensor, *, destination_type: str | None = None, **_: Any) -> Entries | None:
        value = data.value
        return None if value is None else tuple([values.convert(entry, destination_type) for entry in value])

    def run(self, data: Any, *, destination_type: str | None = None, **_: Any) -> Any:
        from irlint.dryrun.arrays import cast

        return cast(data, destination_type)


class ConvertLike(Operator):
    inputs = "data like"

    def shape(self, data: Tensor, like: Tensor, **_: Any) -> Tensor:
        return Tensor(like.dtype, data.shape)

    def value(self, data: Tensor, like: Tensor, **_: Any) -> Entries | None:
        value = data.value
        return None if value is None else tuple([values.convert(entry, like.dtype) for entry in value])

    def run(self, data: Any, like: Any, **_: Any) -> Any:
        from irlint.dryrun.arrays import cast

        return cast(data, str(like.dtype))


class Swish(Operator):
    inputs = "data beta?"

    def shape(self, data: Tensor, beta: Tensor | None = None, **_: Any) -> Tensor:
        want_dtype(data, "data", 0, "a floating-point number")
        if beta is not None:
            same_dtype((data, beta), ("data", "beta"))
            want_scalar(beta, "beta", 1, or_single=False)
        return data

    def run(self, data: Any, beta: Any = None, **_: Any) -> Any:
        scaled = data if beta is None else data * beta
        with np.errstate(over="ignore"):
            return data / (1 + np.exp(-scaled))


class Selu(Operator):
    inputs = "data alpha lambda"

    def shape(self, data: Tensor, alpha: Tensor, scale: Tensor, **_: Any) -> Tensor:
        dtype = same_dtype((data, alpha, scale), self.names)
        for k, tensor in enumerate((data, alpha, scale)):
            want_dtype(tensor, self.names[k], k, "a floating-point number")
        for k, tensor in ((1, alpha), (2, scale)):
            want_rank(tensor, self.names[k], k, 0, 1)
        return Tensor(dtype, data.shape)

    def run(self, data: Any, alpha: Any, scale: Any, **_: Any) -> Any:
        return scale * np.where(data > 0, data, alpha * np.expm1(np.minimum(data, 0)))


class HardSigmoid(Operator):
    inputs = "data alpha beta"

    def shape(self, data: Tensor, alpha: Tensor, beta: Tensor, **_: Any) -> Tensor:
        dtype = same_dtype((data, alpha, beta), self.names)
        want_scalar(alpha, "alpha", 1, or_single=False)
        want_scalar(beta, "beta", 2, or_single=False)
        return Tensor(dtype, data.shape)

    def run(self, data: Any, alpha: Any, beta: Any, **_: Any) -> Any:
        return np.clip(alpha * data + beta, 0, 1).astype(data.dtype)


class PRelu(Operator):
    """Leaky ReLU whose slope is a number, one per channel, or any shape that broadcasts."""

    inputs = "data slope"

    def shape(self, data: Tensor, slope: Tensor, **_: Any) -> Tensor:
        if data.shape and slope.shape and not self._fits(data.shape, slope.shape):
            raise ShapeError(
                R.shape_mismatch,
                f"slope {show(slope.shape)} does not broadcast to data {show(data.shape)}",
                "input:1",
                [0, 1],
            )
        return data

    @staticmethod
    def _fits(data: Shape, slope: Shape) -> bool:
        """What OpenVINO's CPU plug-in looks at (2026.4.1): the last dimensions, and the ranks unless all lengths are known."""
        if len(slope) == 1 and len(data) > 1 and dims.compatible(slope[0], data[1]):
            return True
        if len(slope) > len(data) and not dims.is_known(data):
            return False
        return dims.broadcastable(data[-1], slope[-1])

    def run(self, data: Any, slope: Any, **_: Any) -> Any:
        if slope.ndim == 1 and data.ndim > 1 and slope.size == data.shape[1]:
            slope = slope.reshape((-1,) + (1,) * (data.ndim - 2))
        result = np.where(data < 0, data * slope, data)
        if result.shape != data.shape:
            raise ValueError(f"slopes {slope.shape} do not fit data {data.shape}")
        return result
