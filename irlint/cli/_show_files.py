"""The files that a check would read, for --show-files."""

from __future__ import annotations

import argparse

from irlint import engine
from irlint.cli._jobs import jobs
from irlint.cli._say import say
from irlint.cli._status import OK, USAGE
from irlint.files.read import Unreadable, read
from irlint.formats.base import HEAD_SIZE, is_claimed
from irlint.jobs import Job
from irlint.text.safe import visible


def show_files(args: argparse.Namespace) -> int:
    """Print a file a line; of files in folders, those are read whose heads may be those of models."""
    from irlint.cli._output import show

    status = OK

    def complain(path: str, why: str) -> None:
        nonlocal status
        say(f"{visible(path)}: {why}")
        status = USAGE

    only = (args.as_format or "").partition(":")[0] or None
    names = []
    for job in jobs(args, complain):
        try:
            head = read(job.name, HEAD_SIZE) if job.data is None else job.data
            named = not job.found and not args.skip_unrecognized
            if named or (engine.deserves_reading(head, job.name, only) and _is_model(job, args.as_format)):
                names.append(visible(job.name))
        except Unreadable as error:
            complain(job.name, str(error))
    show(names)
    return status


def _is_model(job: Job, as_format: str | None) -> bool:
    data = read(job.name) if job.data is None else job.data
    return is_claimed(job.name) or engine.is_model(data, job.name, as_format)
