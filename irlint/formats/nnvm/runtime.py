"""Report values that load but that shape inference, bind or the run refuses, whatever the shapes are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import ge, gt, le, lt
from typing import Any

from irlint.codes import RuleRow
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.issue import Issue
from irlint.formats.nnvm.values import BadValue, read
from irlint.formats.nnvm.wording import code, codes
from irlint.operators import Attribute, Operator
from irlint.records import NamedTuple
from irlint.text.words import count

_BOUNDS = {
    "at_least": ("at least", ge),
    "more_than": ("a number greater than", gt),
    "at_most": ("at most", le),
    "less_than": ("a number less than", lt),
}
_LAYOUT_RANKS = {"NCW": 1, "NWC": 1, "NCHW": 2, "NHWC": 2, "NCDHW": 3, "NDHWC": 3}


class BrokenRule(NamedTuple):
    """The rule that a value breaks, what is expected instead, and what the message ends with."""

    rule: RuleRow
    expected: str
    tail: str = ""


def run_issues(operator: Operator, attrs: Mapping[str, str], values: Mapping[str, Any]) -> Iterator[Issue]:
    """Yield the first mistake in each attribute."""

    def value(name: str) -> Any:
        if name in values:
            return values[name]
        attribute = operator.attributes[name]
        try:
            return None if attribute.default is None else read(attribute, attribute.default)
        except BadValue:
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

            better = without_sign(attribute, attrs[name]) if fault.rule == R.value_out_of_range else None
            text, rest = f"expected {fault.expected} for `{name}` of", f", got {code(attrs[name])}{fault.tail}"
            yield Issue(fault.rule, f"attr:{name}", text, better, late=True, rest=rest)
        else:
            text = f"missing required attribute `{name}` for"
            rest = "" if value(name) is None else f"; expected {fault.expected}"
            yield Issue(R.missing_attribute, "attrs", text, late=True, rest=rest)
    for need in operator.facts.get("requires", ()):
        when, given = need.get("when", {}), need.get("given", ())
        if (
            all(value(other) in allowed for other, allowed in when.items())
            and all(value(other) is not None for other in given)
            and value(need["attribute"]) is None
        ):
            other = next(iter((*when, *given)))
            text, rest = f"missing required attribute `{need['attribute']}` for", f" (`{other}` is `{value(other)}`)"
            yield Issue(R.missing_attribute, f"attr:{other}" if other in attrs else "attrs", text, late=True, rest=rest)


def _fault(attribute: Attribute, facts: Mapping[str, Any], value: Any, other: Any) -> BrokenRule | None:
    """Return what is wrong with a value, if anything."""
    if value is None:
        return BrokenRule(R.value_out_of_range, "a value") if facts.get("known") else None
    if facts.get("unsupported"):
        return BrokenRule(R.value_out_of_range, "`None`", "; other values are not supported")
    if isinstance(value, tuple):
        return (
            _length_fault(facts, value, other)
            or _tuple_fault(facts, value, other)
            or _beside_fault(facts, value, other)
        )
    if isinstance(value, str):
        return _number_fault(facts, (value,)) if "values" in facts else _layout_fault(facts, value, other)
    return _relation_fault(facts, value, other) or _number_fault(facts, (value,))


def _relation_fault(facts: Mapping[str, Any], value: Any, other: Any) -> BrokenRule | None:
    """Check a number that another attribute bounds."""
    for fact, (words, fits) in _BOUNDS.items():
        name = facts.get(fact)
        if name is not None and isinstance(limit := other(name), (int, float)) and not fits(value, limit):
            return BrokenRule(R.value_out_of_range, f"{words} {limit:g} (`{name}`)")
    return None


def _number_fault(facts: Mapping[str, Any], numbers: tuple[Any, ...], of: str = "") -> BrokenRule | None:
    for number in numbers:
        if number is None:
            continue
        if "min" in facts and not number >= facts["min"]:
            return BrokenRule(R.value_out_of_range, f"{of}at least {facts['min']}")
        if "above" in facts and not number > facts["above"]:
            return BrokenRule(R.value_out_of_range, f"{of or 'a number '}greater than {facts['above']}")
        if "max" in facts and not number <= facts["max"]:
            return BrokenRule(R.value_out_of_range, f"{of}at most {facts['max']}", f"; the loader reads {number}")
        if "values" in facts and number not in facts["values"]:
            words = [str(word) for word in facts["values"]]
            return BrokenRule(R.value_out_of_range, of + "one of " * (len(words) > 1) + codes(words))
        if facts.get("odd") and number % 2 == 0:
            return BrokenRule(R.value_out_of_range, "odd numbers" if of else "an odd number")
        if facts.get("nonzero") and number == 0:
            return BrokenRule(R.value_out_of_range, "nonzero numbers" if of else "a nonzero number")
    return None


def _length_fault(facts: Mapping[str, Any], value: tuple[Any, ...], other: Any) -> BrokenRule | None:
    size = len(value)
    if "ranks" in facts and size not in facts["ranks"]:
        return BrokenRule(R.wrong_value_length, f"{' or '.join(map(str, facts['ranks']))} numbers")
    if size < facts.get("min_rank", 0):
        return BrokenRule(R.wrong_value_length, f"at least {count(facts['min_rank'], 'number')}")
    if (
        (name := facts.get("min_rank_of")) is not None
        and isinstance(beside := other(name), tuple)
        and 0 < size < len(beside)
    ):
        return BrokenRule(R.wrong_value_length, f"as many numbers as `{name}` ({len(beside)})")
    if (
        (name := facts.get("same_rank_as")) is not None
        and isinstance(beside := other(name), tuple)
        and size != len(beside)
    ):
        return (
            None
            if not size and facts.get("or_empty")
            else BrokenRule(R.wrong_value_length, f"as many numbers as `{name}` ({len(beside)})")
        )
    return None


def _tuple_fault(facts: Mapping[str, Any], value: tuple[Any, ...], other: Any) -> BrokenRule | None:
    if facts.get("distinct") and len(set(value)) < len(value):
        return BrokenRule(R.value_out_of_range, "distinct axes")
    if facts.get("permutation") and value:
        size = len(value)
        if sorted(n + size if n < 0 else n for n in value) != list(range(size)):
            return BrokenRule(R.value_out_of_range, f"each of the axes 0 to {size - 1} once")
    if any(value[: facts.get("leading_zeros", 0)]):
        return BrokenRule(R.value_out_of_range, f"{facts['leading_zeros']} leading zeros (batch and channels)")
    return _number_fault(facts, value, "numbers of ")


def _beside_fault(facts: Mapping[str, Any], value: tuple[Any, ...], other: Any) -> BrokenRule | None:
    """Check numbers that those of another attribute bound."""
    name = facts.get("below")
    if name is not None and not any(other(k) in words for k, words in facts.get("below_unless", {}).items()):
        limits = other(name) or (1,) * len(value)
        if any(n >= limit for n, limit in zip(value, limits, strict=False) if n is not None and limit is not None):
            return BrokenRule(R.value_out_of_range, f"numbers less than those of `{name}`")
    for key, words in facts.get("zero_with", {}).items():
        if other(key) in words and any(value):
            return BrokenRule(R.value_out_of_range, f"only zeros (`{key}` is `{other(key)}`)")
    return None


def _layout_fault(facts: Mapping[str, Any], value: str, other: Any) -> BrokenRule | None:
    if (name := facts.get("layout_of")) is None or not isinstance(beside := other(name), tuple):
        return None
    rank = _LAYOUT_RANKS.get(value)
    if rank is None or rank == len(beside) or not beside:
        return None
    return BrokenRule(
        R.value_out_of_range, f"a layout with {count(len(beside), 'spatial dimension')} (as `{name}` has)"
    )
