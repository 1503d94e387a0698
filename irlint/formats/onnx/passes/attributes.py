"""Attributes by themselves: a name, a type, one value of that type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault
from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.onnx.external import ExternalCheck
from irlint.formats.onnx.grammar import FIELDS
from irlint.formats.onnx.passes.data import data_problems
from irlint.formats.onnx.passes.sparse import sparse_problems
from irlint.formats.onnx.wire.messages import ATTRIBUTE_NUMBERS, ATTRIBUTE_TYPES
from irlint.formats.onnx.wire.reader import Tree
from irlint.text.base import Path, Place

_WHOLE = ("t", "g", "tp", "sparse_tensor")  # fields whose absence does not mean 0


def record_fault(attribute: Tree, path: Path, is_old: bool) -> Fault | None:
    """Return what is wrong with an attribute, whatever its operator is; `is_old`: its type need not be written."""
    name, number = attribute.get("name", ""), attribute.get("type", 0)
    given = [field for field in FIELDS if field in attribute and attribute[field] != []]
    kind, is_reference = ATTRIBUTE_TYPES.get(number), "ref_attr_name" in attribute
    value = Place((*path, "value"))
    typed: dict[str, Any] = {"at": Place((*path, "type")), "change": "set"}
    if not name:
        return Fault(R.missing_key, "attr_key:", "an attribute of", " has no name", at=Place((*path, "name")))
    if kind is None and number:
        return Fault(
            R.value_not_allowed,
            "attr_type:",
            f"unknown type {number} of attribute `{name}` of",
            "",
            _number(given),
            **typed,
        )
    if kind is None and not (is_old or is_reference):
        return Fault(R.missing_key, "attr_type:", f"missing type of attribute `{name}` of", "", _number(given), **typed)
    if len(given) > 1:
        both = " and ".join(f"`{field}`" for field in given[:2])
        return Fault(R.wrong_length, "attr:", f"attribute `{name}` of", f" has two values, in {both}", at=value)
    if kind is not None and given and given[0] != kind[1]:
        message, rest = f"expected the value of attribute `{name}` of", f" in `{kind[1]}`, got `{given[0]}`"
        return Fault(R.wrong_type, "attr_type:", message, rest, _number(given), **typed)
    if kind is not None and not given and kind[1] in _WHOLE and not is_reference:
        return Fault(R.missing_key, "attr:", f"attribute `{name}` of", " has no value", at=value)
    return None


def tensor_problems(attribute: Tree, path: Path, who: str, external: ExternalCheck) -> Iterator[Problem]:
    """Yield what is wrong with the tensors of an attribute."""
    label = f"attribute `{attribute['name']}` of {who}"
    if "t" in attribute:
        yield from data_problems(attribute["t"], (*path, "t"), label, external)
    if "sparse_tensor" in attribute:
        yield from sparse_problems(attribute["sparse_tensor"], Place((*path, "value")), label)
    for k, tensor in enumerate(attribute.get("tensors", ())):
        yield from data_problems(tensor, (*path, "tensors", k), label, external)


def _number(given: list[str]) -> Any:
    """Return the type of the one field that is given."""
    return ATTRIBUTE_NUMBERS[FIELDS[given[0]]] if len(given) == 1 else NO_VALUE
