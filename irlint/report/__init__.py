"""Reports: the findings of many files in one of the output formats, written as they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from irlint.records import NamedTuple
from irlint.report.base import FileReport, Options, Totals, locate

if TYPE_CHECKING:
    from irlint.engine import Result

__all__ = ["DEFAULT", "FORMATS", "FileReport", "Totals", "locate", "write"]


class OutputFormat(NamedTuple):
    """An output format: the function of a module in `outputs` that writes it, and what it can do."""

    module: str
    writer: str = "write"
    ending: str = ""  # of the names of reports in stores
    is_text: bool = False  # for terminals
    is_by_object: bool = (
        False  # a zoo's report in it is made of records of objects, so that it can be compared and merged
    )
    has_statistics: bool = False


FORMATS = {
    "full": OutputFormat("text", "write_full", is_text=True, has_statistics=True),
    "concise": OutputFormat("text", "write_concise", ending=".txt", is_text=True, has_statistics=True),
    "overview": OutputFormat("overview"),
    "agent": OutputFormat("agent"),
    "json": OutputFormat("json", ending=".json", has_statistics=True),
    "jsonl": OutputFormat("json", "write_lines", ending=".jsonl", is_by_object=True, has_statistics=True),
    "sarif": OutputFormat("sarif", ending=".sarif"),
    "github": OutputFormat("github"),
    "gitlab": OutputFormat("gitlab"),
    "junit": OutputFormat("junit", ending=".xml"),
    "html": OutputFormat("objects", ending=".html", is_by_object=True),
}
DEFAULT = "full"


def write(
    results: Iterable[Result | FileReport],
    format: str,
    stream: TextIO,
    *,
    color: bool = False,
    unsafe_fixes: bool = False,
    fixed: Mapping[str, int] | None = None,
    proven: int = 0,
    root: Path | None = None,
    columns: int | None = None,
    show_all: bool = False,
    others: Mapping[str, int] | None = None,
    quiet: bool = False,
    can_fix: bool = True,
) -> Totals:
    """Write a report of every file to the stream, file by file, and return the totals.

    `unsafe_fixes`: unsafe fixes count as ready to be applied; `fixed`: how many findings of each file were just repaired,
    `proven` of all by proven fixes;
    `root`: the folder that paths in SARIF and GitLab reports are relative to (the current one); `columns`: the width of the terminal
    that the text formats are for, None for no terminal; `show_all`: findings of a file that say the same thing are not folded into one;
    `others`: how many models were left out because irlint does not check their format, known once all results are;
    `quiet`: the text formats end without a summary; `can_fix`: the command has --fix.
    """
    totals = Totals(
        fixed_in={} if fixed is None else fixed, fixed_proven=proven, others={} if others is None else others
    )
    options = Options(color, unsafe_fixes, (root or Path.cwd()).absolute(), totals, columns, show_all, quiet, can_fix)
    chosen = FORMATS[format]
    writer = getattr(import_module(f"irlint.report.outputs.{chosen.module}"), chosen.writer)
    writer(_counted(results, totals), stream, options)
    return totals


def _counted(results: Iterable[Result | FileReport], totals: Totals) -> Iterator[FileReport]:
    for result in results:
        report = result if isinstance(result, FileReport) else locate(result)
        totals.add(report)
        yield report
