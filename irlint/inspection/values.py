"""Whether the values of two constants differ, as far as both models have them."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.weights import values
from irlint.formats.base import by_name
from irlint.graph import Node
from irlint.rules.base import Model


class WeightValues:
    """Compares the constants of two models, one pair at a time."""

    def __init__(self, old: Model, new: Model) -> None:
        self._old, self._new = (
            None if (format_ := by_name(model.format)) is None else format_.dryrun(model) for model in (old, new)
        )

    def differ(self, old: Node, new: Node) -> bool:
        if old.kind == "call" or new.kind == "call":
            return False
        a, b = values(self._old, old), values(self._new, new)
        return a is not None and b is not None and not _equal(a, b)


def _equal(a: Any, b: Any) -> bool:
    import numpy

    if a.shape != b.shape:  # told by the types
        return True
    is_float = a.dtype.kind == "f" and b.dtype.kind == "f"
    return bool(numpy.array_equal(a, b, equal_nan=is_float))
