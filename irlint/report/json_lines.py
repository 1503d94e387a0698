"""The objects of the JSON report, one per line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TextIO

from irlint.report.base import FileReport, Options
from irlint.report.record import records
from irlint.text.safe import put_json


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    encode = json.JSONEncoder(separators=(",", ":")).encode
    for file in files:
        for found in records(file):
            put_json(stream, encode(found) + "\n")
