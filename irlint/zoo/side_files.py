"""The files next to a model in a store. Sizes and existence come from the listing, as much of it as travels with a task; bytes are
read by range when they are asked for.

Paths of models are virtual: no file of this machine is ever opened for them.
"""

from __future__ import annotations

import os
import posixpath
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from irlint.files.side_files import FileSource, State, StoredBytes
from irlint.zoo.ledger import Ledger
from irlint.zoo.patience import patiently
from irlint.zoo.stores import ListedObject, MissingError, Store, StoreError
from irlint.zoo.tasks import LIKE, NEAR, NearbyFiles


class NearbyFinder:
    """Finds the files next to models in the ledger; what models of one folder share is found once."""

    def __init__(self, ledger: Ledger, root: int) -> None:
        self._ledger, self._root = ledger, root
        self._folder: str | None = None
        self._all: NearbyFiles | None = None

    def of(self, key: str) -> NearbyFiles:
        head, mark, name = key.rpartition("/")
        folder = head + mark
        if folder != self._folder:
            self._folder = folder
            found = self._below(folder, "", NEAR + 1)
            self._all = NearbyFiles(found, ("",)) if len(found) <= NEAR else None
        return self._all if self._all is not None else self._like(folder, name)

    def _like(self, folder: str, name: str) -> NearbyFiles:
        files: dict[str, tuple[int, str | None]] = {}
        known = []
        for stem in stems(name):
            found = self._below(folder, stem, LIKE + 1)
            files.update(found)
            if len(found) <= LIKE:
                known.append(stem)
        return NearbyFiles(files, tuple(known))

    def _below(self, folder: str, beginning: str, most: int) -> dict[str, tuple[int, str | None]]:
        found = self._ledger.below(self._root, folder + beginning, most)
        cut = len(folder)
        return {one.key[cut:]: (one.size, one.etag) for one in found}


def stems(name: str) -> tuple[str, ...]:
    """Return beginnings of the names that belong to a model: its own name, and that without its last word."""
    stem = name.partition(".")[0] or name
    at = max(stem.rfind("-"), stem.rfind("_"))
    return (stem,) if at < 1 else (stem, stem[:at])


_ROOT = Path(os.path.abspath(os.sep), "irlint-zoo")
BLOCK = 256 << 10  # bytes read at once where fewer are asked for
_BLOCKS = 16  # kept, of each file


def virtual_path(key: str) -> Path:
    return _ROOT / key


