"""Models that are alike: copies, one graph with several weights, weights that several graphs have.

Hashes are kept in a database of SQLite's, which moves to a temporary file when it grows.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from hashlib import blake2b

from irlint.records import NamedTuple
from irlint.report.objects import Record, total_size

SHOWN = 20  # groups of a kind
EXAMPLES = 3  # models of a group
LEAST = 1024  # bytes of weights by which two models are variants of each other: small ones are equal by chance
_BATCH = 1000
# ETags that are a hash of the content, in one part or several; others are a time or a version
_OF_CONTENT = re.compile(r'"?[0-9a-fA-F]{32,128}(-[0-9]{1,6})?"?', re.ASCII)


class AlikeModels(NamedTuple):
    """A group of models; `variants`: how many weights a graph has, or graphs that have the weights; `redundant`: bytes of all
    but one."""

    models: int
    variants: int
    redundant: int
    urls: list[str]

    @property
    def more(self) -> int:
        return self.models - len(self.urls)


class AlikeGroups(NamedTuple):
    """The largest groups of a kind, how many there are, how many models are in them, and their redundant bytes."""

    shown: list[AlikeModels]
    groups: int
    models: int
    redundant: int


class Duplicates:
    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute("CREATE TABLE models (graph BLOB, weights BLOB, content BLOB, size INTEGER, url TEXT)")
        self._db.execute("BEGIN")
        self._waiting: list[tuple[bytes | None, bytes | None, bytes | None, int, str]] = []

    def add(self, record: Record) -> None:
        """Add a model."""
        graph, weights, etag, size = record["graph"], record["weights"], record["etag"], total_size(record)
        content = None
        if graph and weights:
            content = f"{graph} {weights}"
        elif etag and _OF_CONTENT.fullmatch(etag):
            content = f"{record['size']} {etag}"
        if (record["weights_size"] or 0) < LEAST:
            graph = weights = None
        if graph or content:
            self._waiting.append((_short(graph), _short(weights), _short(content), size, record["url"]))
            if len(self._waiting) >= _BATCH:
                self._flush()

    def _flush(self) -> None:
        self._db.executemany("INSERT INTO models VALUES (?, ?, ?, ?, ?)", self._waiting)
        self._waiting.clear()

    def end(self) -> None:
        self._flush()
        for column in ("content", "graph", "weights"):
            self._db.execute(f"CREATE INDEX by_{column} ON models ({column}) WHERE {column} IS NOT NULL")

    def copies(self) -> AlikeGroups:
        return self._alike("content", "0", "count(*) > 1", "redundant DESC, count(*) DESC, min(url)")

    def graphs(self) -> AlikeGroups:
        """Return groups of one graph with several weights."""
        return self._alike("graph", "count(DISTINCT weights)")

    def weights(self) -> AlikeGroups:
        """Return groups of the same weights in several graphs."""
        return self._alike("weights", "count(DISTINCT graph)")

    def _alike(
        self,
        column: str,
        variants: str,
        having: str = "variants > 1",
        order: str = "count(*) DESC, variants DESC, min(url)",
    ) -> AlikeGroups:
        groups = (
            f"SELECT {column} AS hash, count(*) AS models, {variants} AS variants, total(size) - max(size) AS redundant, min(url)"
            f" FROM models WHERE {column} IS NOT NULL GROUP BY {column} HAVING {having} ORDER BY {order}"
        )
        total = self._db.execute(f"SELECT count(*), total(models), total(redundant) FROM ({groups})").fetchone()
        shown = [
            AlikeModels(models, number, int(redundant), list(self._urls(column, found)))
            for found, models, number, redundant, _ in self._db.execute(f"{groups} LIMIT {SHOWN}").fetchall()
        ]
        return AlikeGroups(shown, total[0], int(total[1]), int(total[2]))

    def _urls(self, column: str, found: bytes) -> Iterator[str]:
        query = f"SELECT url FROM models WHERE {column} = ? ORDER BY url LIMIT {EXAMPLES}"
        return (row[0] for row in self._db.execute(query, (found,)))

    def close(self) -> None:
        self._db.close()


def _short(text: str | None) -> bytes | None:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest() if text else None
