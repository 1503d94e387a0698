"""The check of one operator as it is written, by its row of the operator table: counts, names, attributes, and what they demand of each
other. What is found is true of every operator that is written alike, so that a format need judge each way of writing only once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault, Side, asking
from irlint.checks.grammar import Grammar
from irlint.checks.signature import Values, label_of, named
from irlint.checks.values import has_bounds, refused
from irlint.checks.written import WrittenOperator
from irlint.codes import R, RuleRow, Severity
from irlint.operators import Attribute, Operator, Port, is_needed, is_variadic, nearest
from irlint.text.words import count

_COUNTS: dict[Side, RuleRow] = {"input": R.wrong_input_count, "output": R.wrong_output_count}
_IGNORES: dict[Side, tuple[str, Severity | None]] = {
    "input": ("ignores", Severity.WARNING),
    "output": ("does not compute", None),
}
_BY_VALUES = frozenset(("when", "count", "most"))  # facts of inputs and outputs that depend on attributes
_EXPRESSION = re.compile(r"\{([^{}]+)\}")


class OperatorCheck(WrittenOperator):
    """An operator as it is written, with all that is checked of it. A format may call the parts in its own order."""

    def __init__(self, grammar: Grammar, operator: Operator, *written: Any, values: Values | None = None) -> None:
        super().__init__(operator, *written, read=grammar.values if values is None else lambda attrs, operator: values)
        self.grammar = grammar

    def faults(self) -> Iterator[Fault]:
        yield from self.counts("input")
        yield from self.counts("output")
        yield from self.arguments()
        yield from self.attributes()
        yield from self.demands()

    # Inputs and outputs

    def bounds(self, side: Side) -> tuple[int, int | None]:
        """Return how many there are at least and at most (None: any number)."""
        key = side, self.grammar.positional
        known: tuple[int, int | None] | None = self.operator.known.get(key)
        if known is not None:
            return known
        ports = self.ports(side)
        # of the last port, if it is variadic, there is one at least, or as many as it says
        more = sum(port.facts.get("least", 1) - 1 for port, _ in ports[-1:] if is_variadic(port))
        least = max(self._needed(ports) + more, self.operator.facts.get(f"least_{side}s", 0))
        limits = [self.values[port.facts["most"]] for port, _ in ports if "most" in port.facts]
        if not any(is_variadic(port) and number is None for port, number in ports):
            limits.append(sum(1 if number is None else number for _, number in ports))
        found = least, min(limits, default=None)
        declared = self.operator.inputs if side == "input" else self.operator.outputs
        if _BY_VALUES.isdisjoint(fact for port in declared for fact in port.facts):
            self.operator.known[key] = found
        return found

    def _needed(self, ports: Sequence[tuple[Port, int | None]]) -> int:
        """Return how many are needed, those too that stand before a needed one."""
        needed = [is_needed(port) if number is None else number for port, number in ports]
        if self.grammar.positional:
            return max((k for k, number in enumerate(needed, 1) if number), default=0)
        return sum(needed)

    def counts(self, side: Side) -> Iterator[Fault]:
        """Report a number of inputs or outputs that the operator cannot have, and required ones that are left out."""
        (least, most), given, facts = self.bounds(side), self.sides[side], self.operator.facts
        number = len(given)
        is_more = most is not None and number > most
        fits = (number - least) % facts.get("groups", 1) == 0 and number in facts.get("counts", (number,))
        if not fits or number < least or is_more:
            yield self._miscounted(side, least, most, is_more)
        elif not all(given):
            yield from self._left_out(side)

    def _miscounted(self, side: Side, least: int, most: int | None, is_more: bool) -> Fault:
        """Return what is wrong with a number of inputs or outputs. Too many are an error only where the runtime looks at them."""
        grammar, rule, got = self.grammar, _COUNTS[side], f", got {len(self.sides[side])}"
        listed = [port.name for port, one in self.ports(side) if one != 0 and port.kind not in grammar.unlisted]
        names = ", ".join(filter(None, listed))
        message = f"expected {self.wanted(side, least, most)}{f' ({names})' if names else ''} for"
        part = grammar.count_part.format(side)
        if grammar.strict(self, side) or len(self.sides[side]) < least:
            return Fault(rule, f"{side}:{most}" if is_more else part, message, got)
        does, severity = _IGNORES[side]
        return Fault(rule, part, message, f"{got}; {grammar.runtime} {does} the rest", severity=severity)

    def wanted(self, side: Side, least: int, most: int | None) -> str:
        """Return how many inputs or outputs are expected."""
        wanted = f"{least} to {count(most, side)}" if most is not None and least < most else count(least, side)
        return f"{'at least ' if most is None else ''}{wanted}"

    def _left_out(self, side: Side) -> Iterator[Fault]:
        ports = [port for port, _ in self.ports(side)]
        more = ports[-1:] * (len(self.sides[side]) - len(ports)) if ports[-1].kind == "variadic" else []
        is_named = self.operator.facts.get(f"named_{side}s")
        for k, (port, given) in enumerate(zip((*ports, *more), self.sides[side], strict=False)):
            if not given and (is_named or is_needed(port)):
                yield Fault(_COUNTS[side], f"{side}:{k}", f"missing required {side} `{port.name}` for")

    def arguments(self) -> Iterator[Fault]:
        """Report names of inputs that the operator does not have, or that appear twice."""
        known, seen = [port.name for port in self.operator.inputs], set[str]()
        free = [name for name in known if name not in self.names]
        for k, name in enumerate(self.names):
            part = f"input_name:{k}"
            if name in seen:
                yield Fault(R.duplicate_argument, part, f"duplicate argument `{name}` for")
            elif name not in known:
                meant = nearest(name, free)
                better = NO_VALUE if meant is None else meant
                yield Fault(R.unknown_argument, part, f"unknown argument `{name}` for", "", better, hint=asking(meant))
            seen.add(name)

    # Attributes

    def attribute(self, name: str) -> Attribute | None:
        return self.operator.attributes.get(name) or self.grammar.common.get(name)

    def attributes(self) -> Iterator[Fault]:
        yield from self.attribute_names()
        for name, value in self.attrs.items():
            if (attribute := self.attribute(name)) is not None:
                yield from self.grammar.judged(self, attribute, value)

    def attribute_names(self) -> Iterator[Fault]:
        """Report attributes that are unknown or missing. An unknown one that resembles a missing one is one problem, not two."""
        grammar = self.grammar
        lacking = {name: one for name, one in self.operator.attributes.items() if name not in self.attrs}
        for name in [name for name in self.attrs if self.attribute(name) is None]:
            yield from filter(None, [grammar.strange(self, name, lacking)])
        yield from filter(None, [grammar.missing(self, attribute) for attribute in lacking.values()])

    def refused_defaults(self) -> Iterator[Fault]:
        """Report attributes that are left out although the operator cannot have their default."""
        for attribute in self.operator.attributes.values():
            facts = attribute.facts
            if attribute.name in self.attrs or not has_bounds(attribute) or not self.applies(facts):
                continue
            if facts.get("default_of", "0 + 0") not in self.operator.attributes:
                for _ in self.refused(attribute, self.values.get(label_of(attribute))):
                    message = f"missing required {self.grammar.word} {named(attribute)} for"
                    yield Fault(R.missing_attribute, "op", message, self.grammar.example(self, attribute))

    def refused(self, attribute: Attribute, value: Any) -> Iterator[Fault]:
        """Report a value of the right kind that the operator cannot have with the others that it has."""
        for rule, fact, told, got in refused(attribute, value, self.value_of):
            yield self.grammar.expected(rule, attribute, told, got, fact=fact)

    def lengths(self, leading: str = "") -> Iterator[Fault]:
        """Report lists with values for each axis (`per_axis`) that disagree on how many axes there are, with most; where as many
        disagree, with the leading one."""
        units = {
            name: one.facts["per_axis"] for name, one in self.operator.attributes.items() if "per_axis" in one.facts
        }
        lists = {name: self.values[name] for name in self.attrs if name in units and self.values.get(name)}
        given = {name: len(value) for name, value in lists.items() if not isinstance(value, range)}  # of another kind
        axes = {name: length / units[name] for name, length in given.items()}
        if len(set(axes.values())) > 1:
            numbers = Counter(axes.values())
            number = max(numbers, key=lambda one: (numbers[one], one == axes.get(leading)))
            for name in (name for name in axes if axes[name] != number):
                message = f"expected {count(int(number * units[name]), 'value')} for `{name}` of"
                yield Fault(R.wrong_value_length, f"attr:{name}", message, f", got {given[name]}")

    def equals(self) -> Iterator[Fault]:
        """Report lists that are not as long as most of those that the table calls `equal`. Behind the name of a list are others that may
        be there instead."""
        for group in self.operator.facts.get("equal", ()):
            found = {}
            for name, *instead in map(str.split, group):
                is_told = self.operator.attributes[name].required and name not in self.attrs
                is_told |= name in self.attrs and self.values[name] is None  # of another type
                if not is_told and self.attrs.keys().isdisjoint(instead):
                    found[name] = len(self.values[name] or ())
            for usual, _ in Counter(filter(None, found.values())).most_common(1):
                like = next(name for name in found if found[name] == usual)
                for name in (name for name in found if found[name] != usual):
                    is_given = name in self.attrs
                    rule, part = (R.wrong_value_length, f"attr:{name}") if is_given else (R.missing_attribute, "op")
                    message = f"expected {count(usual, 'value')} for `{name}` of"
                    yield Fault(rule, part, message, f", as in `{like}`, got {found[name]}")

    def demands(self) -> Iterator[Fault]:
        """Report what does not hold between attributes: `that`, an expression. `says` and `rest` may have expressions in braces. It is
        said of the first of the attributes `id` that is there; after one that is `last`, those behind it make no sense."""
        for demand in self.operator.facts.get("demands", ()):
            names = demand["id"].split()
            if not self._reads(names[0]) or not self.applies(demand) or not self.value_of(f"not ({demand['that']})"):
                continue
            name = next((name for name in names if name in self.attrs), None)
            message, rest = (
                f"{self.said(demand['says'])} {demand.get('joint', 'for')}",
                self.said(demand.get("rest", "")),
            )
            if name is None:
                better = demand.get("insert", NO_VALUE)
                yield Fault(R.missing_attribute, "op", message, rest, better, change="insert")
            else:
                rule = getattr(R, demand.get("rule", "value_out_of_range"))
                part, change = f"{demand.get('part', 'attr')}:{name}", demand.get("change", "write")
                yield Fault(rule, part, message, rest, change=change)
            if demand.get("last"):
                return

    def _reads(self, name: str) -> bool:
        attribute = self.operator.attributes.get(name)
        return attribute is None or self.grammar.reads(self, attribute)

    def said(self, text: str) -> str:
        return _EXPRESSION.sub(lambda match: str(self.value_of(match[1])), text)
