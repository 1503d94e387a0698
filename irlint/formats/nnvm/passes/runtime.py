"""Report values that load but that shape inference, bind or the run refuses, whatever the shapes are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import ge, gt, le, lt
from typing import Any

from irlint.codes import RuleRow
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.issue import Issue
from irlint.formats.nnvm.passes.wording import code, codes
from irlint.formats.nnvm.reading.values import default
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


class Limit(NamedTuple):
    """A fact that a number has to agree with, and how messages say so of one number and of several."""

    fact: str
    fits: Callable[[Any, Any], bool]
    one: str
    several: str
    tail: str = ""


def _is_among(number: Any, allowed: Any) -> bool:
    return number in allowed


def _is_odd(number: Any, _: Any) -> bool:
    return bool(number % 2 != 0)


def _is_nonzero(number: Any, _: Any) -> bool:
    return bool(number != 0)


_LIMITS = (
    Limit("min", ge, "at least {}", "numbers of at least {}"),
    Limit("above", gt, "a number greater than {}", "numbers of greater than {}"),
    Limit("max", le, "at most {}", "numbers of at most {}", "; the loader reads {}"),
    Limit("values", _is_among, "{}", "numbers of {}"),
    Limit("odd", _is_odd, "an odd number", "odd numbers"),
    Limit("nonzero", _is_nonzero, "a nonzero number", "nonzero numbers"),
)


def run_issues(operator: Operator, attrs: Mapping[str, str], values: Mapping[str, Any]) -> Iterator[Issue]:
    """Yield the first mistake in each attribute, then attributes that others require."""

    def value(name: str) -> Any:
        return values[name] if name in values else default(operator.attributes[name])

    for name, attribute in operator.attributes.items():
        facts = attribute.facts.get("run")
        if facts is None or not (name in attrs or facts.get("needed")) or facts.get("beside") in attrs:
            continue
        if any(value(other) in allowed for other, allowed in facts.get("unless", {}).items()):
            continue
        fault = _fault(attribute, facts, value(name), value)
        if fault is not None:
            yield _issue(attribute, attrs.get(name), fault, value(name) is None)
    for need in operator.facts.get("requires", ()):
        when, given = need.get("when", {}), need.get("given", ())
        applies = all(value(k) in words for k, words in when.items()) and all(value(k) is not None for k in given)
        if applies and value(need["attribute"]) is None:
            other = next(iter((*when, *given)))
            text, rest = f"missing required attribute `{need['attribute']}` for", f" (`{other}` is `{value(other)}`)"
            yield Issue(R.missing_attribute, f"attr:{other}" if other in attrs else "attrs", text, late=True, rest=rest)


def _issue(attribute: Attribute, text: str | None, fault: BrokenRule, is_none: bool) -> Issue:
    """Return what is wrong with a value that the node has, or with a default; `is_none`: there is no default either."""
    name = attribute.name
    if text is None:
        rest = "" if is_none else f"; expected {fault.expected}"
        return Issue(R.missing_attribute, "attrs", f"missing required attribute `{name}` for", late=True, rest=rest)
    from irlint.formats.nnvm.keys.repair import without_sign

    better = without_sign(attribute, text) if fault.rule == R.value_out_of_range else None
    message, rest = f"expected {fault.expected} for `{name}` of", f", got {code(text)}{fault.tail}"
    return Issue(fault.rule, f"attr:{name}", message, better, late=True, rest=rest)


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


def _number_fault(facts: Mapping[str, Any], numbers: tuple[Any, ...], are_several: bool = False) -> BrokenRule | None:
    limits = [(limit, facts[limit.fact]) for limit in _LIMITS if limit.fact in facts]
    for number in numbers:
        for limit, wanted in limits:
            if number is not None and not limit.fits(number, wanted):
                words = (limit.several if are_several else limit.one).format(_shown(wanted))
                return BrokenRule(R.value_out_of_range, words, limit.tail.format(number))
    return None


def _shown(wanted: Any) -> str:
    if not isinstance(wanted, (list, tuple)):
        return str(wanted)
    return "one of " * (len(wanted) > 1) + codes([str(word) for word in wanted])


def _length_fault(facts: Mapping[str, Any], value: tuple[Any, ...], other: Any) -> BrokenRule | None:
    size = len(value)
    if "ranks" in facts and size not in facts["ranks"]:
        return BrokenRule(R.wrong_value_length, f"{' or '.join(map(str, facts['ranks']))} numbers")
    if size < facts.get("min_rank", 0):
        return BrokenRule(R.wrong_value_length, f"at least {count(facts['min_rank'], 'number')}")
    for fact in ("min_rank_of", "same_rank_as"):
        if (name := facts.get(fact)) is None or not isinstance(beside := other(name), tuple):
            continue
        is_right = size >= len(beside) if fact == "min_rank_of" else size == len(beside)
        if not is_right and (size or not (fact == "min_rank_of" or facts.get("or_empty"))):
            return BrokenRule(R.wrong_value_length, f"as many numbers as `{name}` ({len(beside)})")
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
    return _number_fault(facts, value, True)


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
