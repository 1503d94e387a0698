"""The .bin beside a model: found, opened once, never outside the model's folder, mapped rather than read."""

from __future__ import annotations

import mmap
import os
import stat
from pathlib import Path

_LFS = b"version https://git-lfs.github.com/spec/"


class BinFile:
    """`state`: open, missing, outside (its real path leaves the model's folder), odd (no regular file), unreadable."""

    def __init__(self, model: Path, weights: Path | None = None) -> None:
        self.path = weights or model.with_suffix(".bin")
        self.size = 0
        self.state = "missing"
        self.real = ""
        self._map: mmap.mmap | None = None
        if weights is None and not _inside(self.path, model):
            self.state, self.real = "outside", os.path.realpath(self.path)
            return
        try:
            descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        except FileNotFoundError:
            return
        except OSError:
            self.state = "odd" if self.path.is_dir() else "unreadable"
            return
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                self.state = "odd"
                return
            self.size, self.state = found.st_size, "open"
            if self.size:
                self._map = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):
            self.state = "unreadable"
        finally:
            os.close(descriptor)

    def read(self, offset: int, size: int) -> bytes | None:
        """Bytes of the file; None if they are not all there."""
        if self._map is None or offset < 0 or size < 0 or offset + size > self.size:
            return b"" if size == 0 and self.state == "open" else None
        return self._map[offset : offset + size]

    def view(self, offset: int, size: int) -> memoryview | None:
        """The same without a copy."""
        if self._map is None or offset < 0 or size < 0 or offset + size > self.size:
            return memoryview(b"") if size == 0 and self.state == "open" else None
        return memoryview(self._map)[offset : offset + size]

    def what(self) -> str | None:
        """What the file is instead of weights, if that shows at its beginning."""
        head = self.read(0, min(self.size, 256)) or b""
        if head.startswith(_LFS):
            return "a Git LFS pointer; `git lfs pull` fetches the weights themselves"
        start = head.lstrip().lower()
        if start.startswith((b"<!doctype html", b"<html")):
            return "an HTML page, as a failed download leaves it"
        if start.startswith((b"<?xml", b"<net ")):
            return "an XML file"
        return None


def _inside(path: Path, model: Path) -> bool:
    """Whether a file really lies in the model's folder: the folder of its name, or that of the file the name leads to."""
    real = os.path.realpath(path)
    folders = (os.path.realpath(os.path.dirname(os.path.abspath(model))), os.path.dirname(os.path.realpath(model)))
    return any(os.path.commonpath([real, folder]) == folder for folder in folders)
