"""Sparse tensors: as many indices as values, in order and inside the shape.

onnx.checker 1.23.2 refuses others, and onnxruntime 1.32 most of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod

from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.wire.messages import DTYPES
from irlint.formats.onnx.wire.reader import Tree
from irlint.text.base import Place
from irlint.text.words import count

_MOST = 1 << 20  # numbers that are looked at


def sparse_problems(tensor: Tree, at: Place, name: str) -> Iterator[Problem]:
    """Yield the first thing that is wrong with a sparse tensor."""
    values, indices, dims = tensor.get("values", {}), tensor.get("indices", {}), tensor.get("dims", [])
    if tensor.get("cut") or values.get("cut") or indices.get("cut"):
        return
    if not dims:
        yield Problem(R.wrong_length, at, f"expected a shape of at least one dimension for {name}, got a scalar")
        return
    if len(values.get("dims", ())) != 1:
        message = f"expected a list of values for {name}, got shape {list(values.get('dims', ()))}"
        yield Problem(R.wrong_length, at, message)
        return
    size, shape = values["dims"][0], list(indices.get("dims", ()))
    if size and (kind := DTYPES.get(indices.get("data_type", 0))) != "int64":
        yield Problem(R.wrong_type, at, f"expected indices of type int64 for {name}, got {kind}")
        return
    if size and shape not in ([size], [size, len(dims)]):
        message = f"expected indices of shape [{size}] or [{size}, {len(dims)}] for {count(size, 'value')} of {name}, got {shape}"
        yield Problem(R.wrong_length, at, message)
        return
    numbers = TensorData(indices).entries(_MOST) if size else None
    if numbers is not None:
        yield from _of_places(list(numbers), dims, len(shape) == 1, at, name)


def _of_places(numbers: list[int], dims: Sequence[int], is_flat: bool, at: Place, name: str) -> Iterator[Problem]:
    width = 1 if is_flat else len(dims)
    most = [prod(dims)] if is_flat else list(dims)
    places = [tuple(numbers[k : k + width]) for k in range(0, len(numbers), width)]
    for place in places:
        if not all(0 <= index < length for index, length in zip(place, most, strict=True)):
            message = f"index {_shown(place)} is out of range for shape {list(dims)} of {name}"
            yield Problem(R.value_out_of_range, at, message)
            return
    for one, two in pairwise(places):
        if one >= two:
            message = f"indices of {name} are not in ascending order: {_shown(two)} follows {_shown(one)}"
            yield Problem(R.value_not_allowed, at, message)
            return


def _shown(place: Sequence[int]) -> str:
    return str(place[0] if len(place) == 1 else list(place))
