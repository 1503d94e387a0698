"""Companions that are messages in protobuf's text format, whose fields are those of their table."""

from __future__ import annotations

from functools import cached_property

from irlint.companions.base import Companion
from irlint.text.base import Document
from irlint.text.prototext.document import PrototextDocument
from irlint.text.prototext.messages import Message, of_table
from irlint.text.prototext.typing import Typed, typed_at


class PrototextCompanion(Companion):
    name, title = "prototext", "protobuf text"
    extensions, comment = (".pbtxt",), "#"

    @cached_property
    def root(self) -> Message:
        return of_table(self.table)

    def open(self, text: str, name: str) -> Document:
        return PrototextDocument(text, name, self.root)

    def typed(self, text: str, offset: int) -> Typed | None:
        return typed_at(text, offset, self.root)
