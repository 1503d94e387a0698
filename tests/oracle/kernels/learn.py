"""Which facts of a model a runtime refuses: the combinations of types that it loads, and of the rest the fewest conditions that say the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

Fact = tuple[str, Any]
Condition = tuple[Fact, ...]


class Answer(NamedTuple):
    facts: frozenset[Fact]
    loads: bool

    @property
    def types(self) -> frozenset[Fact]:
        return frozenset(one for one in self.facts if one[0].startswith("type "))

    @property
    def others(self) -> frozenset[Fact]:
        return self.facts - self.types


class Learned(NamedTuple):
    loaded: frozenset[frozenset[Fact]]  # combinations of types
    refused: tuple[Condition, ...]
    unexplained: int


def learn(answers: Sequence[Answer]) -> Learned:
    loaded = frozenset(one.types for one in answers if one.loads)
    known = [one for one in answers if one.types in loaded]
    refused: list[Condition] = []
    left = [one for one in known if not one.loads]
    for width in (1, 2, 3):
        innocent = _held((one for one in known if one.loads), width)
        while left:
            guilty = Counter(condition for one in left for condition in _conditions(one.facts, width) if condition not in innocent)
            if not guilty:
                break
            best = min(guilty, key=lambda one: (-guilty[one], _rank(one)))
            refused.append(best)
            left = [one for one in left if not one.facts.issuperset(best)]
    return Learned(loaded, tuple(refused), len(left))


def _held(answers: Iterable[Answer], width: int) -> set[Condition]:
    return {condition for one in answers for condition in _conditions(one.facts, width)}


def _conditions(facts: frozenset[Fact], width: int) -> Iterable[Condition]:
    return combinations(sorted(facts, key=repr), width)


def _rank(condition: Condition) -> tuple[Any, ...]:
    """Return what is preferred of conditions that explain as much: attributes, then inputs, then types."""
    order = ("attribute", "input", "outputs", "rank", "lengths", "type")
    return tuple((order.index(name.partition(" ")[0]), value is None, repr(value)) for name, value in condition)


def hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def answers_of(records: Sequence[tuple[str, dict[str, Any], bytes]], said: Sequence[str]) -> dict[str, list[Answer]]:
    found: dict[str, list[Answer]] = defaultdict(list)
    for (key, facts, _), text in zip(records, said, strict=False):
        found[key].append(Answer(frozenset((name, hashable(value)) for name, value in facts.items()), not text))
    return found


def predicts(learned: Learned, facts: frozenset[Fact]) -> bool:
    """Return whether a model loads by what was learned."""
    types = frozenset(one for one in facts if one[0].startswith("type "))
    return types in learned.loaded and not any(facts.issuperset(one) for one in learned.refused)
