"""The files next to models of revisions of a git repository: weights are those of the same revision."""

from __future__ import annotations

import os
from pathlib import Path
from posixpath import dirname

from irlint.files.read import Unreadable
from irlint.files.revisions import FILE, ROOT, Revision
from irlint.files.side_files import DISK, DiskBytes, FileSource, State, StoredBytes, foreign, is_pointer


class RevisionFiles(FileSource):
    """The files next to models of some revisions; all others are those of this machine."""

    has_git = True

    def __init__(self, *revisions: Revision) -> None:
        self._revisions = revisions
        self.lacking: dict[str, str] = {}  # files of Git LFS that are not here, and how to fetch them

    def _find(self, path: Path) -> tuple[Revision, str] | None:
        named = ((revision, revision.name_of(path)) for revision in self._revisions)
        return next(((revision, name) for revision, name in named if name is not None), None)

    def open(self, path: Path, model: Path | None) -> tuple[State, StoredBytes | bytes]:
        if (found := self._find(path)) is None:
            if path.is_relative_to(ROOT) or (model is not None and model.is_relative_to(ROOT)):
                return "outside", b""
            state, data = DISK.open(path, model)
            if is_pointer(data):
                self.lacking[str(path)] = str(foreign(data))
            return state, data
        revision, name = found
        around = None if model is None else revision.name_of(model)
        if model is not None and (around is None or not f"{name}/".startswith(_folder(around))):
            return "outside", b""
        mode = revision.files.get(name, (b"", ""))[0]
        if not mode.startswith(FILE):
            return ("odd" if mode or self.is_folder(path) else "missing"), b""
        for opened in (revision.open, revision.stored):  # of Git LFS the pointer, if its file is not here
            try:
                with opened(name) as file:
                    return "open", DiskBytes(os.dup(file.fileno()), os.fstat(file.fileno()).st_size)
            except Unreadable as error:
                self.lacking[f"{revision.name}:{name}"] = str(error)
        return "unreadable", b""

    def names(self, folder: Path, beginning: str = "") -> list[str]:
        if (found := self._find(folder)) is None:
            return DISK.names(folder, beginning)
        prefix = f"{found[1]}/"
        names = {path[len(prefix) :].partition("/")[0] for path in found[0].files if path.startswith(prefix)}
        return sorted(name for name in names if name.startswith(beginning))

    def is_there(self, path: Path) -> bool:
        if (found := self._find(path)) is None:
            return DISK.is_there(path)
        return found[1] in found[0].files or self.is_folder(path)

    def is_folder(self, path: Path) -> bool:
        if (found := self._find(path)) is None:
            return DISK.is_folder(path)
        return any(name.startswith(f"{found[1]}/") for name in found[0].files)

    def real(self, path: Path) -> str:
        return DISK.real(path) if self._find(path) is None else str(path)


def _folder(name: str) -> str:
    folder = dirname(name)
    return f"{folder}/" if folder else ""
