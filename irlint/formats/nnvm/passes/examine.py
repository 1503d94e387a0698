"""Check one node's attributes and number of inputs against its operator; equal nodes of a file are checked once.

What only nodes with mistakes need is imported when the first one is found (passes/calls.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from irlint.checks.signature import Values, evaluate
from irlint.checks.written import WrittenOperator
from irlint.formats.nnvm.passes import operands
from irlint.formats.nnvm.passes.operands import CANONICAL_BOOL, UNSIGNED, LoaderBehavior, is_hidden
from irlint.formats.nnvm.reading.values import BadValue, read
from irlint.operators import Attribute, Operator, OperatorTable
from irlint.records import NamedTuple

if TYPE_CHECKING:
    from irlint.checks.fault import Fault

_LIMITS = {"min": "({0} is None or {0} >= {1})", "max": "({0} is None or {0} <= {1})", "nonzero": "0 not in {0}"}


class Examination(NamedTuple):
    faults: tuple[Fault, ...]
    outputs: operands.OutputCounts
    inputs: operands.ExpectedInputs | None

    @property
    def arguments(self) -> tuple[str, ...]:
        """Return the names of the inputs, as far as they are known."""
        return () if self.inputs is None else self.inputs.names


def only_texts(values: Iterable[Any]) -> None:
    """Raise TypeError unless all attributes and operator names are strings."""
    if not all(type(value) is str for value in values):
        raise TypeError("expected a string")


class QuickCheck:
    """The conditions on an operator's attributes, in a form that is quick to evaluate."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        self.defaults = operands.values_of({}, operator)
        self.required = {name for name, attribute in operator.attributes.items() if attribute.required}
        self.condition = " and ".join(filter(None, _conditions(operator))) or "True"

    def sound(self, attrs: Mapping[str, str], given: int) -> Examination | None:
        """Return the examination of a valid node; None if it needs a slower check."""
        values = self._values(attrs)
        if values is None or not evaluate(self.condition, values):
            return None
        call = WrittenOperator(self.operator, attrs, read=lambda _, __: values)
        inputs = operands.inputs(call)
        return Examination((), operands.outputs(call), inputs) if inputs is None or inputs.fit(given) else None

    def _values(self, attrs: Mapping[str, str]) -> Values | None:
        """Return what attributes mean; None unless all are there that have to be, each as any writer spells it."""
        known, values = self.operator.attributes, {**self.defaults, "given": attrs}
        try:
            for name, text in attrs.items():
                if not is_hidden(name):
                    if _is_unusual(known[name], text):
                        return None
                    values[name] = read(known[name], text)
        except (KeyError, BadValue):
            return None
        return values if self.required <= attrs.keys() else None


def _is_unusual(attribute: Attribute, text: str) -> bool:
    if attribute.kind == "bool":
        return text not in CANONICAL_BOOL or "renamed" in attribute.facts
    return attribute.kind in UNSIGNED and "-" in text


def _conditions(operator: Operator) -> Iterator[str]:
    """Yield what the table asks of values, as expressions over them."""
    for name, attribute in operator.attributes.items():
        facts = attribute.facts
        yield from (text.format(name, facts[fact]) for fact, text in _LIMITS.items() if fact in facts)
        yield operands.length_condition(attribute)
        for condition in _demands(facts):  # of what is not there only that can be wrong
            yield condition if "None" in condition else f"({name} is None or {condition})"
    yield from _demands(operator.facts)


def _demands(facts: Mapping[str, Any]) -> list[str]:
    return [f"(not ({row.get('when', True)}) or {row['that']})" for row in facts.get("demands", ())]


class Examiner:
    """A check of nodes against one operator table, as a loader of one era does it."""

    def __init__(self, table: OperatorTable, era: LoaderBehavior) -> None:
        self.table = table
        self.era = era
        self.known: dict[tuple[Any, ...], Examination | None] = {}
        self._checks: dict[str, QuickCheck | None] = {}

    def __call__(self, op: str, given: int, attrs: Mapping[str, str]) -> Examination | None:
        """Return None for an operator that the table does not have."""
        key = (op, given, *attrs, *attrs.values())
        if key in self.known:
            return self.known[key]
        only_texts((op, *attrs.values()))
        if op not in self._checks:
            operator = self.table.get(op)
            self._checks[op] = None if operator is None else QuickCheck(operator)
        quick = self._checks[op]
        found = None if quick is None else quick.sound(attrs, given) or self._closely(quick.operator, given, attrs)
        self.known[key] = found
        return found

    def _closely(self, operator: Operator, given: int, attrs: Mapping[str, str]) -> Examination:
        from irlint.formats.nnvm.passes.calls import NnvmCall

        call = NnvmCall(self.table, self.era, operator, attrs, given)
        faults = [*call.value_faults()]
        if any(fault.severity is None for fault in faults):
            return Examination(tuple(faults), operands.UNKNOWN_OUTPUTS, None)
        return Examination((*faults, *call.counts("input")), operands.outputs(call), operands.inputs(call))
