"""Files to check and their settings, from the arguments of `irlint check`, and the list of them for --show-files."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from irlint import engine
from irlint.cli.output import show
from irlint.cli.status import OK, USAGE, UsageError, say
from irlint.companions import endings, named_like
from irlint.companions.around import around
from irlint.config import Overrides, resolve
from irlint.config.find import Configurations
from irlint.files.read import Unreadable, read, read_or_nothing
from irlint.files.walk import walk, work_tree
from irlint.findings import Severity
from irlint.formats.base import HEAD_SIZE, extensions, is_claimed, models_of
from irlint.jobs import STDIN_NAME, Job
from irlint.text.base import decode
from irlint.text.safe import visible
from irlint.text.words import joined, more_than

STDIN = "-"
_NAMED = 3  # files of weights that a note names
CACHE = ".irlint_cache"


def jobs(
    args: argparse.Namespace, complain: Callable[[str, str], None], others: Counter[str] | None = None
) -> list[Job]:
    """Every file once, sorted by name. `complain(path, why)` hears of what cannot be looked at; `others` counts the models
    in folders whose formats irlint does not check.
    """
    found = _Found(args, complain, counts_others=others is not None)
    for path in args.paths or [STDIN if args.stdin_filename else os.curdir]:
        if path == STDIN:
            found.add_stdin(args.stdin_filename or STDIN_NAME)
        elif os.path.isdir(path):
            found.add_folder(path)
        else:
            found.add_file(path)
    if found.weights and not args.quiet:
        more = more_than(_NAMED, found.weights)
        say(*(f"note: {one}, checked in its place" for one in found.weights[:_NAMED]), *more)
    if others is not None:
        others.update(name for name, _ in found.others)
    return found.jobs()


def jobs_of_files(paths: Iterable[str], args: argparse.Namespace) -> list[Job]:
    """Return the jobs of files by their paths, whatever is there now: files that git knows may have been removed."""
    found = _Found(args, lambda path, why: None, counts_others=False)
    for path in paths:
        found.add_file(path)
    return found.jobs()


class _Found:
    """The files of a command line, by absolute path, and models in other formats."""

    def __init__(self, args: argparse.Namespace, complain: Callable[[str, str], None], counts_others: bool) -> None:
        self._args, self._complain, self._counts_others = args, complain, counts_others
        self._configurations, self._over = configurations_of(args), overrides(args)
        self.made: dict[str, Job] = {}
        self.weights: list[str] = []  # files that were named in place of their models
        self.others: set[tuple[str, str]] = set()  # each with its path without an extension: a model may be two files

    def jobs(self) -> list[Job]:
        return sorted(self.made.values(), key=lambda job: job.name)

    def _job(self, name: str, found: bool, data: bytes | None = None) -> Job:
        path, over = os.path.abspath(name), self._over
        config = self._configurations.of_folder(os.path.dirname(path))
        fail_on = config.fail_on if over.fail_on is None else over.fail_on
        baseline = self._args.baseline or config.baseline
        return Job(name, config.settings(path, over), fail_on, found, data, baseline, config.path)

    def add_stdin(self, name: str) -> None:
        if name not in self.made:
            self.made[name] = self._job(name, False, _standard_input())

    def add_file(self, path: str) -> None:
        """Add a file; one of weights stands for the models that it belongs to."""
        owners = [str(owner) for owner in models_of(Path(path))]
        if owners and os.path.abspath(path) not in self.made:
            self.weights.append(f"{path} holds weights of {joined(owners)}")
        for name in owners or [path]:
            absolute = os.path.abspath(name)
            config = self._configurations.of_folder(os.path.dirname(absolute))
            if not (self._args.force_exclude and config.excludes(absolute)):
                known = self.made.get(absolute)
                self.made[absolute] = self._job(known.name if known else name, False)
                self._add_companions(name)

    def _add_companions(self, name: str) -> None:
        """Add the files that may contradict a model."""
        for other in around(name):
            absolute = os.path.abspath(other)
            if absolute not in self.made and not self._configurations.of_folder(os.path.dirname(absolute)).excludes(
                absolute
            ):
                self.made[absolute] = self._job(other, True)._replace(is_beside=True)

    def add_folder(self, folder: str) -> None:
        from irlint.text.others import ENDINGS, ending

        ours, foreign = extensions(), ENDINGS if self._counts_others else frozenset[str]()
        companions = endings() - ours
        exclusion = lambda path: self._configurations.of_folder(path).exclusion  # noqa: E731
        for name in walk(folder, ours | foreign | companions, exclusion, self._complain):
            other = _other_format(name) if ending(name) in foreign else None
            if other is not None:
                self.others.add((other, os.path.abspath(os.path.splitext(name)[0])))
            elif ending(name) in ours or (ending(name) in companions and named_like(name)):
                absolute = os.path.abspath(name)
                if absolute not in self.made or self.made[absolute].is_beside:
                    self.made[absolute] = self._job(name, True)


def _other_format(path: str) -> str | None:
    """Return the format of a model that irlint does not check."""
    from irlint.text.others import HEAD, other_format

    other = other_format(path, decode(read_or_nothing(path, HEAD))[0])
    return other.name if other else None


def cache_folder(args: argparse.Namespace) -> str:
    """Return the folder of --cache-dir, or one in the project: next to the configuration of the current folder, or in its repository."""
    if args.cache_dir:
        return str(args.cache_dir)
    config = configurations_of(args).of_folder(os.getcwd())
    return os.path.join(config.base if config.path else work_tree(os.getcwd()) or os.getcwd(), CACHE)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise UsageError("stdin is closed")
    return sys.stdin.buffer.read()


def configurations_of(args: argparse.Namespace) -> Configurations:
    if args.isolated:
        return Configurations.isolated()
    return Configurations.of_file(args.config) if args.config else Configurations()


def overrides(args: argparse.Namespace) -> Overrides:
    def selectors(words: list[str] | None) -> tuple[str, ...]:
        return tuple(resolve(word) for word in words or ())

    _verify_targets(args.target)
    return Overrides(
        select=None if args.select is None else selectors(args.select),
        extend_select=selectors(args.extend_select),
        ignore=selectors(args.ignore),
        targets=tuple(args.target),
        fail_on=args.fail_on and Severity.parse(args.fail_on),
        shapes=args.dry_run_shapes,
        pedantic=args.pedantic,
        missing_weights=args.weights,
        in_commit=getattr(args, "tracked_weights", False),  # of `check` alone
    )


def _verify_targets(targets: list[tuple[str, str]]) -> None:
    if not targets:
        return
    from irlint.config.build import target_trouble

    for name, version in targets:
        if trouble := target_trouble(name, version):
            raise UsageError(f"--target {name}={version}: {trouble}")
    twice = next((name for name, count in Counter(name for name, _ in targets).items() if count > 1), None)
    if twice is not None:
        raise UsageError(f"--target {twice} is given twice; expected one release of each")


def show_files(args: argparse.Namespace) -> int:
    """Print a file a line; of files in folders, those are read whose heads may be those of models."""

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
            if (
                named
                or _is_described(job, head)
                or (engine.deserves_reading(head, job.name, only) and _is_checked(job, args.as_format))
            ):
                names.append(visible(job.name))
        except Unreadable as error:
            complain(job.name, str(error))
    show(names)
    return status


def _is_described(job: Job, head: bytes) -> bool:
    from irlint.formats.plain import is_plain

    return job.settings.describes_files and is_plain(decode(head)[0], job.name)


def _is_checked(job: Job, as_format: str | None) -> bool:
    data = read(job.name) if job.data is None else job.data
    return is_claimed(job.name) or engine.is_model(data, job.name, as_format, or_companion=True)
