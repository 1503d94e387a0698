"""A model in a text that has a value for each of its fields: what an edit changes is what differs between two trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irlint.formats.onnx.text.document import OnnxDocument
from irlint.text.base import Edit, Path

if TYPE_CHECKING:
    from irlint.formats.onnx.text.tree_drafts import TreeDrafts


class TreeDocument(OnnxDocument):
    """The base of the JSON form and of protobuf's text format."""

    @property
    def drafts(self) -> TreeDrafts:
        raise NotImplementedError

    def changed(self, path: Path, value: Any) -> tuple[Edit, ...]:
        return self.drafts.changed(path, value)

    def inserted(self, path: Path, value: Any) -> tuple[Edit, ...]:
        return self.drafts.inserted(path, value)

    def removed(self, path: Path) -> tuple[Edit, ...]:
        return self.drafts.removed(path)
