"""One condition for all that an operator table says about the numbers of an operator: where it holds, `WrittenOperator` finds nothing.

Made of the same facts and evaluated at once, it takes a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from irlint.checks.signature import label_of
from irlint.operators import Attribute, Operator, Port


def condition(operator: Operator) -> str:
    """Return the condition, an expression over labels and the numbers of `inputs` and `outputs`."""
    facts = operator.facts
    parts = [_under(attribute.facts, _value(attribute)) for attribute in operator.attributes.values()]
    parts += [f"({demand['that']})" for demand in facts.get("demands", ())]
    parts += [*_counts("inputs", operator.inputs), *_counts("outputs", operator.outputs)]
    if counts := facts.get("counts"):
        parts += [f"inputs in {counts} and outputs in {counts}"]
    return " and ".join(part for part in parts if part) or "True"


def _under(facts: dict[str, Any], part: str) -> str:
    return f"(not ({facts['when']}) or {part})" if part and "when" in facts else part


def _value(attribute: Attribute) -> str:
    """Return the conditions on one value."""
    facts, name = attribute.facts, label_of(attribute)
    if attribute.kind in ("ints", "floats"):
        lengths = [("==", "length"), (">=", "min_length"), ("<=", "max_length")]
        asked = [f"len({name}) {sign} ({facts[fact]})" for sign, fact in lengths if fact in facts]
        asked += [f"not {name}"] * ("items" in facts)
    elif attribute.values:
        asked = [f"{name} in ({', '.join(attribute.values)},)"]
    else:
        asked = [f"{name} {sign} ({facts[fact]})" for sign, fact in ((">=", "min"), ("<=", "max")) if fact in facts]
        if asked and "also" in facts:
            asked = [f"({' and '.join(asked)} or {name} in {tuple(facts['also'])})"]
        if "multiple_of" in facts:
            asked.append(f"{name} % (({facts['multiple_of']}) or 1) == 0")
    return f"({' and '.join(asked)})" if asked else ""


def _counts(given: str, ports: Sequence[Port]) -> Iterator[str]:
    least = " + ".join(_number(port, port.kind in ("required", "variadic")) for port in ports)
    yield f"{given} >= {least or 0}"
    if not any(port.kind.startswith("variadic") and "count" not in port.facts for port in ports):
        yield f"{given} <= {' + '.join(_number(port, True) for port in ports) or 0}"
    yield from (f"{given} <= {port.facts['most']}" for port in ports if "most" in port.facts)


def _number(port: Port, is_counted: bool) -> str:
    number = f"({port.facts.get('count', int(is_counted))})"
    return f"({number} if {port.facts['when']} else 0)" if "when" in port.facts else number
