"""One JSON array with an object for every finding."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TextIO

from irlint.report.base import FileReport, Options
from irlint.report.record import record


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    records = (record(file, entry) for file in files for entry in file.entries)
    array(records, stream)


def array(objects: Iterable[object], stream: TextIO) -> None:
    """A JSON array in pure ASCII, written object by object."""
    encode = json.JSONEncoder(indent=2).encode
    before = "[\n"
    for value in objects:
        stream.write(before + encode(value))
        before = ",\n"
    stream.write("[]\n" if before == "[\n" else "\n]\n")
