"""The .bin file next to a model: opened once, read in pieces, never outside the model's folder."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from irlint.files.side_files import SideFile, file_source, is_pointer
from irlint.text.words import count


class BinFile(SideFile):
    def __init__(self, model: Path, weights: Path | None = None) -> None:
        super().__init__(weights or model.with_suffix(".bin"), None if weights else model)
        self.size = len(self.data)
        self.is_pointer = is_pointer(self.data)
        self.is_foreign = False  # True: not the weights of this model, or not all of them
        self.real = file_source().real(self.path) if self.state == "outside" else ""

    def read(self, offset: int, size: int) -> bytes | None:
        """Return bytes of the file; None if they are not all there, or if the file is a Git LFS pointer."""
        if not self._reaches(offset, size):
            return None
        found = self.data[offset : offset + size] if size else b""
        return found if len(found) == size else None

    def holds(self, offset: int, size: int) -> bool:
        """Return whether `read` would return bytes of this model."""
        return not self.is_foreign and self._reaches(offset, size)

    def _reaches(self, offset: int, size: int) -> bool:
        is_inside = size == 0 or 0 <= offset <= offset + size <= self.size
        return is_inside and self.state == "open" and not self.is_pointer

    def place(self, attrs: Mapping[str, Any]) -> tuple[int, int] | None:
        """Return the offset and the size of a constant with these attributes; None if it has none, or `read` would return None."""
        try:
            offset, size = int(attrs["offset"]), int(attrs["size"])
        except (KeyError, ValueError):
            return None
        return (offset, size) if self.holds(offset, size) else None

    def value(self, attrs: Mapping[str, Any]) -> bytes | None:
        """Return the bytes of a constant with these attributes, from which something may be concluded."""
        place = self.place(attrs)
        return None if place is None else self.read(*place)

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


_WIDTH = 4  # bytes of each number of a tensor of strings: how many there are, where each begins, where the last ends


def packed_fault(data: bytes, wanted: int) -> str | None:
    """Return what is wrong with the bytes of a tensor of strings; None if OpenVINO's reader 2026.4.1 takes them."""
    if len(data) < _WIDTH:
        return f"expected the number of strings in the first {_WIDTH} bytes, got {count(len(data), 'byte')}"
    (number,) = struct.unpack_from("<i", data)
    if number < wanted:  # the reader makes all that the shape names, and crashes on those that are not there
        return f"expected {count(wanted, 'string')}, got {number}"
    header = _WIDTH * (number + 2)
    if header > len(data):
        return f"expected {count(header, 'byte')} for the offsets of {count(number, 'string')}, got {len(data)}"
    offsets = struct.unpack_from(f"<{number + 1}i", data, _WIDTH)
    at = next((k for k in range(number) if offsets[k] > offsets[k + 1]), None)
    if at is not None:
        return f"string {at} begins at {offsets[at]} and ends at {offsets[at + 1]}"
    if offsets[0] < 0 or header + offsets[-1] > len(data):
        return f"expected offsets from 0 to {len(data) - header}, got {offsets[0]} to {offsets[-1]}"
    return None
