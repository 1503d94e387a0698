"""Which operators a release of a runtime has kernels for: schemas/kernels, made of what runtimes said of small models.

The tables say what is refused: a release may lack an operator, or refuse facts that come together, such as a type and the value of an
attribute. No condition holds of a fact that a model does not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from irlint.tools.installed import load_json

Facts = Callable[[str], Any]  # the value of a fact; UNKNOWN if the model does not tell
UNKNOWN = object()
ANY = "any"  # value of an attribute that is there
TABLES = ("onnxruntime",)
Box = dict[str, list[Any]]  # the values of each fact with which it is refused


class Kernels:
    """The table of one runtime."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self._raw = raw
        self.releases: list[str] = list(raw["releases"])

    def release(self, text: str) -> str | None:
        """Return the newest release of the table that is not newer than one; None if it is older than all."""
        numbers = number_of(text)
        known = [one for one in self.releases if number_of(one) <= numbers]
        return known[-1] if known else None

    def refusal(self, operator: str, release: str, facts: Facts) -> dict[str, Any] | None:
        """Return the facts for which a release of the table refuses a version of an operator, none if it has no kernel at all; None if it
        does not refuse it, or that is not known."""
        rules = self._raw["operators"].get(operator, {})
        asked = [number for first, number in rules.items() if number_of(first) <= number_of(release)]
        if not asked:
            return None
        boxes = self._raw["rules"][asked[-1]]
        if boxes is None:
            return {}
        return next(_refusals(boxes, facts), None)


def _refusals(boxes: list[Box], facts: Facts) -> Iterator[dict[str, Any]]:
    for box in boxes:
        found = {}
        for name, values in box.items():
            value = facts(name)
            if value is UNKNOWN or (value not in values and (value is None or ANY not in values)):
                break
            found[name] = value
        else:
            yield found


def number_of(release: str) -> tuple[int, ...]:
    """Return the first two numbers of a release."""
    return tuple(int(one) for one in release.split(".")[:2])


@cache
def kernels(runtime: str) -> Kernels | None:
    """Return the table of a runtime; None if there is none."""
    return Kernels(load_json(f"kernels/{runtime}.json")) if runtime in TABLES else None
