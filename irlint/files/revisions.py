"""The files of a git repository as they were in a revision, read by git's own plumbing, without a checkout.

Git is given the revision, and names as literal paths; it answers by object names and with names that end with NUL.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from posixpath import normpath
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from irlint.files.read import Unreadable, open_regular
from irlint.files.side_files import is_pointer
from irlint.records import NamedTuple
from irlint.tools import UserError

MOST_BYTES = 1 << 32  # of a file that is taken from a revision
_POINTER = 1024  # bytes: no pointer of Git LFS is longer
_AT_ONCE = 1 << 20
_UNTRACKED = 200  # files that may be renamed ones
_COMMITS = 100  # in which a version of a file is looked for
ROOT = Path(os.path.abspath(os.sep), "irlint-git")
FILE, _LINK = b"100", b"120000"  # how the modes of files begin; the mode of a link
_OID = re.compile(rb"^oid sha256:([0-9a-f]{64})$", re.MULTILINE)
_OF_HOOKS = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
)  # that git sets for a hook, relative to its own folder
_CONFIGURED = ("core.fsmonitor=false", "core.quotePath=false", "diff.relative=false")
_SAFE = (*(word for setting in _CONFIGURED for word in ("-c", setting)), "--no-optional-locks")


class GitError(UserError):
    """The reason why git did not answer."""


class FileChange(NamedTuple):
    """A file that differs: its path before and after, None where it was not there, or is not there any more."""

    old: str | None
    new: str | None


class GitRepository:
    """A repository. `top` is the folder of its work tree, or for a bare one its own."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        if self._git("rev-parse", "--is-bare-repository").strip() == b"true":
            self.is_bare, top = True, self._git("rev-parse", "--absolute-git-dir")
        else:
            self.is_bare, top = False, self._git("rev-parse", "--show-toplevel")
        self.top = os.path.normpath(os.fsdecode(top.removesuffix(b"\n")))

    def revision(self, name: str) -> Revision:
        """Return a revision by any name that git knows."""
        named = self._parsed(name)  # it may be ":/text", to which nothing can be added
        commit = self._parsed(f"{named}^{{commit}}") if named else ""
        if not re.fullmatch("[0-9a-f]{40,64}", commit):
            raise GitError(f"{name}: no such revision")
        return Revision(self, name, commit)

    def _parsed(self, name: str) -> str:
        """Return the object that a name stands for; empty if there is none. Some versions of git write the option, too."""
        found = self._git("rev-parse", "--verify", "--quiet", "--end-of-options", name, otherwise=b"").split()
        return found[-1].decode() if found else ""

    def changes(self, old: Revision, new: Revision | None, untracked: Sequence[str] = ()) -> list[FileChange]:
        """Return the files that differ between two revisions, or from one to the work tree with some that git does not track. Renames are
        followed."""
        words = ("--raw", "-z", "-M", "-r", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
        compare = ("diff", *words, old.commit) if new is None else ("diff-tree", *words, old.commit, new.commit)
        with self._index(untracked if new is None else ()) as index:
            return list(_changes(iter(self._git(*compare, "--", index=index).split(b"\0"))))

    @contextmanager
    def _index(self, untracked: Sequence[str]) -> Iterator[str | None]:
        """Return a copy of the index to which files are added, as git looks for renames among files that it knows; None for the index."""
        with TemporaryDirectory() as folder:
            path = os.path.join(folder, "index")
            own = os.path.join(
                self._folder, os.fsdecode(self._git("rev-parse", "--git-path", "index").removesuffix(b"\n"))
            )
            if not untracked or not os.path.isfile(own):
                yield None
                return
            shutil.copyfile(own, path)
            names = [f":(top,literal){name}" for name in untracked[:_UNTRACKED]]
            self._git("add", "--intent-to-add", "--", *names, index=path, otherwise=b"")
            yield path

    def untracked(self) -> list[str]:
        """Return the files of the work tree that git neither tracks nor ignores."""
        words = ("--others", "--exclude-standard", "--full-name", "-z", "--", ":/")
        return [
            os.fsdecode(name) for name in self._git("ls-files", *words).split(b"\0") if name[-1:] not in (b"", b"/")
        ]

    def tree(self, commit: str) -> dict[str, tuple[bytes, str]]:
        """Return the mode and the object of each file of a revision, by path."""
        rows = self._git("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]
        parts = ((row.partition(b"\t")[0].split(b" "), os.fsdecode(row.partition(b"\t")[2])) for row in rows)
        return {path: (facts[0], facts[2].decode()) for facts, path in parts}

    def deleted(self) -> frozenset[bytes]:
        """Return the files that the next commit deletes, relative to the root."""
        words = ("--cached", "--name-only", "--diff-filter=D", "--no-renames", "-z", "HEAD", "--")
        return frozenset(self._git("diff-index", *words, otherwise=b"").split(b"\0"))

    def holding(self, path: str, name: str, beside: Sequence[str]) -> list[tuple[str, bytes]]:
        """Return the commits in which a file has the content of one elsewhere, newest first, each with what it says of files beside it; of
        the last ones that changed one of these."""
        blob = self._git("hash-object", f"--path={name}", "--", os.path.abspath(path)).strip()
        words = (
            "log",
            "--all",
            f"--max-count={_COMMITS}",
            "--format=%H",
            "--",
            *(f":(top,literal){one}" for one in (name, *beside)),
        )
        found: list[tuple[str, bytes]] = []
        for commit in self._git(*words).split():
            rows = self._git("ls-tree", "-z", "--full-tree", commit.decode(), "--", name, *beside).split(b"\0")[:-1]
            known = {row.partition(b"\t")[2]: row.partition(b"\t")[0].split()[-1] for row in rows}
            if known.pop(os.fsencode(name), None) == blob:
                found.append((commit.decode(), b" ".join(known.get(os.fsencode(one), b"-") for one in beside)))
        return found

    def object(self, name: str) -> IO[bytes]:
        """Return an open file with the bytes of an object."""
        process = self._objects
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{name}\n".encode())
        process.stdin.flush()
        words = process.stdout.readline().split()
        if len(words) != 3 or words[1] != b"blob":
            raise Unreadable("git does not have its content")
        left = int(words[2])
        if left > MOST_BYTES:
            self.close()
            raise Unreadable(f"more than {MOST_BYTES >> 30} GiB in the revision")
        file = TemporaryFile()  # noqa: SIM115
        while left:
            piece = process.stdout.read(min(left, _AT_ONCE))
            if not piece:
                raise Unreadable("git does not have all of its content")
            left -= len(piece)
            file.write(piece)
        process.stdout.read(1)  # the line end after it
        file.seek(0)
        return file

    def setting(self, key: str) -> str | None:
        """Return an entry of the repository's own configuration."""
        found = self._git("config", "--local", "--get", key, otherwise=b"")
        return os.fsdecode(found.removesuffix(b"\n")) or None

    def set(self, key: str, value: str | None) -> None:
        """Write an entry of the repository's own configuration, or remove it."""
        self._git("config", "--local", *(("--unset", key) if value is None else (key, value)))

    def fetched(self, pointer: bytes, revision: str) -> IO[bytes]:
        """Return the open file that a pointer of Git LFS stands for."""
        found = _OID.search(pointer)
        oid = "" if found is None else found[1].decode()
        path = os.path.join(self._lfs, "objects", oid[:2], oid[2:4], oid)
        try:
            return open(open_regular(path), "rb")
        except (Unreadable, OSError):
            command = shlex.join(filter(None, ("git", "lfs", "fetch", "origin", revision)))
            raise Unreadable(f"a Git LFS pointer whose file is not here; run `{command}` to fetch it") from None

    @cached_property
    def _lfs(self) -> str:
        stored = os.fsdecode(self._git("config", "--get", "lfs.storage", otherwise=b"").removesuffix(b"\n"))
        common = os.fsdecode(self._git("rev-parse", "--git-common-dir").removesuffix(b"\n"))
        return os.path.join(self._folder, common, stored or "lfs")

    @cached_property
    def _objects(self) -> subprocess.Popen[bytes]:
        command = ("git", *_SAFE, "-C", self._folder, "cat-file", "--batch")
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=_environment())

    def close(self) -> None:
        """End the process that reads objects; another is started if there is more to read."""
        process = self.__dict__.pop("_objects", None)
        if process is not None:
            process.stdin.close()
            process.stdout.close()
            process.kill()
            process.wait()

    def _git(self, *words: str, otherwise: bytes | None = None, index: str | None = None) -> bytes:
        try:
            command = ("git", *_SAFE, "-C", self._folder, *words)
            env = {**_environment(), **({} if index is None else {"GIT_INDEX_FILE": index})}
            done = subprocess.run(command, capture_output=True, check=False, env=env)
        except OSError as error:
            raise GitError("this requires git, which cannot be started") from error
        if done.returncode == 0:
            return done.stdout
        if otherwise is not None:
            return otherwise
        why = os.fsdecode(done.stderr).strip().split("\n")[0].removeprefix("fatal: ")
        raise GitError(f"git: {why or 'it failed'}")


def _environment() -> dict[str, str]:
    """Return an environment in which git finds the repository that a folder is in, with messages in English."""
    return {**{name: value for name, value in os.environ.items() if name not in _OF_HOOKS}, "LC_ALL": "C"}


class Revision:
    """The files of one revision. Those next to a model are at paths that are on no disk."""

    def __init__(self, repository: GitRepository, name: str, commit: str) -> None:
        self.repository, self.name, self.commit = repository, name, commit
        self._root = ROOT / commit

    @cached_property
    def files(self) -> dict[str, tuple[bytes, str]]:
        return self.repository.tree(self.commit)

    def path(self, name: str) -> Path:
        """Return the path under which the files next to a model are found."""
        return self._root / name

    def name_of(self, path: Path) -> str | None:
        """Return the name of a file of this revision by its path; None for any other."""
        text, root = normpath(path.as_posix()), f"{self._root.as_posix()}/"
        return text[len(root) :] if text.startswith(root) else None

    def stored(self, name: str) -> IO[bytes]:
        """Return an open file of the revision."""
        mode, found = self.files.get(name, (b"", ""))
        if not mode.startswith(FILE):
            raise Unreadable("a link, not a regular file" if mode == _LINK else "no such file in the revision")
        return self.repository.object(found)

    def open(self, name: str) -> IO[bytes]:
        """Return an open file of the revision, that of Git LFS if it is a pointer."""
        file = self.stored(name)
        pointer = file.read(_POINTER)
        file.seek(0)
        if not is_pointer(pointer):
            return file
        file.close()
        return self.repository.fetched(pointer, self.name)

    def read(self, name: str) -> bytes:
        with self.open(name) as file:
            if os.fstat(file.fileno()).st_size > MOST_BYTES:
                raise Unreadable(f"more than {MOST_BYTES >> 30} GiB in the revision")
            return file.read()


def _changes(words: Iterator[bytes]) -> Iterator[FileChange]:
    """Yield what `--raw -z` lists: `:MODE MODE OBJECT OBJECT STATUS`, then one path, or two of a file that was renamed or copied."""
    for word in words:
        if not word.startswith(b":"):
            continue
        before, after, _, _, status = word[1:].split(b" ")
        old = new = os.fsdecode(next(words))
        if status[:1] in b"RC":
            new = os.fsdecode(next(words))
        is_there = [mode.startswith(FILE) for mode in (before, after)]
        if any(is_there):
            yield FileChange(old if is_there[0] and status[:1] != b"C" else None, new if is_there[1] else None)
