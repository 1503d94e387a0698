"""Walks folders for files worth a look: by name, never out of the folder, past what git or the configuration omits."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from irlint.files.globs import Globs, gitignore
from irlint.files.read import Unreadable, plainly, read
from irlint.records import NamedTuple

DEFAULT_EXCLUDE = ("__pycache__/", "node_modules/", "venv/")


class Exclusion(NamedTuple):
    """Patterns and the folder that they are relative to."""

    base: str
    globs: Globs


Exclusions = tuple[Exclusion, ...]


def walk(
    root: str,
    extensions: frozenset[str],
    exclusion: Callable[[str], Exclusion],
    complain: Callable[[str, str], None],
) -> Iterator[str]:
    """Paths of the regular files with these extensions, named as `root` is named.

    Hidden folders, what a .gitignore names and what the configuration (`exclusion` of a folder) names are left out.
    A link is followed only if it leads to a file inside `root`. `complain(path, why)` hears of unreadable folders.
    """
    top = os.path.realpath(root)
    stack: list[tuple[str, str, Exclusions]] = [("" if root == os.curdir else root, top, _ignored_above(top))]
    while stack:
        folder, real, ignored = stack.pop()
        try:
            with os.scandir(folder or os.curdir) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            complain(folder, plainly(error))
            continue
        ignored += _ignored_by(os.path.join(real, ".gitignore"), real, any(e.name == ".gitignore" for e in found))
        absolute = os.path.abspath(folder)
        excluded = exclusion(absolute)
        below = []
        for entry in found:
            name = entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if name.startswith(".") if is_folder else os.path.splitext(name)[1].lower() not in extensions:
                continue
            if _names(excluded, os.path.join(absolute, name), is_folder) or _ignores(
                ignored, os.path.join(real, name), is_folder
            ):
                continue
            if is_folder:
                below.append((os.path.join(folder, name), os.path.join(real, name), ignored))
            elif _is_file_inside(entry, top):
                yield os.path.join(folder, name)
        stack.extend(reversed(below))


def parts_below(path: str, base: str) -> list[str]:
    """The parts of an absolute path relative to a folder; all of its parts if it lies elsewhere."""
    base = base.rstrip(os.sep) + os.sep
    return (path[len(base) :] if path.startswith(base) else path.strip(os.sep)).split(os.sep)


def _names(exclusion: Exclusion, path: str, folder: bool) -> bool:
    return bool(exclusion.globs) and exclusion.globs.verdict(parts_below(path, exclusion.base), folder) is True


def _ignores(sources: Exclusions, path: str, folder: bool) -> bool:
    """The .gitignore nearest to a path that speaks of it decides."""
    for source in reversed(sources):
        if (verdict := source.globs.verdict(parts_below(path, source.base), folder)) is not None:
            return verdict
    return False


def _ignored_by(file: str, base: str, exists: bool = True) -> Exclusions:
    if not exists:
        return ()
    try:
        globs = gitignore(read(file).decode("utf-8", "surrogateescape"))
    except Unreadable:
        return ()
    return (Exclusion(base, globs),) if globs else ()


def _ignored_above(folder: str) -> Exclusions:
    """What the .gitignore files above a folder say, up to the root of its repository; nothing outside of one."""
    above = []
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ()
        above.append(folder := parent)
    found = _ignored_by(os.path.join(folder, ".git", "info", "exclude"), folder)
    for parent in reversed(above):
        found += _ignored_by(os.path.join(parent, ".gitignore"), parent)
    return found


def _is_file_inside(entry: os.DirEntry[str], top: str) -> bool:
    if not entry.is_symlink():
        return entry.is_file()
    real = os.path.realpath(entry.path)
    return real.startswith(top.rstrip(os.sep) + os.sep) and os.path.isfile(real)
