"""One JSON array with an object for every finding."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from irlint.report.base import FileReport, Options
from irlint.report.record import records
from irlint.text.safe import put_json


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    array((found for file in files for found in records(file)), stream)


def array(objects: Iterable[dict[str, Any]], stream: TextIO) -> None:
    """Write a JSON array in ASCII, object by object, each member on its line."""
    encode = json.JSONEncoder().encode  # without indent, which would switch its C code off
    before = "[\n"
    for members in objects:
        lines = ",\n".join(f"    {encode(key)}: {encode(value)}" for key, value in members.items())
        put_json(stream, f"{before}  {{\n{lines}\n  }}")
        before = ",\n"
    put_json(stream, "[]\n" if before == "[\n" else "\n]\n")
