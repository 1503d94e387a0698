"""Values that load and that shape inference, bind or the run itself refuses, whatever the shapes are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import ge, gt, le, lt
from typing import Any

from irlint.codes import RuleRow
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.issue import Issue
from irlint.formats.nnvm.values import Bad, read
from irlint.operators import Attribute, Operator

_BOUNDS = {
    "at_least": ("at least", ge),
    "more_than": ("greater than", gt),
    "at_most": ("at most", le),
    "less_than": ("less than", lt),
}
_LAYOUT_RANKS = {"NCW": 1, "NWC": 1, "NCHW": 2, "NHWC": 2, "NCDHW": 3, "NDHWC": 3}


def run_issues(operator: Operator, attrs: Mapping[str, str], values: Mapping[str, Any]) -> Iterator[Issue]:
    """The first thing that is wrong with each attribute."""

    def value(name: str) -> Any:
        if name in values:
            return values[name]
        attribute = operator.attributes[name]
        try:
            return None if attribute.default is None else read(attribute, attribute.default)
        except Bad:
            return None

    for name, attribute in operator.attributes.items():
        facts = attribute.facts.get("run")
        if facts is None or not (name in attrs or facts.get("needed")):
            continue
        if facts.get("beside") in attrs or any(
            value(other) in allowed for other, allowed in facts.get("unless", {}).items()
        ):
            continue
        fault = _fault(attribute, facts, value(name), value)
        if fault is None:
            continue
        if name in attrs:
            from irlint.formats.nnvm.repair import without_sign

            better = without_sign(attribute, attrs[name]) if fault[0] == R.value_out_of_range else None
            yield Issue(
                fault[0], f"attr:{name}", f"attribute {name!r} is {attrs[name]!r}; {fault[1]}", better, late=True
            )
        else:
            yield Issue(R.missing_attribute, "attrs", f"lacks the attribute {name!r}: {fault[1]}", late=True)
    for need in operator.facts.get("requires", ()):
        when, given = need.get("when", {}), need.get("given", ())
        if (
            all(value(other) in allowed for other, allowed in when.items())
            and all(value(other) is not None for other in given)
            and value(need["attribute"]) is None
        ):
            other = next(iter((*when, *given)))
            text = f"lacks the attribute {need['attribute']!r}, which {other} {value(other)!r} needs"
            yield Issue(R.missing_attribute, f"attr:{other}" if other in attrs else "attrs", text, late=True)


def _fault(attribute: Attribute, facts: Mapping[str, Any], value: Any, other: Any) -> tuple[RuleRow, str] | None:
    """The rule that a value breaks, and what it should be; None if nothing is wrong."""
    if value is None:
        return (R.value_out_of_range, "here it cannot be left open") if facts.get("known") else None
    if facts.get("unsupported"):
        return R.value_out_of_range, "here it must be None: anything else is not supported"
    if isinstance(value, tuple):
        return (
            _length_fault(facts, value, other)
            or _tuple_fault(facts, value, other)
            or _beside_fault(facts, value, other)
        )
    if isinstance(value, str):
        return _number_fault(facts, (value,), "here it") if "values" in facts else _layout_fault(facts, value, other)
    return _relation_fault(facts, value, other) or _number_fault(facts, (value,), "it")


def _relation_fault(facts: Mapping[str, Any], value: Any, other: Any) -> tuple[RuleRow, str] | None:
    """A number that another attribute bounds."""
    for fact, (words, fits) in _BOUNDS.items():
        name = facts.get(fact)
        if name is not None and isinstance(limit := other(name), (int, float)) and not fits(value, limit):
            return R.value_out_of_range, f"it must be {words} {name!r}, {limit:g}"
    return None


def _number_fault(facts: Mapping[str, Any], numbers: tuple[Any, ...], what: str) -> tuple[RuleRow, str] | None:
    for number in numbers:
        if number is None:
            continue
        if "min" in facts and not number >= facts["min"]:
            return R.value_out_of_range, f"{what} must be at least {facts['min']}"
        if "above" in facts and not number > facts["above"]:
            return R.value_out_of_range, f"{what} must be greater than {facts['above']}"
        if "max" in facts and not number <= facts["max"]:
            return R.value_out_of_range, f"{what} is read as {number} and must be at most {facts['max']}"
        if "values" in facts and number not in facts["values"]:
            return R.value_out_of_range, f"{what} must be {' or '.join(map(str, facts['values']))}"
        if facts.get("odd") and number % 2 == 0:
            return R.value_out_of_range, f"{what} must be an odd number"
        if facts.get("nonzero") and number == 0:
            return R.value_out_of_range, f"{what} cannot be 0"
    return None


def _length_fault(facts: Mapping[str, Any], value: tuple[Any, ...], other: Any) -> tuple[RuleRow, str] | None:
    count = len(value)
    if "ranks" in facts and count not in facts["ranks"]:
        return R.wrong_value_length, f"it must have {' or '.join(map(str, facts['ranks']))} numbers"
    if count < facts.get("min_rank", 0):
        return R.wrong_value_length, f"it must have at least {facts['min_rank']} number{'s' * (facts['min_rank'] != 1)}"
    if (
        (name := facts.get("min_rank_of")) is not None
        and isinstance(beside := other(name), tuple)
        and 0 < count < len(beside)
    ):
        return R.wrong_value_length, f"it must have as many numbers as {name!r}, that is {len(beside)}"
    if (
        (name := facts.get("same_rank_as")) is not None
        and isinstance(beside := other(name), tuple)
        and count != len(beside)
    ):
        return (
            None
            if not count and facts.get("or_empty")
            else (R.wrong_value_length, f"it must have as many numbers as {name!r}, that is {len(beside)}")
        )
    return None


def _tuple_fault(facts: Mapping[str, Any], value: tuple[Any, ...], other: Any) -> tuple[RuleRow, str] | None:
    if facts.get("distinct") and len(set(value)) < len(value):
        return R.value_out_of_range, "it names an axis twice"
    if facts.get("permutation") and value:
        count = len(value)
        if sorted(n + count if n < 0 else n for n in value) != list(range(count)):
            return R.value_out_of_range, f"it must name each of the axes 0 to {count - 1} once"
    if any(value[: facts.get("leading_zeros", 0)]):
        return R.value_out_of_range, f"its first {facts['leading_zeros']} numbers, for batch and channels, must be 0"
    return _number_fault(facts, value, "each of its numbers")


def _beside_fault(facts: Mapping[str, Any], value: tuple[Any, ...], other: Any) -> tuple[RuleRow, str] | None:
    """Numbers that others beside them bound."""
    name = facts.get("below")
    if name is not None and not any(other(k) in words for k, words in facts.get("below_unless", {}).items()):
        limits = other(name) or (1,) * len(value)
        if any(n >= limit for n, limit in zip(value, limits, strict=False) if n is not None and limit is not None):
            return R.value_out_of_range, f"each of its numbers must be smaller than that in {name!r}"
    for key, words in facts.get("zero_with", {}).items():
        if other(key) in words and any(value):
            return R.value_out_of_range, f"with {key} {other(key)!r} all its numbers must be 0"
    return None


def _layout_fault(facts: Mapping[str, Any], value: str, other: Any) -> tuple[RuleRow, str] | None:
    if (name := facts.get("layout_of")) is None or not isinstance(beside := other(name), tuple):
        return None
    rank = _LAYOUT_RANKS.get(value)
    if rank is None or rank == len(beside) or not beside:
        return None
    return R.value_out_of_range, f"it is for {rank} dimension{'s' * (rank != 1)}, but {name!r} has {len(beside)}"
