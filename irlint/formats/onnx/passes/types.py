"""The types of values by themselves: element types that exist, sizes that are none below zero."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import R, Severity
from irlint.findings import Problem
from irlint.formats.onnx.wire.messages import ELEMENT_NAMES
from irlint.formats.onnx.wire.reader import Tree
from irlint.text.base import Path, Place

_NESTED = {"sequence_type": ("elem_type",), "optional_type": ("elem_type",), "map_type": ("value_type",)}


def type_problems(kind: Tree, path: Path, name: str) -> Iterator[Problem]:
    """Yield what is wrong with the type of a value."""
    for field in ("tensor_type", "sparse_tensor_type"):
        if field in kind:
            yield from _of_tensor(kind[field], (*path, field), name)
    for field, (inner,) in _NESTED.items():
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
            is_mild = value == -1 or "input" not in path
            # onnxruntime 1.32 takes -1, which some exporters write, for any size
            yield Problem(R.value_out_of_range, at, message, name, severity=Severity.WARNING if is_mild else None)


def _unknown(number: int, path: Path, name: str) -> Problem:
    message = f"unknown element type {number} of {name!r}" if number else f"{name!r} has no element type"
    return Problem(R.value_not_allowed, Place(path), message, name)


def inner_values(graph: Tree) -> set[str]:
    """Return the values that nodes of a graph compute for each other, and its initializers."""
    made = {name for call in graph.get("node", ()) for name in call.get("output", ())}
    made.difference_update(value.get("name", "") for value in graph.get("output", ()))
    return made.union(tensor.get("name", "") for tensor in graph.get("initializer", ()))
