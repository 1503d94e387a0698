"""Report what a new version of a model breaks for the programs that use it: loading, its interface, its numbers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from irlint.cli.commands.check import CheckRun
from irlint.cli.jobs import jobs
from irlint.cli.model import model_file, only_one_stdin
from irlint.cli.options import ABSENT, add_baseline, add_configuration, add_models, add_output, add_rules, verify
from irlint.cli.revisions import VersionPair, add_against, changed_models, on_disk, on_stdin
from irlint.cli.status import UsageError
from irlint.codes import COMPARING
from irlint.engine import failed
from irlint.files.read import Unreadable
from irlint.inspection.breaking import LEVELS, level_of
from irlint.jobs import FileOutcome, Job, JobOptions
from irlint.jobs.versions import breaking, old_version, removed, said_of_new, settings_for
from irlint.records import replace
from irlint.report.base import FileReport, locate
from irlint.tools import UserError

EPILOG = """\
levels, from the worst on:
  loads      B00*  runtimes that load the old version do not load the new one, or need to be newer
  interface  B01*  programs have to change: inputs, outputs, states, metadata
  numerics   B02*  programs work as before and get other numbers

exit status: as that of irlint check
"""
_MEANING = {
    "loads": "the new version may not load where the old one does",
    "interface": "programs that use the model may have to change",
    "numerics": "programs work as before and get other numbers",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="OLD NEW", help="two versions of a model, or with --against the models to compare"
    )
    add_against(parser)
    parser.add_argument(
        "--level",
        choices=tuple(LEVELS),
        default="numerics",
        help="report what breaks up to this level (default: numerics)",
    )
    add_rules(parser.add_argument_group("rule selection"))
    add_models(parser.add_argument_group("model selection"))
    add_output(parser.add_argument_group("output"))
    group = parser.add_argument_group("configuration")
    add_configuration(group)
    add_baseline(group)
    parser.set_defaults(**ABSENT)


def run(args: argparse.Namespace) -> int:
    if args.against is None:
        if len(args.paths) != 2:
            raise UsageError("expected two files, OLD and NEW, or --against REV")
        only_one_stdin(args.paths)
        args.paths = [model_file(path) for path in args.paths]
    verify(args)
    return BreakingRun(args).run()


class BreakingRun(CheckRun):
    """One run of `irlint breaking`: reports, baselines and exit status are those of `irlint check`."""

    def __init__(self, args: argparse.Namespace) -> None:
        super().__init__(args)
        self.pairs: dict[str, VersionPair] = {}
        self.levels: set[str] = set()

    def run(self) -> int:
        if self.args.against is None:
            old, new = self.args.paths
            self.args.paths = [new]
            (job,) = (one for one in jobs(self.args, self.complain) if not one.found)  # not the files next to it
            data = job.data
            version = on_disk(new) if data is None else on_disk(job.name)._replace(read=lambda: data, path=None)
            self.pairs = {job.name: VersionPair(job, on_stdin() if old == "-" else on_disk(old), version)}
            return self._run()
        with changed_models(self.args.against, self.args.paths, self.args, self.complain) as pairs:
            self.pairs = {pair.job.name: pair for pair in pairs}
            return self._run()

    def _run(self) -> int:
        status = super().run()
        worst = next((level for level in LEVELS if level in self.levels), None)
        if worst is not None:
            self.note(f"worst level: {worst} ({_MEANING[worst]})")
        if self.args.against is not None and not self.pairs:
            self.note(f"no models changed since {self.args.against}")
        return status

    def jobs(self) -> list[Job]:
        settings = [settings_for(pair.job.settings, self.args.level) for pair in self.pairs.values()]
        return [pair.job._replace(settings=one) for pair, one in zip(self.pairs.values(), settings, strict=True)]

    def checked(self, todo: list[Job], how: JobOptions) -> Iterator[FileOutcome]:
        return (self._guarded(job, self.pairs[job.name], how.as_format) for job in todo)

    def outcomes(self) -> Iterator[FileOutcome]:
        for outcome in super().outcomes():
            if outcome.report is not None:
                codes = {entry.finding.code for entry in outcome.report.entries}
                self.levels |= set(map(level_of, codes & COMPARING))
            yield outcome

    def _guarded(self, job: Job, pair: VersionPair, as_format: str | None) -> FileOutcome:
        """Return one model's outcome. An internal error affects this model only: it is its finding."""
        try:
            return self._outcome(job, pair, as_format)
        except UserError:
            raise
        except Exception as error:
            return FileOutcome(job, locate(failed(job.name, error), job.fail_on))

    def _outcome(self, job: Job, pair: VersionPair, as_format: str | None) -> FileOutcome:
        before = pair.old or pair.new
        assert before is not None
        try:
            old, settings = old_version(lambda one: before.lint(one, as_format), pair.job.settings)
            if pair.old is None:
                report = FileReport(job.name, None, None, (), job.fail_on)
                return FileOutcome(job, report, note=said_of_new(old))
            why = "" if old.document is not None else old.why
        except Unreadable as error:
            why = str(error)
        if why:
            return FileOutcome(job, trouble=f"cannot compare with {before.name}: {why}")
        if pair.new is None:
            return FileOutcome(job, locate(removed(old, job.name, job.settings), job.fail_on))
        try:
            new = pair.new.lint(settings, as_format)
        except Unreadable as error:
            return FileOutcome(job, trouble=str(error))
        notes: list[str] = []
        result = breaking(old, replace(new, name=job.name), job.settings, before.name, notes.append)
        note = "; ".join(notes) or None
        return FileOutcome(job, locate(result, job.fail_on), note=note, incomplete=result.incomplete)
