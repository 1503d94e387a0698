"""Names that nothing has yet."""

from __future__ import annotations

from collections.abc import Container, Iterable


class FreeNames:
    """Numbered names, each used once. Those in `others` are taken, too."""

    def __init__(self, taken: Iterable[str] = (), others: Container[str] = ()) -> None:
        self._taken, self._others = set(taken), others
        self._next: dict[str, int] = {}

    def like(self, name: str) -> str:
        """The name with the lowest number that is free."""
        number = self._next.get(name, 2)
        while (new := f"{name}_{number}") in self._taken or new in self._others:
            number += 1
        self._taken.add(new)
        self._next[name] = number + 1
        return new
