"""A folder for files that a harness needs on disk, in memory where the system has that."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

_kept: list[tempfile.TemporaryDirectory[str]] = []


@cache
def folder() -> Path:
    memory = "/dev/shm"
    _kept.append(tempfile.TemporaryDirectory(prefix="irlint-fuzz-", dir=memory if os.access(memory, os.W_OK) else None))
    return Path(os.path.realpath(_kept[0].name))
