"""Repeated checks after changes of files."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from time import sleep, strftime

from irlint.cli.jobs import jobs
from irlint.cli.status import OK, say
from irlint.files.git import index_stamp, repository
from irlint.files.read import stat_of
from irlint.formats.base import all_formats
from irlint.text.safe import emit
from irlint.tools import UserError

PAUSE = 0.3  # seconds between two looks
CLEAR = "\x1b[2J\x1b[3J\x1b[H"

State = tuple[object, ...]


def watch(args: argparse.Namespace, check: Callable[[], int], rounds: int = -1) -> int:
    """Check until Ctrl-C; errors of a configuration are reported. `rounds` limits the number of checks."""
    while rounds:
        state = _state(args)
        if sys.stdout.isatty():
            emit(sys.stdout, CLEAR)
        try:
            check()
        except UserError as error:
            say(*error.args)
        sys.stdout.flush()
        say(f"checked at {strftime('%H:%M:%S')}; watching for changes (Ctrl-C stops)")
        sys.stderr.flush()
        rounds -= 1
        while rounds and _state(args) == state:
            sleep(PAUSE)
    return OK


def _state(args: argparse.Namespace) -> State:
    """Return the files that the result depends on: models, files next to them, and configurations."""
    try:
        todo = jobs(args, lambda path, why: None)
    except Exception as error:  # a configuration in the middle of being written
        return (str(error),)
    folders = {os.path.dirname(job.name) for job in todo}
    return (
        tuple((job.name, job.settings.key, job.fail_on, _stamp(job.name)) for job in todo),
        tuple(stamp for folder in sorted(folders) for stamp in _beside(folder)),
        _indexes(folders) if any(job.settings.missing_weights == "auto" for job in todo) else (),
    )


def _beside(folder: str) -> list[tuple[str, object]]:
    """Yield weights in a folder."""
    extensions = {extension for format_ in all_formats().values() for extension in format_.side_extensions}
    try:
        names = sorted(os.listdir(folder or os.curdir))
    except OSError:
        return []
    paths = [os.path.join(folder, name) for name in names if os.path.splitext(name)[1].lower() in extensions]
    return [(path, _stamp(path)) for path in paths]


def _indexes(folders: set[str]) -> State:
    """Yield the indexes of the repositories of folders, which determine the weights that should exist."""
    found = {repository(folder or os.curdir) for folder in folders}
    return tuple((known.index_file, index_stamp(known)) for known in sorted(filter(None, found)))


def _stamp(path: str) -> object:
    found = stat_of(path)
    return None if found is None else (found.st_size, found.st_mtime_ns, found.st_ino)
