"""Attributes that one file writes and the other leaves to its operator, which has the same value for them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from irlint.graph import Node
from irlint.operators import Operator
from irlint.text.floats import spelled

if TYPE_CHECKING:
    from irlint.inspection.review.node_changes import ModelReading


class Defaults:
    """What two calls mean by attributes that only one of them has, or neither."""

    def __init__(self, a: ModelReading, b: ModelReading, old: Node, new: Node) -> None:
        self._readings, self._calls = (a, b), (old, new)

    @cached_property
    def _rows(self) -> tuple[Operator | None, Operator | None]:
        (a, b), (old, new) = self._readings, self._calls
        return _row(a, old), _row(b, new)

    def is_written_out(self, key: str, value: Any, is_new: bool) -> bool:
        """Return whether a value that only one of the calls has, the new one if `is_new`, is what the other one means, too."""
        row = self._rows[not is_new]
        attribute = None if row is None else row.attributes.get(key)
        if attribute is None or attribute.required:
            return False
        if attribute.default is not None:
            return spelled(attribute.default) == spelled(value)
        if not isinstance(value, tuple) or "each" not in attribute.facts:
            return False
        return all(one == attribute.facts["each"] for one in value)

    def moved(self) -> Iterator[tuple[str, str, str]]:
        """Yield attributes that neither call has, and for which two versions of the operator have other values."""
        (a, b), (before, after) = self._readings, self._calls
        if a.versions == b.versions and before.version == after.version:
            return
        old, new = self._rows
        if old is None or new is None or old is new or old.name.partition("-")[0] != new.name.partition("-")[0]:
            return
        for key, attribute in old.attributes.items():
            other = new.attributes.get(key)
            written = any(key in node.attrs for node in self._calls)
            if other is None or written or None in (attribute.default, other.default):
                continue
            if (was := spelled(attribute.default)) != (is_ := spelled(other.default)):
                yield key, was, is_


def _row(reading: ModelReading, node: Node) -> Operator | None:
    return reading.format.navigation().operator(reading.model, node) if node.kind == "call" else None
