"""One mistake is one finding: which findings about a companion follow from others, once its model is known."""

from __future__ import annotations

from collections.abc import Iterable, Set

from irlint.codes import R
from irlint.findings import Problem
from irlint.text.base import Place, Span


def remaining(alone: list[Problem], rows: list[Problem], beside: list[Problem]) -> list[Problem]:
    """Return what is left of the findings of rows and of those against models, `beside`. From the findings of the file `alone`, those
    that follow are removed."""
    wrong = _Wrong(beside)
    # A cycle, or a step without one of its inputs, is why nothing uses a tensor
    unused = R.tensor_left_out if any(one.rule in (R.cycle, R.tensor_left_out) for one in beside) else None
    alone[:] = [one for one in alone if one.rule != unused and not wrong.implies(one)]
    told, invalid = {_key(one) for one in alone}, {one.at for one in alone if one.rule == R.value_not_allowed}
    found = [*(one for one in rows if not (wrong.implies(one) or wrong.counts(one))), *beside]
    first = {_key(one): one for one in reversed(found) if _key(one) not in told and not _is_about(one, invalid)}
    return [*reversed(first.values())]


def _is_about(one: Problem, places: Set[Place | Span]) -> bool:
    """Return whether a finding, or what it contradicts, is at one of some places."""
    return one.at in places or any(isinstance(at, Place) and at in places for _, at in one.related)


def _key(one: Problem) -> tuple[object, ...]:
    """Return what two findings about the same value share; several versions, inputs or steps may contradict it."""
    return one.rule, one.at, one.key, one.meant


class _Wrong:
    """What findings are about: values, and the objects in which these are."""

    def __init__(self, found: Iterable[Problem]) -> None:
        places = [(one.rule, one.at.path) for one in found if isinstance(one.at, Place)]
        self.values = {path for _, path in places}
        self.within = {(rule, path[:size]) for rule, path in places for size in range(1, len(path))}
        self.objects = {path for _, path in self.within} | {()} if places else set()

    def implies(self, one: Problem) -> bool:
        """Return whether a finding contradicts a value that is itself wrong, or an object of which a value is wrong in the same way."""
        against = [place.path for _, place in one.related if isinstance(place, Place) and place.path]
        is_around = isinstance(one.at, Place) and (one.rule, one.at.path) in self.within
        return is_around or any(path in self.values or (one.rule, path) in self.within for path in against)

    def counts(self, one: Problem) -> bool:
        """Return whether a count of classes follows from another problem of the same object, such as other dimensions."""
        home = one.at.path[:-1] if isinstance(one.at, Place) else ()
        return one.rule == R.other_class_count and home in self.objects
