"""What the operator check has to know of NNVM: attributes are texts, which each loader reads in its own way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from irlint.checks.fault import NO_VALUE, Fault, Subject, asking
from irlint.checks.grammar import Grammar
from irlint.checks.values import expected, of_value
from irlint.codes import RuleRow
from irlint.findings import Severity
from irlint.formats.nnvm.keys.repair import repair, without_sign
from irlint.formats.nnvm.passes.operands import CANONICAL_BOOL, HIDDEN, UNSIGNED, values_of
from irlint.formats.nnvm.passes.suggestions import suggested
from irlint.formats.nnvm.passes.wording import among, code
from irlint.formats.nnvm.reading.values import EMPTY, NO_INTEGER, NO_NUMBER, NO_TUPLE, BadValue, read
from irlint.formats.nnvm.rules import R
from irlint.operators import Attribute, Operator
from irlint.text.base import Document, Edit, Place
from irlint.text.json.document import JsonDocument

if TYPE_CHECKING:
    from irlint.checks.written import WrittenOperator

MOVED = RuleRow("", "moved")  # not a rule: a key such as weight_lr_mult, for which the caller has to find an input

_KINDS = {
    "int": "an integer", "long": "an integer", "uint": "an integer", "ulong": "an integer", "float": "a number",
    "double": "a number", "shape": "a tuple such as `(1, 1)`", "ints": "a tuple such as `(1, 1)`",
    "slice": "a tuple such as `(0, None)`", "floats": "a tuple of numbers such as `(0.5, 1.0)`",
    "shapes": "a tuple of tuples such as `((0, 0), (1, 1))`", "char": "one character", "string": "text",
    "pointer": "a pointer", "bool": "`True` or `False`",
}  # fmt: skip
_BOUNDS = {(True, True): "{} to {}", (True, False): "at least {}", (False, True): "at most {1}"}
_RULES = {"bool": R.bool_string, "enum": R.value_not_in_enum}
_PLAIN_REASONS = (NO_INTEGER, NO_NUMBER, NO_TUPLE, EMPTY)  # what is expected says as much


class NnvmGrammar(Grammar):
    def values(self, attrs: Mapping[str, str], operator: Operator | None) -> dict[str, Any]:
        return values_of(attrs, operator)

    def flaws(self, value: str, attribute: Attribute) -> Iterator[Fault]:
        try:
            held = read(attribute, value)
        except BadValue as bad:
            yield _unreadable(attribute, value, bad.reason)
            return
        if attribute.kind == "bool":
            if value not in CANONICAL_BOOL:
                yield _unusual_bool(attribute, value, held)
        elif isinstance(held, (int, float)):
            yield from self._limits(attribute, value, held)
        elif attribute.facts.get("nonzero") and isinstance(held, tuple) and 0 in held:
            yield self.expected(R.value_out_of_range, attribute, "nonzero numbers", value)

    def _limits(self, attribute: Attribute, text: str, value: float) -> Iterator[Fault]:
        facts = attribute.facts
        if value < facts.get("min", value) or value > facts.get("max", value):
            told = _BOUNDS["min" in facts, "max" in facts].format(facts.get("min"), facts.get("max"))
            better = optional(without_sign(attribute, text))
            yield self.expected(R.value_out_of_range, attribute, told, text, better=better)
        elif attribute.kind in UNSIGNED and "-" in text and value:
            rest = f"; the loader reads {value}"
            yield self.expected(R.lossy_number, attribute, "at least 0", text, rest, severity=Severity.WARNING)

    def judged(self, written: WrittenOperator, attribute: Attribute, value: str) -> Iterator[Fault]:
        call: Any = written  # an NnvmCall
        if attribute is KEPT or call.operator.facts.get("ignores_attributes"):
            return iter(())
        found = self.flaws(value, attribute)
        return (call.refitted(attribute, fault) for fault in found) if attribute.kind == "shape" else found

    def moved(self, written: WrittenOperator, name: str) -> Fault | None:
        call: Any = written  # an NnvmCall
        fate, part = call.fate(name), f"attr_key:{name}"
        if fate == "ignored":
            how = (", which takes no attributes", Severity.PEDANTIC)
            rest, severity = how if call.operator.facts.get("ignores_attributes") else ("", Severity.WARNING)
            return Fault(R.ignored_attribute, part, f"attribute `{name}` has no effect on", rest, severity=severity)
        return Fault(MOVED, part, "", severity=Severity.INFO) if fate == "moved" else None

    def strange(self, written: WrittenOperator, name: str, lacking: dict[str, Attribute]) -> Fault | None:
        if (moved := self.moved(written, name)) is not None:
            return moved
        if name in HIDDEN:
            rest = f"; MXNet 1.0 and later spell it `__{name}__`"
            return self.unknown(written, name, rest, better=f"__{name}__", safety="safe")
        call: Any = written  # an NnvmCall
        needed = [other for other, attribute in lacking.items() if attribute.required]
        found = suggested(call.operator, name, call.attrs, needed, call.is_only_unknown)
        if found is None:
            return self.unknown(written, name, _takes(call.operator), change="write" if needed else "remove")
        lacking.pop(found.name, None)
        if found.by_value and found.name in needed:
            rest = f"; did you mean `{found.name}`, which is required?"
            return self.unknown(written, name, rest, better=found.name, safety=found.safety)
        how: dict[str, Any] = {"safety": found.safety, "meant": found.name, "hint": asking(found.name)}
        return self.unknown(written, name, "", better=found.name, **how)

    def unknown(self, written: WrittenOperator, name: str, rest: str, **how: Any) -> Fault:
        fault = super().unknown(written, name, rest, **how)
        return fault if name else fault._replace(message="attribute without a name for")

    def missing(self, written: WrittenOperator, attribute: Attribute) -> Fault | None:
        if not attribute.required or written.operator.facts.get("ignores_attributes"):
            return None
        return missing(written.attrs, attribute)

    def expected(self, rule: RuleRow, attribute: Attribute, told: str, got: str, rest: str = "", **how: Any) -> Fault:
        return expected(rule, attribute, told, f"{code(got)}{rest}", **how)

    def remove(self, document: Document, at: Place) -> Sequence[Edit]:
        assert isinstance(document, JsonDocument)
        return document.remove(at.path)

    def edits(self, document: Document, subject: Subject, fault: Fault) -> Sequence[Edit]:
        assert isinstance(document, JsonDocument)
        at = subject.find(fault)
        if fault.change == "insert":
            if at.path[-1] == "op":  # it has no attributes
                return document.insert_member(at.path[:-1], "attrs", document.dump(fault.better))
            name, text = next(iter(fault.better.items()))
            return document.insert_member(at.path, name, document.dump(text))
        if fault.change == "write" and at.part == "key":
            return document.rename_key(at.path, fault.better)
        return super().edits(document, subject, fault)

    def title(self, fault: Fault) -> str:
        if fault.change == "remove":
            return f"Remove attribute `{fault.name}`" if fault.name else "Remove attribute"
        if fault.change == "insert":
            name, text = next(iter(fault.better.items()))
            return f"Add `{name}` with `{text}`"
        return super().title(fault)


GRAMMAR = NnvmGrammar()
KEPT = Attribute("", "any")  # a key that the loader accepts on every operator


def optional(better: str | None) -> Any:
    return NO_VALUE if better is None else better


def missing(attrs: Mapping[str, str], attribute: Attribute, rest: str = "") -> Fault:
    """Return what is wrong with an attribute that is not there. Where the others are in alphabetical order, its place is among them."""
    names = list(attrs)
    related = []
    if len(names) > 1 and names == sorted(names):
        neighbour = next((name for name in names if name > attribute.name), names[-1])
        related.append(("next attribute in alphabetical order", f"attr_key:{neighbour}"))
    return Fault(
        R.missing_attribute, "attrs", f"missing required attribute `{attribute.name}` for", rest, related=related
    )


def _takes(operator: Operator) -> str:
    known = [name for name, attribute in operator.attributes.items() if "renamed" not in attribute.facts]
    return f"; expected {among(known, 6)}" if known else "; it takes no attributes"


def _unusual_bool(attribute: Attribute, text: str, value: bool | None) -> Fault:
    note = "some readers accept only `True` and `False`" if value else "Python's bool() returns True for it"
    got = f"{code(text)}; {note}"
    how: dict[str, Any] = {"better": str(value), "safety": "safe", "severity": Severity.PEDANTIC}
    return expected(R.bool_string, attribute, f"`{value}`", got, **how)


def _unreadable(attribute: Attribute, text: str, reason: str) -> Fault:
    """Return what is wrong with a text that the loader cannot read."""
    fixed = repair(attribute, text)
    rule = _RULES.get(attribute.kind, R.wrong_attribute_type)
    how: dict[str, Any] = {"better": fixed.text, "safety": fixed.safety} if fixed else {}
    if "does not fit" in reason or "out of range" in reason:
        rule, how["safety"] = R.value_out_of_range, "unsafe"
    is_needed = attribute.required or "ranks" in attribute.facts
    if fixed is None and text.strip() in ("", "None") and not is_needed:
        how["change"] = "remove"
    if attribute.kind == "enum":
        rest = "" if fixed else f"; {reason}"
        how["hint"] = asking(fixed.text) if fixed else ""
        return of_value(rule, attribute, f"unknown value {code(text)}" if text else "empty value", rest, **how)
    is_told = attribute.kind == "bool" or reason in _PLAIN_REASONS
    told = reason.removeprefix("expected ") if attribute.kind == "bool" else _KINDS[attribute.kind]
    return expected(rule, attribute, told, code(text) if is_told else f"{code(text)}; {reason}", **how)
