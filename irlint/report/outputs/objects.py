"""The reports by objects, of records in the order of their URLs: an object on each line, or one page about all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from irlint.report.base import FileReport, Options
from irlint.report.objects import Record, line, object_record
from irlint.report.terminal import left_out
from irlint.text.safe import put_json, visible

TITLE = "Model zoo report"


def write_objects(
    records: Iterable[Record], format: str, stream: TextIO, then: Iterable[Record] | None = None, since: str = ""
) -> None:
    """Write a report by objects. `then` are the records of an earlier run, from a file called `since`."""
    if format == "html":
        from irlint.report.survey import write as write_page

        write_page(records, stream, TITLE, then, visible(since))
    else:
        for record in records:
            put_json(stream, line(record))


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    """Write the page about files: figures, rules, folders, and the files with the most errors."""
    from irlint.report.survey import write as write_page

    records = (object_record(file.name, file.name, None, None, file) for file in files)
    write_page(records, stream, "Model report", left_out=lambda: left_out(options.totals))
