"""Elementwise operators with one operand: mathematics, rounding, tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from irlint.codes import R
from irlint.dryrun import values
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import Unary
from irlint.dryrun.tensor import Entries, Tensor

formulas: Any = Later("irlint.dryrun.kernels.formulas")


class Identity(Unary):
    inputs = "data:S/T -> S/T"

    def value(self, data: Tensor, **_: Any) -> Entries | None:
        return data.value

    def run(self, data: Any, **_: Any) -> Any:
        return data


class Negative(Unary):
    function = "negative"

    def value(self, data: Tensor, **_: Any) -> Entries | None:
        return None if (value := data.value) is None else tuple(map(values.negate, value))


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

    inputs = "data:S/T -> S/T"

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


def _numpy(function: str, entry: Any = None, rises: bool = False) -> type[Unary]:
    """Return the operator of a function of NumPy; `entry` computes it of one number."""
    return type(function, (Unary,), {"function": function, "entry": entry and staticmethod(entry), "rises": rises})


Abs = _numpy("abs", abs)
Sign = _numpy("sign", lambda x: (x > 0) - (x < 0), rises=True)
Sqrt = _numpy("sqrt", math.sqrt, rises=True)
Exp = _numpy("exp", math.exp, rises=True)
Log = _numpy("log", math.log, rises=True)
Sin = _numpy("sin")
Cos = _numpy("cos")
Tan = _numpy("tan")
Asin = _numpy("arcsin")
Acos = _numpy("arccos")
Atan = _numpy("arctan")
Sinh = _numpy("sinh")
Cosh = _numpy("cosh")
Tanh = _numpy("tanh")
Asinh = _numpy("arcsinh")
Acosh = _numpy("arccosh")
Atanh = _numpy("arctanh")


class ErfInv(Unary):
    inputs = "data:S/T=floats -> S/T"

    def run(self, data: Any, **_: Any) -> Any:
        from irlint.dryrun.kernels.special import erfinv

        return erfinv(data)


class LogicalNot(Unary):
    inputs = "data:S/T -> S/T"
    entry = staticmethod(lambda x: not x)
    function = "logical_not"


class BitwiseNot(Unary):
    inputs = "data:S/T=integers|bool -> S/T"
    entry = staticmethod(lambda x: not x if isinstance(x, bool) else ~x)
    function = "bitwise_not"


class IsNaN(Unary):
    inputs = "data:S/floats -> S/bool"
    function = "isnan"


class IsFinite(IsNaN):
    function = "isfinite"


class IsInf(IsNaN):
    function = ""

    def run(self, data: Any, *, detect_negative: bool = True, detect_positive: bool = True, **_: Any) -> Any:
        found = np.zeros(data.shape, bool)
        if detect_negative:
            found |= np.isneginf(data)
        if detect_positive:
            found |= np.isposinf(data)
        return found


class Elementary(Operator):
    """The shape and the type are unchanged."""

    inputs = "data:S/T -> S/T"


class Formula(Elementary):
    """A function of each element, by name: of kernels/formulas.py, which takes the other attributes, or of NumPy."""

    def run(self, data: Any, *, function: str, **parameters: Any) -> Any:
        return formulas.formula_in_type(data, function, **parameters)


class FullLike(Elementary):
    """A constant in the same shape."""

    def shape(self, data: Tensor, *, dtype: str | None = None, **_: Any) -> Tensor:
        return Tensor(dtype or data.dtype, data.shape)

    def run(self, data: Any, *, fill: float, dtype: str | None = None, **_: Any) -> Any:
        return np.full_like(data, fill, dtype)


class Clamp(Unary):
    """With `lenient` the runtime accepts a min larger than max."""

    def shape(
        self, data: Tensor, *, min: float = -math.inf, max: float = math.inf, lenient: bool = False, **_: Any
    ) -> list[Tensor]:
        found = self.match(data).results
        if not min <= max:
            message = f"`min` {min} is larger than `max` {max}"
            # OpenVINO 2026.4.1: Attribute 'min' must be less or equal than 'max'; mxnet 1.9.1 runs clip(2, 1)
            raise ShapeError(R.value_out_of_range, message, "attr:min", (), found if lenient else None)
        return found

    def value(self, data: Tensor, *, min: float = -math.inf, max: float = math.inf, **_: Any) -> Entries | None:
        if (value := data.value) is None:
            return None

        def clamp(x: float) -> float:
            return min if x < min else max if x > max else x

        return tuple([values.convert(values.monotonic(clamp, entry), data.dtype) for entry in value])

    def run(self, data: Any, *, min: float = -math.inf, max: float = math.inf, lenient: bool = False, **_: Any) -> Any:
        from irlint.dryrun.kernels.elementwise import clipped

        if min > max:  # MXNet 1.9.1 looks at max first
            return np.where(data > max, data.dtype.type(max), data.dtype.type(min))
        if data.dtype.kind in "iu":
            info = np.iinfo(data.dtype)
            least = math.trunc(min) if lenient else math.ceil(min)  # mxnet 1.9.1 cuts 2.5 to 2
            low, high = np.clip(least, info.min, info.max), np.clip(math.floor(max), info.min, info.max)
            return np.clip(data, int(low), int(high))
        return clipped(data, data.dtype.type(min), data.dtype.type(max))

    def run_over(self, place: int, data: Any, *, min: float = -math.inf, max: float = math.inf, **_: Any) -> Any:
        from irlint.dryrun.kernels.elementwise import clipped

        return None if min > max else clipped(data, data.dtype.type(min), data.dtype.type(max), data)


class LikeSecond(Operator):
    """A gradient in the shape of the forward operator's input."""

    inputs = "ograd input:S/T output -> S/T"


class SameShape(Operator):
    """Boxes and scores modified in place; the remaining boxes may be given as indices only."""

    inputs = "data count?"

    def shape(self, data: Tensor, *_: Tensor, return_indices: bool = False, **__: Any) -> Tensor:
        return Tensor() if return_indices else data


class Tested(Operator):
    """An elementwise test."""

    inputs = "data:S -> S/bool"

    def run(self, data: Any, *, function: str, **_: Any) -> Any:
        return getattr(np, function)(data)
