"""A file next to a model: opened once, only if it is a regular file inside the model's folder, and read in pieces."""

from __future__ import annotations

from pathlib import Path

from irlint.surroundings import StoredBytes, surroundings


class SideFile:
    """`state`: outside: its real path leaves the model's folder; odd: no regular file."""

    def __init__(self, path: Path, model: Path | None) -> None:
        """`model` is None where the user named the file, wherever it is."""
        self.path = path
        self.state, self.data = surroundings().open(path, model)


def is_pointer(data: StoredBytes | bytes) -> bool:
    """Return whether a file is a Git LFS pointer. A longer one than git writes need not be read to know that it is none."""
    return data[: len(_LFS)] == _LFS if len(data) < _POINTER_SIZE or isinstance(data, bytes) else False


_LFS = b"version https://git-lfs.github.com/spec/"
_POINTER_SIZE = 1024  # bytes: what git-lfs takes for a pointer is shorter


def foreign(data: StoredBytes | bytes) -> str | None:
    """Return what a file seems to be instead of weights, by its first bytes."""
    if is_pointer(data):
        return "a Git LFS pointer; run `git lfs pull` to fetch the file"
    start = data[:256].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "an HTML page, perhaps saved in place of the download"
    if start.startswith((b"{", b"<?xml")):
        return "a text file"
    return None
