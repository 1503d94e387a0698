"""Reports by objects: --since, and files of earlier runs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from irlint.cli._status import UsageError

if TYPE_CHECKING:
    from irlint.report.objects import Record


def add_since(group: argparse._ArgumentGroup | argparse.ArgumentParser) -> None:
    group.add_argument(
        "--since",
        metavar="REPORT",
        help="with --output-format html: show what changed since an earlier report, a file of --output-format jsonl",
    )


def verify_since(since: str | None, formats: Sequence[str]) -> None:
    """Refuse a report that nothing would be made of, or that cannot be read, before hours are spent on the new one."""
    if since is None:
        return
    if "html" not in formats:
        raise UsageError("--since requires --output-format html")
    from irlint.report.object_files import BrokenReport, records

    try:
        next(records(since), None)
    except BrokenReport as error:
        raise UsageError(str(error)) from error


def write(found: Iterable[Record], format: str, stream: TextIO, since: str | None = None) -> None:
    from irlint.report import object_report
    from irlint.report.object_files import BrokenReport, records

    try:
        object_report.write(found, format, stream, None if since is None else records(since), since or "")
    except BrokenReport as error:
        raise UsageError(str(error)) from error
