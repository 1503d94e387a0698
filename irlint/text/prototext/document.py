"""A message of any kind as a document, with the places of all its fields."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from irlint.text.base import Path, Place, below
from irlint.text.prototext.messages import Message, Tree
from irlint.text.prototext.places import PrototextPlaces
from irlint.text.prototext.read import FieldEntry, PrototextReader


class PrototextDocument(PrototextPlaces):
    syntax = "prototext"

    def __init__(self, text: str, name: str, message: Message) -> None:
        super().__init__(text, name)
        reader = PrototextReader(text, deep=True)
        self.tree: Tree = reader.message(message, int(text.startswith("\ufeff")))
        self.entries: dict[Path, FieldEntry] = reader.entries
        self.troubles, self.is_broken = reader.troubles, reader.is_broken
        self._guessed = reader.guesses

    @property
    def guesses(self) -> Set[Path]:
        rest: Set[Path] = {()} if self.is_broken else frozenset()  # what follows could not be read
        return rest | {self.place_at(offset).path for offset in self._guessed}

    def resolved(self, path: Path) -> Path:
        return path

    def entry(self, path: Path) -> FieldEntry | None:
        return self.entries.get(path)

    def place_at(self, offset: int) -> Place:
        around = [
            (entry.end - entry.start, -len(path), path)
            for path, entry in self.entries.items()
            if entry.start <= offset <= entry.end
        ]
        return Place(min(around, default=(0, 0, ()))[2])

    def pointer(self, path: Path) -> str:
        return "".join(f"/{step}" for step in path)

    def value_at(self, path: Path) -> Any:
        return below(self.tree, path)
