"""Which models in a folder lack their weights, and the setting `weights` that suits them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from irlint.engine import Settings
from irlint.files.git import repository
from irlint.files.read import Unreadable, read
from irlint.files.walk import Exclusion, walk
from irlint.formats.base import Format, all_formats
from irlint.records import NamedTuple
from irlint.runner import How, Job, check
from irlint.side_file import is_pointer

HEAD = 128  # bytes of a file that tell a pointer
MOST_PATTERNS = 5

EXPLAINED = """\
# Weights (.bin, .params) that are not there: auto (an error where git tracks the file or there is no repository, else a
# warning), required (an error) or optional (not reported); by patterns of model files: {"third_party/**": optional}.
"""

_IS_WANTED = Settings(select=("missing-weights",), shapes=False, missing_weights="required")


class Survey(NamedTuple):
    """Names of models by the state of their weights. A model that needs none is in no list."""

    there: list[str]
    missing: list[str]
    ignored: list[str]
    pointers: list[str]


def survey(folder: str, models: Iterable[tuple[Format, str]], exclusion: Exclusion) -> Survey:
    found = Survey([], [], [], [])
    is_ignored = _ignored_in(folder, exclusion)
    for format_, name in models:
        for path in format_.side_files(Path(name)):
            if not os.path.lexists(path):
                if _needs_weights(name):
                    found.missing.append(name)
            elif _is_pointer(str(path)):
                found.pointers.append(name)
            else:
                (found.ignored if is_ignored(str(path)) else found.there).append(name)
    return found


def _needs_weights(name: str) -> bool:
    report = check(Job(name, _IS_WANTED, found=True), How()).report
    return report is not None and bool(report.entries)


def _is_pointer(path: str) -> bool:
    try:
        return is_pointer(read(path, HEAD))
    except Unreadable:
        return False


def _ignored_in(folder: str, exclusion: Exclusion) -> Callable[[str], bool]:
    """Return what tells whether git ignores a weights file: a walk of the folder does not meet it."""
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
    if not reasons:
        return f"{EXPLAINED}# weights: auto\n"
    total = sum(map(len, found))
    why = f"# Optional here: of {total} weights files, {_joined(reasons)}.\n"
    if total == 1:
        why = f"# Optional here: the only weights file {reasons[0].removeprefix('1 ')}.\n"
    patterns = _patterns(found, folder)
    value = "".join(f"\n  {pattern}: optional" for pattern in patterns) if patterns else " optional"
    return f"{EXPLAINED}{why}weights:{value}\n"


def _joined(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _patterns(found: Survey, folder: str) -> list[str]:
    """Return globs of the folders in which all weights are lacking; none where those are too many or hold others, too."""
    if not found.there:
        return []

    def folders(names: Iterable[str]) -> list[str]:
        return sorted({os.path.dirname(os.path.relpath(name, folder)).replace(os.sep, "/") for name in names})

    lacking: list[str] = []
    for name in folders((*found.missing, *found.ignored, *found.pointers)):
        if not lacking or not f"{name}/".startswith(f"{lacking[-1]}/"):
            lacking.append(name)
    others = [f"{name}/" for name in folders(found.there)]
    mixed = any(other.startswith(f"{name}/") for other in others for name in lacking[:MOST_PATTERNS])
    if "" in lacking or len(lacking) > MOST_PATTERNS or mixed or not all(name.isprintable() for name in lacking):
        return []
    return [json.dumps(f"{_escaped(name)}/**", ensure_ascii=False) for name in lacking]


def _escaped(name: str) -> str:
    """Return a folder's name as a glob that fits nothing else."""
    return "".join(f"\\{char}" if char in "*?[]\\!#" else char for char in name)
