"""Two versions of models: two files, or those that changed since a revision of a git repository."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from irlint.cli.jobs import jobs_of_files
from irlint.cli.status import UsageError, say
from irlint.engine import Request, Result, deserves_reading, is_model, linted_bytes
from irlint.files.read import Unreadable, read
from irlint.files.revision_files import RevisionFiles
from irlint.files.revisions import GitRepository, Revision
from irlint.files.side_files import is_pointer, reading_from
from irlint.formats.base import HEAD_SIZE, Format, all_formats, extensions, is_claimed
from irlint.jobs import Job
from irlint.records import NamedTuple
from irlint.settings import Settings
from irlint.text.others import ending
from irlint.text.safe import visible

AGAINST = "REV"


class Version(NamedTuple):
    """A version of a model: as people call it, how it is read, and the path next to which its other files are."""

    name: str
    read: Callable[[], bytes]
    path: Path | None

    def lint(self, settings: Settings, as_format: str | None) -> Result:
        return linted_bytes(self.read(), Request(self.name, settings, as_format, self.path))


class VersionPair(NamedTuple):
    """The old and the new version of a model; None where there is none. `job` has the settings, and the name in reports."""

    job: Job
    old: Version | None
    new: Version | None
    is_renamed: bool = False


def add_against(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--against",
        metavar=AGAINST,
        help="compare the models that changed since this revision of the git repository, in the given files and folders"
        " (default: all), with the work tree and its untracked files; in a bare repository with HEAD",
    )


def on_disk(name: str) -> Version:
    return Version(name, lambda: read(name), Path(name))


def of_git(path: str, name: str, repository: GitRepository) -> tuple[Version, Revision | None]:
    """Return a version of a file that git wrote elsewhere, with the revision that has the files next to it. Says if that is not certain."""
    if os.path.exists(name) and os.path.samefile(path, name):
        return on_disk(path), None
    sides = [side for format_ in all_formats().values() for side in _side_files(format_, path)]
    folder, top = name.rpartition("/")[0], os.path.dirname(os.path.abspath(path))
    beside = ["/".join(filter(None, (folder, os.path.relpath(side, top).replace(os.sep, "/")))) for side in sides]
    found = repository.holding(path, name, beside) if beside else []
    if not found:
        if beside:
            say(f"weights of one version are not compared: no commit has this version of {visible(name)}")
        return on_disk(path), None
    commit = found[0][0]
    if len({content for _, content in found}) > 1:
        say(
            f"several commits have this version of {visible(name)} with other weights: those of {commit[:10]} are compared"
        )
    revision = repository.revision(commit)
    return Version(f"{commit[:10]}:{name}", lambda: read(path), revision.path(name)), revision


def on_stdin() -> Version:
    data = sys.stdin.buffer.read()
    return Version("<stdin>", lambda: data, None)


@contextmanager
def changed_models(
    revision: str, paths: list[str], args: argparse.Namespace, complain: Callable[[str, str], None]
) -> Iterator[Iterator[VersionPair]]:
    """Return the models of a repository that changed since a revision. `args` are those of `irlint check`, by which models are found
    and configured. Files next to models are those of the same revision for as long as this lasts.
    """
    found = _Changes(revision, paths, complain)
    files = RevisionFiles(*filter(None, (found.old, found.new)))
    try:
        with reading_from(files):
            yield found.pairs(args)
        for name, why in files.lacking.items():
            say(f"{visible(name)}: {why}")
    finally:
        found.repository.close()


class _Changes:
    """What changed between a revision and the work tree, or in a bare repository HEAD."""

    def __init__(self, revision: str, paths: list[str], complain: Callable[[str, str], None]) -> None:
        self.repository = GitRepository(_folder(paths[0] if paths else os.curdir))
        self.old = self.repository.revision(revision)
        self.new: Revision | None = self.repository.revision("HEAD") if self.repository.is_bare else None
        self._below = [one for path in paths for one in _names_of(path)] if not self.repository.is_bare else []
        self._complain = complain
        for path in paths if self._below else ():
            known = _names_of(path)
            if not any(_is_inside(one, self.repository.top) for one in known):
                raise UsageError(f"{visible(path)}: not in the repository {visible(self.repository.top)}")
            if not os.path.lexists(path) and not any(self._is_below(name, known) for name in self.old.files):
                raise UsageError(f"{visible(path)}: no such file or folder, neither here nor in {visible(revision)}")

    def pairs(self, args: argparse.Namespace) -> Iterator[VersionPair]:
        untracked = list(self._untracked()) if self.new is None else []
        changes = self.repository.changes(self.old, self.new, untracked)
        before = {change.new: change.old for change in changes if change.new is not None}
        names = {name for change in changes if (name := change.new or change.old) is not None}
        gone = {change.old for change in changes if change.old is not None and change.old != change.new}
        names.update(untracked, (name for name in gone if ending(name) not in extensions()))  # weights that have moved
        args = argparse.Namespace(**{**vars(args), "force_exclude": True})
        for job in jobs_of_files(sorted(self._asked(names)), args):
            name = os.path.relpath(os.path.abspath(job.name), self.repository.top).replace(os.sep, "/")
            was = before.get(name, name)
            old = self._old(was) if was in self.old.files else None
            new = self._new(name, job)
            if self._is_model(job, old, new):
                yield VersionPair(job._replace(name=self._shown(name), found=True), old, new, was != name)

    def _untracked(self) -> Iterator[str]:
        """Yield files that may be new models. Weights of models that git tracks may be kept elsewhere, and be here all the same."""
        for name in self.repository.untracked():
            if ending(name) in extensions() and not os.path.islink(self._path(name)):
                yield name

    def _is_model(self, job: Job, *versions: Version | None) -> bool:
        """Return whether either version is a model. A file of which one cannot be read is reported, and left out."""
        found = False
        for version in filter(None, versions):
            try:
                data = version.read()
            except Unreadable as error:
                self._complain(version.name, str(error))
                return False
            found = found or is_claimed(job.name) or is_pointer(data) or holds_model(data, job.name)
        return found

    def _asked(self, changed: set[str]) -> Iterator[str]:
        """Yield the paths of changed files that are asked for, and of models that are, of which only files next to them changed."""
        sides = frozenset(one for format_ in all_formats().values() for one in format_.side_extensions)
        for name in changed:
            if ending(name) in extensions() | sides and (not self._below or self._is_below(name, self._below)):
                yield self._path(name)
        paths = {self._path(name) for name in changed}
        for path in filter(os.path.isfile, self._below):
            beside = (side for format_ in all_formats().values() for side in _side_files(format_, path))
            if not paths.isdisjoint(beside):
                yield path

    def _is_below(self, name: str, folders: Iterable[str]) -> bool:
        return any(_is_inside(self._path(name), one) for one in folders)

    def _path(self, name: str) -> str:
        return os.path.join(self.repository.top, *name.split("/"))

    def _shown(self, name: str) -> str:
        return name if self.new is not None else os.path.relpath(self._path(name))

    def _old(self, name: str) -> Version:
        return _of_revision(self.old, name)

    def _new(self, name: str, job: Job) -> Version | None:
        if self.new is not None:
            return _of_revision(self.new, name) if name in self.new.files else None
        path = self._path(name)
        return Version(self._shown(name), lambda: self._read(path), Path(path)) if os.path.isfile(path) else None

    def _read(self, path: str) -> bytes:
        """Return a file of the work tree, that of Git LFS if it is a pointer."""
        data = read(path)
        if not is_pointer(data):
            return data
        with self.repository.fetched(data, "") as file:
            return file.read()


def holds_model(data: bytes, name: str) -> bool:
    return deserves_reading(data[:HEAD_SIZE], name) and is_model(data, name)


def _of_revision(revision: Revision, name: str) -> Version:
    return Version(f"{revision.name}:{name}", lambda: revision.read(name), revision.path(name))


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _names_of(path: str) -> list[str]:
    """Return the absolute paths that an argument names: of a link its own, too, which git may know as a file."""
    folder, name = os.path.split(os.path.abspath(path))
    return [*{os.path.realpath(path), os.path.join(os.path.realpath(folder), name)}]


def _side_files(format_: Format, path: str) -> list[str]:
    beside = format_.side_files(Path(path)) if ending(path) in format_.extensions else []
    return [os.path.normpath(side) for side in beside]


def _folder(path: str) -> str:
    """Return the nearest folder that is there: the file or folder may have been deleted."""
    at = os.path.abspath(path)
    while not os.path.isdir(at):
        at = os.path.dirname(at)
    return at
