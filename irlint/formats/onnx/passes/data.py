"""Declared types, and the data of tensors against their types and sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod
from typing import Any

from irlint.codes import R, Severity
from irlint.findings import Problem
from irlint.formats.onnx.external import ExternalCheck
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.formats.onnx.tensors import FIELDS, MOST, TensorData, bits, elements
from irlint.formats.onnx.trees import calls_in, names_of
from irlint.formats.onnx.wire import DTYPES, ELEMENT_NAMES
from irlint.formats.onnx.wire.reader import Packed
from irlint.text.base import Path, Place
from irlint.text.prototext.messages import FLOAT, INTEGERS, Tree
from irlint.text.words import count

_FIELDS = ("float_data", "int32_data", "string_data", "int64_data", "raw_data", "double_data", "uint64_data")
_PER_NUMBER = {"complex64": 2, "complex128": 2}  # numbers of an element
_IN_NUMBER = {4: 2, 2: 4}  # elements of so many bits in a number: onnxruntime 1.32 takes its lowest byte only
_MOST_INDICES = 1 << 20  # that are looked at
_NESTED = {"sequence_type": "elem_type", "optional_type": "elem_type", "map_type": "value_type"}
_ALIKE = (("float32", "float16", "float64"), ("int64", "int32"))  # element types of which another may have been meant
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
        outside = list(external.problems(tensor, path, name))
        if given:
            message = f"{name} has external data and `{given[0]}`"
            taken = "" if any(problem.is_error for problem in outside) else "onnxruntime reads the external data"
            yield Problem(R.wrong_length, Place((*path, "data")), message, taken=taken)
        yield from outside
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
    shape, data = f"shape {list(tensor.get('dims', ()))}", Place((*path, "data"))
    at = Place((*path, "dims")) if tensor.get("dims") else data
    if len(given) > 1 and size:
        message, field = f"{name} has data twice, in `{given[0]}` and `{given[1]}`", TensorData(tensor).field
        is_read = field in given and not any(_counted(tensor, field, size, dtype, shape, name, at, data))
        yield Problem(R.wrong_length, data, message, taken=f"onnxruntime reads `{field}`" if is_read else "")
    elif not size and given:
        yield Problem(R.wrong_length, at, f"{name} has data, but no elements: {shape}")
    elif size and not given:
        yield Problem(R.wrong_length, at, f"expected {count(size, 'element')} for {shape} of {name}, got none")
    elif (
        given and given[0] != "raw_data" and "raw_data" in tensor
    ):  # onnxruntime 1.32 and OpenVINO 2026.4 read this one
        yield Problem(R.wrong_length, data, f"{name} has an empty `raw_data` and `{given[0]}`")
    elif given:
        yield from _counted(tensor, given[0], size, dtype, shape, name, at, data)


def _counted(
    tensor: Tree, field: str, size: int, dtype: str, shape: str, name: str, at: Place, data: Place
) -> Iterator[Problem]:
    """Report numbers in a field of another type, or fewer or more than the elements of a shape."""
    own, what = FIELDS.get(dtype, "int32_data"), f"{ELEMENT_NAMES[tensor['data_type']]} {name}"
    if field == "raw_data" and dtype != "string":
        wanted, got, unit = (size * bits(dtype) + 7) // 8, len(tensor["raw_data"]), "byte"
    elif field == own:
        packed = _IN_NUMBER.get(bits(dtype), 1)
        wanted, got, unit = (size * _PER_NUMBER.get(dtype, 1) + packed - 1) // packed, _length(tensor[field]), "value"
    else:
        yield Problem(R.wrong_type, data, f"expected the data of {what} in `{own}`, got `{field}`")
        return
    if got != wanted:
        would = _would_fit(tensor, dtype, got * 8 // bits(dtype) if unit == "byte" else got) if bits(dtype) else ""
        yield Problem(R.wrong_length, at, f"expected {count(wanted, unit)} for {shape} of {what}, got {got:,}{would}")


def _would_fit(tensor: Tree, dtype: str, held: int) -> str:
    """Return which other size or element type the data would fit, if there is one such change."""
    dims = list(tensor.get("dims", ()))
    rest = [prod([*dims[:k], *dims[k + 1 :]]) for k in range(len(dims))]
    fitting = [[*dims[:k], held // size, *dims[k + 1 :]] for k, size in enumerate(rest) if size and held % size == 0]
    found = [f"shape {other}" for other in fitting if 0 not in other]
    own, size = bits(dtype), prod(dims)
    width = held * own / size if size and "raw_data" in tensor else 0
    alike = next((kinds for kinds in _ALIKE if dtype in kinds), ())
    found += [other for other in alike if bits(other) == width]
    return f"; {found[0]} would fit" if len(found) == 1 else ""


def _length(values: Any) -> int:
    """Return how many numbers a field has, without unpacking them."""
    if not isinstance(values, Packed):
        return len(values or ())
    if values.kind in INTEGERS:
        return len(bytes(values.view).translate(None, _GOES_ON))
    return len(values.view) // (4 if values.kind == FLOAT else 8)


def sparse_problems(tensor: Tree, at: Place, name: str) -> Iterator[Problem]:
    """Yield the first thing that is wrong with a sparse tensor: as many indices as values, in order and inside the shape.

    onnx.checker 1.23.2 refuses others, and onnxruntime 1.32 most of them.
    """
    values, indices, dims = tensor.get("values", {}), tensor.get("indices", {}), tensor.get("dims", [])
    if any(one.get("cut") for one in (tensor, values, indices)):
        return
    sizes, shape, kind = values.get("dims", ()), list(indices.get("dims", ())), DTYPES.get(indices.get("data_type", 0))
    if not dims:
        yield Problem(R.wrong_length, at, f"expected a shape of at least one dimension for {name}, got a scalar")
    elif len(sizes) != 1:
        yield Problem(R.wrong_length, at, f"expected a list of values for {name}, got shape {list(sizes)}")
    elif not sizes[0]:
        return
    elif kind != "int64":
        yield Problem(R.wrong_type, at, f"expected indices of type int64 for {name}, got {kind}")
    elif shape not in ([sizes[0]], [sizes[0], len(dims)]):
        message = f"expected indices of shape [{sizes[0]}] or [{sizes[0]}, {len(dims)}] for {count(sizes[0], 'value')} of {name}"
        yield Problem(R.wrong_length, at, f"{message}, got {shape}")
    else:
        yield from _of_indices(TensorData(indices).entries_up_to(_MOST_INDICES) or (), dims, len(shape) == 1, at, name)


def sparse_uses(graph: Tree, path: Path) -> Iterator[Problem]:
    """Report sparse initializers that operators of ONNX take as inputs, in one problem: no such operator takes sparse tensors, and
    onnx.checker with full_check (1.23.2) refuses them. onnxruntime 1.32 makes them dense."""
    names = [sparse.get("values", {}).get("name", "") for sparse in graph.get("sparse_initializer", ())]
    wanted, users = set(filter(None, names)), dict[str, str]()
    for call in calls_in(graph.get("node", ()) if wanted else ()):
        if domain_of(call.get("domain", "")) in (DEFAULT, "ai.onnx.ml"):
            users |= dict.fromkeys(wanted.intersection(call.get("input", ())) - users.keys(), call.get("op_type", ""))
    used = [k for k, name in enumerate(names) if name in users]
    if used:
        name, others = names[used[0]], f" and {count(len(used) - 1, 'other')}" if used[1:] else ""
        message = f"{users[name]} takes sparse initializer {name!r}{others} as input; onnx.checker refuses it, onnxruntime does not"
        at = Place((*path, "sparse_initializer", used[0], "values", "name"))
        yield Problem(R.dtype_mismatch, at, message, severity=Severity.WARNING)


def _of_indices(numbers: Sequence[int], dims: Sequence[int], is_flat: bool, at: Place, name: str) -> Iterator[Problem]:
    most = [prod(dims)] if is_flat else list(dims)
    width = len(most)
    indices = [tuple(numbers[k : k + width]) for k in range(0, len(numbers), width)]
    for index in indices:
        if not all(0 <= place < length for place, length in zip(index, most, strict=True)):
            message = f"index {_shown(index)} is out of range for shape {list(dims)} of {name}"
            yield Problem(R.value_out_of_range, at, message)
            return
    for one, two in pairwise(indices):
        if one >= two:
            message = f"indices of {name} are not in ascending order: {_shown(two)} follows {_shown(one)}"
            yield Problem(R.value_not_allowed, at, message)
            return


def _shown(index: Sequence[int]) -> str:
    return str(index[0] if len(index) == 1 else list(index))


def type_problems(kind: Tree, path: Path, name: str) -> Iterator[Problem]:
    """Yield what is wrong with the type of a value."""
    for field in ("tensor_type", "sparse_tensor_type"):
        if field in kind:
            yield from _of_tensor(kind[field], (*path, field), name)
    for field, inner in _NESTED.items():
        if inner in kind.get(field, {}):
            yield from type_problems(kind[field][inner], (*path, field, inner), name)
    if kind.get("map_type", {}).get("key_type", 1) not in ELEMENT_NAMES:
        yield _unknown(kind["map_type"]["key_type"], (*path, "map_type", "key_type"), name)


def _of_tensor(tensor: Tree, path: Path, name: str) -> Iterator[Problem]:
    number = tensor.get("elem_type")
    if number is not None and number not in ELEMENT_NAMES:
        yield _unknown(number, (*path, "elem_type"), name)
    for k, dim in enumerate(tensor.get("shape", {}).get("dim", ())):
        value = dim.get("dim_value", 0)
        if value < 0:
            message = f"expected a size of at least 0 for dimension {k} of {name!r}, got {value}"
            at = Place((*path, "shape", "dim", k))
            # onnxruntime 1.32 takes a negative size for any; some exporters write -1
            severity = Severity.PEDANTIC if value == -1 else Severity.WARNING
            taken = "onnxruntime takes it for any size"
            yield Problem(R.value_out_of_range, at, message, name, severity=severity, taken=taken)


def _unknown(number: int, path: Path, name: str) -> Problem:
    message = f"unknown element type {number} of {name!r}" if number else f"{name!r} has no element type"
    return Problem(R.value_not_allowed, Place(path), message, name)


def is_typed(kind: Tree) -> bool:
    """Return whether a type names an element type, if only one that does not exist."""
    return bool(kind.get("tensor_type", {}).get("elem_type", 0))


def inner_values(graph: Tree, has_constants: bool = True) -> set[str]:
    """Return the values that nodes of a graph compute for each other, and its initializers; those of Constants only on request: a
    declaration without an element type is filled in from them by onnx's inference (1.23.2), and not read by onnxruntime (1.32)."""
    calls = (call for call in graph.get("node", ()) if has_constants or call.get("op_type") != "Constant")
    made = {name for call in calls for name in call.get("output", ())}
    made.difference_update(names_of(graph.get("output", ())))
    return made.union(names_of(graph.get("initializer", ())))
