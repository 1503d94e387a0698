"""Fake quantisation, and conversions to a common type."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun.dims import show
from irlint.dryrun.dtypes import BITS, FLOATS, UNSIGNED
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import broadcast
from irlint.dryrun.tensor import Tensor


class FakeQuantize(Operator):
    """Clipped to a range, rounded to levels, stretched to another range."""

    quantizes = True
    inputs = "x input_low input_high output_low output_high"

    def shape(self, x: Tensor, *limits: Tensor, auto_broadcast: str = "numpy", **_: Any) -> Tensor:
        for k, limit in enumerate(limits, 1):
            broadcast(x, limit, ("x", self.names[k]), auto_broadcast, 0, (0, k))
        return x

    def run(self, x: Any, low: Any, high: Any, out_low: Any, out_high: Any, *, levels: int, **_: Any) -> Any:
        fits = x.size and x.ndim >= max(1, *(limit.ndim for limit in (low, high, out_low, out_high)))
        if fits and x.dtype == np.float32 and levels > 1 and np.all(low < high):
            from irlint.dryrun.kernels.elementwise import quantized

            return quantized(x, low, high, out_low, out_high, levels - 1)
        steps = x.dtype.type(levels - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            inner = np.round((x - low) / (high - low) * steps) / steps * (out_high - out_low) + out_low
        return np.where(
            x <= np.minimum(low, high), out_low, np.where(x > np.maximum(low, high), out_high, inner)
        ).astype(x.dtype)


class FakeConvert(Operator):
    """Scaled, shifted, rounded to eight bits of floating point, and back."""

    quantizes = True
    inputs = "data:_/T=floats scale:S/T=floats shift?:S/T=floats"

    def shape(self, data: Tensor, scale: Tensor, shift: Tensor | None = None, **_: Any) -> Tensor:
        found = self.match(data, scale, shift)
        shape = broadcast(data, scale, ("data", "scale"))
        if shape is not None and data.shape is not None and len(shape) > len(data.shape):
            message = f"rank of `scale` {show(scale.shape)} is higher than that of `data` {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(found.dtype("T"), shape)

    def run(self, data: Any, scale: Any, shift: Any = None, *, destination_type: str = "f8e4m3", **_: Any) -> Any:
        from irlint.dryrun.running.arrays import cast

        shift = 0 if shift is None else shift
        kind = {"f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}.get(destination_type, destination_type)
        limit = 448.0 if kind == "float8_e4m3fn" else 57344.0
        squeezed = np.clip(data * scale - shift, -limit, limit)
        return ((cast(cast(squeezed, kind), str(data.dtype)) + shift) / scale).astype(data.dtype)


class ConvertPromoteTypes(Operator):
    """Convert both operands to a common type."""

    inputs = "in0:_/numbers|bool in1:_/numbers|bool"

    def shape(
        self,
        a: Tensor,
        b: Tensor,
        *,
        promote_unsafe: bool = False,
        pytorch_scalar_promotion: bool = False,
        u64_integer_promotion_target: str | None = "float32",
        **_: Any,
    ) -> list[Tensor]:
        self.match(a, b)
        dtype = None
        if a.dtype is not None and b.dtype is not None:
            dtype = promoted(a, b, promote_unsafe, pytorch_scalar_promotion, u64_integer_promotion_target)
        return [Tensor(dtype, a.shape), Tensor(dtype, b.shape)]

    def run(self, a: Any, b: Any, **attrs: Any) -> Any:
        from irlint.dryrun.running.arrays import cast

        first, second = (Tensor(str(x.dtype), x.shape) for x in (a, b))
        dtype = self.shape(first, second, **attrs)[0].dtype
        return [cast(a, dtype), cast(b, dtype)]


def _kind(dtype: str) -> str:
    return "float" if dtype in FLOATS else "unsigned" if dtype in UNSIGNED else "signed"


def promoted(a: Tensor, b: Tensor, unsafe: bool, scalars: bool, target: str | None) -> str | None:
    """Return the common type; without `unsafe` only one that keeps all values."""
    one, other = a.dtype or "", b.dtype or ""
    if one == other or "bool" in (one, other):
        return other if one == "bool" else one
    kinds = {_kind(one): one, _kind(other): other}
    if "float" not in kinds or len(kinds) == 1:
        beside = scalars and None not in (a.shape, b.shape) and (a.shape == ()) != (b.shape == ())
        wide, lone = (other, one) if a.shape == () else (one, other)
        found = _beside_scalar(wide, lone, unsafe) if beside else _of_one_kind(kinds, wide, lone, unsafe, target)
    else:
        real = kinds.pop("float")
        found = real if unsafe or BITS[real] >= 2 * BITS[next(iter(kinds.values()))] else ""
    if found == "":
        lossy = "`promote_unsafe` allows a lossy one"
        message = f"{one} and {other} have no common type that keeps all their values; {lossy}"
        raise ShapeError(R.dtype_mismatch, message, "input:1", [0, 1])
    return found


def _beside_scalar(wide: str, lone: str, unsafe: bool) -> str:
    """Return the type of a tensor if it takes a scalar of another type."""
    fits = (wide in UNSIGNED) == (lone in UNSIGNED) and BITS[wide] >= BITS[lone]
    return (
        wide if unsafe or fits or (wide not in UNSIGNED and lone in UNSIGNED and 2 * BITS[wide] >= BITS[lone]) else ""
    )


def _of_one_kind(kinds: dict[str, str], one: str, other: str, unsafe: bool, target: str | None) -> str | None:
    """Return the common type of two floats, or of two integers, with or without a sign."""
    if len(kinds) == 1:
        if BITS[one] != BITS[other]:
            return max(one, other, key=BITS.__getitem__)
        return f"float{2 * BITS[one]}" if unsafe and "float" in kinds and BITS[one] in (8, 16) else ""
    plain, signed = BITS[kinds["unsigned"]], BITS[kinds["signed"]]
    if plain <= 32 and (unsafe or 2 * plain <= signed):
        return f"int{max(2 * plain, signed)}"
    return target if unsafe else ""
