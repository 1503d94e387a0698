"""Outcomes as bytes: so small that many of them travel between processes, and read strictly, as anybody may have written them.

The outcome of a file with 100,000 findings is 250 MB of objects, and 3 MB of these bytes.
"""

from __future__ import annotations

import json
import zlib
from hashlib import blake2b
from typing import Any

from irlint.zoo.outcome import ObjectOutcome, from_json, to_json

_MOST = 256 << 20  # bytes of one outcome
_SUM = 16  # bytes
_ENCODING = "utf-8", "surrogatepass"  # as they are: of two halves that are escaped, json makes a whole character
_json = json.JSONEncoder(ensure_ascii=False).encode


def pack(outcome: ObjectOutcome) -> bytes:
    packed = zlib.compress(_json(to_json(outcome)).encode(*_ENCODING), 1)
    return blake2b(packed, digest_size=_SUM).digest() + packed


def text_of(stored: bytes) -> str:
    """Return the JSON of an outcome; raise ValueError for bytes that are damaged."""
    packed = stored[_SUM:]
    if blake2b(packed, digest_size=_SUM).digest() != stored[:_SUM]:
        raise ValueError("damaged")
    try:
        return zlib.decompressobj().decompress(packed, _MOST).decode(*_ENCODING)
    except zlib.error as error:
        raise ValueError("damaged") from error


def unpack(stored: Any, url: str, key: str) -> ObjectOutcome | None:
    """Return a stored outcome; None for one that is damaged or not ours."""
    try:
        outcome = from_json(json.loads(text_of(stored)))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return outcome if (outcome.url, outcome.key) == (url, key) else None
