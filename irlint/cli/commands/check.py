"""Check model files, and fix them with --fix."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from irlint.cli.baselines import Baselines
from irlint.cli.dispatch import ALIASES, commands
from irlint.cli.jobs import STDIN, cache_folder, jobs
from irlint.cli.options import add_arguments, verify
from irlint.cli.output import look, output, write_exactly
from irlint.cli.progress import with_bar
from irlint.cli.status import FAILURE, FOUND, OK, USAGE, UsageError, say
from irlint.codes import R
from irlint.files.read import size_of
from irlint.jobs import FileOutcome, Job, JobOptions
from irlint.jobs.pool import run_all
from irlint.operators import nearest
from irlint.report import FORMATS, write
from irlint.report.base import FileReport
from irlint.rules.registry import verify_plugins
from irlint.text.base import decode
from irlint.text.safe import lines, put, visible
from irlint.text.words import count

if TYPE_CHECKING:
    from irlint.cache import Cache

__all__ = ["EPILOG", "add_arguments", "run"]

VALUE_OPTIONAL = ("--add-ignore",)

EPILOG = """\
findings:
  error     the format's own loader or runtime refuses the file, crashes, or computes something else than the file declares
  warning   the file loads, but is almost certainly not what was meant
  info      style, or cost
  pedantic  what converters write and runtimes handle; reported only with --pedantic

fixes, offered only where the format is certain, which is where a file's content shows it (see irlint formats FILE):
  safe    does not change what the file means for any reader that accepts it; made by --fix
  proven  the file is refused, and of all changes that were tried this is the only likely one after which everything fits; made by --fix
  unsafe  a guess at what was meant; made by --fix --unsafe-fixes

exit status:
  0  no findings at or above --fail-on
  1  findings at or above --fail-on
  2  invalid usage or configuration, or a file that cannot be read or written
  3  internal error outside of any file, or the process that checked a file was killed
