"""Whether the values of two constants differ, as far as both models have them."""

from __future__ import annotations

from typing import Any

from irlint.formats.base import by_name
from irlint.graph import Node
from irlint.rules.base import Model


class Values:
    """Compares the constants of two models, one pair at a time."""

    def __init__(self, old: Model, new: Model) -> None:
        self._old, self._new = (
            None if (format_ := by_name(model.format)) is None else format_.dryrun(model) for model in (old, new)
        )

    def differ(self, old: Node, new: Node) -> bool:
        if old.kind == "call" or new.kind == "call" or self._old is None or self._new is None:
            return False
        try:
            return not _equal(self._old.array(old), self._new.array(new))
        except (LookupError, ValueError, OSError):
            return False


def _equal(a: Any, b: Any) -> bool:
    import numpy

    if a.shape != b.shape:  # told by the types
        return True
    is_float = a.dtype.kind == "f" and b.dtype.kind == "f"
    return bool(numpy.array_equal(a, b, equal_nan=is_float))
