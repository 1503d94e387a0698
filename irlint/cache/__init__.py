"""The cache of reports of unchanged files: one small file per model, written atomically; unreadable entries are ignored.

It is JSON, not pickle: a repository is not trusted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from irlint.cache.records import from_record, to_record
from irlint.cache.side import SideFileState
from irlint.companions import named_like
from irlint.files.read import Unreadable, read
from irlint.records import NamedTuple

if TYPE_CHECKING:
    from irlint.report.base import FileReport
    from irlint.settings import Settings

NOTE = "# Made by irlint. It can be deleted at any time.\n*\n"
TICK = 0.02  # seconds that the times of files may lag behind the clock
KEPT = 14 * 86400  # seconds that the entries of another version or rule set stay


def digest(data: bytes) -> str:
    return blake2b(data, digest_size=20).hexdigest()


def open_cache(folder: str) -> Cache | None:
    """Return the cache in a folder, which is created if necessary; None if it is not writable."""
    from irlint.cache.fingerprint import fingerprint

    inner = os.path.join(folder, fingerprint())
    try:
        if not os.path.isdir(inner):
            prepare(folder)
            os.makedirs(inner, exist_ok=True)
            _forget_others(folder, inner)
        return Cache(inner) if os.access(inner, os.W_OK) else None
    except OSError:
        return None


def prepare(folder: str) -> None:
    """Make the folder of a cache, which git ignores."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, ".gitignore"), "w", encoding="utf-8") as file:
        file.write(NOTE)


def _forget_others(folder: str, inner: str) -> None:
    from shutil import rmtree

    for entry in os.scandir(folder):
        old = entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_mtime < time() - KEPT
        if old and entry.path != inner:
            rmtree(entry.path, ignore_errors=True)


class Cache(NamedTuple):
    """The entries of one version and rule set."""

    folder: str

    def recall(self, name: str, settings: Settings, as_format: str | None) -> FileReport | None:
        """Return the report of a file if it and the files next to it have not changed."""
        try:
            stored = read(self._entry(name, settings, as_format))
            head, _, body = stored.partition(b"\n")
            if digest(body).encode() != head:
                return None
            entry = json.loads(body)
            if digest(read(name)) != entry["content"]:
                return None
            report = from_record(entry["report"], name)
            return report if _same(_witnesses(name, report, settings), entry["beside"]) else None
        except Unreadable:
            return None
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None  # not ours, or written by older code

    def store(self, report: FileReport, data: bytes, settings: Settings, as_format: str | None, began: float) -> None:
        """Store a report, unless a file next to the model has changed since the lint began, or the file is a companion, of which only a
        lint knows what it depends on."""
        if named_like(report.name).keys() & {report.format}:
            return
        beside = [witness.record() for witness in _witnesses(report.name, report, settings)]
        if any(record is None or record["changed"] > began - TICK for record in beside):
            return
        body = json.dumps({"content": digest(data), "beside": beside, "report": to_record(report)}).encode()
        with suppress(OSError):
            _write(self._entry(report.name, settings, as_format), digest(body).encode() + b"\n" + body)

    def _entry(self, name: str, settings: Settings, as_format: str | None) -> str:
        """Return the path of an entry, which depends on the file and the options, so that a changed file replaces its entry."""
        path = os.path.relpath(os.path.abspath(name), os.path.dirname(os.path.dirname(self.folder)))
        told = (path.replace(os.sep, "/"), as_format, settings.key)
        return os.path.join(self.folder, digest(repr(told).encode("utf-8", "surrogateescape")))


def _witnesses(name: str, report: FileReport, settings: Settings) -> list[SideFileState]:
    from irlint.formats.base import by_name

    format_ = by_name(report.format or "")
    if format_ is None:
        return []
    paths = format_.side_files(Path(name), settings.options.get(format_.name, {}))
    if settings.weights is not None:
        paths.append(settings.weights)
    asks, folder = (settings.missing_weights == "auto", settings.in_commit), os.path.dirname(name) or "."
    return [SideFileState(os.path.relpath(path, folder), str(path), *asks) for path in paths]


def _same(witnesses: Iterable[SideFileState], records: list[Any]) -> bool:
    witnesses = list(witnesses)
    return len(witnesses) == len(records) and all(w.agrees(r) for w, r in zip(witnesses, records, strict=True))


def _write(path: str, data: bytes) -> None:
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}-{os.getpid()}")
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
