"""Edits that make a changed tree of a tree, in a text that has a value for each part of it: what differs is written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from irlint.files.unified import equal_ends
from irlint.formats.onnx.text.tree_form import TreeDocument, field_of
from irlint.text.base import Edit, Path
from irlint.text.prototext.messages import Field


class TreeEdits(ABC):
    """Makes the edits of one document; what each of them is in its syntax, a subclass says."""

    def __init__(self, document: TreeDocument) -> None:
        self.document = document

    def changed(self, path: Path, value: Any) -> tuple[Edit, ...]:
        field = field_of(path)
        if value is None:
            return self.removed(path)
        try:
            old = self.document.value_at(path)
        except LookupError:
            return self._add(path, field, value)
        return tuple(sorted(self._differences(path, field, old, value)))

    @abstractmethod
    def inserted(self, path: Path, value: Any) -> tuple[Edit, ...]:
        """Return the edits after which a list has one more item, at the index in which the path ends."""

    @abstractmethod
    def removed(self, path: Path) -> tuple[Edit, ...]:
        """Return the edits that remove a field or an item of a list."""

    @abstractmethod
    def _add(self, path: Path, field: Field, value: Any) -> tuple[Edit, ...]:
        """Return the edits that add a field."""

    @abstractmethod
    def _replace(self, path: Path, field: Field, value: Any) -> tuple[Edit, ...]:
        """Return the edits that write another value for a field or an item."""

    @abstractmethod
    def _insert_items(self, path: Path, field: Field, k: int, values: Sequence[Any]) -> tuple[Edit, ...]:
        """Return the edits that insert items before item `k` of a list, which is not empty, or at its end."""

    @abstractmethod
    def _remove_items(self, path: Path, start: int, end: int) -> tuple[Edit, ...]:
        """Return the edits that remove some, but not all items of a list."""

    def _differences(self, path: Path, field: Field, old: Any, new: Any) -> Iterator[Edit]:
        if old is new or old == new:
            return
        if isinstance(old, dict) and isinstance(new, dict):
            yield from self._of_messages(path, field, old, new)
        elif isinstance(old, list) and isinstance(new, list) and old and new:
            yield from self._of_lists(path, field, old, new)
        else:
            yield from self._replace(path, field, new)

    def _of_messages(self, path: Path, field: Field, old: Any, new: Any) -> Iterator[Edit]:
        assert field.message is not None
        gone, fresh = old.keys() - new.keys(), [key for key in new if key not in old]
        if len(gone) > 1 or len(fresh) > 1 or (gone and len(old) == 1):  # edits of neighbors would touch each other
            yield from self._replace(path, field, new)
            return
        found = sorted(edit for key in (*gone, *fresh) for edit in self.changed((*path, key), new.get(key)))
        if any(one.span.end > other.span.start for one, other in pairwise(found)):  # one goes where the other comes
            yield from self._replace(path, field, new)
            return
        yield from found
        for key in old.keys() & new.keys():
            yield from self._differences((*path, key), field.message.fields[key], old[key], new[key])

    def _of_lists(self, path: Path, field: Field, old: list[Any], new: list[Any]) -> Iterator[Edit]:
        one = field._replace(many=False)
        head, tail = equal_ends(old, new)
        middle = min(len(old), len(new)) - tail  # up to here items become others
        for k in range(head, middle):
            yield from self._differences((*path, k), one, old[k], new[k])
        if len(new) > len(old):
            yield from self._insert_items(path, one, middle, new[middle : len(new) - tail])
        elif len(new) < len(old):
            yield from self._remove_items(path, middle, len(old) - tail)
