"""The data of tensors against their types and sizes."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.onnx.external import ExternalCheck
from irlint.formats.onnx.tensors import FIELDS, MOST, bits, elements
from irlint.formats.onnx.wire.messages import DTYPES, ELEMENT_NAMES, FLOAT, INTEGERS
from irlint.formats.onnx.wire.reader import Packed, Tree
from irlint.text.base import Path, Place
from irlint.text.words import count

_FIELDS = ("float_data", "int32_data", "string_data", "int64_data", "raw_data", "double_data", "uint64_data")
_PER_NUMBER = {"complex64": 2, "complex128": 2}  # numbers of an element
_IN_NUMBER = {4: 2, 2: 4}  # elements of so many bits in a number: onnxruntime 1.32 takes its lowest byte only
_KEYS = {"name", "dims", "data_type", "raw_data"}
_SIZES = {number: bits(dtype) // 8 for number, dtype in DTYPES.items() if dtype != "string" and not bits(dtype) % 8}
_GOES_ON = bytes(range(128, 256))  # bytes of a varint that are not its last


def data_problems(tensor: Tree, path: Path, name: str, external: ExternalCheck) -> Iterator[Problem]:
    """Yield what is wrong with one tensor: the first thing, as others may follow from it. `name` is how messages call it."""
    number, dims = tensor.get("data_type", 0), tensor.get("dims", ())
    if number not in DTYPES:
        message = f"unknown element type {number} of {name}" if number else f"{name} has no element type"
        yield Problem(R.value_not_allowed if number else R.missing_key, Place((*path, "data_type")), message)
        return
    if (wrong := next((k for k, dim in enumerate(dims) if dim < 0), None)) is not None:
        message = f"expected sizes of at least 0 for {name}, got {dims[wrong]}"
        yield Problem(R.value_out_of_range, Place((*path, "dims", wrong)), message)
        return
    if (size := elements(dims)) >= MOST:
        yield Problem(R.too_large, Place((*path, "dims")), f"{name} has at least 2^63 elements")
        return
    if tensor.get("cut"):
        return
    given = [field for field in _FIELDS if _length(tensor.get(field))]
    if tensor.get("data_location") == 1:
        if given:
            message = f"{name} has external data and `{given[0]}`"
            yield Problem(R.wrong_length, Place((*path, "data")), message)
        else:
            yield from external.problems(tensor, path, name)
        return
    yield from _held(tensor, path, name, given, size, DTYPES[number])


def is_plain(tensor: Tree) -> bool:
    """Return whether a tensor is as nearly all are: numbers of whole bytes, as many as its shape says."""
    raw, dims, size = tensor.get("raw_data"), tensor.get("dims", ()), _SIZES.get(tensor.get("data_type", 0))
    return (
        raw is not None and size is not None and tensor.keys() <= _KEYS and bool(raw) and min(dims, default=1) > 0
        and prod(dims) * size == len(raw)
    )  # fmt: skip


def _held(tensor: Tree, path: Path, name: str, given: list[str], size: int, dtype: str) -> Iterator[Problem]:
    shape = f"shape {list(tensor.get('dims', ()))}"
    at = Place((*path, "dims") if tensor.get("dims") else (*path, "data"))
    if not size:
        if given:
            yield Problem(R.wrong_length, at, f"{name} has data, but no elements: {shape}")
        return
    if not given:
        yield Problem(R.wrong_length, at, f"expected {count(size, 'element')} for {shape} of {name}, got none")
        return
    if len(given) > 1:
        words = " and ".join(f"`{field}`" for field in given[:2])
        yield Problem(R.wrong_length, Place((*path, "data")), f"{name} has data twice, in {words}")
        return
    if given[0] != "raw_data" and "raw_data" in tensor:  # onnxruntime 1.32 and OpenVINO 2026.4 read this one
        message = f"{name} has an empty `raw_data` and `{given[0]}`"
        yield Problem(R.wrong_length, Place((*path, "data")), message)
        return
    field, word = given[0], ELEMENT_NAMES[tensor["data_type"]]
    own = FIELDS.get(dtype, "int32_data")
    if field == "raw_data" and dtype != "string":
        wanted, got = (size * bits(dtype) + 7) // 8, len(tensor["raw_data"])
        if got != wanted:
            message = f"expected {count(wanted, 'byte')} for {shape} of {word} {name}, got {got:,}"
            yield Problem(R.wrong_length, at, message)
    elif field != own:
        message = f"expected the data of {word} {name} in `{own}`, got `{field}`"
        yield Problem(R.wrong_type, Place((*path, "data")), message)
    else:
        wanted = size * _PER_NUMBER.get(dtype, 1)
        if (packed := _IN_NUMBER.get(bits(dtype))) is not None:
            wanted = (size + packed - 1) // packed
        if (got := _length(tensor[field])) != wanted:
            message = f"expected {count(wanted, 'value')} for {shape} of {word} {name}, got {got:,}"
            yield Problem(R.wrong_length, at, message)


def _length(values: Any) -> int:
    if isinstance(values, Packed):
        if values.kind in INTEGERS:
            return len(bytes(values.view).translate(None, _GOES_ON))
        return len(values.view) // (4 if values.kind == FLOAT else 8)
    return len(values) if values is not None else 0
