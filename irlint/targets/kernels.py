"""Which operators a release of a runtime has kernels for: schemas/kernels, made of what runtimes said of small models.

The tables say what is refused: a release may lack an operator, or refuse facts that come together, such as a type and the value of an
attribute. No condition holds of a fact that a model does not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from irlint.graph import Graph, Node
from irlint.operators import Operator
from irlint.records import NamedTuple
from irlint.targets.facts import UNKNOWN, NodeFacts
from irlint.tools.installed import load_json

Facts = Callable[[str], Any]  # the value of a fact; UNKNOWN if the model does not tell
ANY = "any"  # value of an attribute that is there
_DIGITS = 9
Box = dict[str, list[Any]]  # the values of each fact with which it is refused


class Kernels:
    """The table of one runtime."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self._raw = raw
        self.runtime: str = raw["runtime"]
        self.releases: list[str] = list(raw["releases"])  # the oldest first

    def release(self, text: str) -> str | None:
        """Return the newest release of the table that is not newer than one; None if it is older than all, or none."""
        if not all(part.isdecimal() and len(part) < _DIGITS for part in text.split(".")):
            return None
        numbers = number_of(text)
        known = [one for one in self.releases if number_of(one) <= numbers]
        return known[-1] if known else None

    def around(self, text: str) -> list[str]:
        """Return the release of the table that is one, or those before and after it; the newest one for a newer one."""
        first = self.release(text)
        if first is None or number_of(first) == number_of(text):
            return [] if first is None else [first]
        place = self.releases.index(first)
        return self.releases[place : place + 2]

    @cache  # noqa: B019 - tables live as long as the program
    def at(self, release: str) -> dict[str, int]:
        """Return the number of the rule of each operator that a release of the table was asked about."""
        number, found = number_of(release), {}
        for operator, rules in self._raw["operators"].items():
            asked = [rule for first, rule in rules.items() if number_of(first) <= number]
            if asked:
                found[operator] = asked[-1]
        return found

    @cache  # noqa: B019 - as above
    def versions(self, name: str) -> list[int]:
        """Return the versions of an operator that are in the table."""
        found = (one.rpartition("-") for one in self._raw["operators"])
        return [int(version) for own, _, version in found if own == name and version.isdecimal()]

    def refusal(self, rule: int, facts: Facts) -> dict[str, Any] | None:
        """Return the facts for which a rule refuses a node, none if it refuses all; None if it does not refuse it, or that is not known."""
        boxes = self._raw["rules"][rule]
        return {} if boxes is None else next(_refusals(boxes, facts), None)


class AskedNode(NamedTuple):
    """A node, with what tables say of it."""

    graph: Graph
    node: Node
    operator: Operator
    facts: NodeFacts
    answers: dict[tuple[str, int], dict[str, Any] | None]  # by the runtime and the rule, as releases share rules

    def refusal(self, table: Kernels, release: str) -> dict[str, Any] | None:
        """Return for which of its facts a release of a table refuses the node, none if for no fact of its own; None if it does not refuse
        it, or that is not known."""
        rule = table.at(release).get(self.operator.name)
        if rule is None:
            return None
        key = table.runtime, rule
        if key not in self.answers:
            self.answers[key] = table.refusal(rule, self.facts)
        return self.answers[key]


def _refusals(boxes: list[Box], facts: Facts) -> Iterator[dict[str, Any]]:
    for box in boxes:
        found = {}
        for name, values in box.items():
            value = facts(name)
            if value is UNKNOWN or (value not in values and (value in (None, []) or ANY not in values)):
                break
            found[name] = value
        else:
            yield found


def number_of(release: str) -> tuple[int, ...]:
    """Return the first two numbers of a release."""
    return tuple(int(one) for one in release.split(".")[:2])


@cache
def kernels(name: str) -> Kernels:
    """Return a table by its name."""
    return Kernels(load_json(f"kernels/{name}.json"))
