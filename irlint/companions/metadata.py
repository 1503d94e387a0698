"""Companions inside a model: metadata that programs write into it, which must agree with its inputs and outputs."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

from irlint.codes import R, RuleRow
from irlint.companions.consequences import remaining
from irlint.companions.ports import ports
from irlint.companions.report import Report
from irlint.findings import OtherPlace, Problem
from irlint.formats.base import all_formats
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.yaml.document import YamlDocument

_LONGEST = 1 << 20  # characters of a value


class InsideReport(Report):
    """What is wrong in the metadata of a model, at the value of a key. A fix would have to write a part of a string: there is none."""

    def __init__(self, model: Model, place: Callable[[str], Place | None]) -> None:
        super().__init__(model.document, [])
        self._find = place

    can_write = False

    def _place(self, at: Path, rule: RuleRow = R.missing_key) -> Place:
        return self._find(str(at[0])) or Place(())


def problems(model: Model, kind: str, values: Mapping[str, str], place: Callable[[str], Place | None]) -> list[Problem]:
    """Return where metadata of a kind contradicts its model."""
    found = ports(model)
    if found is None:
        return []
    report, companion = InsideReport(model, place), import_module(f"irlint.companions.{kind}.format").KIND
    companion.inside({key: companion.value_inside(text) for key, text in values.items()}, found, report)
    return remaining([], [], report.found)


def named_classes(model: Model | None) -> int | None:
    """Return the number of classes whose names a model has in its metadata."""
    for section in all_formats()[model.format].metadata(model).values() if model is not None else ():
        names = python_value(section["names"]) if "names" in section else None
        if isinstance(names, dict | list) and names:
            return len(names)
    return None


def metadata_value(model: Model | None, key: str) -> str | None:
    """Return the value of a key of the metadata in a model."""
    sections = all_formats()[model.format].metadata(model).values() if model is not None else ()
    return next((values[key] for values in sections if key in values), None)


def metadata_at(model: Model | None, key: str) -> OtherPlace | None:
    """Return the place of the value of a key of the metadata in a model."""
    if model is None:
        return None
    format_ = all_formats()[model.format]
    section = next((name for name, values in format_.metadata(model).items() if key in values), None)
    place = None if section is None else format_.metadata_place(model, section, key)
    return None if place is None else OtherPlace(model.document, place)


def python_value(text: str) -> Any:
    """Return a value that is written as in Python or YAML."""
    plain = text.replace("None", "null") if text[:1] in "{[" else text
    document = YamlDocument(plain, "") if len(text) <= _LONGEST else None
    if document is None:
        return text
    with suppress(ValueError, SyntaxError, MemoryError, RecursionError):  # of Python where YAML has other escapes
        return literal_eval(text) if document.is_broken else document.tree
    return text
