"""The outcome of one object of a store: plain data that travels between processes and into the ledger.

It holds no times and nothing of the machine, so that reports of two runs, or of two engines, are equal byte for byte.
As bytes it is so small that many of them travel between processes (that of a file with 100,000 findings is 250 MB of objects, and
3 MB of bytes), and it is read strictly, because it is not trusted.
"""

from __future__ import annotations

import json
import zlib
from hashlib import blake2b
from typing import Any

from irlint.cache.records import from_record, to_record
from irlint.companions import PATTERNS as COMPANIONS
from irlint.findings import Severity
from irlint.records import dataclass, replace
from irlint.report.base import FileReport
from irlint.report.objects import Record, object_record
from irlint.text.safe import has_surrogates

_MOST_NUMBER = 1 << 62
_MOST_BYTES = 256 << 20  # of one outcome
_SUM = 16  # bytes
_ENCODING = "utf-8", "surrogatepass"  # as they are: of two halves that are escaped, json makes a whole character
_json = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(slots=True, frozen=True)
class ObjectOutcome:
    """The outcome of one object. One without report, trouble or failure is neither a model nor about one.

    `url` is the object's own, without credentials: it is unique, reports are sorted by it, and `report.name` is the same.
    `key` is the object's path below the URL that the user gave. `facts` are JSON values (irlint.inspection).
    """

    url: str
    key: str
    size: int
    etag: str | None
    report: FileReport | None = None
    trouble: str | None = None  # why the object could not be read
    failure: str | None = None  # irlint's own
    facts: dict[str, Any] | None = None

    @property
    def is_model(self) -> bool:
        return self.report is not None and self.report.format not in COMPANIONS

    def failing_from(self, severity: Severity) -> ObjectOutcome:
        """Return the outcome with the severity from which on a finding makes the run fail."""
        report = self.report
        if report is None or report.fail_on == severity:
            return self
        return replace(self, report=replace(report, fail_on=severity))


def record_of(outcome: ObjectOutcome) -> Record:
    """Return the record of an outcome in the reports by objects."""
    one = outcome
    return object_record(one.url, one.key, one.size, one.etag, one.report, one.facts, one.trouble, one.failure)


def to_json(outcome: ObjectOutcome) -> dict[str, Any]:
    """Return an outcome as values that JSON can hold; `fail_on`, which is the run's, is left out."""
    return {
        "url": outcome.url,
        "key": outcome.key,
        "size": outcome.size,
        "etag": outcome.etag,
        "report": None if outcome.report is None else to_record(outcome.report),
        "trouble": outcome.trouble,
        "failure": outcome.failure,
        "facts": outcome.facts,
    }


def _is_fact(value: Any) -> bool:
    if type(value) is int:
        return 0 <= value < _MOST_NUMBER
    return value is None or (isinstance(value, str) and not has_surrogates(value))


def from_json(record: dict[str, Any]) -> ObjectOutcome:
    """Return the outcome of such values; raise ValueError, TypeError or LookupError for invalid ones."""
    url, key, size, etag = record["url"], record["key"], record["size"], record["etag"]
    trouble, failure, facts = record["trouble"], record["failure"], record["facts"]
    if not (isinstance(url, str) and isinstance(key, str) and type(size) is int and 0 <= size < _MOST_NUMBER):
        raise TypeError("expected a URL, a key and a size")
    if not all(value is None or isinstance(value, str) for value in (etag, trouble, failure)):
        raise TypeError("expected texts")
    if not (facts is None or (isinstance(facts, dict) and all(map(_is_fact, facts.values())))):
        raise TypeError("expected an object for `facts`")
    if has_surrogates(f"{key}{etag}"):
        raise ValueError("expected UTF-8")
    report = None if record["report"] is None else from_record(record["report"], url)
    return ObjectOutcome(url, key, size, etag, report, trouble, failure, facts)


def pack(outcome: ObjectOutcome) -> bytes:
    packed = zlib.compress(_json(to_json(outcome)).encode(*_ENCODING), 1)
    return blake2b(packed, digest_size=_SUM).digest() + packed


def text_of(stored: bytes) -> str:
    """Return the JSON of an outcome; raise ValueError for bytes that are damaged."""
    packed = stored[_SUM:]
    if blake2b(packed, digest_size=_SUM).digest() != stored[:_SUM]:
        raise ValueError("damaged")
    try:
        return zlib.decompressobj().decompress(packed, _MOST_BYTES).decode(*_ENCODING)
    except zlib.error as error:
        raise ValueError("damaged") from error


def unpack(stored: Any, url: str, key: str) -> ObjectOutcome | None:
    """Return a stored outcome; None for one that is damaged or not ours."""
    try:
        outcome = from_json(json.loads(text_of(stored)))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return outcome if (outcome.url, outcome.key) == (url, key) else None
