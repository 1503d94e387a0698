"""The reports of a run over stores, each made of all outcomes, and what they mean for the exit status."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from irlint.cli.object_reports import Earlier, Since, Verdict, write_objects
from irlint.cli.options import ReportTarget
from irlint.cli.output import look, output
from irlint.cli.status import USAGE, say
from irlint.cli.stored import stored
from irlint.report import FORMATS, write
from irlint.text.safe import visible
from irlint.tools.errors import UserError

if TYPE_CHECKING:
    from irlint.zoo.outcome import ObjectOutcome
    from irlint.zoo.run import ZooRun

Sifted = Iterator["tuple[ObjectOutcome, ObjectOutcome]"]  # each with what is left of it if only new findings are wanted


class ZooReports:
    """`earlier` is the report of --since; `since` is what has changed, once the reports are written."""

    def __init__(self, args: argparse.Namespace, earlier: Earlier | None) -> None:
        self._args, self._earlier = args, earlier
        self.verdict = Verdict()
        self.since: str | None = None

    def write(self, run: ZooRun) -> None:
        """Write all reports; one that cannot be written keeps no other from it."""
        earlier = self._earlier and self._earlier._replace(covers=run.covers)
        opened = [(target, output(target.file)) for target in self._args.reports]
        opened += [(target, stored(target.file)) for target in self._args.report]
        for number, (target, destination) in enumerate(opened):
            since = Since(earlier, self._args.new_only) if earlier else None
            found = self._sifted(run, since, is_told=number == 0)
            try:
                with destination as stream:
                    self._write(found, target, stream, earlier)
            except UserError as error:
                say(*error.args)
                self.verdict.worsen(USAGE)
            for _ in found:  # outcomes count even if they could not be written
                pass

    def _write(self, found: Sifted, target: ReportTarget, stream: TextIO, earlier: Earlier | None) -> None:
        from irlint.zoo.outcome import record_of

        if FORMATS[target.format].is_by_object:
            write_objects((record_of(outcome) for outcome, _ in found), target.format, stream, earlier)
            return
        write(
            (sifted.report for _, sifted in found if sifted.report is not None),
            target.format,
            stream,
            **look(target.file, stream),
            show_all=self._args.show_all,
            quiet=self._args.quiet,
            can_fix=False,
        )

    def _sifted(self, run: ZooRun, since: Since | None, is_told: bool) -> Sifted:
        for outcome in run.outcomes():
            sifted = outcome if since is None else since.sift(outcome)
            if is_told:
                self._tell(sifted, run)
            yield outcome, sifted
        if since is not None and is_told:
            self.since = since.summary()

    def _tell(self, outcome: ObjectOutcome, run: ZooRun) -> None:
        """Say what could not be read, and count."""
        if outcome.failure is not None:
            say(*f"{visible(outcome.url)}: internal error: {outcome.failure}".rstrip().split("\n"))
        if outcome.trouble is not None:
            say(f"{visible(outcome.url)}: {outcome.trouble}")
        entries = outcome.report.entries if outcome.report is not None else ()
        severities = [entry.finding.severity for entry in entries]
        is_unread, has_failed = outcome.trouble is not None, outcome.failure is not None
        self.verdict.add(severities, run.options.fail_on, is_unread, has_failed)
