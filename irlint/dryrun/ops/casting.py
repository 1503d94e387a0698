"""Other element types."""

from __future__ import annotations

from typing import Any

from irlint.dryrun import values
from irlint.dryrun.dtypes import FLOATS
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import Unary
from irlint.dryrun.tensor import Entries, Tensor

_LONG = 2.0**31


class Cast(Operator):
    """Conversion to another element type, by NumPy's name."""

    def shape(self, data: Tensor, *, dtype: str | None, **_: Any) -> Tensor:
        return Tensor(dtype, data.shape)

    def run(self, data: Any, *, dtype: str | None, **_: Any) -> Any:
        from irlint.dryrun.arrays import cast

        return cast(data, dtype)


class CastFraction(Cast):
    """Conversion of floating-point tensors only; integers keep their type."""

    def shape(self, data: Tensor, *, dtype: str | None, **_: Any) -> Tensor:
        if data.dtype is None:
            return Tensor(None, data.shape)
        # mxnet 1.9.1: amp_cast to float16 leaves int32 as it is
        return Tensor(dtype if data.dtype in FLOATS else data.dtype, data.shape)

    def run(self, data: Any, *, dtype: str | None, **_: Any) -> Any:
        return super().run(data, dtype=dtype) if data.dtype.name in FLOATS else data


def converted(data: Any, dtype: str | None) -> Any:
    """Return an array as OpenVINO's CPU plug-in converts it (2026.4.1)."""
    from irlint.dryrun.arrays import cast

    if data.dtype.kind == "f" and dtype is not None:
        if dtype.startswith(("int", "uint")):
            # by way of i32: 1e20, -1e20 and NaN are -2147483648, 3e9 as i64 is, too
            data = np.where(np.abs(data) < _LONG, data, -_LONG).astype(np.int64)
        elif dtype == "bool":
            return (data < 0) | (data > 0)  # NaN is false
    return cast(data, dtype)


class Convert(Unary):
    """Conversion to another element type."""

    kind = None

    def shape(self, data: Tensor, *, destination_type: str | None = None, **_: Any) -> Tensor:
        return Tensor(destination_type, data.shape)

    def value(self, data: Tensor, *, destination_type: str | None = None, **_: Any) -> Entries | None:
        value = data.value
        return None if value is None else tuple([values.convert(entry, destination_type) for entry in value])

    def run(self, data: Any, *, destination_type: str | None = None, **_: Any) -> Any:
        return converted(data, destination_type)

    def run_packed(self, data: Any, *, destination_type: str | None = None, **_: Any) -> Any:
        return data.converted(destination_type)


class ConvertLike(Operator):
    inputs = "data like"

    def shape(self, data: Tensor, like: Tensor, **_: Any) -> Tensor:
        return Tensor(like.dtype, data.shape)

    def value(self, data: Tensor, like: Tensor, **_: Any) -> Entries | None:
        value = data.value
        return None if value is None else tuple([values.convert(entry, like.dtype) for entry in value])

    def run(self, data: Any, like: Any, **_: Any) -> Any:
        return converted(data, str(like.dtype))
