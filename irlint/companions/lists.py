"""Text files with an item in each line, such as labels."""

from __future__ import annotations

import re
from pathlib import Path as FilePath
from typing import Any

from irlint.files.side_files import file_source

AROUND = "\ufeff \t"  # items
_LINE = re.compile(r"[^\r\n]+")
_LARGEST = 1 << 20  # bytes


def lines_of(text: str) -> list[re.Match[str]]:
    return [match for match in _LINE.finditer(text) if match[0].strip(AROUND)]


def labels_at(folder: FilePath, name: Any) -> list[str]:
    """Return the labels of a file in a folder; none if it cannot be read, or is elsewhere."""
    is_inside = isinstance(name, str) and name and not FilePath(name).is_absolute() and ".." not in FilePath(name).parts
    state, data = file_source().open(folder / name, None) if is_inside else ("", b"")
    text = bytes(data[:_LARGEST]).decode("utf-8", "replace") if state == "open" else ""
    return [match[0].strip(AROUND) for match in lines_of(text)]


def mentions(path: FilePath, word: str) -> bool:
    """Return whether a text file has a word, or cannot be read."""
    state, data = file_source().open(path, None)
    return state != "open" or word.encode() in bytes(data[:_LARGEST])
