"""Atomic replacement of a file's content."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import mkstemp
from typing import BinaryIO

from irlint.files.read import Unreadable, plainly


def replace(path: str, data: bytes, expected: bytes | None = None) -> None:
    """Replace the content of a file.

    If `expected` is given, a file with other content has been changed by somebody else and is not replaced.
    """
    with replacing(path, None if expected is None else (expected, data)) as file:
        file.write(data)


@contextmanager
def replacing(path: str, expected: tuple[bytes, ...] | None = None) -> Iterator[BinaryIO]:
    """Give a file next to the file, to be written; then sync it and rename it. Mode and owner stay; links stay links."""
    target = os.path.realpath(path)
    try:
        before = os.stat(target) if os.path.lexists(target) else None
        if before and not stat.S_ISREG(before.st_mode):
            raise Unreadable("not a regular file")
        if before and not os.access(target, os.W_OK):
            raise Unreadable("the file is read-only")
        with _renamed(target, before, expected) as file:
            yield file
    except OSError as error:
        raise Unreadable(plainly(error)) from error


@contextmanager
def _renamed(target: str, before: os.stat_result | None, expected: tuple[bytes, ...] | None) -> Iterator[BinaryIO]:
    descriptor, temporary = mkstemp(prefix=".irlint-", suffix=".tmp", dir=os.path.dirname(target))
    try:
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            _take_over(temporary, before)
            os.fsync(file.fileno())
        if expected is not None:
            with open(target, "rb") as now:
                if now.read() not in expected:
                    raise Unreadable("the file was changed in the meantime")
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(os.path.dirname(target))


def _take_over(temporary: str, before: os.stat_result | None) -> None:
    """Copy the mode and, if permitted, the owner of the file to replace."""
    if before is None:
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        return
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(temporary, before.st_uid, before.st_gid)
    os.chmod(temporary, stat.S_IMODE(before.st_mode))


def _sync_folder(folder: str) -> None:
    """Sync the folder, if the system supports it, so that the new name survives a power failure."""
    with suppress(OSError):
        descriptor = os.open(folder or os.curdir, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
