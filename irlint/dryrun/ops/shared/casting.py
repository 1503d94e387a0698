"""Other element types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import values
from irlint.dryrun.dtypes import BITS, FLOATS
from irlint.dryrun.errors import NoKernel, ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.running.arrays import stored
from irlint.dryrun.tensor import Entries, Tensor

_LONG = 2.0**31


def _entries(data: Tensor, dtype: str | None) -> Entries | None:
    """Return the elements as another type has them."""
    value = data.value
    return None if value is None else tuple([values.convert(entry, dtype) for entry in value])


class Cast(Operator):
    """Conversion to another element type, by NumPy's name."""

    inputs = "data:S -> S/@dtype"

    def run(self, data: Any, *, dtype: str | None, **_: Any) -> Any:
        from irlint.dryrun.running.arrays import cast

        return cast(data, dtype)


class CastFraction(Cast):
    """Conversion of floating-point tensors only; integers keep their type."""

    def shape(self, data: Tensor, *, dtype: str | None, **_: Any) -> Tensor:
        # mxnet 1.9.1: amp_cast to float16 leaves int32 as it is
        return Tensor(dtype if data.dtype in FLOATS else data.dtype, data.shape)

    def run(self, data: Any, *, dtype: str | None, **_: Any) -> Any:
        return super().run(data, dtype=dtype) if data.dtype.name in FLOATS else data


def converted(data: Any, dtype: str | None) -> Any:
    """Return an array as OpenVINO's CPU plug-in converts it (2026.4.1)."""
    from irlint.dryrun.running.arrays import cast

    if data.dtype.kind == "f" and dtype is not None:
        if dtype.startswith(("int", "uint")):
            # by way of i32: 1e20, -1e20 and NaN are -2147483648, 3e9 as i64 is, too
            data = np.where(np.abs(data) < _LONG, data, -_LONG).astype(np.int64)
        elif dtype == "bool":
            return (data < 0) | (data > 0)  # NaN is false
    return cast(data, dtype)


class Convert(Operator):
    """Conversion to another element type."""

    inputs = "data:S -> S/@destination_type"

    def value(self, data: Tensor, *, destination_type: str | None = None, **_: Any) -> Entries | None:
        return _entries(data, destination_type)

    def run(self, data: Any, *, destination_type: str | None = None, **_: Any) -> Any:
        return converted(data, destination_type)

    def run_packed(self, data: Any, *, destination_type: str | None = None, **_: Any) -> Any:
        return data.converted(destination_type)


class ConvertLike(Operator):
    inputs = "data:S like:_/T -> S/T"

    def value(self, data: Tensor, like: Tensor, **_: Any) -> Entries | None:
        return _entries(data, like.dtype)

    def run(self, data: Any, like: Any, **_: Any) -> Any:
        return converted(data, str(like.dtype))


def _is_mini(dtype: str | None) -> bool:
    return dtype is not None and BITS.get(dtype, 8) <= 8 and dtype in FLOATS


class CastTo(Operator):
    """Conversion to any element type, strings included. Without `saturate` what does not fit in 8-bit floating point becomes
    infinite or no number."""

    inputs = "data:S -> S/@dtype"

    def value(self, data: Tensor, *, dtype: str | None, **_: Any) -> Entries | None:
        return None if "string" in (dtype, data.dtype) or _is_mini(dtype) else _entries(data, dtype)

    def run(self, data: Any, *, dtype: str, saturate: bool = True, round_mode: str = "up", **_: Any) -> Any:
        from irlint.dryrun.kernels.casting import cast_to

        return cast_to(data, dtype, saturate, round_mode)


class CastLike(Operator):
    """Conversion to the element type of another tensor."""

    inputs = "data:S like:_/T -> S/T"
    typed = True

    def value(self, data: Tensor, like: Tensor, **_: Any) -> Entries | None:
        return _CAST.value(data, dtype=like.dtype)

    def run(self, data: Any, like: Any, *, dtypes: Sequence[str | None] = (None,), **attrs: Any) -> Any:
        return _CAST.run(data, dtype=dtypes[0] or like.dtype.name, **attrs)


class BitCast(Operator):
    """The same bits as elements of another type of the same size."""

    def shape(self, data: Tensor, *, dtype: str | None, **_: Any) -> Tensor:
        if data.dtype is not None and dtype is not None and BITS.get(data.dtype) != BITS.get(dtype):
            message = f"{data.dtype} and {dtype} differ in size"
            raise ShapeError(R.dtype_mismatch, message, "attr:dtype", [0])
        return Tensor(dtype, data.shape)

    def run(self, data: Any, *, dtype: str, **_: Any) -> Any:
        if stored(dtype) != dtype:
            raise NoKernel
        return data.view(dtype)


_CAST = CastTo()
