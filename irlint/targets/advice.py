"""What a release would load in place of a node that it refuses: the first single change of which its table says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.targets.facts import NodeFacts
from irlint.targets.kernels import AskedNode, Kernels

_FLOATS = ("float32", "float16", "float64")  # the likely ones first
_NUMBERS = ("int64", "int32", *_FLOATS, "uint8", "int8")


def advice(asked: AskedNode, table: Kernels, release: str, why: dict[str, Any]) -> str:
    """Return what the release has, such as `float32`; empty if no single change helps."""
    rules = table.at(release)
    name, _, version = asked.operator.name.rpartition("-")
    rule = rules.get(asked.operator.name)
    for fact, value, words in _changes(why, asked.facts):

        def changed(asked_fact: str, fact: str = fact, value: Any = value) -> Any:
            return value if asked_fact == fact else asked.facts(asked_fact)

        if not asked.facts.may_be(fact, value):
            continue
        if rule is not None and table.refusal(rule, changed) is None:
            return words
    if why:
        return ""
    others = [one for one in table.versions(name) if one != int(version) and f"{name}-{one}" in rules]
    others.sort(key=lambda one: (one > int(version), abs(one - int(version))))  # older ones first, the nearest of these
    taken = (one for one in others if table.refusal(rules[f"{name}-{one}"], asked.facts) is None)
    return next((f"version {one} of the operator" for one in taken), "")


def _changes(why: dict[str, Any], facts: NodeFacts) -> Iterator[tuple[str, Any, str]]:
    """Yield facts, values that they may have instead, and how to say so."""
    for fact, value in why.items():
        kind, _, name = fact.partition(" ")
        if kind == "type":
            is_float = isinstance(value, str) and "float" in value
            for other in _FLOATS + _NUMBERS if is_float else _NUMBERS:
                if other != value:
                    yield fact, other, other
        elif kind == "input" and value == "given":
            yield fact, "constant", f"a constant as input {name}"
        elif kind == "input" and value == "absent":
            yield fact, "given", f"an input {name}"
        elif kind == "lengths" and value == "open":
            yield fact, "fixed", f"fixed lengths of input {name}"
        elif kind == "attribute" and (other := facts.absent(name)) != value:
            yield fact, other, f"no `{name}`"
