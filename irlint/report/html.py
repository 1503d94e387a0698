"""One page about all files, for people: figures, rules, folders, and the files with the most errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from irlint.report.base import FileReport, Options
from irlint.report.objects import object_record
from irlint.report.survey.page import write as write_page


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    records = (object_record(file.name, file.name, None, None, file) for file in files)
    write_page(records, stream, "Model report")
