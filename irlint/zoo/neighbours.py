"""What the listing says of the files next to a model, as much as travels with a task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from irlint.records import NamedTuple
from irlint.zoo.stores import Listed

if TYPE_CHECKING:
    from irlint.zoo.ledger import Ledger

NEAR = 512  # files below a model's folder that travel with it; of more, those with a name like the model's
LIKE = 1024


class Neighbours(NamedTuple):
    """Sizes and ETags by the name below the model's folder. All names that begin with one of `known` are there."""

    files: Mapping[str, tuple[int, str | None]]
    known: tuple[str, ...]

    def knows(self, name: str) -> bool:
        """Return whether a file that is not in `files` does not exist."""
        return any(name.startswith(beginning) for beginning in self.known)


class NeighbourFinder:
    """Finds neighbours in the ledger; what models of one folder share is found once."""

    def __init__(self, ledger: Ledger, root: int) -> None:
        self._ledger, self._root = ledger, root
        self._folder: str | None = None
        self._all: Neighbours | None = None

    def of(self, key: str) -> Neighbours:
        head, mark, name = key.rpartition("/")
        folder = head + mark
        if folder != self._folder:
            self._folder = folder
            found = self._below(folder, "", NEAR + 1)
            self._all = Neighbours(found, ("",)) if len(found) <= NEAR else None
        return self._all if self._all is not None else self._like(folder, name)

    def _like(self, folder: str, name: str) -> Neighbours:
        files: dict[str, tuple[int, str | None]] = {}
        known = []
        for stem in stems(name):
            found = self._below(folder, stem, LIKE + 1)
            files.update(found)
            if len(found) <= LIKE:
                known.append(stem)
        return Neighbours(files, tuple(known))

    def _below(self, folder: str, beginning: str, most: int) -> dict[str, tuple[int, str | None]]:
        found: Iterator[Listed] = self._ledger.below(self._root, folder + beginning, most)
        cut = len(folder)
        return {one.key[cut:]: (one.size, one.etag) for one in found}


def stems(name: str) -> tuple[str, ...]:
    """Return beginnings of the names that belong to a model: its own name, and that without its last word."""
    stem = name.partition(".")[0] or name
    at = max(stem.rfind("-"), stem.rfind("_"))
    return (stem,) if at < 1 else (stem, stem[:at])
