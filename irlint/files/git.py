"""The index of a git repository, read without a git process, once per version."""

from __future__ import annotations

import os
import re
import struct
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from irlint.files.read import Unreadable, folder_and_above, read, read_or_nothing, stat_of
from irlint.records import NamedTuple

_EXTENDED, _SKIPPED = 0x40, 0x40  # in the high bytes of an entry's flags and of its extended flags
_LONGEST_PATH = 4096  # bytes; version 4 shares prefixes, so that a small file could hold endless names
_MOST_BYTES = 1 << 28  # of all names
_SHA256 = re.compile(rb"^\s*objectformat\s*=\s*\"?sha256\b", re.IGNORECASE | re.MULTILINE)
_GITDIR = b"gitdir:"

Stamp = tuple[int, int, int]


class GitIndex(NamedTuple):
    """The paths that a repository tracks, with slashes and relative to its root, in the order of their bytes.

    A path that ends with a slash is a folder of a sparse index: its files are only in the object store.
    """

    paths: list[bytes]
    skipped: frozenset[bytes]  # tracked, but left out of the work tree by a sparse checkout

    def holds(self, path: bytes) -> bool:
        at = bisect_left(self.paths, path)
        return at < len(self.paths) and self.paths[at] == path

    def has_below(self, folder: bytes) -> bool:
        """Return whether any path is in a folder; the root is an empty name."""
        prefix = folder + b"/" if folder else b""
        at = bisect_left(self.paths, prefix)
        return at < len(self.paths) and self.paths[at].startswith(prefix)

    def hides(self, path: bytes) -> bool:
        """Return whether a folder of a sparse index may hold a path."""
        ends = [at for at, char in enumerate(path) if char == 0x2F]
        return any(self.holds(path[: end + 1]) for end in ends)


class Repository(NamedTuple):
    """A work tree: its root with all links resolved, and the folder that holds its index."""

    root: str
    git_dir: str

    @property
    def index_file(self) -> str:
        return os.path.join(self.git_dir, "index")

    def read_index(self) -> GitIndex | None:
        """Return the index as it is now; None where it cannot be read."""
        stamp = index_stamp(self)
        if stamp is None:  # nothing has been added yet, or .git points to a folder that is not here
            return GitIndex([], frozenset()) if os.path.isdir(self.git_dir) else None
        return _read_index(self.git_dir, stamp)

    def tracks(self, path: str) -> bool | None:
        """Return whether a file is tracked; None where the index cannot tell. A link to a file is asked for itself."""
        index, name = self.read_index(), self.name_of(path)
        if index is None or name is None:
            return None
        return True if index.holds(name) else None if index.hides(name) else False

    def skips(self, path: str) -> bool:
        """Return whether a tracked file is left out of the work tree on purpose, by a sparse checkout."""
        index, name = self.read_index(), self.name_of(path)
        return index is not None and name is not None and (name in index.skipped or index.hides(name))

    def name_of(self, path: str) -> bytes | None:
        """Return the name under which the index would hold a path; None if it is outside the repository."""
        folder, name = os.path.split(os.path.abspath(path))
        parent = os.path.realpath(folder)
        real = os.path.join(parent, name)
        if os.path.realpath(real) == self.root:
            return b""
        prefix = self.root.rstrip(os.sep) + os.sep
        return os.fsencode(real[len(prefix) :].replace(os.sep, "/")) if real.startswith(prefix) else None


def repository(folder: str) -> Repository | None:
    """Return the repository that a folder is in: the nearest one above it, as git finds it."""
    for root in folder_and_above(os.path.realpath(folder)):
        dot_git = os.path.join(root, ".git")
        if os.path.lexists(os.path.join(dot_git, "HEAD")):  # without it, git looks further up
            return Repository(root, dot_git)
        if os.path.isfile(dot_git) and (named := _named_by(dot_git)) is not None:
            return Repository(root, named)
    return None


def index_stamp(found: Repository) -> Stamp | None:
    """Return what changes with every version of the index: git writes a new file and renames it."""
    seen = stat_of(found.index_file)
    return None if seen is None else (seen.st_mtime_ns, seen.st_size, seen.st_ino)


