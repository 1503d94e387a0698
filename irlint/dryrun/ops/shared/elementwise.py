"""Elementwise operators with two operands: arithmetic, comparison, logic, bits."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, ClassVar

from irlint.dryrun import values
from irlint.dryrun.dtypes import FLOATS
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.matching import match
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import broadcast
from irlint.dryrun.signature import declared
from irlint.dryrun.tensor import Entries, Entry, Tensor

arrays: Any = Later("irlint.dryrun.running.arrays")
kernels: Any = Later("irlint.dryrun.kernels.elementwise")


def beside_number(dtype: str | None, whole: bool | None) -> str | None:
    """Return the output type of a tensor and a scalar in MXNet; `whole` is None if no operand is a scalar."""
    # mxnet 1.9.1, NumPy operators: True + 1 is int64
    if whole is None or dtype is None or dtype in FLOATS:
        return dtype
    return "float64" if not whole else "int64" if dtype == "bool" else dtype


_ALIKE = declared("a:_/T b:_/T").signature
_MIXED = declared("a:_/T=numbers b:_/numbers").signature


def _scalar(number: float, dtype: str | None) -> Any:
    """Return a scalar beside a tensor: mxnet 1.9.1 cuts the fraction off where the tensor holds integers."""
    if dtype is None or dtype in FLOATS:
        return number
    return (arrays.truncated(np.asarray(number), dtype) if isinstance(number, float) else np.asarray(number)).astype(
        dtype
    )


class Binary(Operator):
    """Base of all: one element type, broadcasting according to `auto_broadcast`."""

    inputs = "a:_/T b:_/T"
    result: ClassVar[str | None] = None  # element type of the result, if it is not the operands'
    entry: ClassVar[Any] = None
    function: ClassVar[str] = ""  # of NumPy, where there is one
    ufunc: ClassVar[str] = ""  # the same, where it may write over an operand

    def shape(
        self,
        a: Tensor,
        b: Tensor,
        *,
        auto_broadcast: str = "numpy",
        axis: int = 0,
        as_number: bool = False,
        whole: bool | None = None,
        mixed: bool = False,
        **_: Any,
    ) -> Tensor:
        """With `as_number` the output is 1 or 0 in the operands' own type. `whole`: the other operand is a scalar, integer or not.
        `mixed`: the exponent may have another type."""
        signature = _ALIKE if as_number else _MIXED if mixed else self.signature
        dtype = beside_number(match(signature, (a, b), self.names).dtype("T"), whole)
        names = (self.names[0], self.names[1])
        return Tensor(dtype if as_number else self.result or dtype, broadcast(a, b, names, auto_broadcast, axis))

    def value(self, a: Tensor, b: Tensor, **attrs: Any) -> Entries | None:
        if self.entry is None or a.shape is None or b.shape is None or attrs.get("auto_broadcast") == "pdpd":
            return None
        target = broadcast(a, b, ("a", "b"))
        if target is None:
            return None
        dtype, entry = self.result or a.dtype, self.entry
        return tuple([values.convert(entry(one, other), dtype) for one, other in values.aligned((a, b), target)])

    def run(
        self,
        a: Any,
        b: Any,
        *,
        auto_broadcast: str = "numpy",
        axis: int = 0,
        as_number: bool = False,
        whole: bool | None = None,
        **_: Any,
    ) -> Any:
        if whole is not None:
            kind = beside_number(next(x.dtype.name for x in (a, b) if hasattr(x, "dtype")), whole)
            a, b = (x.astype(kind, copy=False) if hasattr(x, "dtype") else _scalar(x, kind) for x in (a, b))
        if as_number:
            return np.asarray(self.compute(a, b), np.result_type(a, b))
        if auto_broadcast == "pdpd" and a.ndim > b.ndim:
            start = a.ndim - b.ndim if axis == -1 else axis
            b = b.reshape(b.shape + (1,) * (a.ndim - start - b.ndim))
        return self.compute(a, b)

    def compute(self, a: Any, b: Any) -> Any:
        return getattr(np, self.ufunc or self.function)(a, b)

    def run_over(self, place: int, *operands: Any, **attrs: Any) -> Any:
        if not self.ufunc or attrs.get("as_number") or attrs.get("auto_broadcast", "numpy") == "pdpd":
            return None
        return getattr(np, self.ufunc)(*operands, out=operands[place])


class Arithmetic(Binary):
    inputs = "a:_/T=numbers b:_/T=numbers"


def _numpy(base: type[Binary], function: str, entry: Any = None, may_overwrite: bool = False) -> type[Binary]:
    """Return the operator of a function of NumPy; `entry` computes it of two numbers or ranges."""
    name = "ufunc" if may_overwrite else "function"
    return type(function, (base,), {name: function, "entry": entry and staticmethod(entry)})


Add = _numpy(Arithmetic, "add", values.add, may_overwrite=True)
Maximum = _numpy(Arithmetic, "maximum", values.larger, may_overwrite=True)
Minimum = _numpy(Arithmetic, "minimum", values.smaller, may_overwrite=True)


class Hypot(Arithmetic):
    """The root of the sum of two squares."""

    def compute(self, a: Any, b: Any) -> Any:
        found = np.hypot(a, b)
        if not (_is_integer(a) and _is_integer(b)):
            return found
        kind = np.result_type(a, b)
        return arrays.truncated(found, str(kind)).astype(kind)


class Subtract(Arithmetic):
    entry = staticmethod(values.subtract)
    ufunc = "subtract"

    def run_packed(self, a: Any, b: Any, **attrs: Any) -> Any:
        return _stepped(self.ufunc, a, b, **attrs)


class Multiply(Arithmetic):
    entry = staticmethod(values.multiply)
    ufunc = "multiply"

    def compute(self, a: Any, b: Any) -> Any:
        return kernels.of_two(np.multiply, a, b)

    def run_over(self, place: int, *operands: Any, auto_broadcast: str = "numpy", **_: Any) -> Any:
        return _over(np.multiply, place, operands, auto_broadcast)

    def run_packed(self, a: Any, b: Any, **attrs: Any) -> Any:
        return _stepped(self.ufunc, *((a, b) if a.size >= b.size else (b, a)), **attrs)


def _over(function: Any, place: int, operands: Any, auto_broadcast: str) -> Any:
    """Return a product or a quotient in the place of an operand."""
    return None if auto_broadcast == "pdpd" else kernels.of_two(function, *operands, out=operands[place])


def _stepped(function: str, a: Any, b: Any, *, auto_broadcast: str = "numpy", **_: Any) -> Any:
    return a.stepped(function, b) if hasattr(a, "stepped") and auto_broadcast == "numpy" else None


def _is_integer(operand: Any) -> bool:
    """Return whether an array or a number is an integer."""
    return bool(operand.dtype.kind in "iu") if hasattr(operand, "dtype") else isinstance(operand, int)


def _quotient(a: float, b: float) -> float:
    return a // b if isinstance(a, int) and isinstance(b, int) else a / b


def _truncated(a: float, b: float) -> float:
    if isinstance(a, int) and isinstance(b, int):
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return a / b


class Divide(Arithmetic):
    """Division; integers round down, or towards zero without `m_pythondiv`."""

    function = "floor_divide"

    def value(self, a: Tensor, b: Tensor, *, m_pythondiv: bool = True, **attrs: Any) -> Entries | None:
        target = broadcast(a, b, ("a", "b"))
        if target is None or attrs.get("auto_broadcast") == "pdpd":
            return None
        rule = _quotient if m_pythondiv else _truncated
        pairs = values.aligned((a, b), target)
        return tuple([values.convert(values.divide(one, other, rule), a.dtype) for one, other in pairs])

    def run(
        self,
        a: Any,
        b: Any,
        *,
        m_pythondiv: bool = True,
        truncates: bool = False,
        fails_by_zero: bool = False,
        **attrs: Any,
    ) -> Any:
        """OpenVINO 2026.4.1 (CPU) truncates whatever `m_pythondiv` says; constants are folded as it says."""
        if fails_by_zero:
            want_divisors(b)
        if _is_integer(a) and m_pythondiv and not truncates:
            return super().run(a, b, **attrs)
        return _TO_ZERO.compute(a, b)

    def run_over(self, place: int, *operands: Any, auto_broadcast: str = "numpy", **_: Any) -> Any:
        return _over(np.true_divide, place, operands, auto_broadcast)


def want_divisors(b: Any) -> None:
    """Raise if integers are divided by 0."""
    if _is_integer(b) and not np.all(b):
        raise ZeroDivisionError("integer division by 0")


class DivideToZero(Arithmetic):
    """Division; integers round towards zero."""

    def compute(self, a: Any, b: Any) -> Any:
        if not _is_integer(a):
            return kernels.of_two(np.true_divide, a, b)
        found = np.floor_divide(a, b)
        found = found + ((found < 0) & (found * b != a))
        if not np.all(b):  # mxnet 1.9.1, a number by a tensor: what the conversion of infinity gives
            found = np.where(
                np.equal(b, 0), arrays.truncated(np.array(np.inf), str(found.dtype)).astype(found.dtype), found
            )
        return found


_TO_ZERO = DivideToZero()


def _remainder(a: Entry, b: Entry) -> Entry:
    """Return the range of an unknown integer's remainder by a positive one."""
    if not isinstance(b, int) or b < 1:
        return None
    low, high = values.entry_bounds(a)
    if low is not None and high is not None and low // b == high // b:
        return values.from_bounds(low % b, high % b)
    return values.from_bounds(0, b - 1)


