"""Sequences, maps and optional values: arrays in one, in their order. A run holds a sequence as an array without dimensions whose element
is a tuple, or `Maps`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.dryrun.lazy import np
from irlint.records import NamedTuple


class Maps(NamedTuple):
    """A sequence of maps with the same keys: a row of values for each map."""

    keys: tuple[Any, ...]
    values: Any


def boxed(items: Any) -> Any:
    """Return a sequence, or nothing (None), as an array."""
    found = np.empty((), object)
    found[()] = items if items is None or isinstance(items, Maps) else tuple(items)
    return found


def items_of(box: Any) -> tuple[Any, ...]:
    found = box[()]
    if not isinstance(found, tuple):
        raise TypeError("expected a sequence")
    return found


def is_box(array: Any) -> bool:
    return array.dtype == object and array.shape == () and (array[()] is None or isinstance(array[()], tuple))


def plain(name: str, array: Any) -> Iterator[tuple[str, Any]]:
    """Yield an output as arrays with names of their own: maps as their values and `NAME.keys`, a sequence as `NAME[0]`, `NAME[1]`
    and so on, no value and an empty sequence as an empty array."""
    if not is_box(array):
        yield name, array
    elif isinstance(array[()], Maps):
        keys, values = array[()]
        yield name, values
        yield f"{name}.keys", np.array(keys, object if isinstance(keys[0], str) else np.int64)
    elif not array[()]:
        yield name, np.empty(0, object)
    else:
        for k, item in enumerate(array[()]):
            yield from plain(f"{name}[{k}]", item)
