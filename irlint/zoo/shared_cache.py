"""A cache in a store, shared by runs on many machines: segments of outcomes, which are only ever added.

All segments are in a folder named by irlint's version and rules. Objects in a store are not trusted: segments are read as
strictly as the ledger, and their size is bounded.
"""

from __future__ import annotations

import gzip
import json
import secrets
import zlib
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from time import monotonic, time
from typing import TYPE_CHECKING, Any

from irlint.cache.fingerprint import fingerprint
from irlint.text.safe import has_surrogates
from irlint.zoo.outcome import from_json, text_of
from irlint.zoo.patience import patiently
from irlint.zoo.stores import MissingError, Store, StoreError, address, shown
from irlint.zoo.tasks import Done

if TYPE_CHECKING:
    from irlint.zoo.ledger import Ledger

FOLDER = ".irlint_zoo"
END = ".jsonl.gz"
MINUTE = 60.0  # seconds between two segments
_LINES = 5000  # of a segment
_MOST = 256 << 20  # bytes of a segment


class SharedCache:
    """The segments in a store, and the one that is being filled. `error` is the first one of the store."""

    def __init__(self, store: Store, shard: int) -> None:
        self._store, self._shard = store, shard
        self._folder = f"{FOLDER}/{fingerprint()}"
        self._lines: list[bytes] = []
        self._written = monotonic()
        self.error: StoreError | None = None

    def read_into(self, ledger: Ledger, urls: tuple[str, ...]) -> None:
        """Take what other runs have found into the ledger; later segments replace earlier ones."""
        roots: dict[str, list[int]] = {}
        for number, url in enumerate(urls):
            roots.setdefault(shown(url), []).append(number)
        try:
            names = sorted(found.key for page in self._store.pages(f"{self._folder}/") for found in page)
        except MissingError:
            return  # a folder that is not there yet
        except StoreError as error:
            self.error = error
            return
        for name in names:
            if name.endswith(END):
                for done in self._segment(name, roots):
                    ledger.restore(done)

    def _segment(self, name: str, roots: dict[str, list[int]]) -> Iterator[Done]:
        try:
            packed = patiently(lambda: self._store.whole(name, _MOST)).data
        except StoreError as error:
            self.error = self.error or error
            return
        for line in _lines(packed):
            try:
                yield from _read(json.loads(line), roots)
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                continue  # damaged, not ours, or of an object elsewhere

    def add(self, done: Done, url: str) -> None:
        """Add an outcome; write a segment if it is time."""
        if done.looked is not None:
            record = json.dumps({"of": shown(url), "rules": done.rules, "looked": done.looked})
            line = f'{record[:-1]}, "outcome": {text_of(done.body)}}}\n'.encode("utf-8", "surrogatepass")
            self._lines.append(zlib.compress(line, 1))
        if len(self._lines) >= _LINES or (self._lines and monotonic() - self._written >= MINUTE):
            self.flush()

    def flush(self) -> None:
        """Write what has been found since the last segment. Without the cache, a run goes on."""
        lines, self._lines, self._written = self._lines, [], monotonic()
        if not lines:
            return
        name = f"{self._folder}/{int(time() * 1000):013d}-{self._shard}-{secrets.token_hex(6)}{END}"
        data = BytesIO()
        with gzip.GzipFile("", "wb", 6, data, mtime=0) as file:
            for line in lines:
                file.write(zlib.decompress(line))

        def put() -> None:
            data.seek(0)
            self._store.put(name, data)

        try:
            patiently(put)
        except StoreError as error:
            self.error = self.error or error


def _lines(packed: bytes) -> Iterator[bytes]:
    """Return the lines of a segment, as many and as long as ours have."""
    left = _MOST
    with gzip.GzipFile(fileobj=BytesIO(packed)) as file, suppress(OSError, EOFError, zlib.error):
        for _ in range(_LINES):
            if not (line := file.readline(left)):
                return
            left -= len(line)
            yield line


def _read(record: dict[str, Any], roots: dict[str, list[int]]) -> list[Done]:
    outcome = from_json(record["outcome"])
    rules, looked, of = record["rules"], record["looked"], record["of"]
    if not (
        isinstance(rules, str)
        and not has_surrogates(rules)
        and isinstance(looked, list)
        and outcome.url == address(of, outcome.key)
    ):
        raise TypeError("expected rules and what was looked at")
    return [Done.of(root, rules, outcome, looked) for root in roots[of]]
