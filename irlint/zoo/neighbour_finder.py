"""The neighbours of a model, found in the ledger."""

from __future__ import annotations

from irlint.zoo.ledger import Ledger
from irlint.zoo.neighbours import LIKE, NEAR, Neighbours


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
        found = self._ledger.below(self._root, folder + beginning, most)
        cut = len(folder)
        return {one.key[cut:]: (one.size, one.etag) for one in found}


def stems(name: str) -> tuple[str, ...]:
    """Return beginnings of the names that belong to a model: its own name, and that without its last word."""
    stem = name.partition(".")[0] or name
    at = max(stem.rfind("-"), stem.rfind("_"))
    return (stem,) if at < 1 else (stem, stem[:at])
