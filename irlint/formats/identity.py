"""What tells models apart but for names: what a format asks for when two models are compared by their hashes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from irlint.records import NamedTuple

if TYPE_CHECKING:
    from irlint.rules.base import Model

Bytes = bytes | memoryview


class Origin(NamedTuple):
    """The program that wrote a model, with its version, and the version of the operators; None where a file says nothing."""

    producer: str | None = None
    opset: str | None = None


class Identity:
    """How a format's models are identified; a format of its own folder may have another in its module `identity`."""

    unstable: frozenset[str] = frozenset()  # attributes that are names, or say where weights are

    constants_have_types = False  # True: what a constant is its type says; its attributes add nothing

    def origin(self, model: Model) -> Origin:
        return Origin()

    def is_stable(self, key: str) -> bool:
        """Return whether an attribute is part of the structure."""
        return key not in self.unstable

    def plain(self, value: Any) -> Any:
        """Return an attribute's value in Python's own types, if it is of one of the format's."""
        return value

    def values(self, model: Model) -> Iterator[Bytes]:
        """Return the values of the weights that the file itself holds, in any order."""
        return iter(())


DEFAULT = Identity()


def joined(*words: str | None) -> str | None:
    """Return the non-empty words as one line; None if there are none."""
    return " ".join(" ".join(word for word in words if word).split()) or None
