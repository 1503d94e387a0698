"""Baselines of a run: that of --baseline for all files, or for each file that of its configuration."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from irlint.cli.output import output
from irlint.cli.status import UsageError
from irlint.jobs import FileOutcome, Job
from irlint.jobs.baseline import Baseline, BaselineError
from irlint.report.base import FileReport
from irlint.text.safe import visible
from irlint.text.words import count


class Baselines:
    """Baselines by path; None for a missing one that will be written."""

    def __init__(self, named: str | None, writes: bool) -> None:
        self.named, self.writes = named, writes
        self._known: dict[str, Baseline | None] = {}
        self._of: dict[str, str] = {}  # paths of baselines by names of files
        if named is not None:
            self._load(named)

    def prepare(self, jobs: Iterable[Job]) -> None:
        """Load the baselines of the files' configurations."""
        for path in dict.fromkeys(job.baseline for job in jobs):
            if path is not None:
                self._load(path)
        if self.writes and not self._known:
            raise UsageError("--write-baseline requires --baseline FILE or `baseline` in the configuration")

    def _load(self, path: str) -> None:
        if path in self._known:
            return
        if os.path.lexists(path):
            self._known[path] = Baseline.load(path)
        elif self.writes:
            self._known[path] = None
        else:
            raise BaselineError(f"{self._shown(path)}: no such file; create it with --write-baseline")

    def sift(self, outcome: FileOutcome) -> None:
        """Return a file's report with new findings only."""
        path, name = outcome.job.baseline, outcome.job.name
        if path is None:
            return
        self._of[name] = path
        if (known := self._known[path]) is None:
            return
        if outcome.report is not None:
            outcome.report = known.new(outcome.report, outcome.job.settings)
        elif outcome.trouble is None and outcome.failure is None:
            known.no_model(name)

    def stale(self) -> Iterator[tuple[str, list[str]]]:
        """Return the baselines whose findings are no longer all there, with a line for each of those."""
        for path, known in self._known.items():
            if known is not None:
                known.finish()
                if found := known.stale_entries():
                    yield self._shown(path), found

    def write(self, reports: list[FileReport], extend: bool) -> Iterator[tuple[str, int]]:
        """Write every baseline: the first one lists all that is found; later ones only shrink, unless what is new is to be
        added. Yields what to say of each, and how many new findings were not added.
        """
        found: dict[str | None, list[FileReport]] = {}
        for report in reports:
            found.setdefault(self._of.get(report.name), []).append(report)
        for path, known in self._known.items():
            yield self._write(path, known, found.get(path, []), known is None or extend)
        bare = sum(len(report.entries) for report in found.get(None, []))
        if bare:
            yield f"not written: {count(bare, 'finding')} in files without a baseline", bare

    def _write(self, path: str, known: Baseline | None, new: list[FileReport], grows: bool) -> tuple[str, int]:
        baseline = known or Baseline(path)
        baseline.finish()
        gone = len(baseline.stale_entries())
        baseline.shrink()
        for report in new if grows else ():
            baseline.add(report)
        with output(path) as file:
            file.write(baseline.dump())
        left = 0 if grows else sum(len(report.entries) for report in new)
        words = (
            f"{self._shown(path)}: {count(baseline.size, 'known finding')} written"
            + (f", {count(gone, 'stale entry', 'stale entries')} removed" if gone else "")
            + (f"; {count(left, 'new finding')} not added (use --extend-baseline to add them)" if left else "")
        )
        return words, left

    def names(self) -> list[str]:
        return [self._shown(path) for path in self._known]

    def _shown(self, path: str) -> str:
        return visible(path if path == self.named else os.path.relpath(path))
