"""How `git diff` and `git difftool` show models: lines in .gitattributes, and entries in the configuration of one clone."""

from __future__ import annotations

import os
import shlex
import sys
from shutil import which

from irlint.cli.output import save
from irlint.cli.status import UsageError, say
from irlint.files.read import Unreadable, read
from irlint.files.revisions import GitError, GitRepository
from irlint.formats.base import all_formats
from irlint.text.safe import put, visible

NAME = ".gitattributes"
_IRLINT = "{irlint}"
# Entries of git's configuration, each as it is written now and as it was. A command that fails would end every `git diff`. Names of files
# may begin with a dash.
_COMMANDS = {
    "diff.irlint.textconv": (
        f'f() {{ {_IRLINT} show --textconv -- "$1" ||'
        ' echo "a model that irlint cannot show; run irlint init --git again: $(git hash-object -- "$1")"; }; f',
        f'f() {{ {_IRLINT} show --textconv "$1" ||'
        ' echo "a model that irlint cannot show; run irlint init --git again: $(git hash-object "$1")"; }; f',
        f"{_IRLINT} show --textconv",
    ),
    "difftool.irlint.cmd": (
        f'{_IRLINT} diff --difftool="$MERGED" -- "$LOCAL" "$REMOTE"',
        f'{_IRLINT} diff --difftool "$MERGED" "$LOCAL" "$REMOTE"',
        f'{_IRLINT} diff "$LOCAL" "$REMOTE"',
    ),
}
_BEGIN, _END = b"# irlint init --git: begin", b"# irlint init --git: end\n"
_OPEN = b" (after a line without an end)"  # said of the line before, so that it is restored as it was


def add_drivers(folder: str) -> None:
    """Write the lines and the entries, unless they are there."""
    repository = _repository(folder)
    entries = _entries()
    if other := next(
        ((key, was) for key in entries if (was := repository.setting(key)) and not _is_ours(key, was)), None
    ):
        raise UsageError(f"git is configured otherwise: {other[0]} is `{visible(other[1])}`; unset it first")
    path = os.path.normpath(os.path.join(folder, NAME))
    before = _content(path)
    bare = _without_block(before)
    after = bare + _block(bare)
    if after != before:
        save(path, after)
    for key, value in entries.items():
        repository.set(key, value)
    put(sys.stdout, f"`git diff` shows models as text, by {visible(path)}, which is to be committed.\n")
    put(
        sys.stdout,
        "`git difftool --tool=irlint` shows what changed in them. Other clones need `irlint init --git`, too.\n",
    )


def remove_drivers(folder: str) -> None:
    """Remove what `add_drivers` writes, and nothing else."""
    repository = _repository(folder)
    path = os.path.normpath(os.path.join(folder, NAME))
    before = _content(path)
    if (after := _without_block(before)) != before:
        if after:
            save(path, after)
        else:
            os.unlink(path)
    for key in _entries():
        value = repository.setting(key)
        if value and _is_ours(key, value):
            repository.set(key, None)
        elif value:
            say(f"{key} is kept: `{value}` is not of irlint init --git")
    put(sys.stdout, "`git diff` and `git difftool` show models as before.\n")


def _repository(folder: str) -> GitRepository:
    found = GitRepository(folder)
    if found.is_bare:
        raise GitError(f"{visible(folder)}: expected a folder of a work tree, got a bare repository")
    return found


def _entries() -> dict[str, str]:
    """Return the entries of git's configuration, with the path of irlint, as the entries are those of this clone."""
    beside = which("irlint", path=os.path.dirname(sys.executable)) or which("irlint")
    python = shlex.quote(os.path.abspath(sys.executable))
    command = f"{python} -m irlint" if beside is None else shlex.quote(os.path.abspath(beside))
    return {key: commands[0].replace(_IRLINT, command) for key, commands in _COMMANDS.items()}


def _is_ours(key: str, value: str) -> bool:
    """Return whether an entry was written here, perhaps by irlint in another place."""
    parts = (command.split(_IRLINT) for command in _COMMANDS[key])
    found = (
        value[len(start) : len(value) - len(end)]
        for start, end in parts
        if value.startswith(start) and value.endswith(end)
    )
    return any(one.rstrip("'\"").removesuffix(".exe").endswith("irlint") for one in found)


def _content(path: str) -> bytes:
    if not os.path.lexists(path):
        return b""
    try:
        return read(path)
    except Unreadable as error:
        raise UsageError(f"{visible(path)}: {error}") from error


def _block(before: bytes) -> bytes:
    """Return the lines to add after others. Only names that all belong to models are listed: git shows text as it is."""
    claimed = sorted({extension for format_ in all_formats().values() for extension in format_.claimed})
    is_open = bool(before) and not before.endswith(b"\n")
    begin = b"\n" + _BEGIN + _OPEN if is_open else _BEGIN
    return begin + b"\n" + b"".join(f"*{extension} diff=irlint\n".encode() for extension in claimed) + _END


def _without_block(content: bytes) -> bytes:
    start, end = content.find(_BEGIN), content.find(_END)
    if start < 0 or end < start:
        return content
    if content.startswith(_BEGIN + _OPEN, start):
        start -= 1
    return content[:start] + content[end + len(_END) :]
