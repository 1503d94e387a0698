"""Merge reports of `irlint zoo`: those of shards, or a run and later ones of a part."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, TextIO

from irlint.cli.object_reports import Earlier, Verdict, add_since, earlier_report, since_of, write_objects
from irlint.cli.options import SEVERITIES
from irlint.cli.output import look, output
from irlint.cli.status import UsageError, say
from irlint.findings import Severity
from irlint.report.paths import is_url
from irlint.text.others import ending
from irlint.text.words import count

if TYPE_CHECKING:
    from irlint.report.objects import Record

FORMATS = ("jsonl", "html", "overview", "concise", "json")
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
        help="reports to merge; if an object is in several of them, the last one counts",
    )
    parser.add_argument(
        "-o", "--output", "--output-file", metavar="FILE", help="write the report to FILE instead of stdout"
    )
    parser.add_argument(
        "--output-format",
        choices=FORMATS,
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (default: by the ending of FILE, else jsonl)",
    )
    add_since(parser, "with html: show what changed since an earlier report, a file or URL of --output-format jsonl")
    parser.add_argument("-q", "--quiet", action="store_true", help="show errors only: no summary")
    parser.add_argument(
        "--fail-on",
        choices=SEVERITIES,
        default="error",
        metavar="LEVEL",
        help="exit with status 1 if any finding is at or above LEVEL: error, warning or info (default: error)",
    )
    parser.add_argument("--exit-zero", action="store_true", help="exit with status 0 even if there are findings")


def run(args: argparse.Namespace) -> int:
    from irlint.report.objects.files import merged

    if args.output is not None and is_url(args.output):
        raise UsageError("--output expects a file; copy it to a store")
    format = args.output_format or _format_of(args.output)
    if args.since is not None and format != "html":
        raise UsageError("--since requires --output-format html")
    verdict, fail_on = Verdict(), Severity.parse(args.fail_on)
    with ExitStack() as opened:
        since = since_of(args.since, opened, [args.output])
        reports = [earlier_report(name, opened, [args.output]) for name in args.reports]
        stream = opened.enter_context(output(args.output))
        found = _counted(merged([report.records() for report in reports]), verdict, fail_on)
        _write(found, format, args, stream, since)
    if not args.quiet:
        say(
            f"{count(len(args.reports), 'report')} merged: {count(verdict.objects, 'object')}, {verdict.failing:,} with errors"
        )
    return verdict.exit_status(args.exit_zero)


def _counted(found: Iterator[Record], verdict: Verdict, fail_on: Severity) -> Iterator[Record]:
    from irlint.report.objects import severities

    for record in found:
        is_unread, has_failed = record["trouble"] is not None, record["failure"] is not None
        verdict.add(severities(record), fail_on, is_unread, has_failed)
        yield record


def _format_of(path: str | None) -> str:
    from irlint.cli.stored import BY_ENDING

    format = "jsonl" if path is None else BY_ENDING.get(ending(path), "jsonl")
    if format not in FORMATS:
        raise UsageError(f"cannot write {format} reports of merged ones; expected {', '.join(FORMATS)}")
    return format


def _write(
    found: Iterator[Record], format: str, args: argparse.Namespace, stream: TextIO, since: Earlier | None
) -> None:
    from irlint.report import FORMATS as KNOWN
    from irlint.report import write

    if KNOWN[format].is_by_object:
        write_objects(found, format, stream, since)
        return
    from irlint.report.objects import is_model, report_of

    write(
        (report_of(record) for record in found if is_model(record)),
        format,
        stream,
        **look(args.output, stream),
        quiet=args.quiet,
        can_fix=False,
    )