class FloorMod(Arithmetic):
    """The remainder that takes the sign of the divisor."""

    function = "mod"

    @staticmethod
    def entry(a: Entry, b: Entry) -> Entry:
        if not (values.is_number(a) and values.is_number(b)) or b == 0:
            return _remainder(a, b)
        return a % b

    def run(self, a: Any, b: Any, *, fails_by_zero: bool = False, **attrs: Any) -> Any:
        if fails_by_zero:
            want_divisors(b)
        return super().run(a, b, **attrs)


class FloorModOrZero(FloorMod):
    """The same, and 0 for a divisor of 0."""

    def compute(self, a: Any, b: Any) -> Any:
        found = super().compute(a, b)
        # mxnet 1.9.1: 3 % 0 is 0, and 0 % 0
        return np.where(np.equal(b, 0), np.zeros((), found.dtype), found)


class Mod(Arithmetic):
    """The remainder that takes the sign of the dividend."""

    function = "fmod"

    @staticmethod
    def entry(a: Entry, b: Entry) -> Entry:
        if not (values.is_number(a) and values.is_number(b)) or b == 0:
            low = values.entry_bounds(a)[0]
            return _remainder(a, b) if low is not None and low >= 0 else None
        rest = math.fmod(a, b)
        return int(rest) if isinstance(a, int) and isinstance(b, int) else rest

    def run(self, a: Any, b: Any, *, fails_by_zero: bool = False, **attrs: Any) -> Any:
        if fails_by_zero:
            want_divisors(b)
        return super().run(a, b, **attrs)


