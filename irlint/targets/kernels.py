"""Which operators a release of a runtime has kernels for: schemas/kernels, made of what runtimes said of small models.

The tables say what is refused: a release may lack an operator, or refuse facts that come together, such as a type and the value of an
attribute. No condition holds of a fact that a model does not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property
from typing import Any

from irlint.graph import Graph, Node
from irlint.operators import Operator
from irlint.records import NamedTuple
from irlint.targets.facts import UNKNOWN, NodeFacts
from irlint.text.numbers import decimal
from irlint.tools.installed import load_json

Facts = Callable[[str], Any]  # the value of a fact; UNKNOWN if the model does not tell
ANY = "any"  # value of an attribute that is there
Values = list[Any] | dict[str, list[Any]]  # those listed, or, under "not", all but those
Box = dict[str, Values]  # the values of each fact with which it is refused
_LACKING = -1  # the rule of an operator that a table of all operators does not have


class Kernels:
    """The table of one runtime."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self._raw = raw
        self.runtime: str = raw["runtime"]
        self.title: str = raw.get("title", self.runtime)
        self.is_published: bool = raw.get("known") == "published"
        self.lengths: str | None = raw.get("lengths")  # what inputs with open lengths need
        self.releases: list[str] = list(raw["releases"])  # the oldest first

    @cached_property
    def knows_types(self) -> bool:
        """Return whether any rule is about an element type."""
        return any(name.startswith("type") for boxes in self._raw["rules"] for box in boxes or () for name in box)

    def release(self, text: str) -> str | None:
        """Return the newest release of the table that is not newer than one; None if it is older than all, or none."""
        if None in map(decimal, text.split(".")):
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
        """Return the number of the rule of each operator that a release of the table is known for."""
        found = ((operator, _newest(rules, release)) for operator, rules in self._raw["operators"].items())
        return {operator: rule for operator, rule in found if rule is not None}

    @cache  # noqa: B019 - as above
    def rule(self, operator: str, release: str) -> int | None:
        """Return the number of the rule of a version of an operator, or of all its versions; None if nothing is known of it."""
        rules, (name, _, _) = self.at(release), operator.rpartition("-")
        domain = name.rpartition(".")[0]
        return rules.get(operator, rules.get(name, _LACKING if domain in self._raw.get("whole", ()) else None))

    def narrowed(self, release: str) -> str | None:
        """Return what a release does with INT64 that INT32 does not have: `clamped`, `refused` or `kept`; None if that is not known."""
        state: str | None = _newest(self._raw.get("narrowed", {}), release)
        return state

    @cache  # noqa: B019 - as above
    def versions(self, name: str) -> list[int]:
        """Return the versions of an operator that are in the table."""
        found = (one.rpartition("-") for one in self._raw["operators"])
        known = (decimal(version) for own, _, version in found if own == name)
        return [version for version in known if version is not None]

    def refusal(self, rule: int, facts: Facts) -> dict[str, Any] | None:
        """Return the facts for which a rule refuses a node, none if it refuses all; None if it does not refuse it, or that is not known."""
        boxes = None if rule == _LACKING else self._raw["rules"][rule]
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
        rule = table.rule(self.operator.name, release)
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
            if value is UNKNOWN or not _is_among(value, values):
                break
            found[name] = value
        else:
            yield found


def _is_among(value: Any, values: Values) -> bool:
    if isinstance(values, dict):
        return value not in values["not"]
    return value in values or (value not in (None, []) and ANY in values)


def _newest(rules: dict[str, Any], release: str) -> Any:
    """Return what a release has that changed from some releases on; None if it is older than all."""
    known = [value for first, value in rules.items() if number_of(first) <= number_of(release)]
    return known[-1] if known else None


def number_of(release: str) -> tuple[int, ...]:
    """Return the first two numbers of a release."""
    return tuple(decimal(one) or 0 for one in release.split(".")[:2])


@cache
def kernels(name: str) -> Kernels:
    """Return a table by its name."""
    return Kernels(load_json(f"kernels/{name}.json"))
