"""Models in a folder with missing weights, and the setting `weights` that suits them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from irlint.files.git import repository
from irlint.files.read import read_or_nothing
from irlint.files.side_files import is_pointer
from irlint.files.walk import Exclusion, walk
from irlint.formats.base import Format, all_formats
from irlint.jobs import Job, JobOptions
from irlint.jobs.one_file import check
from irlint.missing_weights import state_of
from irlint.records import NamedTuple
from irlint.settings import Settings
from irlint.text.words import joined

HEAD = 128  # bytes of a file that identify a pointer
MOST_PATTERNS = 5  # where most weights are missing, one value for all is shorter than more patterns

EXPLAINED = """\
# How to report missing weights (.bin, .params): auto (an error if git tracks the file or there is no repository, else a
# warning), required (an error) or optional (not reported); or by model file: {"third_party/**": optional}.
"""

_IS_WANTED = Settings(select=("missing-weights",), shapes=False, missing_weights="required")


class Survey(NamedTuple):
    """Names of models by the state of their weights. A model that needs none is in no list."""

    there: list[str]
    tracked: list[str]  # missing, though git tracks them
    missing: list[str]
    ignored: list[str]
    pointers: list[str]


def survey(folder: str, models: Iterable[tuple[Format, str]], exclusion: Exclusion) -> Survey:
    found = Survey([], [], [], [], [])
    is_ignored = _ignored_in(folder, exclusion)
    for format_, name in models:
        for path in format_.side_files(Path(name)):
            if not os.path.lexists(path):
                if _needs_weights(name):
                    (found.tracked if state_of(path) == "tracked" else found.missing).append(name)
            elif _is_pointer(str(path)):
                found.pointers.append(name)
            else:
                (found.ignored if is_ignored(str(path)) else found.there).append(name)
    return found


def _needs_weights(name: str) -> bool:
    report = check(Job(name, _IS_WANTED, found=True), JobOptions()).report
    return report is not None and bool(report.entries)


def _is_pointer(path: str) -> bool:
    return is_pointer(read_or_nothing(path, HEAD))


def _ignored_in(folder: str, exclusion: Exclusion) -> Callable[[str], bool]:
    """Return a function that checks whether git ignores a weights file: a walk of the folder does not find it."""
    if repository(folder) is None:
        return lambda path: False
    extensions = frozenset(extension for format_ in all_formats().values() for extension in format_.side_extensions)
    met = {os.path.normpath(path) for path in walk(folder, extensions, lambda _: exclusion, lambda path, why: None)}
    return lambda path: not os.path.islink(path) and os.path.normpath(path) not in met


def setting(found: Survey, folder: str) -> str:
    """Return the lines of irlint.yaml about weights."""
    reasons = [
        f"{len(names)} {'is' if len(names) == 1 else 'are'} {words if len(names) == 1 else many}"
        for names, words, many in (
            (found.missing, "missing", "missing"),
            (found.ignored, "ignored by git", "ignored by git"),
            (found.pointers, "a Git LFS pointer", "Git LFS pointers"),
        )
        if names
    ]
    if found.tracked:
        return f"{EXPLAINED}{_why_auto(len(found.tracked))}weights: auto\n"
    if not reasons:
        return (
            f"{EXPLAINED}{_why_required(len(found.there))}weights: required\n"
            if found.there
            else f"{EXPLAINED}# weights: auto\n"
        )
    total = sum(map(len, found))
    why = f"# Optional here: of {total} weights files, {joined(reasons)}.\n"
    if total == 1:
        why = f"# Optional here: the only weights file {reasons[0].removeprefix('1 ')}.\n"
    patterns = _patterns(found, folder)
    value = "".join(f"\n  {pattern}: optional" for pattern in patterns) if patterns else " optional"
    return f"{EXPLAINED}{why}weights:{value}\n"


def _why_auto(tracked: int) -> str:
    what = "a missing weights file; restore it with `git restore`"
    if tracked > 1:
        what = f"{tracked} missing weights files; restore them with `git restore`"
    return f"# Not optional: git tracks {what}.\n"


def _why_required(there: int) -> str:
    what = "the only weights file is here" if there == 1 else f"all {there} weights files are here"
    return f"# Required: {what}, and a model whose weights are deleted does not load.\n"


def _patterns(found: Survey, folder: str) -> list[str]:
    """Return globs of the folders in which all weights are missing, and of other models whose weights are missing.

    None if all are missing, or if most are and the globs would be many.
    """
    if not found.there:
        return []
    lacking = [_below(folder, name) for name in (*found.missing, *found.ignored, *found.pointers)]
    held = {above for name in found.there for above in _folders_above(_below(folder, name))}
    free = {above[-1] for name in lacking if (above := _folders_above(name))[-1] not in held}
    globs = {_glob(name, free) for name in lacking}
    if len(globs) > MOST_PATTERNS and len(lacking) > len(found.there):
        return []
    return [json.dumps(glob) for glob in sorted(globs)]


def _below(folder: str, name: str) -> str:
    return os.path.relpath(name, folder).replace(os.sep, "/")


def _folders_above(name: str) -> list[str]:
    """Return the folders that a file is in, outermost first; the configuration's own is an empty name."""
    parts = name.split("/")[:-1]
    return ["/".join(parts[:count]) for count in range(len(parts) + 1)]


def _glob(name: str, free: set[str]) -> str:
    """Return the glob of the outermost folder of a model that is free of weights; else that of the model alone."""
    folder = next((above for above in _folders_above(name) if above in free), None)
    return f"/{_escaped(name)}" if folder is None else f"{_escaped(folder)}/**"


def _escaped(name: str) -> str:
    """Return a name as a glob that fits nothing else."""
    return "".join(f"\\{char}" if char in "*?[]\\!#" else char for char in name)
