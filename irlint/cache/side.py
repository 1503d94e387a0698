"""Files next to a model: whether they have changed since the model was linted."""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import Any

from irlint.files.read import Unreadable, open_regular, stat_of
from irlint.records import NamedTuple

CHUNK = 1 << 20


class SideFileState(NamedTuple):
    """A file by its name relative to the model's folder, and where it is now."""

    name: str
    path: str
    asks_git: bool = False  # whether it matters what git says of a file that is not there
    in_commit: bool = False  # whether that matters of any file

    def record(self) -> dict[str, Any] | None:
        """Return what identifies the state of a file; None if it is unknown."""
        if (stamp := _stamp(self.path)) is None:
            return None if os.path.lexists(self.path) else self._missing()
        content = _content(self.path)
        if content is None:
            return None
        known = {"git": self._git_state()} if self.in_commit else {}
        return {"name": self.name, "changed": stamp[2] / 1e9, "stamp": stamp, "content": content, **known}

    def _missing(self) -> dict[str, Any]:
        changed = _index_changed(self.path) if self.asks_git else 0.0
        return {"name": self.name, "changed": changed, "git": self._git_state()}

    def _git_state(self) -> str | None:
        if not (self.asks_git or self.in_commit):
            return None
        from irlint.missing_weights import state_of

        return state_of(self.path, self.in_commit and not os.path.lexists(self.path))

    def agrees(self, record: dict[str, Any]) -> bool:
        """Return whether a file matches its record. Its content is read only if its times differ."""
        if record["name"] != self.name:
            return False
        if "stamp" not in record:
            return not os.path.lexists(self.path) and record.get("git", "") == self._git_state()
        stamp = _stamp(self.path)
        if stamp is None or stamp[0] != record["stamp"][0] or (self.in_commit and record["git"] != self._git_state()):
            return False
        return bool(stamp == record["stamp"] or _content(self.path) == record["content"])


def _index_changed(path: str) -> float:
    """When the index of the repository that a path is in was last changed, in seconds."""
    from irlint.files.git import index_stamp, repository

    found = repository(os.path.dirname(os.path.abspath(path)))
    stamp = index_stamp(found) if found is not None else None
    return stamp[0] / 1e9 if stamp is not None else 0.0


def _stamp(path: str) -> list[int] | None:
    """Size, times and number of a file. The time of its last change cannot be set by programs."""
    found = stat_of(path)
    return None if found is None else [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]


def _content(path: str) -> str | None:
    seen = blake2b(digest_size=20)
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            while chunk := file.read(CHUNK):
                seen.update(chunk)
    except (OSError, Unreadable):
        return None
    return seen.hexdigest()