class Power(Arithmetic):
    @staticmethod
    def entry(a: Entry, b: Entry) -> Entry:
        if not (values.is_number(a) and values.is_number(b)):
            return None
        try:
            result = float(a) ** float(b)
        except (OverflowError, ZeroDivisionError, ValueError):
            return None
        if isinstance(result, complex):
            return None
        return int(result) if isinstance(a, int) and math.isfinite(result) else result

    def compute(self, a: Any, b: Any) -> Any:
        if _is_integer(a) and _is_integer(b):
            kind = a.dtype if getattr(a, "ndim", 0) else np.result_type(a, b)
            with np.errstate(all="ignore"):
                return arrays.truncated(np.power(np.asarray(a, np.float64), b), str(kind)).astype(kind)
        is_root = getattr(b, "size", 0) == 1 and hasattr(a, "dtype") and a.dtype.kind == "f"
        root = _ROOTS.get(float(b.reshape(-1)[0])) if is_root else None
        if root is None or b.ndim > a.ndim:
            return np.power(a, b)
        return root(a)


# What OpenVINO's CPU plug-in (2026.4.1) computes without a logarithm, too.
_ROOTS: dict[float, Callable[[Any], Any]] = {
    2.0: lambda x: np.multiply(x, x),
    3.0: lambda x: x * x * x,
    0.5: lambda x: np.sqrt(x),
    -0.5: lambda x: 1 / np.sqrt(x),
    -1.0: lambda x: np.reciprocal(x),
}


