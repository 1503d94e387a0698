"""Attributes that one file writes and the other leaves to its operator, which has the same value for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Protocol

from irlint.formats.base import Format
from irlint.graph import Node
from irlint.inspection.review.difference import NodeChange
from irlint.operators import Attribute, Operator
from irlint.rules.base import Model
from irlint.text.floats import rounded, spelled


class OperatorReading(Protocol):
    """The part of a ModelReading that defaults need."""

    model: Model
    format: Format

    @property
    def versions(self) -> list[tuple[str, str]]: ...

    def attribute(self, node: Node, key: str) -> Attribute | None: ...


def with_defaults(
    a: OperatorReading, b: OperatorReading, old: Node, new: Node, changes: Iterable[NodeChange]
) -> Iterator[NodeChange]:
    """Yield the attributes of two calls that differ, those that say the same with that as their role, and defaults that differ."""
    rows: list[Operator | None] = []
    for change in changes:
        if change.old is None or change.new is None:
            rows = rows or [_row(a, old), _row(b, new)]
            is_same = is_default(rows[change.new is None], change.key, {**old.attrs, **new.attrs}[change.key])
            change = change._replace(role="default") if is_same else change
        yield change
    if a.versions != b.versions or old.version != new.version:
        for key, was, is_ in _moved(_row(a, old), _row(b, new), {*old.attrs, *new.attrs}):
            yield NodeChange("attribute", key, f"{was}, the default", f"{is_}, the default", b.attribute(new, key))


def is_default(row: Operator | None, key: str, value: Any) -> bool:
    """Return whether a value is what an operator takes for an attribute that is not there."""
    attribute = None if row is None else row.attributes.get(key)
    if attribute is None or attribute.required:
        return False
    if isinstance(value, (int, float)) and isinstance(attribute.default, (int, float)):
        return rounded(value) == rounded(attribute.default)
    if attribute.default is not None:
        return spelled(attribute.default) == spelled(value)
    if not isinstance(value, tuple) or "each" not in attribute.facts:
        return False
    return all(one == attribute.facts["each"] for one in value)


def _moved(old: Operator | None, new: Operator | None, written: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield attributes that two versions of an operator have other defaults for, of those that are not written."""
    if old is None or new is None or old is new or old.name.partition("-")[0] != new.name.partition("-")[0]:
        return
    for key in old.attributes.keys() & new.attributes.keys() - {*written}:
        was, is_ = (row.attributes[key].default for row in (old, new))
        if None not in (was, is_) and spelled(was) != spelled(is_):
            yield key, spelled(was), spelled(is_)


def _row(reading: OperatorReading, node: Node) -> Operator | None:
    return reading.format.navigation().operator(reading.model, node)
