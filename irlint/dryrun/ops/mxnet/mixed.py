"""Arithmetic of operands with different element types, as in MXNet's NumPy operators."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun.dtypes import BITS, is_float
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator, operator
from irlint.dryrun.ops.common import broadcast, same_dtype
from irlint.dryrun.ops.shared.elementwise import beside_number
from irlint.dryrun.tensor import Tensor

_FUSSY = ("Subtract", "FloorMod")  # mxnet 1.9.1 takes int32 with int64 only where one is stretched


class Mixed(Operator):
    """An elementwise operator; floats take precedence over integers, wide types over narrow ones."""

    inputs = "a b"

    def shape(self, a: Tensor, b: Tensor, *, function: str, **_: Any) -> Tensor:
        shape = broadcast(a, b, (self.names[0], self.names[1]))
        if a.dtype is None or b.dtype is None:
            return Tensor(None, shape)
        fractions = is_float(a.dtype) + is_float(b.dtype)
        if a.dtype != b.dtype and not self._mixes(a, b, function, fractions):
            same_dtype((a, b), self.names)  # raises
        return Tensor(_wider(a.dtype, b.dtype, function), shape)

    @staticmethod
    def _mixes(a: Tensor, b: Tensor, function: str, fractions: int) -> bool:
        if fractions == 1:
            return True
        # mxnet 1.9.1: true_divide of int32 and int64, or of float32 and float64, is "not implemented yet"
        if function == "Divide":
            return False
        if fractions == 2:
            return True
        # mxnet 1.9.1 fails on them: data type do not match specified type
        if {a.dtype, b.dtype} == {"int8", "uint8"}:
            return False
        return function not in _FUSSY or a.shape is None or a.shape != b.shape

    def run(self, a: Any, b: Any, *, function: str, **_: Any) -> Any:
        kind = np.dtype(_wider(a.dtype.name, b.dtype.name, function))
        compute = operator(f"shared/elementwise.{function}").compute  # type: ignore[attr-defined]
        whole = compute if function != "Divide" else np.true_divide
        return np.asarray(whole(a.astype(kind), b.astype(kind)), kind)


def _wider(one: str, other: str, function: str) -> str:
    # mxnet 1.9.1: int32 divided by int32 is float32
    if function == "Divide" and not is_float(one) and not is_float(other):
        return "float32"
    if one == other:
        return one
    if is_float(one) != is_float(other):
        return one if is_float(one) else other
    if "bool" in (one, other):
        return other if one == "bool" else one
    if BITS[one] == BITS[other]:
        raise ShapeError(R.dtype_mismatch, f"cannot mix {one} and {other}", "node", [0, 1])
    return max(one, other, key=BITS.__getitem__)


class TrueDivide(Operator):
    """Division of a tensor and a scalar; integers become float32."""

    inputs = "a:_/T b:_/T"

    def shape(self, a: Tensor, b: Tensor, **_: Any) -> Tensor:
        dtype = self.match(a, b).dtype("T")
        return Tensor(dtype if is_float(dtype) else "float32", broadcast(a, b, (self.names[0], self.names[1])))

    def run(self, a: Any, b: Any, **_: Any) -> Any:
        a, b = (x if is_float(x.dtype.name) else x.astype(np.float32) for x in map(np.asarray, (a, b)))
        return np.true_divide(a, b).astype(max(a, b, key=np.ndim).dtype)


_WHOLE = frozenset(("lcm", "bitwise_and", "bitwise_or", "bitwise_xor"))  # of whole numbers only, whatever the number is


class Paired(Operator):
    """A NumPy function of two operands that broadcast; a test returns bool."""

    inputs = "lhs:_/T rhs:_/T"

    def shape(
        self, a: Tensor, b: Tensor, *, function: str, question: bool = False, whole: bool | None = None, **_: Any
    ) -> Tensor:
        dtype = beside_number(self.match(a, b).dtype("T"), None if function in _WHOLE else whole)
        return Tensor("bool" if question else dtype, broadcast(a, b, (self.names[0], self.names[1])))

    def run(self, a: Any, b: Any, *, function: str, question: bool = False, whole: bool | None = None, **_: Any) -> Any:
        if whole is not None and function not in _WHOLE:
            a, b = (
                x.astype(beside_number(x.dtype.name, whole), copy=False) if hasattr(x, "dtype") else x for x in (a, b)
            )
        if function == "ldexp":
            return a * np.power(2.0, b).astype(getattr(b, "dtype", np.float32))
        with np.errstate(all="ignore"):
            result = getattr(np, function)(a, b)
        return result if question else np.asarray(result, np.result_type(a, b))


class Polynomial(Operator):
    """A polynomial, the highest power first, at every x."""

    inputs = "p x:S/T -> S/T"

    def run(self, p: Any, x: Any, **_: Any) -> Any:
        return np.polyval(p, x).astype(x.dtype)
