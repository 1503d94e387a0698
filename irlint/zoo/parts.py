"""Large objects in parts, each of which is asked for again if need be."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.zoo.patience import patiently
from irlint.zoo.stores import Body, ChangedError, Store

PART = 8 << 20  # bytes of one request: a large object must not need longer than the time-out


def first_part(store: Store, key: str) -> Body:
    return patiently(lambda: store.part(key, 0, PART))


def parts(store: Store, key: str, first: Body) -> Iterator[bytes]:
    """Return the bytes of an object, whose first part is known; raise ChangedError if it becomes another meanwhile."""
    yield first.data
    for start in range(PART, first.size, PART):
        part = patiently(lambda start=start: store.part(key, start, start + PART, first.etag))  # type: ignore[misc]
        if part.etag != first.etag:
            raise ChangedError("changed while it was read")
        yield part.data
