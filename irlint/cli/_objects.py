"""Reports by objects: files of earlier runs, on disk or in a store, and --since."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple, TextIO

from irlint.cli._status import UsageError

if TYPE_CHECKING:
    from irlint.report.objects import Record


class Earlier(NamedTuple):
    """A report of an earlier run: its name, and the file that it is in."""

    name: str
    path: str

    def records(self) -> Iterator[Record]:
        from irlint.report.object_files import records

        return records(self.path, self.name)


def earlier(name: str, opened: ExitStack) -> Earlier:
    """Return a report, which is fetched first if it is in a store, and until `opened` is closed."""
    from irlint.cli import _stored
    from irlint.report.paths import is_url

    return Earlier(name, opened.enter_context(_stored.fetched(name)) if is_url(name) else name)


def add_since(group: argparse._ArgumentGroup | argparse.ArgumentParser, text: str) -> None:
    group.add_argument("--since", metavar="REPORT", help=text)


def since_of(name: str | None, opened: ExitStack) -> Earlier | None:
    """Return the report of --since; refuse one that cannot be read before hours are spent on the new one."""
    if name is None:
        return None
    from irlint.report.object_files import BrokenReport

    found = earlier(name, opened)
    try:
        next(found.records(), None)
    except BrokenReport as error:
        raise UsageError(str(error)) from error
    return found


def write(found: Iterable[Record], format: str, stream: TextIO, since: Earlier | None = None) -> None:
    from irlint.report import object_report
    from irlint.report.object_files import BrokenReport

    then, name = (None, "") if since is None else (since.records(), since.name)
    try:
        object_report.write(found, format, stream, then, name)
    except BrokenReport as error:
        raise UsageError(str(error)) from error