class SquaredDifference(Arithmetic):
    @staticmethod
    def entry(a: Entry, b: Entry) -> Entry:
        return (a - b) ** 2 if values.is_number(a) and values.is_number(b) else None

    def compute(self, a: Any, b: Any) -> Any:
        difference = np.asarray(np.subtract(a, b))
        return np.multiply(difference, difference, out=difference)


def _exact(function: Callable[[Any, Any], bool]) -> Callable[[Entry, Entry], Entry]:
    """A comparison of numbers; the result for ranges is unknown."""

    def compare(a: Entry, b: Entry) -> Entry:
        return function(a, b) if values.is_number(a) and values.is_number(b) else None

    return compare


class Comparison(Binary):
    result = "bool"


def _never_equal(a: Entry, b: Entry) -> bool:
    """Return whether two ranges are disjoint."""
    (low, high), (other_low, other_high) = values.entry_bounds(a), values.entry_bounds(b)
    return (high is not None and other_low is not None and high < other_low) or (
        low is not None and other_high is not None and low > other_high
    )


def _equal(a: Entry, b: Entry) -> Entry:
    if values.is_number(a) and values.is_number(b):
        return a == b
    return False if _never_equal(a, b) else None


def _not_equal(a: Entry, b: Entry) -> Entry:
    return None if (equal := _equal(a, b)) is None else not equal


Equal = _numpy(Comparison, "equal", _equal)
NotEqual = _numpy(Comparison, "not_equal", _not_equal)
Less = _numpy(Comparison, "less", _exact(operator.lt))
LessEqual = _numpy(Comparison, "less_equal", _exact(operator.le))
Greater = _numpy(Comparison, "greater", _exact(operator.gt))
GreaterEqual = _numpy(Comparison, "greater_equal", _exact(operator.ge))


class Logical(Binary):
    inputs = "a:_/T=bool b:_/T=bool"
    result = "bool"


def _and(a: Entry, b: Entry) -> Entry:
    if a is False or b is False or a == 0 or b == 0:
        return False
    return None if a is None or b is None else True


def _or(a: Entry, b: Entry) -> Entry:
    if a or b:
        return True
    return None if a is None or b is None else False


LogicalAnd = _numpy(Logical, "logical_and", _and)
LogicalOr = _numpy(Logical, "logical_or", _or)
LogicalXor = _numpy(Logical, "logical_xor", _exact(lambda a, b: bool(a) != bool(b)))


class Bitwise(Binary):
    """Integers and booleans."""

    inputs = "a:_/T=integers|bool b:_/T=integers|bool"


class Shift(Binary):
    inputs = "a:_/T=integers b:_/T=integers"


BitwiseAnd = _numpy(Bitwise, "bitwise_and", _exact(operator.and_))
BitwiseOr = _numpy(Bitwise, "bitwise_or", _exact(operator.or_))
BitwiseXor = _numpy(Bitwise, "bitwise_xor", _exact(operator.xor))
BitwiseLeftShift = _numpy(Shift, "left_shift")
BitwiseRightShift = _numpy(Shift, "right_shift")
