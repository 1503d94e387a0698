"""The ledger of a run: what stores list, and what became of each object, in one SQLite file.

It is committed after each batch, so that a run that is killed loses only what was in flight. Files in a folder are not trusted:
a file with another schema than ours is discarded, and outcomes are read as strictly as entries of the cache.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from irlint.records import NamedTuple
from irlint.zoo.outcome import ObjectOutcome, unpack
from irlint.zoo.stores import ListedObject, address
from irlint.zoo.tasks import Done

_SCHEMA = (
    "CREATE TABLE runs (number INTEGER PRIMARY KEY, listed INTEGER NOT NULL)",
    "CREATE TABLE objects (root INTEGER NOT NULL, key TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT,"
    " seen INTEGER NOT NULL, PRIMARY KEY (root, key)) WITHOUT ROWID",
    "CREATE TABLE outcomes (root INTEGER NOT NULL, key TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT, rules TEXT,"
    " looked TEXT NOT NULL, run INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (root, key)) WITHOUT ROWID",
)
_LISTED_ROWS = 100_000  # of a listing, which starts again if it is interrupted
_PAGE = 2000
_MOST_RUNS = 1 << 40


class LedgerInUse(Exception):
    """Another run has the ledger."""


class KnownObject(NamedTuple):
    """An outcome that an earlier run has stored."""

    size: int
    etag: str | None
    rules: str | None
    looked: list[Any]


class Ledger:
    """The ledger in a file; None: one that is forgotten at the end."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self._db, self.run = _opened(path)
        self._rows = 0  # of a listing, since it was committed
        self._db.execute("BEGIN")

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self.commit()
            self._db.execute("COMMIT")
        self._db.close()

    def discard(self) -> None:
        """Close a ledger that cannot be used, and forget its file."""
        with suppress(sqlite3.Error):
            self._db.close()
        if self.path is not None:
            _forget(self.path)

    # The listing

    def add(self, root: int, page: list[ListedObject]) -> int:
        """Store a page of a listing; return how many of its keys this run has not had yet."""
        cursor = self._db.executemany(
            "INSERT INTO objects VALUES (?, ?, ?, ?, ?) ON CONFLICT (root, key) DO UPDATE SET size = excluded.size,"
            " etag = excluded.etag, seen = excluded.seen WHERE seen != excluded.seen",
            [(root, key, size, etag, self.run) for key, size, etag in page],
        )
        self._rows += len(page)
        if self._rows >= _LISTED_ROWS:
            self.commit()
        return cursor.rowcount

    def listed(self, root: int, is_complete: bool) -> None:
        """End a listing. What it no longer has is forgotten, if it is complete."""
        if is_complete:
            self._db.execute("DELETE FROM objects WHERE root = ? AND seen != ?", (root, self.run))
            self._db.execute(
                "DELETE FROM outcomes WHERE root = ?1 AND run != ?2 AND NOT EXISTS"
                " (SELECT 1 FROM objects o WHERE o.root = ?1 AND o.key = outcomes.key)",
                (root, self.run),
            )
        self.commit()

    def objects(self, root: int) -> Iterator[ListedObject]:
        """Return what this run has listed, in the order of the keys. No cursor stays open meanwhile."""
        after, rows = "", self._objects(root, "", ">=")
        while rows:
            for row in rows:
                yield ListedObject(*row)
            after = rows[-1][0]
            rows = self._objects(root, after, ">")

    def _objects(self, root: int, after: str, sign: str) -> list[Any]:
        return self._select(f"key {sign} ? ORDER BY key LIMIT ?", root, after, _PAGE)

    def _select(self, condition: str, root: int, *values: Any) -> list[Any]:
        """Return what this run has listed of a root, under a condition for the keys."""
        query = f"SELECT key, size, etag FROM objects WHERE root = ? AND seen = ? AND {condition}"
        return self._db.execute(query, (root, self.run, *values)).fetchall()

    def below(self, root: int, beginning: str, most: int) -> Iterator[ListedObject]:
        """Return the first objects whose keys begin like this."""
        rows = self._select(
            "key >= ? AND key < ? ORDER BY key LIMIT ?", root, beginning, f"{beginning}\U0010ffff", most
        )
        return (ListedObject(*row) for row in rows)

    def find(self, root: int, key: str) -> ListedObject | None:
        return next((ListedObject(*row) for row in self._select("key = ?", root, key)), None)

    # Outcomes

    def known(self, root: int, key: str) -> KnownObject | None:
        """Return what an outcome of an earlier run depends on."""
        row = self._db.execute(
            "SELECT size, etag, rules, looked FROM outcomes WHERE root = ? AND key = ?", (root, key)
        ).fetchone()
        if row is None:
            return None
        try:
            looked = json.loads(row[3])
        except (ValueError, RecursionError):
            return None
        return KnownObject(row[0], row[1], row[2], looked) if isinstance(looked, list) else None

    def keep(self, root: int, key: str, url: str) -> ObjectOutcome | None:
        """Take an outcome of an earlier run into this one; None if it cannot be read."""
        row = self._db.execute("SELECT body FROM outcomes WHERE root = ? AND key = ?", (root, key)).fetchone()
        outcome = None if row is None else unpack(row[0], url, key)
        if outcome is not None:
            self._db.execute("UPDATE outcomes SET run = ? WHERE root = ? AND key = ?", (self.run, root, key))
        return outcome

    def store(self, done: Done) -> None:
        """Store an outcome. One without `looked` is for the report of this run only."""
        self.restore(done, self.run)

    def restore(self, done: Done, run: int = 0) -> None:
        """Store an outcome that another run has found."""
        rules = None if done.looked is None else done.rules
        looked = json.dumps(done.looked or [])
        self._db.execute(
            "INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (done.root, done.key, done.size, done.etag, rules, looked, run, done.body),
        )

    def outcomes(self, root: int, url: str) -> Iterator[ObjectOutcome]:
        """Return the outcomes of this run, in the order of the keys."""
        after: str | None = None
        while True:
            rows = self._db.execute(
                "SELECT key, body FROM outcomes WHERE root = ? AND (? IS NULL OR key > ?) AND run = ? ORDER BY key LIMIT ?",
                (root, after, after, self.run, 100),
            ).fetchall()
            if not rows:
                return
            for key, body in rows:
                found = unpack(body, address(url, key), key)
                yield found or ObjectOutcome(address(url, key), key, 0, None, failure="its outcome cannot be read back")
            after = rows[-1][0]

    def commit(self) -> None:
        self._db.execute("COMMIT")
        self._db.execute("BEGIN")
        self._rows = 0