"""

SHOWN = 10  # stale entries of a baseline, and refused fixes of a file, to report


WORTH_CACHING = 1 << 20  # bytes of a single file; a smaller one is checked sooner than remembered


def run(args: argparse.Namespace) -> int:
    verify(args)
    if args.paths and (hint := _hint(args.paths[0])) and not args.skip_unrecognized:
        raise UsageError(f"{visible(args.paths[0])}: no such file or folder{hint}")  # a misspelled command
    if args.show_files:
        from irlint.cli.jobs import show_files

        return show_files(args)
    if args.watch:
        from irlint.cli.watch import watch

        return watch(args, lambda: CheckRun(args).run())
    return CheckRun(args).run()


class CheckRun:
    """One run of `irlint check`."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.status = OK
        self.seen = 0  # files
        self.fixed: dict[str, int] = {}  # findings, by file
        self.proven = self.incomplete = self.pointers = self.unrecognized = 0
        self.times: dict[str, float] = {}
        self.others: Counter[str] = Counter()
        self.baselines = Baselines(args.baseline, args.write_baseline)

    def run(self) -> int:
        args = self.args
        if args.write_baseline:
            self._write_baseline()
        elif args.add_ignore is not None:
            self._add_ignores()
        elif args.diff:
            self._write_diff()
        else:
            self._write_report()
            self._tell_stale()
        if self.incomplete:
            self.note(
                f"{count(self.incomplete, 'file')} not checked completely: some values are computed with NumPy, which is not"
                " installed (pip install numpy)"
            )
        if self.pointers:
            self.note(
                f"{count(self.pointers, 'file')} not checked: Git LFS pointers; run `git lfs pull` to fetch the files"
            )
        if self.unrecognized and self.seen > self.unrecognized:
            self.note(
                f"{count(self.unrecognized, 'file')} not recognized as models; use --skip-unrecognized to skip such files"
            )
        if self.fixed and args.exit_non_zero_on_fix:
            return max(self.status, FOUND)
        return OK if args.exit_zero and self.status == FOUND else self.status

    def outcomes(self) -> Iterator[FileOutcome]:
        """Yield reports in order; record what affects the exit status, and write notes."""
        args = self.args
        verify_plugins()
        todo = self.jobs()
        self.seen = len(todo)
        self.baselines.prepare(todo)
        how = JobOptions(
            args.as_format,
            args.fix or args.diff,
            args.unsafe_fixes,
            not args.diff,
            args.skip_unrecognized,
            _cache(args, todo) if not args.statistics else None,
            args.statistics,
            mapped=not (args.fix or args.diff or args.watch),
        )
        if args.verbose:
            for path in sorted({job.config for job in todo if job.config}):
                say(f"configuration: {visible(path)}")
        outcomes = self.checked(todo, how)
        for outcome in outcomes if args.quiet else with_bar(outcomes, len(todo)):
            self._tell(outcome)
            self.baselines.sift(outcome)
            self._tell_refused(outcome)
            if outcome.fails:
                self.status = max(self.status, FOUND)
            self.fixed |= {outcome.job.name: outcome.fixed} if outcome.fixed else {}
            self.proven += outcome.proven
            self.incomplete += outcome.incomplete
            self.pointers += outcome.is_pointer
            self.unrecognized += _is_unrecognized(outcome)
            for what, seconds in (outcome.times or {}).items():
                self.times[what] = self.times.get(what, 0.0) + seconds
            yield outcome

    def jobs(self) -> list[Job]:
        """Return the files to check, with their settings."""
        return jobs(self.args, self.complain, self.others)

    def checked(self, todo: list[Job], how: JobOptions) -> Iterator[FileOutcome]:
        """Yield the outcomes of the jobs, in order."""
        return run_all(todo, how, self.args.jobs)

    def _tell(self, outcome: FileOutcome) -> None:
        """Report what went wrong with a file, and what else there is to know of it."""
        name = outcome.job.name
        if outcome.failure is not None:
            say(*f"{visible(name)}: internal error: {outcome.failure}".split("\n"))
            self.status = FAILURE
        if outcome.trouble is not None:
            self.complain(name, outcome.trouble + _hint(name))
        if outcome.note is not None:
            self.note(f"{visible(name)}: {outcome.note}")
        if self.args.verbose:
            say(f"{visible(name)}: {_description(outcome)}")

    def _tell_refused(self, outcome: FileOutcome) -> None:
        """Report fixes that were not applied because they would do harm."""
        name, refused = visible(outcome.job.name), outcome.refused
        for line, column, code, title, why in refused[:SHOWN]:
            say(f"{name}:{line}:{column}: {code} is not fixed: the fix ({visible(title)}) {visible(why)}")
        if len(refused) > SHOWN:
            say(f"{name}: {len(refused) - SHOWN} more findings are not fixed")

    def complain(self, path: str, why: str) -> None:
        say(f"{visible(path)}: {why}")
        self.status = max(self.status, USAGE)

    def _reports(self) -> Iterator[FileReport]:
        for outcome in self.outcomes():
            if outcome.data is not None and outcome.job.data is not None:  # fixed stdin is written to stdout
                _write_stdin(outcome.data)
            if outcome.report is not None:
                yield outcome.report

    def _write_report(self) -> None:
        args = self.args
        reports: Iterator[FileReport] | list[FileReport] = self._reports()
        if args.fix:
            reports = list(reports)  # the report starts after all fixes, as it has their number
        standard = sys.stderr if args.fix and STDIN in args.paths else sys.stdout
        if len(args.reports) > 1:
            reports = list(reports)
        for target in args.reports:
            with output(target.file, standard) as stream:
                if args.statistics:
                    from irlint.cli.statistics import write_statistics

                    write_statistics(reports, target.format, stream)
                else:
                    write(
                        reports,
                        target.format,
                        stream,
                        **look(target.file, stream),
                        unsafe_fixes=args.unsafe_fixes,
                        fixed=self.fixed,
                        proven=self.proven,
                        show_all=args.show_all,
                        others=self.others,
                        quiet=args.quiet,
                    )
        if args.statistics and any(FORMATS[target.format].is_text for target in args.reports):
            from irlint.cli.statistics import rule_times

            self.note(*rule_times(self.times))

    def _add_ignores(self) -> None:
        from irlint.cli.add_ignores import add_ignores

        found = list(self.outcomes())  # so that all files are checked before one is changed
        summary, status = add_ignores(found, self.args.as_format, self.args.add_ignore, say)
        if self.status in (OK, FOUND):
            self.status = status
        self.note(summary)

    def note(self, *lines: str) -> None:
        if not self.args.quiet:
            say(*lines)

    def _write_diff(self) -> None:
        changed = unsafe = escaped = left = 0
        file = self.args.reports[0].file
        with output(file) as stream:
            for outcome in self.outcomes():
                changed += bool(outcome.diff)
                unsafe += _unsafe_fixes(outcome)
                left += len(outcome.report.entries) if outcome.report is not None else 0
                shown = outcome.diff if file else lines(outcome.diff)
                escaped += shown != outcome.diff
                write_exactly(shown.encode("utf-8", "surrogateescape"), stream)
        if escaped:
            self.note(
                f"{count(escaped, 'diff')} with escaped characters cannot be applied; --output-file writes them exactly"
            )
        if self.fixed:
            self.note(f"would fix {count(sum(self.fixed.values()), 'finding')} in {count(changed, 'file')}")
        elif unsafe and not self.args.unsafe_fixes:
            self.note(f"no safe or proven fixes; --unsafe-fixes would fix {count(unsafe, 'finding')}")
        elif left:
            self.note(
                f"no fixes for {count(left, 'finding')}; without --diff, irlint shows {'it' if left == 1 else 'them'}"
            )

    def _tell_stale(self) -> None:
        """Report stale entries of baselines, which could hide new findings."""
        for name, found in self.baselines.stale():
            say(f"{name}: {count(len(found), 'entry', 'entries')} no longer found:")
            more = [f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
            say(*(f"  {line}" for line in found[:SHOWN] + more))
            say("use --write-baseline to remove them")

    def _write_baseline(self) -> None:
        found = list(self._reports())
        if self.status > FOUND:
            for name in self.baselines.names():
                say(f"{name}: not written because not all files could be checked")
            return
        left = 0
        for words, new in self.baselines.write(found, self.args.extend_baseline):
            say(words)
            left += new
        self.status = self.status if left else OK


def _description(outcome: FileOutcome) -> str:
    """Return how a file was read, for --verbose."""
    report = outcome.report
    if report is None:
        return "not a model" if outcome.trouble is None and outcome.failure is None else "not checked"
    words = [report.format or "no known format", *([f"({report.dialect})"] if report.dialect else [])]
    speed = "from the cache" if outcome.seconds is None else f"{outcome.seconds * 1000:.0f} ms"
    return f"{' '.join(words)}, {count(len(report.entries), 'finding')}, {speed}"


def _is_unrecognized(outcome: FileOutcome) -> bool:
    return outcome.report is not None and any(
        e.finding.code == R.unrecognized_file.code for e in outcome.report.entries
    )


def _unsafe_fixes(outcome: FileOutcome) -> int:
    entries = outcome.report.entries if outcome.report is not None else ()
    return sum(entry.finding.fix is not None and entry.finding.fix.needs_flag for entry in entries)


def _cache(args: argparse.Namespace, todo: list[Job]) -> Cache | None:
    if args.no_cache or (
        len(todo) < 2 and not args.cache_dir and not any(size_of(job.name) >= WORTH_CACHING for job in todo)
    ):
        return None
    from irlint.cache import open_cache

    return open_cache(cache_folder(args))


def _hint(name: str) -> str:
    """Return a suggestion for a missing file with a name like that of a command, or of an object."""
    if os.path.lexists(name):
        return ""
    from irlint.report.paths import is_url

    if is_url(name):
        return f" (did you mean `irlint zoo {visible(name)}`?)"
    if (command := nearest(name, [*commands(), *ALIASES])) is None:
        return ""
    return f" (did you mean `irlint {command}`?)"


def _write_stdin(data: bytes) -> None:
    """Write what has become of standard input: the file itself for programs, lines that are safe to show on a terminal."""
    if sys.stdout.isatty():
        put(sys.stdout, decode(data)[0])
    else:
        write_exactly(data)
