"""Reports about objects of stores: those of earlier runs, what changed since one, those of a run, and its exit status."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, TextIO

from irlint.cli.options import ReportTarget
from irlint.cli.output import look, output
from irlint.cli.status import FAILURE, FOUND, OK, USAGE, say
from irlint.cli.stored import fetched, stored
from irlint.findings import Severity
from irlint.records import replace
from irlint.report import FORMATS, write
from irlint.text.safe import visible
from irlint.text.words import count
from irlint.tools import UserError

if TYPE_CHECKING:
    from irlint.report.objects import Record
    from irlint.zoo.outcome import ObjectOutcome
    from irlint.zoo.run import ZooRun


class Earlier(NamedTuple):
    """A report of an earlier run: its name, and the file that it is in. `covers` says which of its URLs the new run is about."""

    name: str
    path: str
    covers: Callable[[str], bool] = lambda _: True

    def records(self) -> Iterator[Record]:
        """Yield the records; raise BrokenReport for a report that cannot be read."""
        from irlint.report.objects.files import records

        return (record for record in records(self.path, self.name) if self.covers(record["url"]))


def earlier_report(name: str, opened: ExitStack, written: Iterable[str | None] = ()) -> Earlier:
    """Return a report, until `opened` is closed. It is copied first if it is in a store, in a pipe, which can be read only once, or
    among the files that will be written.
    """
    from irlint.report.paths import is_url

    if is_url(name):
        from irlint.zoo.stores import shown

        return Earlier(shown(name), opened.enter_context(fetched(name)))
    is_pipe = os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name)
    if not is_pipe and os.path.realpath(name) not in [os.path.realpath(path) for path in written if path]:
        return Earlier(name, name)
    copy = os.path.join(opened.enter_context(TemporaryDirectory(prefix="irlint-")), "report")
    try:
        with open(name, "rb") as source, open(copy, "wb") as target:
            shutil.copyfileobj(source, target)
    except OSError:  # which the one who reads it says
        return Earlier(name, name)
    return Earlier(name, copy)


def add_since(group: argparse._ArgumentGroup | argparse.ArgumentParser, text: str) -> None:
    group.add_argument("--since", metavar="REPORT", help=text)


def since_of(name: str | None, opened: ExitStack, written: Iterable[str | None]) -> Earlier | None:
    """Return the report of --since; refuse one that cannot be read before hours are spent on the new one."""
    if name is None:
        return None
    found = earlier_report(name, opened, written)
    for _ in found.records():
        pass
    return found


def write_objects(found: Iterable[Record], format: str, stream: TextIO, since: Earlier | None = None) -> None:
    from irlint.report.outputs import objects

    then, name = (None, "") if since is None else (since.records(), since.name)
    objects.write_objects(found, format, stream, then, name)


class Since:
    """An earlier report, read along with the outcomes of a run. `is_only`: nothing but new findings stays."""

    def __init__(self, report: Earlier, is_only: bool) -> None:
        self._name, self._is_only = report.name, is_only
        self._then: Iterator[Record] = report.records()
        self._next = next(self._then, None)
        self.new = self.fixed = self.added = self.removed = 0

    def sift(self, outcome: ObjectOutcome) -> ObjectOutcome:
        """Return an outcome, those of a run in order, without the findings that are not shown."""
        from irlint.report.objects import may_be_model
        from irlint.report.objects.files import are_comparable, changes
        from irlint.zoo.outcome import record_of

        now = record_of(outcome)
        then = self._find(now["url"])
        self.added += then is None and may_be_model(now)
        new: list[int] = []
        if are_comparable(now, then):
            new, gone = changes(now, then)
            self.new += len(new)
            self.fixed += gone.total()
        report = outcome.report
        if report is None or not self._is_only:
            return outcome
        return replace(outcome, report=replace(report, entries=tuple(report.entries[number] for number in new)))

    def _find(self, url: str) -> Record | None:
        while self._next is not None and self._next["url"] < url:
            self._pass(self._next)
        if self._next is None or self._next["url"] != url:
            return None
        found, self._next = self._next, next(self._then, None)
        return found

    def _pass(self, gone: Record) -> None:
        from irlint.report.objects import may_be_model

        self.removed += may_be_model(gone)
        self._next = next(self._then, None)

    def summary(self) -> str:
        """Return what has changed, after the last outcome."""
        while self._next is not None:
            self._pass(self._next)
        objects = f"{count(self.added, 'new model')}, {self.removed:,} removed"
        return f"since {visible(self._name)}: {count(self.new, 'new finding')}, {self.fixed:,} fixed; {objects}"


class Verdict:
    def __init__(self) -> None:
        self.status = OK
        self.objects = 0
        self.failing = 0  # of them: with errors

    def add(self, severities: Iterable[Severity], fail_on: Severity, is_unread: bool, has_failed: bool) -> None:
        """Count an object with its findings; it may not have been read, or irlint may have failed over it."""
        found = max(severities, default=None)
        self.objects += 1
        self.failing += found == Severity.ERROR
        self.worsen(FOUND if found is not None and found >= fail_on else OK)
        self.worsen(FAILURE if has_failed else USAGE if is_unread else OK)

    def worsen(self, status: int) -> None:
        self.status = max(self.status, status)

    def exit_status(self, exit_zero: bool) -> int:
        return OK if exit_zero and self.status == FOUND else self.status


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
