"""What the parameters of an operator mean together: by label, with defaults that follow from others, and conditions over them.

Facts of operator tables may be expressions over labels, and over the numbers of `inputs` and `outputs`: "num_output * kernel_w".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import repeat
from operator import lt
from types import CodeType
from typing import Any

from irlint.operators import Attribute, Operator, titled
from irlint.text.words import count

_REFERENCE = re.compile(r"(?<![^(),])([0-9])[whdcn](?![^(),])")
Values = dict[str, Any]


def references(text: str) -> int:
    """Return how many inputs an expression of sizes needs, like `0w,*(1h,2)`."""
    return max((int(k) + 1 for k in _REFERENCE.findall(text)), default=0)


def outside(items: Sequence[int], number: int) -> int | None:
    """Return the first item that is not one of so many from 0 on."""
    return next((item for item in items if not 0 <= item < number), None)


def are_axes(items: Sequence[int]) -> bool:
    """Return whether so many axes are named once each, from the front or from the end."""
    return sorted(n + len(items) if n < 0 else n for n in items) == list(range(len(items)))


def are_below(items: Sequence[int], limits: Sequence[int]) -> bool:
    """Return whether each item is less than its limit, which is 1 if there are none."""
    return all(map(lt, items, limits or repeat(1)))


FUNCTIONS = {
    "__builtins__": {}, "refs": references, "len": len, "max": max, "min": min, "sum": sum, "count": count, "outside": outside,
    "any": any, "set": set, "map": map, "str": str, "range": range, "are_axes": are_axes, "are_below": are_below,
}  # fmt: skip


def evaluate(expression: str, values: Mapping[str, Any]) -> Any:
    """Return the value of an expression of an operator table, which is irlint's own; None if it has none."""
    try:
        return eval(_compiled(expression), FUNCTIONS, values)
    except (ArithmeticError, IndexError, TypeError, ValueError):
        return None


@cache
def _compiled(expression: str) -> CodeType:
    return compile(expression, "<operator table>", "eval")


class ParameterValues:
    """The parameters of an operator, each behind those that its default follows from."""

    def __init__(self, operator: Operator, read: Callable[[Attribute, Any], Any]) -> None:
        """`read` returns a written value as the runtime understands it, and None if it takes the default instead."""
        self.operator, self.read = operator, read
        known = {name: one for name, one in operator.attributes.items() if "until" not in one.facts}
        self.by_label = {label_of(one): one for one in operator.attributes.values()}
        self._rows: dict[str, tuple[str, Attribute, str | None, Any]] = {}

        def add(one: Attribute) -> None:
            origin = one.facts.get("default_of")
            if origin in known and origin not in self._rows:
                add(known[origin])
            origin = label_of(known[origin]) if origin in known else origin
            default = read(one, one.default) if isinstance(one.default, str) else one.default
            self._rows[one.name] = label_of(one), one, origin, default

        for one in known.values():
            add(one)

    def values(self, attrs: Mapping[str, Any]) -> Values:
        """Return the values of all parameters by label: what is written, or the default."""
        found: Values = {}
        for name, (label, attribute, origin, default) in self._rows.items():
            if name in attrs and (value := self.read(attribute, attrs[name])) is not None:
                found[label] = value
            elif origin is None:
                found[label] = default
            else:
                found[label] = found[origin] if origin in found else evaluate(origin, found)
        return found


def label_of(attribute: Attribute) -> str:
    return attribute.label or attribute.name


def named(attribute: Attribute) -> str:
    """Return a parameter as messages name it."""
    return titled(f"`{attribute.name}`", attribute.label)
