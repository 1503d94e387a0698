"""Merge reports of `irlint zoo`: those of shards, or a run and later ones of a part."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from irlint.cli import _objects
from irlint.cli._output import columns, has_color, output
from irlint.cli._say import say
from irlint.cli._status import FAILURE, FOUND, OK, USAGE, UsageError
from irlint.findings import Severity
from irlint.text.words import count

if TYPE_CHECKING:
    from irlint.report.objects import Record

FORMATS = ("jsonl", "html", "concise", "json")
EPILOG = """\
Each report has its objects in the order of their URLs, as `irlint zoo --output-format jsonl` writes them; so has the merged one.

exit status:
  0  no findings at or above --fail-on
  1  findings at or above --fail-on
  2  invalid usage, a report that cannot be read, or an object that could not be read
  3  internal error with an object
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "reports",
        nargs="+",
        metavar="REPORT",
        help="reports to merge; of an object in several the last report's is taken",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write the report to FILE instead of stdout")
    parser.add_argument(
        "--output-format",
        choices=FORMATS,
        default="jsonl",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (default: jsonl)",
    )
    _objects.add_since(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="show errors only: no summary")
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "info"),
        default="error",
        metavar="LEVEL",
        help="exit with status 1 if any finding is at or above LEVEL: error, warning or info (default: error)",
    )
    parser.add_argument("--exit-zero", action="store_true", help="exit with status 0 even if there are findings")


def run(args: argparse.Namespace) -> int:
    from irlint.report.object_files import BrokenReport, merged, records

    _objects.verify_since(args.since, [args.output_format])
    tally = _Tally(Severity.parse(args.fail_on))
    try:
        with output(args.output) as stream:
            _write(tally.counted(merged([records(path) for path in args.reports])), args, stream)
    except BrokenReport as error:
        raise UsageError(str(error)) from error
    if not args.quiet:
        say(
            f"{count(len(args.reports), 'report')} merged: {count(tally.objects, 'object')}, {tally.failing:,} with errors"
        )
    return OK if args.exit_zero and tally.status == FOUND else tally.status


def _write(found: Iterator[Record], args: argparse.Namespace, stream: TextIO) -> None:
    from irlint.report import object_report, write

    if args.output_format in object_report.FORMATS:
        _objects.write(found, args.output_format, stream, args.since)
        return
    from irlint.report.objects import is_model, report_of

    write(
        (report_of(record) for record in found if is_model(record)),
        args.output_format,
        stream,
        color=args.output is None and has_color(stream),
        columns=None if args.output else columns(stream),
        quiet=args.quiet,
    )


class _Tally:
    """What the exit status and the summary are made of."""

    def __init__(self, fail_on: Severity) -> None:
        self._fail_on = fail_on
        self.objects = self.failing = 0
        self.status = OK

    def counted(self, found: Iterator[Record]) -> Iterator[Record]:
        from irlint.report.objects import severities

        for record in found:
            self.objects += 1
            grades = severities(record)
            self.failing += Severity.ERROR in grades
            if any(grade >= self._fail_on for grade in grades):
                self.status = max(self.status, FOUND)
            if record["trouble"] is not None:
                self.status = max(self.status, USAGE)
            if record["failure"] is not None:
                self.status = FAILURE
            yield record
