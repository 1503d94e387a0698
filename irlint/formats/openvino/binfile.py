"""The .bin file next to a model: opened once, read in pieces, never outside the model's folder."""

from __future__ import annotations

from pathlib import Path

from irlint.side_file import SideFile, is_pointer
from irlint.surroundings import surroundings


class BinFile(SideFile):
    def __init__(self, model: Path, weights: Path | None = None) -> None:
        super().__init__(weights or model.with_suffix(".bin"), None if weights else model)
        self.size = len(self.data)
        self.is_pointer = is_pointer(self.data)
        self.real = surroundings().real(self.path) if self.state == "outside" else ""

    def read(self, offset: int, size: int) -> bytes | None:
        """Return bytes of the file; None if they are not all there, or if the file is a Git LFS pointer."""
        if self.is_pointer:
            return None
        if self.state != "open" or not 0 <= offset <= offset + size <= self.size:
            return b"" if size == 0 and self.state == "open" else None
        found = self.data[offset : offset + size]
        return found if len(found) == size else None

    def holds(self, offset: int, size: int) -> bool:
        """Return whether `read` would return bytes."""
        if self.is_pointer or self.state != "open":
            return False
        return size == 0 or 0 <= offset <= offset + size <= self.size

    def what(self) -> str | None:
        """Return what the file is instead of weights, if its first bytes show that."""
        if self.is_pointer:
            return "a Git LFS pointer; run `git lfs pull` to fetch the weights"
        start = self.data[:256].lstrip().lower()
        if start.startswith((b"<!doctype html", b"<html")):
            return "an HTML page, probably from a failed download"
        if start.startswith((b"<?xml", b"<net ")):
            return "an XML file"
        return None
