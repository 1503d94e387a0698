"""Which facts of a model a runtime refuses, as the fewest conditions that say the same of all models that it was asked about.

A condition is a fact, two or three that come together, of no model that loads. Types are facts like others, so that a combination of types that
nobody asked about loads unless a condition speaks against it.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from itertools import chain, combinations, product
from typing import Any, NamedTuple

Fact = tuple[str, Any]
Condition = tuple[Fact, ...]
Box = dict[str, list[Any]]  # values of facts that are refused together
PARAMETER, RESULT = "opset1.Parameter", "opset1.Result"
_ENDS = {PARAMETER: "type out ", RESULT: "type in "}  # where IRs begin and end, with the fact of their type
# What runtimes say of operators that they do not know
_LACKED = "does not support the following ONNX operations"
_UNKNOWN_OPERATOR = ("No conversion rule found", _LACKED, "Can't create layer")
# What they say of numbers in constants, which are no facts: onnxruntime of the scales of Resize
_OF_NUMBERS = ("core/providers/cpu/tensor/upsample",)
# What onnxruntime says of an opset that is too new: where
_TOO_NEW = ("ValidateOpsetForDomain", "onnxruntime::Model::Model(")
OF_MACHINE = "::locale"  # what a runtime says where the machine lacks something
_USUAL = frozenset(
    ("tensor(float)", "tensor(int64)", "float32", "int64")
)  # of which a refusal mostly has other reasons
ANY = "any"  # value of an attribute that is there
_WIDEST = 3  # facts of a condition
_ORDER = (
    "attribute",
    "input",
    "outputs",
    "rank",
    "lengths",
    "groups",
    "passed",
    "type",
    "opset",
)  # what is preferred of conditions that explain as much


class Answer(NamedTuple):
    facts: frozenset[Fact]
    loads: bool


class Learned(NamedTuple):
    refused: list[Condition]
    unexplained: int  # models that are refused for none of these


def learn(answers: Sequence[Answer], plain: frozenset[Fact] = frozenset(), least: int = 1) -> Learned | None:
    """Return what is refused; None if nothing loads. No condition has only `plain` facts, those of a usual model: something else is
    wrong with it. But for types, alone or at inputs of a kind, a condition explains at least so many models."""
    loaded, left = ([one for one in answers if one.loads is loads] for loads in (True, False))
    if not loaded:
        held = [[fact for fact in one.facts if _is_of_list(fact)] for one in answers]
        return Learned([(fact,) for fact in dict.fromkeys(chain(*held))], 0) if all(held) else None
    is_open = all(any(value == "open" for _, value in one.facts) for one in loaded)
    refused, known = list[Condition](), _Loaded(answers)
    alike = Counter[str]()  # models by the fact that may be the reason, whatever its value
    for width in range(1, _WIDEST + 1):
        innocent = (
            {condition for one in loaded for condition in _conditions(one.facts, width, is_open)} if left else set()
        )
        while left:
            guilty = Counter(
                condition
                for one in left
                for condition in _conditions(one.facts, width, is_open)
                if condition not in innocent and not plain.issuperset(condition)
            )
            if not refused:
                alike.update(Counter(name for one in left for name, value in one.facts if ((name, value),) in guilty))
            trusted = (
                one
                for one, count in guilty.items()
                if _is_of_types(one, plain)
                or max(count, alike[one[0][0]] if width == 1 else 0) >= max(least, width - 1)
            )
            trusted = (one for one in trusted if _is_trusted(one, left, known))
            best = min(trusted, key=lambda one: (-guilty[one], _rank(one)), default=None)
            if best is None:
                break
            refused.append(best)
            left = [one for one in left if not one.facts.issuperset(best)]
    return Learned(refused, len(left))


def _is_of_list(fact: Fact) -> bool:
    """Return whether a fact is a type of lists and the like: where all models of an operator have one, it may be the reason. Of maps irlint
    does not tell which they are."""
    is_told = "map" not in str(fact[1])
    return fact[0].startswith("type") and is_told and any(word in str(fact[1]) for word in ("seq(", "optional("))


def _is_trusted(condition: Condition, left: Sequence[Answer], loaded: _Loaded) -> bool:
    """Return whether a condition is shown by pairs of models: by one of any other types where it is of unusual types alone, by one pair for each fact where ranks, absent
    attributes, or an attribute and two facts more come together, as a node may then mean something that its inputs do not fit."""
    if all(name.startswith("type") for name, _ in condition) and not _USUAL.issuperset(type_ for _, type_ in condition):
        if any(map(_is_of_list, condition)):
            return True  # other types have ranks, which lists have not
        every = tuple({fact for one in left for fact in one.facts if fact[0].startswith("type")})
        return _is_shown(condition, every, left, loaded)
    if len(condition) > 1 and any(value == ANY for _, value in condition):
        return False  # a number that is not told may be the reason
    if not any(name.startswith("lengths") for name, _ in condition):
        left = [one for one in left if all(value != "open" for _, value in one.facts)]  # else these may be the reason
    is_mixed = any(
        value in (None, "fixed") or name.startswith("rank") or (len(condition) > 2 and name.startswith("attribute"))
        for name, value in condition
    )
    return all(_is_shown(condition, some, left, loaded) for some in (zip(condition) if is_mixed else [condition]))


def _is_shown(condition: Condition, some: Condition, left: Sequence[Answer], loaded: _Loaded) -> bool:
    """Return whether one of the models that a condition explains is like one that loads but for some of its facts: others mostly differ in
    more, which may be the reason. Without an input there is no rank of it, which may be the reason, too, unless no model has another."""
    changed = {name for name, _ in some}
    for place in [name[6:] for name in changed if name.startswith("input ") and name[6:] in loaded.fixed]:
        changed |= {f"rank {place}", f"lengths {place}"}
    alike = loaded.without(frozenset(changed))
    return any(_without(one.facts, changed) in alike for one in left if one.facts.issuperset(condition))


class _Loaded:
    """The models that load, without some of their facts. `fixed`: inputs that have the same rank in all models."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._answers = [one for one in answers if one.loads]
        ranks = {fact for one in answers for fact in one.facts if fact[0].startswith("rank")}
        self.fixed = {name[5:] for name, count in Counter(name for name, _ in ranks).items() if count == 1}
        self._known: dict[frozenset[str], set[frozenset[Fact]]] = {}

    def without(self, changed: frozenset[str]) -> set[frozenset[Fact]]:
        if changed not in self._known:
            self._known[changed] = {_without(one.facts, changed) for one in self._answers}
        return self._known[changed]