def _named_by(file: str) -> str | None:
    """Return the folder that the .git file of a worktree or a submodule names."""
    text = read_or_nothing(file, _LONGEST_PATH)
    if not text.startswith(_GITDIR):
        return None
    named = os.fsdecode(text.removeprefix(_GITDIR).strip())
    return os.path.normpath(os.path.join(os.path.dirname(file), named))


@lru_cache(maxsize=8)
def _read_index(git_dir: str, stamp: Stamp) -> GitIndex | None:
    """Return the index of a repository. `stamp` is part of the key: another version is read again."""
    try:
        return _parsed(read(os.path.join(git_dir, "index")), 32 if _has_long_hashes(git_dir) else 20)
    except (Unreadable, ValueError, IndexError, struct.error):
        return None


def _has_long_hashes(git_dir: str) -> bool:
    """Return whether the repository is one of SHA-256. A worktree's own folder names the one that holds the settings."""
    common = os.fsdecode(read_or_nothing(os.path.join(git_dir, "commondir"), _LONGEST_PATH).strip())
    return _SHA256.search(read_or_nothing(os.path.join(git_dir, common, "config"))) is not None


def _parsed(data: bytes, hash_size: int) -> GitIndex:
    """Read versions 2, 3 and 4 (gitformat-index(5)); ValueError and the like for anything else."""
    signature, version, count = struct.unpack_from(">4sII", data)
    if signature != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("not a readable index")
    paths: list[bytes] = []
    skipped: set[bytes] = set()
    extensions = 12
    for path, is_skipped, end in (_shared if version == 4 else _padded)(data, count, 42 + hash_size):
        extensions = end
        if not paths or path != paths[-1]:  # the sides of a conflict have an entry each
            paths.append(path)
        if is_skipped:
            skipped.add(path)
    if _is_split(data, extensions, len(data) - hash_size):
        raise ValueError("split index")
    return GitIndex(sorted(paths), frozenset(skipped))


_Entry = tuple[bytes, bool, int]  # a path, whether a sparse checkout leaves it out, the end of its entry


def _padded(data: bytes, count: int, fixed: int) -> Iterator[_Entry]:
    """Entries of versions 2 and 3: whole paths, filled up to a multiple of 8 bytes."""
    at = 12
    for _ in range(count):
        begin = at + fixed
        skipped = False
        if data[begin - 2] & _EXTENDED:
            skipped = bool(data[begin] & _SKIPPED)
            begin += 2
        end = data.index(b"\0", begin)
        at += (end - at + 8) & ~7
        yield data[begin:end], skipped, at


def _shared(data: bytes, count: int, fixed: int) -> Iterator[_Entry]:
    """Entries of version 4: how many bytes to drop from the end of the path before, and what follows instead."""
    at, path, total = 12, b"", 0
    for _ in range(count):
        begin = at + fixed
        skipped = False
        if data[begin - 2] & _EXTENDED:
            skipped = bool(data[begin] & _SKIPPED)
            begin += 2
        dropped, begin = _number(data, begin)
        end = data.index(b"\0", begin)
        path = path[: max(len(path) - dropped, 0)] + data[begin:end]
        total += len(path)
        if len(path) > _LONGEST_PATH or total > _MOST_BYTES:
            raise ValueError("paths too long")
        at = end + 1
        yield path, skipped, at


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number in the variable width encoding of pack offsets, and where it ends."""
    found = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        found = ((found + 1) << 7) | (data[at] & 0x7F)
        if found > _MOST_BYTES:
            raise ValueError("a number too large")
    return found, at + 1


def _is_split(data: bytes, at: int, end: int) -> bool:
    """Return whether an extension is mandatory for readers of the index: those begin with a small letter."""
    while at + 8 <= end:
        name, size = struct.unpack_from(">4sI", data, at)
        if name[:1].islower() and name != b"sdir":  # folders of a sparse index, which end with a slash
            return True
        at += 8 + size
    return False
