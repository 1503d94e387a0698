"""The reports by objects, of records in the order of their URLs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from irlint.report.objects import Record, line
from irlint.text.safe import put_json, visible

FORMATS = ("jsonl", "html")
TITLE = "Model zoo report"


def write(
    records: Iterable[Record], format: str, stream: TextIO, then: Iterable[Record] | None = None, since: str = ""
) -> None:
    """Write a report by objects. `then` are the records of an earlier run, from a file called `since`."""
    if format == "html":
        from irlint.report.survey.page import write as write_page

        write_page(records, stream, TITLE, then, visible(since))
    else:
        for record in records:
            put_json(stream, line(record))
