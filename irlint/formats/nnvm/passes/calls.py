"""The check of one call of an operator with which something may be wrong, as a loader of one era sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, Literal

from irlint.checks.fault import NO_VALUE, Fault, Side
from irlint.checks.operator_check import OperatorCheck
from irlint.checks.signature import evaluate
from irlint.checks.written import WrittenOperator
from irlint.codes import RuleRow
from irlint.findings import Severity
from irlint.formats.nnvm.keys.repair import tuple_text, without_sign
from irlint.formats.nnvm.passes.grammar import GRAMMAR, KEPT, missing, optional
from irlint.formats.nnvm.passes.operands import (
    HIDDEN,
    ExpectedInputs,
    LoaderBehavior,
    inputs,
    is_hidden,
    length_condition,
    value_of,
)
from irlint.formats.nnvm.passes.suggestions import are_known
from irlint.formats.nnvm.passes.wording import code, codes
from irlint.formats.nnvm.rules import R
from irlint.operators import Attribute, Operator, OperatorTable, Port
from irlint.text.words import count

ADDED = RuleRow("", "added")  # not a rule: inputs that the loader adds, whose names the caller has to check
Fate = Literal["kept", "ignored", "moved", "refused"]
# Facts of the table that are not looked at when a file is loaded
COUNTED, DEMANDED, SWITCHED = "count", "demands", "when"
_OWNED = tuple(f"_{key}" for key in HIDDEN)  # what keys of an input end with
DECIDING = "the number of inputs depends on this"


class NnvmCall(OperatorCheck):
    def __init__(
        self, table: OperatorTable, era: LoaderBehavior, operator: Operator, attrs: Mapping[str, str], given: int
    ) -> None:
        super().__init__(GRAMMAR, operator, attrs, range(1, given + 1))
        self.table, self.era = table, era

    def value_faults(self) -> Iterator[Fault]:
        """Yield what is wrong with attributes: what the loader finds, else what shape inference, bind or the run refuse."""
        found = [*self.attributes()]
        yield from found
        if all(fault.severity is not None for fault in found):
            yield from self.lengths()
            yield from self.refused_values()
            yield from (fault._replace(fact=DEMANDED) for fault in self.demands())

    # Names

    def attribute(self, name: str) -> Attribute | None:
        return self.operator.attributes.get(name) or (KEPT if self.fate(name) == "kept" else None)

    def fate(self, name: str) -> Fate:
        """Return what the loader does with an attribute that the operator does not have."""
        facts, is_moved = self.operator.facts, self.moves(name)
        takes_none = facts.get("ignores_attributes")
        if is_hidden(name) or facts.get("free_attributes") or (takes_none and is_moved):  # custom code reads free ones
            return "kept"
        if takes_none or facts.get("ignores_unknown"):
            return "ignored"
        if is_moved:
            return "kept" if name in HIDDEN else "moved"
        # older operators ignore what begins or ends like a hidden key
        is_like_hidden = self.era.moves_hidden_keys and (name.startswith(HIDDEN) or name.endswith(HIDDEN))
        return "kept" if is_like_hidden and facts.get("keeps_hidden") else "refused"

    def moves(self, name: str) -> bool:
        """Return whether the loader moves a key of old files elsewhere."""
        return self.era.moves_hidden_keys and (name in HIDDEN or name.endswith(_OWNED))

    @cached_property
    def is_only_unknown(self) -> bool:
        return sum(name not in self.operator.attributes and not is_hidden(name) for name in self.attrs) == 1

    def attribute_names(self) -> Iterator[Fault]:
        """Report each unknown name, or all at once where most attributes of the node are those of other operators."""
        known = self.operator.attributes
        strangers = [name for name in self.attrs if name not in known and self.fate(name) == "refused"]
        is_another = len(strangers) > max(1, sum(name in known for name in self.attrs))
        if is_another and are_known(self.table, strangers):
            text = f"unknown attributes {codes(strangers, 6)} for"
            yield Fault(R.unknown_attribute, "op", text, "; other operators take them")
        else:
            yield from super().attribute_names()

    # Tuples that have to be of one length

    def lengths(self, leading: str = "") -> Iterator[Fault]:
        """Report tuples whose length is wrong by itself, or is not that of a related tuple."""
        for attribute in self.operator.attributes.values():
            if (fault := self._impossible_length(attribute)) is not None:
                yield fault
                return
            yield from self._unequal_length(attribute)

    def _impossible_length(self, attribute: Attribute) -> Fault | None:
        facts, name = attribute.facts, attribute.name
        if "ranks" not in facts or evaluate(length_condition(attribute), self.values):
            return None
        if name in self.attrs:
            told = f"{' or '.join(map(str, facts['ranks']))} numbers"
            return GRAMMAR.expected(R.wrong_value_length, attribute, told, self.attrs[name])
        return missing(self.attrs, attribute, facts.get("ranks_rest", ""))

    def _unequal_length(self, attribute: Attribute) -> Iterator[Fault]:
        name, other = attribute.name, attribute.facts.get("rank_of")
        if other is None or name not in self.attrs:
            return
        wanted = _rank(self.values[other])
        if _rank(self.values[name]) in (0, wanted):
            return
        text, is_given = self.attrs[name], other in self.attrs
        told = count(wanted, "number") if wanted >= 0 else "another length"
        better = self._lengthened(attribute, text)
        yield Fault(
            R.wrong_value_length, f"attr:{name}", f"expected {told} for `{name}` of",
            f" (`{other}`{f' {self.attrs[other]}' if is_given else ''}), got {code(text)}", optional(better),
            related=[(DECIDING, f"attr:{other}")] * is_given,
        )  # fmt: skip

    def refitted(self, attribute: Attribute, fault: Fault) -> Fault:
        """Return a fault whose better tuple is unsafe where other attributes require another length."""
        if fault.better is NO_VALUE or self._fits(attribute, fault.better):
            return fault
        return fault._replace(safety="unsafe", better=self._lengthened(attribute, fault.better) or fault.better)

    def _lengthened(self, attribute: Attribute, text: str) -> str | None:
        """Return a tuple that repeats one number as often as the related tuples require."""
        value = value_of(attribute, text)
        if not isinstance(value, tuple) or len(set(value)) != 1:
            return None
        longer = (tuple_text(value[:1] * rank) for rank in (2, 3) if rank > len(value))
        return next((found for found in longer if self._fits(attribute, found)), None)

    def _fits(self, attribute: Attribute, text: str) -> bool:
        """Return whether the length of a tuple is allowed by itself and together with the related tuples."""
        name, values = attribute.name, {**self.values, attribute.name: value_of(attribute, text)}
        related = [one for one in self.operator.attributes.values() if name in (one.name, one.facts.get("rank_of"))]
        return all(evaluate(length_condition(one) or "True", values) for one in related)

    # Values that load

    def refused_values(self) -> Iterator[Fault]:
        """Report the first thing that is wrong with each value."""
        for name, attribute in self.operator.attributes.items():
            if name in self.attrs or attribute.facts.get("needed"):
                yield from islice(self.refused(attribute, self.values[name]), 1)

    def refused(self, attribute: Attribute, value: Any) -> Iterator[Fault]:
        """Report what the table demands of a value, or of a default, and does not hold."""
        text = self.attrs.get(attribute.name)
        for row in attribute.facts.get("demands", ()):
            if not self.applies(row) or not self.value_of(f"not ({row['that']})"):
                continue
            told, rest = self.said(row["told"]), self.said(row.get("rest", ""))
            if text is None:
                rest = "" if value is None else f"; expected {told}"
                yield missing({}, attribute, rest)._replace(fact=DEMANDED)
            else:
                rule = getattr(R, row.get("rule", "value_out_of_range"))
                better = without_sign(attribute, text) if rule == R.value_out_of_range else None
                yield GRAMMAR.expected(rule, attribute, told, text, rest, better=optional(better), fact=DEMANDED)

    # Inputs

    def counts(self, side: Side) -> Iterator[Fault]:
        expected, given = inputs(self), len(self.sides[side])
        if expected is None or expected.fit(given):
            return
        if self._is_filled_up(expected):
            yield Fault(ADDED, "inputs", " ".join(expected.names[given:]), severity=Severity.INFO)
            return
        wanted = len(expected.names)
        words = f"expected {'at least ' if expected.open else ''}{count(wanted, side)}"
        fault = self._counted(expected, words) or self._listed(expected, words)
        yield fault._replace(severity=Severity.WARNING) if self._is_unchecked(wanted) else fault

    def _is_filled_up(self, expected: ExpectedInputs) -> bool:
        """Return whether the loader makes variables for the inputs that are missing at the end."""
        is_named = not (expected.counted_by or self.operator.facts.get("unnamed_inputs"))
        return self.era.adds_inputs and is_named and 0 < len(self.sides["input"]) < len(expected.names)

    def _is_unchecked(self, wanted: int) -> bool:
        """Return whether the runtime takes another number of inputs."""
        facts, given = self.operator.facts, len(self.sides["input"])
        fact = "surplus_ignored" if given > wanted else "missing_ignored" if given else "count_ignored"
        return bool(facts.get("count_ignored") or facts.get(fact))

    def _counted(self, expected: ExpectedInputs, words: str) -> Fault | None:
        """Return the fault of the attribute that says how many inputs there are."""
        by, given = expected.counted_by, len(self.sides["input"])
        if by is None or by not in self.attrs:
            return None
        return Fault(
            R.wrong_input_count, f"attr:{by}", f"{words} for", f" (`{by}` is {self.values[by]}), got {given}",
            optional(self._count_for(by, given)), related=[("inputs declared here", "inputs")], fact=COUNTED,
        )  # fmt: skip

    def _count_for(self, by: str, given: int) -> str | None:
        """Return the value of a counting attribute that fits the number of inputs."""

        def wanted(value: int) -> int:
            expected = self._inputs_with(by, value)
            return len(expected.names) if expected else -1

        least = max(self.operator.attributes[by].facts.get("min", 0), 0)
        apart = wanted(least + 1) - wanted(least)
        value = least + (given - wanted(least)) // apart if apart > 0 else least
        return str(value) if value >= least and wanted(value) == given else None

    def _inputs_with(self, name: str, value: Any) -> ExpectedInputs | None:
        """Return what inputs the operator would take with another value of an attribute."""
        values = {**self.values, name: value}
        return inputs(WrittenOperator(self.operator, self.attrs, read=lambda _, __: values))

    def _listed(self, expected: ExpectedInputs, words: str) -> Fault:
        names, given, wanted = expected.names, len(self.sides["input"]), len(expected.names)
        listed = f" ({', '.join(names[:8])}{', ...' * (wanted > 8)})" if names else ""
        fault = Fault(R.wrong_input_count, "inputs", f"{words}{listed} for", f", got {given}", fact=COUNTED)
        for name, value in self._switches():
            other = self._inputs_with(name, value == "True")
            if other is not None and not other.open and other.fit(given):
                fault = fault._replace(part="attrs", better={name: value}, change="insert", fact=SWITCHED)
                is_given = name in self.attrs
                return fault._replace(part=f"attr:{name}", better=value, change="write") if is_given else fault
        deciding = {name for port in self.operator.inputs for name in conditions(self.operator, port)}
        related = [(DECIDING, f"attr:{name}") for name in sorted(deciding & self.attrs.keys())]
        return fault._replace(part=f"input:{wanted}" if given > wanted else "inputs", related=related)

    def _switches(self) -> Iterator[tuple[str, str]]:
        """Yield the attributes that say whether an input is there, each with the value that it does not have."""
        for port in self.operator.inputs:
            for name in conditions(self.operator, port):
                if self.operator.attributes[name].kind == "bool":
                    yield name, str(not self.values[name])


def conditions(operator: Operator, port: Port) -> list[str]:
    """Return the attributes on which it depends whether an operator has an input."""
    words = set(re.findall(r"\w+", port.facts.get("when", "")))
    return [name for name in operator.attributes if name in words]


def _rank(value: Any) -> int:
    return len(value) if isinstance(value, tuple) else -1