def _without(facts: frozenset[Fact], changed: Set[str]) -> frozenset[Fact]:
    """Return the other facts. Inputs of one rank may change it together."""
    ranks = {value for name, value in facts if name in changed and name.startswith("rank")}
    return frozenset(
        one for one in facts if one[0] not in changed and not (one[0].startswith("rank") and one[1] in ranks)
    )


def _is_of_types(condition: Condition, plain: frozenset[Fact]) -> bool:
    """Return whether a condition is an input alone, or an unusual type, alone or with what else inputs are."""
    kinds = {name.partition(" ")[0] for name, _ in condition}
    is_unusual = any(fact[0].startswith("type") for fact in condition if fact not in plain)
    return kinds <= {"type", "input"} and (is_unusual or len(condition) == 1)


def plain_facts(first: Answer) -> frozenset[Fact]:
    """Return the facts of the usual model of an operation that no release refuses alone. It may refuse attributes, and inputs that are no
    constants."""
    is_given = {(f"input {k}", "given") for k in range(1, len(first.facts))}
    return frozenset(one for one in first.facts - is_given if not one[0].startswith("attribute"))


def _conditions(facts: frozenset[Fact], width: int, is_open: bool) -> Iterable[Condition]:
    """Return the facts that come together. No release refuses a model because its lengths are fixed, unless it loads only those with open
    ones, of which it does not see that they do not fit; or it looks only then for a kernel of a type, or at lengths that others must have."""
    known = sorted((one for one in facts if is_open or one[1] != "fixed"), key=repr)
    yield from combinations(known, width)
    if width == 2 and not is_open:
        yield from product(
            (one for one in known if one[0].startswith("type") or one[1] == "open"),
            (one for one in facts if one[1] == "fixed"),
        )