class StoreFiles(FileSource):
    """The files next to one model, whose own bytes are known. `looked` is what it was told: while that stays true, so does the lint's
    outcome."""

    def __init__(self, store: Store, key: str, nearby: NearbyFiles, data: bytes) -> None:
        self._store, self._nearby = store, nearby
        self._data = data
        head, mark, self._own = key.rpartition("/")
        self._folder = head + mark
        self._base = virtual_path(key).parent.as_posix().rstrip("/") + "/"
        self._looked: dict[str, list[Any]] = {}
        self._found: dict[str, tuple[int, str | None] | None] = {}
        self._opened: dict[str, RemoteBytes] = {}
        self.error: StoreError | None = None  # that kept bytes from being read

    @property
    def looked(self) -> list[Any]:
        return [self._looked[name] for name in sorted(self._looked)]

    @property
    def side_files(self) -> list[tuple[int, str | None]]:
        """Return the sizes and ETags of the files that are there of those that were looked for."""
        return [found for name, found in self._found.items() if found is not None and name != self._own]

    def open(self, path: Path, model: Path | None) -> tuple[State, StoredBytes | bytes]:
        if (name := self._name(path)) is None:
            return ("missing" if model is None else "outside"), b""
        if name == self._own:
            return "open", self._data
        found = self._find(name)
        if found is None:
            return ("odd" if self._has_below(name) else "missing"), b""
        if name not in self._opened:  # the search for repairs lints many times, and reads the same bytes
            self._opened[name] = RemoteBytes(self, self._folder + name, *found)
        return "open", self._opened[name]

    def names(self, folder: Path, beginning: str = "") -> list[str]:
        inner = self._name(folder, is_folder=True)
        if inner is None:
            return []
        names = _names(self._nearby, inner, beginning)
        self._looked[f"names {inner}{beginning}"] = ["names", inner, beginning, digest_of(names)]
        return names

    def is_there(self, path: Path) -> bool:
        name = self._name(path)
        return name is not None and (self._find(name) is not None or self._has_below(name))

    def is_folder(self, path: Path) -> bool:
        name = self._name(path)
        return name is not None and self._has_below(name)

    def real(self, path: Path) -> str:
        return str(path)

    def read(self, key: str, start: int, end: int, etag: str | None) -> bytes:
        try:
            return patiently(lambda: self._store.part(key, start, end, etag)).data
        except StoreError as error:
            self.error = self.error or StoreError(f"cannot read {key.rpartition('/')[2]!r} next to it: {error}")
            return b""

    def _name(self, path: Path, is_folder: bool = False) -> str | None:
        """Return a path's name below the model's folder; None if it is elsewhere."""
        text = posixpath.normpath(path.as_posix())
        if is_folder and f"{text}/" == self._base:
            return ""
        if not text.startswith(self._base) or "\0" in text:
            return None
        return text[len(self._base) :] + ("/" if is_folder else "")

    def _find(self, name: str) -> tuple[int, str | None] | None:
        if name not in self._found:
            found = self._nearby.files.get(name)
            if found is None and not self._nearby.knows(name):
                found = self._head(name)
            self._found[name] = found
            size, etag = found or (None, None)
            self._looked[f"file {name}"] = ["file", self._folder + name, size, etag]
        return self._found[name]

    def _head(self, name: str) -> tuple[int, str | None] | None:
        """Ask the store for a file of whose kind there are too many to travel with the task."""
        try:
            found = patiently(lambda: self._store.head(self._folder + name))
        except MissingError:
            return None
        except StoreError as error:
            self.error = self.error or StoreError(f"cannot look for {name!r} next to it: {error}")
            return None
        return found.size, found.etag

    def _has_below(self, name: str) -> bool:
        """Return whether there is anything in a folder."""
        inner = f"{name}/"
        if any(other.startswith(inner) for other in self._nearby.files):
            return self._remember_folder(name, True)
        if self._nearby.knows(inner):
            return self._remember_folder(name, False)
        try:
            return self._remember_folder(name, any(page for page in self._store.pages(self._folder + inner)))
        except StoreError as error:
            self.error = self.error or error
            return False

    def _remember_folder(self, name: str, is_there: bool) -> bool:
        self._looked[f"folder {name}"] = ["folder", f"{self._folder}{name}/", is_there]
        return is_there


def _names(nearby: NearbyFiles, inner: str, beginning: str) -> list[str]:
    """Return the names in a folder, relative to the model's, as far as they are known."""
    start = inner + beginning
    found = [name[len(inner) :] for name in nearby.files if name.startswith(start)]
    return sorted(name for name in found if "/" not in name)


def digest_of(names: list[str]) -> str:
    return blake2b("\n".join(names).encode(), digest_size=8).hexdigest()


class RemoteBytes(StoredBytes):
    """The bytes of an object: small reads are blocks of it, the last few of which are kept."""

    def __init__(self, files: StoreFiles, key: str, size: int, etag: str | None) -> None:
        super().__init__(size)
        self._files, self._key, self._etag = files, key, etag
        self._blocks: OrderedDict[int, bytes] = OrderedDict()

    def _read(self, offset: int, size: int) -> bytes:
        if size > BLOCK:
            return self._files.read(self._key, offset, min(offset + size, len(self)), self._etag)
        number, inner = divmod(offset, BLOCK)
        if (block := self._blocks.get(number)) is None:
            start = number * BLOCK
            block = self._files.read(self._key, start, min(start + BLOCK, len(self)), self._etag)
            if not block:
                return b""
            self._blocks[number] = block
            if len(self._blocks) > _BLOCKS:
                self._blocks.popitem(last=False)
        self._blocks.move_to_end(number)
        return block[inner : inner + size]


def still_true(looked: list[Any], ledger: Any, root: int, near: Callable[[], NearbyFiles]) -> bool:
    """Return whether the listing says what a lint was told of the files next to its model, whose nearby files `near` returns."""
    try:
        return all(_is_true(*fact, ledger=ledger, root=root, near=near) for fact in looked)
    except (TypeError, ValueError):
        return False


def _is_true(kind: str, key: str, *values: Any, ledger: Any, root: int, near: Callable[[], NearbyFiles]) -> bool:
    if kind == "file":
        found: ListedObject | None = ledger.find(root, key)
        return list(values) == ([None, None] if found is None else [found.size, found.etag])
    if kind == "folder":
        return [any(ledger.below(root, key, 1))] == list(values)
    if kind == "names":
        beginning, digest = values
        return bool(digest_of(_names(near(), key, beginning)) == digest)
    return False
