"""Reports: the findings of many files in one of eleven output formats, written as they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TextIO

from irlint.engine import Result
from irlint.report.base import FileReport, Options, Totals, locate

__all__ = ["FORMATS", "FileReport", "Totals", "locate", "write"]

FORMATS = {
    "full": "full",
    "concise": "concise",
    "overview": "overview",
    "agent": "agent",
    "json": "json_array",
    "jsonl": "json_lines",
    "sarif": "sarif",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
    "html": "html",
}


def write(
    results: Iterable[Result | FileReport],
    format: str,
    stream: TextIO,
    *,
    color: bool = False,
    unsafe_fixes: bool = False,
    fixed: int = 0,
    root: Path | None = None,
    columns: int | None = None,
    show_all: bool = False,
    others: Mapping[str, int] | None = None,
    quiet: bool = False,
    can_fix: bool = True,
) -> Totals:
    """Write a report of every file to the stream, file by file, and return the totals.

    `unsafe_fixes`: unsafe fixes count as ready to be applied; `fixed`: how many findings were just repaired;
    `root`: the folder that paths in SARIF and GitLab reports are relative to (the current one); `columns`: the width of the terminal
    that the text formats are for, None for no terminal; `show_all`: findings of a file that say the same thing are not folded into one;
    `others`: how many models were left out because irlint does not check their format, known once all results are;
    `quiet`: the text formats end without a summary; `can_fix`: the command has --fix.
    """
    totals = Totals(fixed=fixed, others={} if others is None else others)
    options = Options(color, unsafe_fixes, (root or Path.cwd()).absolute(), totals, columns, show_all, quiet, can_fix)
    import_module(f"irlint.report.{FORMATS[format]}").write(_counted(results, totals), stream, options)
    return totals


def _counted(results: Iterable[Result | FileReport], totals: Totals) -> Iterator[FileReport]:
    for result in results:
        report = result if isinstance(result, FileReport) else locate(result)
        totals.add(report)
        yield report