def _rank(condition: Condition) -> tuple[Any, ...]:
    return tuple((_ORDER.index(name.partition(" ")[0]), value is None, repr(value)) for name, value in condition)


def predicts(learned: Learned | None, facts: frozenset[Fact]) -> bool:
    """Return whether a model loads by what was learned."""
    return learned is not None and not any(facts.issuperset(one) for one in learned.refused)


def boxes(conditions: Iterable[Condition]) -> list[Box]:
    """Return conditions of the same facts as one: the values of one fact that are refused with the same values of the others."""
    found: list[dict[str, frozenset[Any]]] = [{name: frozenset((value,)) for name, value in one} for one in conditions]
    while True:
        groups: dict[Any, list[dict[str, frozenset[Any]]]] = defaultdict(list)
        for one in found:
            for name in one:
                rest = sorted((other, _sorted(values)) for other, values in one.items() if other != name)
                groups[name, repr(rest)].append(one)
        key = max(groups, key=lambda one: (len(groups[one]), one), default=None)
        if key is None or len(groups[key]) < 2:
            return sorted(({name: _sorted(values) for name, values in sorted(one.items())} for one in found), key=repr)
        same, name = groups[key], key[0]
        merged = {**same[0], name: frozenset().union(*(one[name] for one in same))}
        found = [one for one in found if not any(one is other for other in same)] + [merged]


def _sorted(values: Iterable[Any]) -> list[Any]:
    return sorted(values, key=repr)


def answers_of(records: Sequence[tuple[str, dict[str, Any], Any]], said: Sequence[str]) -> dict[str, list[Answer]]:
    found: dict[str, list[Answer]] = defaultdict(list)
    ends = {key: _types_refused(key, records, said) for key in _ENDS}
    first: dict[str, int] = {}  # opset that operators are asked in
    for key, facts, _ in records:
        first[key] = min(first.get(key, sys.maxsize), facts.get("opset", sys.maxsize))
    for (key, facts, _), text in zip(records, said, strict=False):
        if any(words in text for words in _OF_NUMBERS):
            continue
        if any(words in text for words in _TOO_NEW) and facts.get("opset", 0) > first[key]:
            continue
        loads = is_taken(text) if facts else not is_unknown(text)
        if key not in _ENDS and any(_ends_with(facts, *one) for one in ends.items()):
            continue
        found[key].append(Answer(frozenset((name, hashable(value)) for name, value in facts.items()), loads))
    return found


def _types_refused(key: str, records: Sequence[tuple[str, dict[str, Any], Any]], said: Sequence[str]) -> set[Any]:
    rows = zip(records, said, strict=False)
    return {facts[_ENDS[key] + "0"] for (own, facts, _), text in rows if own == key and text}


def _ends_with(facts: dict[str, Any], key: str, types: set[Any]) -> bool:
    """Return whether a model has an input or output of a type that none may have: nothing is known of its operator then."""
    side = "type in " if key == PARAMETER else "type out "
    found = [name.removeprefix(side) for name, value in facts.items() if name.startswith(side) and value in types]
    return any(key != PARAMETER or facts.get(f"input {one}") == "given" for one in found)


def is_taken(answer: str) -> bool:
    """Return whether a runtime loads a model, by what it said of it."""
    return not answer or OF_MACHINE in answer.lower()


def is_unknown(answer: str) -> bool:
    """Return whether a runtime does not know an operator, by what it said of a model."""
    return any(words in answer for words in _UNKNOWN_OPERATOR)


def hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def is_lacked(key: str, answer: str) -> bool:
    """Return whether a runtime says that it lacks an operator, and not one that is within it."""
    return key.rpartition("-")[0] in answer.partition(_LACKED)[2].split()
