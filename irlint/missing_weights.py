"""Weights files that are missing, or that are something else; the setting `weights`: how severe it is if they are missing."""

from __future__ import annotations

import os
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Literal

from irlint.codes import R, RuleRow
from irlint.files.side_files import SideFile, file_source, foreign, is_pointer
from irlint.findings import Problem, Severity
from irlint.records import NamedTuple, replace
from irlint.text import words
from irlint.text.base import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from irlint.files.git import Stamp
    from irlint.rules.base import Model

_LISTED = 10_000  # names in a folder
_OPENED = 16  # files whose size is asked for
_TOLD = 2  # with more that fit, none is likely
State = Literal["tracked", "left out", "ignored", "untracked", "deleted", "unknown", "no repository"]

_KEPT_ELSEWHERE = "; set `weights: optional` in irlint.yaml if it is kept elsewhere"
_NOTES: dict[State, str] = {
    "left out": "excluded by a sparse checkout; set `weights: optional` in irlint.yaml to suppress this finding",
    "ignored": "git ignores this file, so this is a warning rather than an error",
    "untracked": "git does not track this file, so this is a warning rather than an error",
    "deleted": "the next commit deletes this file",
    "unknown": "cannot read git's index; set `weights: optional` in irlint.yaml to suppress this finding",
}
_POINTER_NOTE = "set `weights: optional` in irlint.yaml if Git LFS files are not fetched here"


class Neighbour(NamedTuple):
    """A file next to a model that may be its weights file under another name. `is_own`: its name begins with the model's."""

    name: str
    size: int
    is_own: bool


def unopened(
    model: Model,
    file: SideFile,
    at: Place,
    need: str,
    is_named: bool = True,
    name: str | None = None,
    size: int | None = None,
) -> Problem | None:
    """Return why the weights of a model cannot be read; None if they may be. `need`: what of the model reads them; `name`: how the
    model names them, if not by the name of the file; `size`: how many bytes it reads."""
    what = f"weights file {(name or file.path.name)!r}"
    if file.state == "missing":
        message = f"{what} not found next to the model; {need}"
        return missing(model, R.missing_weights, at, message, file.path, is_named, size)
    if file.state == "outside":
        message = f"{what} is a link to a file outside the model's folder; irlint does not open it"
        return Problem(R.unsafe_path, at, message)
    if file.state != "open":
        state = "is not a regular file" if file.state == "odd" else "cannot be read"
        return Problem(R.weights_format, at, f"{what} {state}; {need}")
    if is_pointer(file.data):
        return pointer(model, R.weights_format, at, f"{what} is {foreign(file.data)}")
    return None


def missing(
    model: Model,
    rule: RuleRow,
    at: Place,
    message: str,
    path: str | os.PathLike[str],
    is_named: bool = True,
    size: int | None = None,
) -> Problem:
    """Return the finding about a weights file that is not there. `is_named`: the model names it; else programs may load another
    file, and only one that git tracks is known to be missing. `size`: how many bytes the model reads.
    """
    found = _missing(model, rule, at, message, path, is_named)
    notes = [(_told(one, size), at) for one in neighbours(model, path, size)]
    return replace(found, related=[*notes, *found.related]) if notes else found


def neighbours(model: Model, path: str | os.PathLike[str], size: int | None) -> list[Neighbour]:
    """Return the files that may be a missing one: of its kind, of as many bytes as the model reads, and not of another model's name."""
    if model.path is None or size == 0:
        return []
    own = f"{model.path.stem}."
    found = [
        Neighbour(name, held, name.startswith(own))
        for name in islice(_free(model.path, os.path.basename(os.fspath(path))), _OPENED)
        if (held := _held(model, model.path.parent / name)) and size in (None, held)
    ]
    return found if len(found) <= _TOLD else []


def _free(model: Path, lost: str) -> Iterator[str]:
    """Yield the files next to a model of the kind of a lost one, but for those with another model's name."""
    names = sorted(file_source().names(model.parent))[:_LISTED]
    kind, own = os.path.splitext(lost)[1], f"{model.stem}."
    stems = tuple(f"{os.path.splitext(name)[0]}." for name in names if os.path.splitext(name)[1] == model.suffix)
    for name in names if kind else ():
        is_free = name.startswith(own) or not name.startswith(stems)
        if is_free and name.endswith(kind) and name != model.name:
            yield name


def _held(model: Model, path: Path) -> int:
    """Return the bytes of a file next to a model; 0 if it cannot be its weights."""
    file = SideFile(path, model.path)
    return len(file.data) if file.state == "open" and not is_pointer(file.data) else 0


