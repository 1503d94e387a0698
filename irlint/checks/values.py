"""Attribute values as operator tables describe them: kinds, enums, bounds and lengths."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from operator import ge, gt, le
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault, asking, shown
from irlint.checks.signature import named
from irlint.codes import R, RuleRow
from irlint.operators import Attribute, nearest, titled
from irlint.text.words import count

_INT = re.compile(r"[+-]?[0-9]{1,4000}")  # Python refuses to read longer ones
_FLOAT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?inf|nan")
_SEPARATOR = re.compile(r"[ \t]*,[ \t]*|[ \t]+")
_PRODUCT = re.compile(r"\w+( [*] \w+)*")
_BOOLS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def read_int(value: Any) -> int:
    if isinstance(value, str) and _INT.fullmatch(value):
        return int(value)
    if type(value) is int:
        return value
    raise ValueError(value)


def read_float(value: Any) -> float:
    if isinstance(value, str) and _FLOAT.fullmatch(value):
        return float(value)
    if type(value) in (int, float):
        return float(value)
    raise ValueError(value)


def read_bool(value: Any) -> bool:
    if value in ("true", "false"):
        return bool(value == "true")
    if isinstance(value, bool):
        return value
    raise ValueError(value)


def read_string(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise ValueError(value)


def list_of(read: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    """Return a reader of lists: `1,2`, `(1, 2)`, `[1, 2]`, or what a typed syntax calls a list."""

    def read_list(value: Any) -> list[Any]:
        if isinstance(value, str):
            inside = value.strip()
            if (inside[:1], inside[-1:]) in (("(", ")"), ("[", "]")):
                inside = inside[1:-1].strip(" ,")
            value = _SEPARATOR.split(inside) if inside else []
        if not isinstance(value, list):
            raise ValueError(value)
        return [read(item) for item in value]

    return read_list


KINDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "int": ("an integer", read_int),
    "float": ("a number", read_float),
    "bool": ("`true` or `false`", read_bool),
    "string": ("a string", read_string),
    "ints": ("a list of integers", list_of(read_int)),
    "floats": ("a list of numbers", list_of(read_float)),
    "strings": ("a list of strings", list_of(read_string)),
}


def flaws(value: Any, read: Callable[[Any], Any], words: str, attribute: Attribute) -> Iterator[Fault]:
    """Yield what is wrong with a value, judged by itself: the first thing only, as the others may follow from it."""
    try:
        held = read(value)
    except ValueError:
        better = _converted(value, attribute)
        yield expected(R.wrong_attribute_type, attribute, words, shown(value), better=better, fact="kind")
        return
    items = held if isinstance(held, list) else [held]
    length = attribute.facts.get("length")
    if attribute.values and (wrong := next((item for item in items if item not in attribute.values), None)) is not None:
        yield _not_in_enum(wrong, attribute, held is wrong)
    elif length is not None and isinstance(held, list) and len(held) != length:
        yield expected(R.wrong_value_length, attribute, count(length, "value"), len(held), fact="length")
    else:
        broken = ((item, *found) for item in items for found in out_of_bounds(item, attribute.facts))
        yield from (
            expected(R.value_out_of_range, attribute, told, shown(item), fact=fact)
            for item, fact, told in islice(broken, 1)
        )


def out_of_bounds(item: Any, facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the facts that do not hold of a number, each with what it asks for."""
    if facts.get("finite") and not math.isfinite(item):
        yield "finite", "a finite number"
    for fact, holds, words in _BOUNDS:
        if (bound := facts.get(fact)) is not None and not holds(item, bound):
            yield fact, f"{words} {bound}"


_LIMITS = frozenset(("min", "multiple_of", "length", "min_length", "items"))
_BOUNDS = (("above", gt, "more than"), ("min", ge, "at least"), ("max", le, "at most"))


def refused(
    attribute: Attribute, value: Any, value_of: Callable[[Any], Any]
) -> Iterator[tuple[RuleRow, str, str, Any]]:
    """Yield what an operator refuses of a number or of a list of numbers: a rule, a fact, what is expected and what was found. Facts
    may be expressions over other attributes, which `value_of` knows."""
    if isinstance(value, list):
        yield from _refused_list(attribute.facts, value, value_of)
    elif value is not None:
        yield from _refused_value(attribute, value, value_of)


