"""D401 size-mismatch: the size of an event against its dtype and shape."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import prod

from irlint.findings import Fix, Problem
from irlint.rules.base import Example, Model, Rule
from irlint.text.base import Document, Place

_BITS = re.compile(r"[a-z]+?([0-9]+)(?:_?e[0-9]+m[0-9]+[a-z]*)?")


class SizeMismatch(Rule):
    """What it does
    Finds events whose size is not what their dtype and shape take: elements times bytes per element.

    Why is this bad
    One of the three is wrong, and memory is planned by one of them.

    Example
    ```
    {"nodeID": "w", "name": "w", "dtype": "float32", "shape": [3, 3], "size": 9}
    ```

    Use instead
    ```
    {"nodeID": "w", "name": "w", "dtype": "float32", "shape": [3, 3], "size": 36}
    ```

    Fix safety
    Unsafe: the fix takes dtype and shape for right.
    """

    code = "D401"
    name = "size-mismatch"
    formats = ("glacier",)
    fixable = "unsafe"
    valid = (
        Example('[{"nodeID": "w", "name": "w", "dtype": "float32", "shape": [3, 3], "size": 36}]\n', "glacier:events"),
        Example('[{"nodeID": "w", "name": "w", "dtype": "int4", "shape": [3], "size": 2}]\n', "glacier:events"),
    )
    invalid = (
        Example(
            '[{"nodeID": "w", "name": "w", "dtype": "float32", "shape": [3, 3], "size": 9}]\n',
            "glacier:events",
            "9",
            '[{"nodeID": "w", "name": "w", "dtype": "float32", "shape": [3, 3], "size": 36}]\n',
        ),
    )

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        for session in model.extra.get("sessions", ()):
            for event in session.events:
                expected = None if event.is_call else size_of(event.dtype, event.shape)
                if expected is None or event.size is None or event.size == expected:
                    continue
                dims = "x".join(map(str, event.shape or ())) or "1"
                message = (
                    f"{event.name} has {dims} elements of {event.dtype}, {expected} bytes, but size says {event.size}"
                )
                at = Place((*event.path, "size"))
                yield Problem(cls, at, message, str(event.node_id), _set(at, expected))


def size_of(dtype: str | None, shape: list[object] | None) -> int | None:
    """Bytes of a tensor; None if dtype or a dimension is not known."""
    if dtype is None or shape is None or not all(type(dim) is int and dim >= 0 for dim in shape):
        return None
    match = _BITS.fullmatch(dtype)
    bits = 8 if dtype in ("bool", "boolean") else int(match[1]) if match else 0
    count = prod(dim for dim in shape if isinstance(dim, int))
    return (count * bits + 7) // 8 if 0 < bits <= 256 else None


def _set(at: Place, size: int) -> Callable[[Document], Fix]:
    def fix(document: Document) -> Fix:
        return Fix(f"set the size to {size}", document.write(at, size), "unsafe")

    return fix
