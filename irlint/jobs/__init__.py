"""Many files: what is to be done with each and what became of it, which is all that travels between processes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from irlint.findings import Severity
from irlint.records import NamedTuple, dataclass
from irlint.report.base import FileReport
from irlint.settings import Settings

if TYPE_CHECKING:
    from irlint.cache import Cache

STDIN_NAME = "<stdin>"


class Job(NamedTuple):
    """One file to be checked. `name` is its path as the user sees it; `found`: met in a folder, not named.
    `is_beside`: not asked for, but it may contradict a file that is; it is never changed."""

    name: str
    settings: Settings
    fail_on: Severity = Severity.ERROR
    found: bool = False
    data: bytes | None = None  # instead of what is on disk
    baseline: str | None = None  # the list of known findings that holds for it
    config: str | None = None  # the configuration file that applies
    is_beside: bool = False


class JobOptions(NamedTuple):
    """What is done to every file."""

    as_format: str | None = None
    fix: bool = False
    unsafe: bool = False
    write: bool = True  # what fixing came to; else the outcome only tells
    skip_unrecognized: bool = False
    cache: Cache | None = None
    timed: bool = False  # how long each rule took
    mapped: bool = False  # large files, which are not written


class RefusedFix(NamedTuple):
    """A fix that was not made because of what it leads to."""

    line: int
    column: int
    code: str
    title: str
    why: str


@dataclass
class FileOutcome:
    """The outcome of one file. A file that was ignored has no report, trouble or failure."""

    job: Job
    report: FileReport | None = None
    trouble: str | None = None  # the file could not be read or written
    failure: str | None = None  # irlint's own
    note: str | None = None
    is_pointer: bool = False  # a file in a folder that git has not fetched
    incomplete: bool = False  # something could not be checked without NumPy
    seconds: float | None = None  # None: the report is from the cache
    refused: tuple[RefusedFix, ...] = ()
    fixed: int = 0
    proven: int = 0  # of those, by proven fixes
    diff: str = ""
    data: bytes | None = None  # of standard input, as it is now
    times: dict[str, float] | None = None  # seconds by rule

    @property
    def fails(self) -> bool:
        return self.report is not None and any(e.finding.severity >= self.job.fail_on for e in self.report.entries)


def describe(error: BaseException) -> str:
    """An exception in one line; with IRLINT_DEBUG set, all that Python knows of it."""
    if os.environ.get("IRLINT_DEBUG"):
        from traceback import format_exception

        return "".join(format_exception(error))
    from irlint.tools import words_of

    return words_of(error)