def _opened(path: str | None) -> tuple[sqlite3.Connection, int]:
    """Return the database in a file, and the number of this run. A file that is damaged or not ours is discarded."""
    if path is None:
        return _connected("")
    for _ in range(2):
        try:
            return _connected(path)
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise LedgerInUse(path) from error
            failure: sqlite3.Error = error
        except sqlite3.DatabaseError as error:
            failure = error
        _forget(path)
    raise failure


def _forget(path: str) -> None:
    for name in (path, f"{path}-wal", f"{path}-shm", f"{path}-journal"):
        with suppress(OSError):
            os.unlink(name)


def _connected(path: str) -> tuple[sqlite3.Connection, int]:
    database = sqlite3.connect(path, timeout=0.0, isolation_level=None, check_same_thread=False)
    try:
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA cache_size = -4096")
        if path:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
        database.execute("BEGIN EXCLUSIVE")
        found = [
            row[0] for row in database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        ]
        if not found:
            for statement in _SCHEMA:
                database.execute(statement)
        elif tuple(found) != _SCHEMA:
            raise sqlite3.DatabaseError("another schema")
        run = (database.execute("SELECT max(number) FROM runs").fetchone()[0] or 0) + 1
        if not 0 < run < _MOST_RUNS:
            raise sqlite3.DatabaseError("no number for another run")
        database.execute("INSERT INTO runs VALUES (?, 0)", (run,))
        database.execute("COMMIT")
    except BaseException:
        database.close()
        raise
    return database, run
