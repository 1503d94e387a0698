"""Reports by objects: files of earlier runs, on disk or in a store, and --since."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, TextIO

from irlint.cli._status import UsageError

if TYPE_CHECKING:
    from irlint.report.objects import Record


class Earlier(NamedTuple):
    """A report of an earlier run: its name, and the file that it is in. `covers` says which of its URLs the new run is about."""

    name: str
    path: str
    covers: Callable[[str], bool] = lambda _: True

    def records(self) -> Iterator[Record]:
        """Yield the records; raise UsageError for a report that is broken."""
        from irlint.report.object_files import BrokenReport, records

        try:
            yield from (record for record in records(self.path, self.name) if self.covers(record["url"]))
        except BrokenReport as error:
            raise UsageError(str(error)) from error


def earlier(name: str, opened: ExitStack, written: Iterable[str | None] = ()) -> Earlier:
    """Return a report, until `opened` is closed. It is copied first if it is in a store, in a pipe, which can be read only once, or
    among the files that will be written.
    """
    from irlint.cli import _stored
    from irlint.report.paths import is_url

    if is_url(name):
        from irlint.zoo.stores import shown

        return Earlier(shown(name), opened.enter_context(_stored.fetched(name)))
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
    found = earlier(name, opened, written)
    for _ in found.records():
        pass
    return found


def write(found: Iterable[Record], format: str, stream: TextIO, since: Earlier | None = None) -> None:
    from irlint.report import object_report

    then, name = (None, "") if since is None else (since.records(), since.name)
    object_report.write(found, format, stream, then, name)