def _told(one: Neighbour, size: int | None) -> str:
    held = words.count(one.size, "byte")
    if size is None:
        return f"{one.name!r} ({held}) is next to the model"
    return f"{one.name!r} is next to the model and has exactly the {held} that the model reads"


def _missing(
    model: Model, rule: RuleRow, at: Place, message: str, path: str | os.PathLike[str], is_named: bool
) -> Problem:
    if (severity := _set(model)) is not None:
        return Problem(rule, at, message, severity=severity)
    state = state_of(path, model.in_commit)
    if not is_named and state != "tracked":
        return Problem(rule, at, message, severity=Severity.PEDANTIC)
    note = _restore(path) if state == "tracked" else _NOTES.get(state)
    if state in ("ignored", "untracked", "no repository"):  # in the message: some reports do not show notes
        message += _KEPT_ELSEWHERE
    severity = Severity.ERROR if state in ("tracked", "deleted", "no repository") else Severity.WARNING
    return Problem(rule, at, message, related=[(note, at)] if note else [], severity=severity)


def left_out(model: Model, files: Iterable[Path]) -> Iterator[Problem]:
    """Report files that are here, but that a commit of the model lacks; those that git ignores are left out on purpose."""
    if model.path is None or state_of(model.path) != "tracked":
        return
    for path in files:
        state = state_of(path) if _held(model, path) else None
        if state in ("untracked", "ignored"):
            is_ignored, at = state == "ignored", Place(())
            what = f"weights file {os.path.relpath(path, model.path.parent)!r}"
            message = f"git {'ignores' if is_ignored else 'does not track'} {what}, so a clone has the model without it"
            given, usual = _set(model), Severity.WARNING if is_ignored else Severity.ERROR
            note = f"add it with `git add {'-f ' if is_ignored else ''}{_from_root(path)}`"
            severity = usual if given is None else given
            yield Problem(R.missing_weights, at, message + _KEPT_ELSEWHERE, related=[(note, at)], severity=severity)


def pointer(model: Model, rule: RuleRow, at: Place, message: str) -> Problem:
    """Return the finding about a weights file that is a Git LFS pointer. A checkout without the large files has those; outside a
    repository it is what somebody has downloaded in place of the weights.
    """
    if (severity := _set(model)) is not None:
        return Problem(rule, at, message, severity=severity)
    if model.path is not None and state_of(model.path) == "no repository":
        return Problem(rule, at, message)
    return Problem(rule, at, message, related=[(_POINTER_NOTE, at)], severity=Severity.WARNING)


def _set(model: Model) -> Severity | None:
    """Return the severity in the setting; None if the repository determines it."""
    if model.missing_weights == "auto":
        return None
    return Severity.PEDANTIC if model.missing_weights == "optional" else Severity.ERROR


def state_of(path: str | os.PathLike[str], in_commit: bool = False) -> State:
    """Return the state of a missing file in git; with `in_commit` also whether the next commit deletes it, which git itself tells.

    It is expected to exist if git tracks it, and outside a repository. It may be missing if a sparse checkout excludes it, or
    if the index cannot be read.
    """
    from irlint.files.git import index_stamp, repository
    from irlint.files.walk import is_ignored

    path = os.fspath(path)
    found = repository(os.path.dirname(os.path.abspath(path))) if file_source().has_git else None
    if found is None:
        return "no repository"
    if found.skips(path):
        return "left out"
    if (tracked := found.tracks(path)) is None:
        return "unknown"
    if not tracked and in_commit and found.name_of(path) in _deleted(found.root, index_stamp(found)):
        return "deleted"
    return "tracked" if tracked else "ignored" if is_ignored(path, found.root) else "untracked"


def _restore(path: str | os.PathLike[str]) -> str:
    """Return the note about a tracked file."""
    return f"git tracks this file; restore it with `git restore {_from_root(path)}`"


def _from_root(path: str | os.PathLike[str]) -> str:
    """Return a path for git's commands, wherever they are run: `:/` begins it at the root."""
    from shlex import quote

    from irlint.files.git import repository

    path = os.fspath(path)
    found = repository(os.path.dirname(os.path.abspath(path)))
    name = os.fsdecode((found.name_of(path) if found else None) or b"")
    return quote(f":/{name}")


@lru_cache(maxsize=8)
def _deleted(root: str, stamp: Stamp | None) -> frozenset[bytes]:
    """Return what the next commit deletes. `stamp` is part of the key: git is asked once per version of the index."""
    from irlint.files.revisions import GitError, GitRepository

    try:
        return GitRepository(root).deleted()
    except GitError:
        return frozenset()
