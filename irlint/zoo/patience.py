"""What makes stores dependable: another try for what may pass, on top of those of the store's client, and large objects in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import uniform
from time import monotonic, sleep
from typing import TypeVar

from irlint.zoo.stores import ChangedError, ObjectBody, Store, StoreError

T = TypeVar("T")

LONG = 10.0  # seconds: the store's client has tried again by itself, or waited until its time was out
PAUSE = 1.0  # seconds, times a random factor: throttled workers must not come back all at once


def patiently(ask: Callable[[], T]) -> T:
    """Return what a store answers; ask once more if its error may pass and did not take long."""
    began = monotonic()
    try:
        return ask()
    except StoreError as error:
        if not error.may_pass or monotonic() - began > LONG:
            raise
    sleep(PAUSE * uniform(0.5, 1.5))
    return ask()


PART = 8 << 20  # bytes of one request: a large object must not need longer than the time-out


def first_part(store: Store, key: str) -> ObjectBody:
    return patiently(lambda: store.part(key, 0, PART))


def parts(store: Store, key: str, first: ObjectBody) -> Iterator[bytes]:
    """Return the bytes of an object, whose first part is known; raise ChangedError if it becomes another meanwhile."""
    yield first.data
    for start in range(PART, first.size, PART):
        part = patiently(lambda start=start: store.part(key, start, start + PART, first.etag))  # type: ignore[misc]
        if part.etag != first.etag:
            raise ChangedError("changed while it was read")
        yield part.data
