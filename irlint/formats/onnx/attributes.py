"""Attributes by themselves: a name, a type, one value of that type."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import R
from irlint.findings import Fix, Problem
from irlint.formats.onnx.data import data_problems
from irlint.formats.onnx.document import OnnxDocument
from irlint.formats.onnx.external import ExternalCheck
from irlint.formats.onnx.messages import ATTRIBUTE_NUMBERS, ATTRIBUTE_TYPES
from irlint.formats.onnx.wire import Tree
from irlint.rules.attributes._check import Repair
from irlint.text.base import Document, Path, Place

_WHOLE = ("t", "g", "tp", "sparse_tensor")  # fields whose absence does not mean 0
_FIELDS = {field: name for name, field in ATTRIBUTE_TYPES.values()}


def written_problems(attribute: Tree, path: Path, who: str, is_old: bool, external: ExternalCheck) -> Iterator[Problem]:
    """Yield what is wrong with an attribute, whatever its operator is; `is_old`: its type need not be written."""
    name, number = attribute.get("name", ""), attribute.get("type", 0)
    if not name:
        yield Problem(R.missing_key, Place((*path, "name")), f"an attribute of {who} has no name")
        return
    given = [field for field in _FIELDS if field in attribute and attribute[field] != []]
    kind = ATTRIBUTE_TYPES.get(number)
    if kind is None and (number or not (is_old or "ref_attr_name" in attribute)):
        message = f"unknown type {number} of attribute `{name}`" if number else f"missing type of attribute `{name}`"
        better = _FIELDS[given[0]] if len(given) == 1 else None
        fix = _typing(path, better) if better else None
        yield Problem(
            R.value_not_allowed if number else R.missing_key, Place((*path, "type")), f"{message} of {who}", None, fix
        )
        return
    if len(given) > 1:
        both = " and ".join(f"`{field}`" for field in given[:2])
        yield Problem(R.wrong_length, Place((*path, "value")), f"attribute `{name}` of {who} has two values, in {both}")
        return
    if kind is not None and given and given[0] != kind[1]:
        message = f"expected the value of attribute `{name}` of {who} in `{kind[1]}`, got `{given[0]}`"
        yield Problem(R.wrong_type, Place((*path, "type")), message, None, _typing(path, _FIELDS[given[0]]))
        return
    label = f"attribute `{name}` of {who}"
    if kind is not None and not given and kind[1] in _WHOLE and "ref_attr_name" not in attribute:
        yield Problem(R.missing_key, Place((*path, "value")), f"{label} has no value")
        return
    if "t" in attribute:
        yield from data_problems(attribute["t"], (*path, "t"), label, external)
    if "sparse_tensor" in attribute:
        from irlint.formats.onnx.sparse import sparse_problems

        yield from sparse_problems(attribute["sparse_tensor"], Place((*path, "value")), label)
    for k, tensor in enumerate(attribute.get("tensors", ())):
        yield from data_problems(tensor, (*path, "tensors", k), label, external)


def kind_by_value(attribute: Tree) -> str:
    """Return the type that an attribute's value shows; empty if it has none."""
    return next((name for field, name in _FIELDS.items() if field in attribute), "")


def _typing(path: Path, kind: str) -> Repair:
    def fix(document: Document) -> Fix | None:
        assert isinstance(document, OnnxDocument)
        edits = document.changed((*path, "type"), ATTRIBUTE_NUMBERS[kind])
        return Fix(f"Replace with `{kind}`", edits, "unsafe") if edits else None

    return fix


def removing(path: Path, name: str) -> Repair:
    """Return a fix that removes an attribute."""

    def fix(document: Document) -> Fix | None:
        assert isinstance(document, OnnxDocument)
        edits = document.removed(path)
        return Fix(f"Remove `{name}`", edits, "unsafe") if edits else None

    return fix
