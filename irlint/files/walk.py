"""Search of folders for files by name, inside the folder, without files that git or the configuration ignores.

A file that git tracks is not omitted because a .gitignore names it: git does not ignore it either.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from irlint.files.globs import Globs, gitignore
from irlint.files.read import folder_and_above, plainly, read_or_nothing
from irlint.records import NamedTuple

if TYPE_CHECKING:
    from irlint.files.git import GitIndex

DEFAULT_EXCLUDE = ("__pycache__/", "node_modules/", "venv/")


class Exclusion(NamedTuple):
    """Patterns and the folder that they are relative to."""

    base: str
    globs: Globs


Exclusions = tuple[Exclusion, ...]


class Tracked:
    """The files that the repository of a folder tracks; its index is read if something in the folder is ignored."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def holds(self, path: str, folder: bool) -> bool:
        """Return whether a file, or any file below a folder, is tracked; `path` has no links in it."""
        if self._found is None:
            return False
        root, index = self._found
        name = os.fsencode("/".join(parts_below(path, root)))
        return index.holds(name) or (folder and index.has_below(name))  # it holds a folder that is a submodule

    @cached_property
    def _found(self) -> tuple[str, GitIndex] | None:
        """Return the root of the repository and its index; None if there is none, or it is unreadable."""
        from irlint.files.git import repository

        found = repository(self._folder)
        index = found and found.read_index()
        return (found.root, index) if found and index else None


class Folder(NamedTuple):
    """A folder to walk: its name, its path without links, and its state in git."""

    name: str
    real: str
    ignored: Exclusions
    tracked: Tracked
    is_ignored: bool = False  # as a whole, so that only tracked files count


def walk(
    root: str,
    extensions: frozenset[str],
    exclusion: Callable[[str], Exclusion],
    complain: Callable[[str, str], None],
) -> Iterator[str]:
    """Paths of the regular files with these extensions, named as `root` is named.

    An extension without a dot is a whole file name. Hidden folders, what a .gitignore names (but for what git tracks) and what
    the configuration (`exclusion` of a folder) names are left out. A link is followed only if it leads to a file inside
    `root`. `complain(path, why)` hears of unreadable folders.
    """
    from irlint.text.others import ending

    top = os.path.realpath(root)
    stack = [Folder("" if root == os.curdir else root, top, _ignored_above(top), Tracked(top))]
    while stack:
        at = stack.pop()
        try:
            with os.scandir(at.name or os.curdir) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            complain(at.name, plainly(error))
            continue
        at = _entered(at, {entry.name for entry in found})
        absolute = os.path.abspath(at.name)
        excluded = exclusion(absolute)
        below = []
        for entry in found:
            name, real = entry.name, os.path.join(at.real, entry.name)
            is_folder = entry.is_dir(follow_symlinks=False)
            if name.startswith(".") if is_folder else ending(name) not in extensions:
                continue
            if _names(excluded, os.path.join(absolute, name), is_folder):
                continue
            is_ignored = at.is_ignored or _ignores(at.ignored, real, is_folder)
            if is_ignored and not at.tracked.holds(real, is_folder):
                continue
            if is_folder:
                below.append(Folder(os.path.join(at.name, name), real, at.ignored, at.tracked, is_ignored))
            elif _is_file_inside(entry, top):
                yield os.path.join(at.name, name)
        stack.extend(reversed(below))


def _entered(at: Folder, names: set[str]) -> Folder:
    """Return a folder with what its own .gitignore names; a submodule's is its own business."""
    at = at._replace(
        ignored=at.ignored + _ignored_by(os.path.join(at.real, ".gitignore"), at.real, ".gitignore" in names)
    )
    return at._replace(is_ignored=False, tracked=Tracked(at.real)) if ".git" in names else at


def is_ignored(path: str, root: str) -> bool:
    """Return whether .gitignore files name a file of a repository or a folder that it is in; the file need not be there."""
    parent, name = os.path.split(os.path.abspath(path))
    parent = os.path.realpath(parent)
    sources = _ignored_above(parent) + _ignored_by(os.path.join(parent, ".gitignore"), parent)
    real = os.path.join(parent, name)
    for at in folder_and_above(real):
        if at == root:
            break
        above = tuple(source for source in sources if len(source.base) < len(at))
        if _ignores(above, at, at != real):
            return True
    return False


def parts_below(path: str, base: str) -> list[str]:
    """Return the parts of an absolute path relative to a folder; all of its parts if it is elsewhere."""
    base = base.rstrip(os.sep) + os.sep
    return (path[len(base) :] if path.startswith(base) else path.strip(os.sep)).split(os.sep)


def _names(exclusion: Exclusion, path: str, folder: bool) -> bool:
    return bool(exclusion.globs) and exclusion.globs.verdict(parts_below(path, exclusion.base), folder) is True


def _ignores(sources: Exclusions, path: str, folder: bool) -> bool:
    """Return whether a path is ignored by the nearest .gitignore that matches it."""
    for source in reversed(sources):
        if (verdict := source.globs.verdict(parts_below(path, source.base), folder)) is not None:
            return verdict
    return False


def _ignored_by(file: str, base: str, exists: bool = True) -> Exclusions:
    if not exists:
        return ()
    globs = gitignore(read_or_nothing(file).decode("utf-8", "surrogateescape"))
    return (Exclusion(base, globs),) if globs else ()


def work_tree(folder: str) -> str | None:
    """Return the folder with a .git that contains a folder, given by its absolute path."""
    return next((at for at in folder_and_above(folder) if os.path.lexists(os.path.join(at, ".git"))), None)


def _ignored_above(folder: str) -> Exclusions:
    """Return the .gitignore files above a folder, up to the root of its repository; none outside a repository."""
    if (root := work_tree(folder)) is None:
        return ()
    found = _ignored_by(os.path.join(root, ".git", "info", "exclude"), root)
    above = list(folder_and_above(folder))
    for parent in reversed(above[1 : above.index(root) + 1]):
        found += _ignored_by(os.path.join(parent, ".gitignore"), parent)
    return found


def _is_file_inside(entry: os.DirEntry[str], top: str) -> bool:
    if not entry.is_symlink():
        return entry.is_file()
    real = os.path.realpath(entry.path)
    return real.startswith(top.rstrip(os.sep) + os.sep) and os.path.isfile(real)