def _refused_list(
    facts: Mapping[str, Any], value: list[Any], value_of: Callable[[Any], Any]
) -> Iterator[tuple[RuleRow, str, str, Any]]:
    given, exact = len(value), value_of(facts.get("length"))
    least, most = value_of(facts.get("min_length", 0)) or 0, facts.get("max_length", given)
    if exact is not None and given != exact:
        yield R.wrong_value_length, "length", count(exact, "element"), given
    elif not least <= given <= most:
        told = f"at least {least}" if given < least else f"at most {most}"
        yield R.wrong_value_length, "length", f"{told} elements", given
    else:
        rows = ((item, _range(item, facts.get("items", {}), value_of)) for item in value)
        for item, told in islice((row for row in rows if row[1]), 1):
            yield R.value_out_of_range, "items", f"elements that are {told}", item


def _refused_value(
    attribute: Attribute, value: Any, value_of: Callable[[Any], Any]
) -> Iterator[tuple[RuleRow, str, str, Any]]:
    facts = attribute.facts
    if attribute.values and str(value) not in attribute.values:
        yield R.value_not_in_enum, "values", _one_of(attribute), value
    elif told := _range(value, facts, value_of):
        yield R.value_out_of_range, "min", told, value
    elif (unit := value_of(facts.get("multiple_of"))) and value % unit:
        of = f" ({facts['multiple_of']})" if _PRODUCT.fullmatch(facts["multiple_of"]) else ""
        yield R.value_out_of_range, "multiple_of", f"a multiple of {unit}{of}", value


def _one_of(attribute: Attribute) -> str:
    """Return which values there are, with their meanings if that is short enough."""
    words = [titled(word, attribute.meanings.get(word, "")) for word in attribute.values]
    if len(words) >= 8:
        return f"{words[0]} to {words[-1]}"
    listed = ", ".join(words)
    return f"one of {listed if len(listed) < 100 else ', '.join(attribute.values)}"


def _range(value: Any, facts: Mapping[str, Any], value_of: Callable[[Any], Any]) -> str:
    """Return what is expected of a number, if it is outside its bounds."""
    if "min" not in facts or value in facts.get("also", ()):
        return ""
    least, most = facts["min"], value_of(facts.get("max"))
    if value < least or (most is not None and value > most):
        return f"at least {least}" if most is None else f"from {least} to {most}"
    return ""


def has_bounds(attribute: Attribute) -> bool:
    """Return whether there are values that the operator cannot have with others that it has."""
    return bool(attribute.values) or not _LIMITS.isdisjoint(attribute.facts)


def expected(rule: RuleRow, attribute: Attribute, told: str, got: Any, **how: Any) -> Fault:
    """Return what is wrong with a value instead of which another was expected."""
    if isinstance(got, float):
        from irlint.text.floats import shortest

        got = shortest(got)
    return of_value(rule, attribute, f"expected {told}", f", got {got}", **how)


def of_value(
    rule: RuleRow, attribute: Attribute, what: str, rest: str, element: int | None = None, **how: Any
) -> Fault:
    """Return what is wrong with a value, or with one element of it."""
    name = named(attribute) if element is None else f"`{attribute.name}[{element}]`"
    return Fault(rule, f"attr:{attribute.name}", f"{what} for {name} of", rest, element=element, **how)


def _not_in_enum(value: Any, attribute: Attribute, is_whole: bool) -> Fault:
    meant = nearest(value, attribute.values) if isinstance(value, str) else None
    allowed = ", ".join(f"`{word}`" for word in attribute.values)
    better = NO_VALUE if meant is None or not is_whole else meant
    rest = "" if meant else f"; expected one of {allowed}"
    what = f"unknown value {shown(value)}"
    return of_value(
        R.value_not_in_enum, attribute, what, rest, better=better, fact="values", meant=meant, hint=asking(meant)
    )


def _converted(value: Any, attribute: Attribute) -> Any:
    """Return the one value of the right kind that is spelled like this one in other languages; NO_VALUE if there is none."""
    word = str(value).strip("'\" ").casefold()
    if attribute.kind == "bool":
        return _BOOLS.get(word, NO_VALUE)
    if attribute.kind == "int" and _FLOAT.fullmatch(word) and len(word) < 16 and float(word).is_integer():
        return int(float(word))
    if attribute.kind == "float" and _FLOAT.fullmatch(word):
        return float(word)
    return NO_VALUE
