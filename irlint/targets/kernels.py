"""Which operators a release of a runtime has kernels for: schemas/kernels, made of what runtimes said of small models (measured), or of
the documentation of releases (published).

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
PROVIDERS = ("coreml", "cuda", "directml", "nnapi", "qnn", "webgpu", "webnn", "xnnpack")
TABLES = ("onnxruntime", "tensorrt", *(f"onnxruntime-{name}" for name in PROVIDERS))
Values = list[Any] | dict[str, list[Any]]  # those listed, or, under "not", all but those
Box = dict[str, Values]  # the values of each fact with which it is refused


class Kernels:
    """The table of one runtime."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self._raw = raw
        self.releases: list[str] = list(raw["releases"])
        self.title: str = raw.get("title", raw["runtime"])
        self.is_published: bool = raw.get("known") == "published"
        self.lengths: str | None = raw.get("lengths")  # what inputs with open lengths need

    def release(self, text: str) -> str | None:
        """Return the newest release of the table that is not newer than one; None if it is older than all."""
        numbers = number_of(text)
        known = [one for one in self.releases if number_of(one) <= numbers]
        return known[-1] if known else None

    def refusal(self, operator: str, release: str, facts: Facts) -> dict[str, Any] | None:
        """Return the facts for which a release of the table refuses a version of an operator, none if it has no kernel at all; None if it
        does not refuse it, or that is not known."""
        operators = self._raw["operators"]
        rules = operators.get(operator) or operators.get(operator.rpartition("-")[0], {})
        number = _newest(rules, release)
        if number is None:
            return {} if self._has_all(operator) else None
        boxes = self._raw["rules"][number]
        if boxes is None:
            return {}
        return next(_refusals(boxes, facts), None)

    def narrowed(self, release: str) -> str | None:
        """Return what a release does with INT64 that INT32 does not have: `clamped`, `refused` or `kept`; None if that is not known."""
        state: str | None = _newest(self._raw.get("narrowed", {}), release)
        return state

    def _has_all(self, operator: str) -> bool:
        """Return whether the table lists all operators of a domain that the runtime has."""
        domain = operator.rpartition("-")[0].rpartition(".")[0]
        return domain in self._raw.get("whole", ())


def _newest(rules: dict[str, Any], release: str) -> Any:
    """Return what a release has that changed from some releases on; None if it is older than all."""
    known = [value for first, value in rules.items() if number_of(first) <= number_of(release)]
    return known[-1] if known else None


def _refusals(boxes: list[Box], facts: Facts) -> Iterator[dict[str, Any]]:
    for box in boxes:
        found = {}
        for name, values in box.items():
            value = facts(name)
            if value is UNKNOWN or not _is_among(value, values):
                break
            found[name] = value
        else:
            yield found


def _is_among(value: Any, values: Values) -> bool:
    if isinstance(values, dict):
        return value not in values["not"]
    return value in values or (value is not None and ANY in values)


def number_of(release: str) -> tuple[int, ...]:
    """Return the first two numbers of a release."""
    return tuple(int(one) for one in release.split(".")[:2])


@cache
def kernels(runtime: str) -> Kernels | None:
    """Return the table of a runtime; None if there is none."""
    return Kernels(load_json(f"kernels/{runtime}.json")) if runtime in TABLES else None
