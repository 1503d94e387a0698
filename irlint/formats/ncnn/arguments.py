"""A layer's parameters by the names that the operator table gives them, as a release of the runtime reads them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from math import prod
from struct import pack, unpack
from typing import Any

from irlint.checks.signature import ParameterValues, Values
from irlint.graph import UNKNOWN, Type
from irlint.operators import Attribute, Operator, table
from irlint.rules.base import Model
from irlint.text.layers.values import parameters
from irlint.text.numbers import decimal

INT32 = range(-(1 << 31), 1 << 31)
STRICT = 20261020  # since then a file is validated; before, it is believed, and what is wrong is computed or crashes
PACKAGE = "1.0."  # what versions of the Python package begin with
HINTS = "30"  # the parameter for shapes of outputs that converters write down, which any layer may have
_LARGEST_SHAPE = (1 << 62) - 4
_TYPES: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "string": (str,)}


_LARGEST = 3.4028235677973366e38  # what is less rounds to a float of 32 bits


def arguments(operator: Operator, attrs: Mapping[str, Any]) -> Values:
    """Return the values of all parameters by label: what is written, or the default."""
    return signature(operator.name).values(attrs)


@lru_cache(maxsize=1 << 16)
def values_of(op: str, params: str) -> Values:
    """Return the same of a layer as it is written. The result is shared by layers that are written alike: it must not be changed."""
    return signature(op).values(parameters(params))


@cache
def signature(op: str) -> ParameterValues:
    operator = table("ncnn").get(op)
    assert operator is not None
    return ParameterValues(operator, _read)


def _read(attribute: Attribute, value: Any) -> Any:
    if not is_read(attribute, value):
        return None
    return as_floats(value, attribute.facts.get("exact", False)) or value if attribute.kind == "floats" else value


def is_read(attribute: Attribute, value: Any) -> bool:
    """Return whether the runtime takes a value; instead of another it uses the default, or it refuses the layer."""
    if attribute.kind in ("ints", "floats"):
        return isinstance(value, list) and all(map(_is_number, value))
    return isinstance(value, _TYPES.get(attribute.kind, ())) and (isinstance(value, str) or _is_number(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, int) and value in INT32)


def as_floats(value: list[Any], exact: bool) -> list[Any] | None:
    """Return an array of floats as the runtime reads it: integers among floats, and others that it does not convert, are the bits
    of floats. None if they are not the bits of any float that somebody may have meant."""
    if not any(isinstance(item, int) for item in value) or not (
        exact or any(isinstance(item, float) for item in value)
    ):
        return value
    found = [item if isinstance(item, float) else _bits(item) for item in value]
    return found if all(item == 0 or 1e-9 < abs(item) < 1e12 for item in found) else None


def _bits(number: int) -> float:
    return float(unpack("<f", pack("<I", number & 0xFFFFFFFF))[0])


def meant_by_bits(item: int) -> str | None:
    """Return the float whose bits old converters wrote as an integer; None if the integer is more likely to be intended, such as a limit
    of 1000000000."""
    value = _bits(item) if abs(item) > 1 << 24 and item % 1_000_000 else 0.0
    if not 1e-6 < abs(value) < 1e6:
        return None
    texts = (f"{value:.{digits}g}" for digits in range(6, 10))
    found = next(text for text in texts if pack("<f", float(text)) == pack("<f", value))
    return repr(float(found))


def is_too_large(item: Any) -> bool:
    """Return whether a number does not fit in 32 bits."""
    return (isinstance(item, int) and item not in INT32) or (isinstance(item, float) and abs(item) > _LARGEST)


def oldest(model: Model) -> int:
    """Return the release that the file is meant for: the newest, unless the user names one."""
    word = model.targets.get("ncnn", "").removeprefix(PACKAGE)
    return decimal(word) or STRICT


def hint_slip(numbers: Any, count: int) -> str:
    """Return what is wrong with shapes that are written down for the outputs of a layer; the runtime refuses such a layer."""
    if not isinstance(numbers, list) or not numbers or not count or not all(type(number) is int for number in numbers):
        return ""
    step, rest = divmod(len(numbers), count)
    if rest or step not in (4, 5):
        return f"expected 4 or 5 numbers per output, got {len(numbers)}"
    for k in range(0, len(numbers), step):
        rank, *sizes = numbers[k : k + step]
        if not 0 <= rank < step:
            return f"expected a rank of 0 to {step - 1}, got {rank}"
        if any(size < 0 for size in (sizes if rank > 2 else sizes[:rank])):
            return f"expected sizes of 0 or more, got {min(sizes)}"
        if prod(sizes if rank > 2 else sizes[:rank]) >= _LARGEST_SHAPE:
            return f"expected a shape of less than {_LARGEST_SHAPE} elements"
    return ""


def hinted(numbers: Any, count: int) -> list[Type]:
    """Return the shapes that a converter wrote down for the outputs of a layer: of each the rank, then w, h, perhaps d, and c."""
    step = len(numbers) // count if isinstance(numbers, list) and count else 0
    found = [UNKNOWN] * count
    if step in (4, 5) and all(isinstance(number, int) for number in numbers):
        for k in range(count):
            rank, *sizes = numbers[k * step : (k + 1) * step]
            if 0 < rank < step:
                inner = [*sizes[: min(rank, 2)], *sizes[2 : rank - 1], *sizes[-1:] * (rank > 2)]
                found[k] = Type(None, tuple(reversed(inner)))
    return found
