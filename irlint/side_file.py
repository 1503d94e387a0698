"""A file beside a model: opened once, only if it is a regular one and really lies in the model's folder, mapped rather than read."""

from __future__ import annotations

import mmap
import os
import stat
from pathlib import Path
from typing import Literal

State = Literal["open", "missing", "outside", "odd", "unreadable"]


class SideFile:
    """`state`: outside: its real path leaves the model's folder; odd: no regular file."""

    def __init__(self, path: Path, model: Path | None) -> None:
        """`model` is None where the user named the file, wherever it is."""
        self.path = path
        self.state: State = "missing"
        self.data: mmap.mmap | bytes = b""
        if model is not None and not inside(path, model):
            self.state = "outside"
            return
        try:
            descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        except FileNotFoundError:
            return
        except OSError:
            self.state = "odd" if path.is_dir() else "unreadable"
            return
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                self.state = "odd"
                return
            if found.st_size:
                self.data = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
            self.state = "open"
        except (OSError, ValueError):
            self.state = "unreadable"
        finally:
            os.close(descriptor)


def inside(path: Path, model: Path) -> bool:
    """Whether a file really lies in the model's folder: the folder of its name, or that of the file the name leads to."""
    real = os.path.realpath(path)
    folders = (os.path.realpath(os.path.dirname(os.path.abspath(model))), os.path.dirname(os.path.realpath(model)))
    return any(os.path.commonpath([real, folder]) == folder for folder in folders)


def foreign(data: mmap.mmap | bytes) -> str | None:
    """What a file of numbers is instead, if that shows at its beginning."""
    head = bytes(data[:256])
    if head.startswith(b"version https://git-lfs.github.com/spec/"):
        return "a Git LFS pointer; `git lfs pull` fetches the file itself"
    start = head.lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "an HTML page, as a failed download leaves it"
    if start.startswith((b"{", b"<?xml")):
        return "a text file"
    return None
