"""What the exit status and the summary of a run over stores are made of, whoever found it: this run, or those whose reports are merged."""

from __future__ import annotations

from collections.abc import Iterable

from irlint.cli._status import FAILURE, FOUND, OK, USAGE
from irlint.findings import Severity


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
