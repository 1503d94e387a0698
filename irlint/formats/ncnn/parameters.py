"""Layers against the operator table: types, numbers of inputs and outputs, parameters and what they demand of each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from struct import pack, unpack
from typing import Any

from irlint.codes import RuleRow, Severity
from irlint.findings import Fix, Problem, Safety
from irlint.formats.ncnn import hints
from irlint.formats.ncnn.arguments import INT32, arguments, as_floats, evaluate, is_read
from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.releases import STRICT, oldest
from irlint.graph import Graph, Node, label
from irlint.operators import Attribute, Operator, Port, table
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Document, Edit
from irlint.text.layers import Layer, LayerDocument
from irlint.text.layers_values import number, parameters, words
from irlint.text.numbers import integer
from irlint.text.words import count

_LARGEST = 3.4028235677973366e38  # what is less rounds to a float of 32 bits
MOST_IDS = 32
_WRITTEN = attrgetter("op", "params", "counts")
_KINDS = {"int": "an integer", "float": "a number", "string": "text", "ints": "an array of integers"}


class Fault(NamedTuple):
    """What is wrong with every layer that is written like this. `better` is what to write at `part`; "+...": at the end."""

    rule: RuleRow
    part: str
    message: str  # {} is the layer
    severity: Severity | None = None
    better: str = ""
    safety: Safety = "unsafe"

    @property
    def is_error(self) -> bool:
        return (self.rule.severity if self.severity is None else self.severity) == Severity.ERROR


def parameter_problems(model: Model, document: LayerDocument) -> Iterator[Problem]:
    """Report what is wrong with layers by themselves."""
    known, target = table("ncnn"), oldest(model)
    custom: Mapping[str, Any] | None = model.options.get("extensions", {}).get("ncnn")  # empty: any type

    def odd(rows: Sequence[Layer]) -> list[int]:
        kinds = set(map(_WRITTEN, rows))  # layers that are written alike are judged once
        wrong = {kind for kind in kinds if kind[0] not in known or faults(*kind, target)}
        return [k for k, row in enumerate(rows) if _WRITTEN(row) in wrong] if wrong else []

    for k in model.memory.picked(f"odd layers of {target}", document.rows, odd):
        node, row = model.graph.nodes[k], document.rows[k]
        is_custom = custom is not None and (node.op in custom or (not custom and node.op not in known))
        if id(node) in model.silent or is_custom:
            continue
        found = faults(*_WRITTEN(row), target) if node.op in known else None
        if found is None:
            meant = known.nearest(node.op) or ""
            message = f"unknown layer type `{node.op}`" + (f"; did you mean `{meant}`?" if meant else "")
            found = (Fault(R.unknown_operator, "op", message, better=meant),)
        for fault in found:
            yield problem_of(model.graph, node, fault)


def problem_of(graph: Graph, node: Node, fault: Fault) -> Problem:
    """Return what is wrong with one layer, and its fix."""
    at = graph.place(node, fault.part)

    def fix(document: Document) -> Fix:
        span, text = document.span(at), fault.better
        if text.startswith("+"):
            assert isinstance(document, LayerDocument)
            end = document.text_of(document.rows[node.index]).end
            return Fix(f"Add `{text[1:]}`", (Edit(span._replace(start=end, end=end), f" {text[1:]}"),), fault.safety)
        return Fix(f"Replace with `{text}`", (Edit(span, text),), fault.safety)

    message = fault.message.replace("{}", label(node))
    return Problem(fault.rule, at, message, node.name, fix if fault.better else None, severity=fault.severity)


@lru_cache(maxsize=1 << 16)
def faults(op: str, params: str, counts: tuple[int, int], target: int) -> tuple[Fault, ...]:
    """Return what is wrong with a layer. Layers that are written alike have the same faults."""
    operator = table("ncnn").get(op)
    assert operator is not None
    return tuple(_Layer(operator, params, *counts, target).faults())


class _Layer:
    def __init__(self, operator: Operator, params: str, inputs: int, outputs: int, target: int) -> None:
        self.operator, self.target = operator, target
        self.attrs, self.words = parameters(params), list(words(params))
        self.values = {**arguments(operator, self.attrs), "inputs": inputs, "outputs": outputs}

    def faults(self) -> Iterator[Fault]:
        operator, facts = self.operator, self.operator.facts
        if self.target < facts.get("since", 0):
            since = f"requires ncnn {facts['since']}; ncnn {self.target} refuses the file"
            yield Fault(R.target_cannot_read, "op", f"layer type `{operator.name}` {since}")
        if not facts.get("built", True):
            message = f"layer type `{operator.name}` is not part of ncnn's default builds"
            yield Fault(R.target_lacks_operator, "op", message)
        keys = [key for key, _, _ in self.words]
        for key in (key for key, times in Counter(keys).items() if times > 1):
            message = f"duplicate parameter `{key}` for {{}}; the last one counts"
            yield Fault(R.duplicate_attribute, f"attr_key:{key}", message, Severity.WARNING)
        if self.target >= STRICT and (slip := hints.slip(self.attrs.get(hints.HINTS), self.values["outputs"])):
            yield Fault(
                R.wrong_value_length, f"attr:{hints.HINTS}", f"{slip} for `{hints.HINTS}` (shape_hints) of {{}}"
            )
        for key in (key for key, _, value in self.words if value[:1] == '"' and not value[1:].endswith('"')):
            yield Fault(R.wrong_attribute_type, f"attr:{key}", f'expected `"` at the end of `{key}` of {{}}')
        for key, value in self.attrs.items():
            attribute = operator.attributes.get(key) or _common().get(key)
            yield from self._unknown(key) if attribute is None else self._known(attribute, value)
        for attribute in operator.attributes.values():
            origin = attribute.facts.get("default_of", "0 + 0")
            if (
                attribute.name not in self.attrs
                and origin not in operator.attributes
                and self._applies(attribute.facts)
            ):
                if any(self._written(attribute, self.values.get(attribute.facts["label"]))):
                    message = f"missing required parameter {_named(attribute)} for {{}}"
                    yield Fault(R.missing_attribute, "op", message)
        for demand in facts.get("demands", ()):
            asked = operator.attributes.get(demand["id"])
            if asked is not None and self.target < asked.facts.get("since", 0):
                continue
            if evaluate(f"not ({demand['that']})", self.values):
                given = demand["id"] in self.attrs
                rule, part = (R.value_out_of_range, f"attr:{demand['id']}") if given else (R.missing_attribute, "op")
                better = "+" + demand["insert"] if not given and "insert" in demand else ""
                yield Fault(rule, part, f"{demand['says']} for {{}}", better=better)
        yield from self._counts("input", operator.inputs, self.values["inputs"])
        yield from self._counts("output", operator.outputs, self.values["outputs"])

    def _applies(self, facts: Mapping[str, Any]) -> bool:
        return "when" not in facts or bool(evaluate(facts["when"], self.values))

    def _unknown(self, key: str) -> Iterator[Fault]:
        part = f"attr_key:{key}"
        if not key.isdigit() or integer(key) >= MOST_IDS:
            message = f"expected an id below {MOST_IDS} for a parameter of {{}}, got `{key}`"
            yield Fault(R.unknown_attribute, part, message)
            return
        free = [_named(a) for a in self.operator.attributes.values() if a.name not in self.attrs and a.kind != "any"]
        hint = f"; not set: {', '.join(free)}" if 0 < len(free) <= 4 else ""
        message = f"unknown parameter `{key}` for {{}}; ncnn ignores it{hint}"
        yield Fault(R.unknown_attribute, part, message, Severity.WARNING)

    def _known(self, attribute: Attribute, value: Any) -> Iterator[Fault]:
        facts, key = attribute.facts, f"attr_key:{attribute.name}"
        if self.target > facts.get("until", self.target):
            message = f"parameter {_named(attribute)} of {{}} is ignored by releases after {facts['until']}"
            yield Fault(R.unknown_attribute, key, message, Severity.WARNING)
        elif self.target < facts.get("since", 0) and value != attribute.default:
            message = (
                f"parameter {_named(attribute)} of {{}} requires ncnn {facts['since']}; ncnn {self.target} ignores it"
            )
            yield Fault(R.target_cannot_read, key, message)
        elif attribute.kind != "any":
            found = list(self._length(attribute)) or list(self._kind(attribute, value))
            yield from found
            if all(fault.severity == Severity.WARNING for fault in found) and self._applies(facts):
                yield from self._written(attribute, self.values.get(facts["label"], value))

    def _written(self, attribute: Attribute, value: Any) -> Iterator[Fault]:
        if isinstance(value, list):
            return self._array(attribute, value)
        return iter(()) if value is None else self._number(attribute, value)

    def _length(self, attribute: Attribute) -> Iterator[Fault]:
        """Report an array whose length is not what it says."""
        for key, is_array, value in self.words:
            length, *items = value.split(",")
            if is_array and key == attribute.name and length != str(len(items)):
                told = (
                    f"{count(integer(length), 'element')}, as its length says,"
                    if length.isdecimal()
                    else "a length first"
                )
                better = ",".join([str(len(items)), *items])
                yield _expected(R.wrong_value_length, attribute, told, len(items), None, better, "safe")

    def _kind(self, attribute: Attribute, value: Any) -> Iterator[Fault]:
        """Report a value of another kind than is read."""
        kind, items = attribute.kind, value if isinstance(value, list) else [value]
        kinds = {type(item) for item in items}
        expected = _KINDS.get(kind, "an array of numbers")
        if any(_is_too_large(item) for item in items):
            yield _expected(R.value_out_of_range, attribute, "a 32-bit number", value)
        elif not is_read(attribute, value):
            default, severity = self.values.get(attribute.facts["label"]), None
            better = str(int(value)) if kind == "int" and isinstance(value, float) and value.is_integer() else ""
            if better and value == default and self.target >= STRICT:
                severity = Severity.WARNING
            is_refused = isinstance(value, str) and not value[:1].isalpha()
            if kind == "float" and is_refused and isinstance(number(value.rstrip("f")), float):
                better = value.rstrip("f")
            instead = (
                "" if is_refused or not isinstance(default, (int, float)) else f"; ncnn uses the default {default}"
            )
            yield _expected(R.wrong_attribute_type, attribute, expected, value, severity, better, rest=instead)
        elif kind == "ints" and kinds - {int}:
            yield _expected(R.wrong_attribute_type, attribute, expected, value)
        elif kind in ("int", "ints", "string") or int not in kinds or not any(items):
            return
        elif len(kinds) > 1 or attribute.facts.get("exact"):
            is_array = any(key == attribute.name and is_array for key, is_array, _ in self.words)
            if isinstance(value[0], int) if not is_array else as_floats(value, True) is None:
                yield _expected(R.wrong_attribute_type, attribute, f"{expected} of one type", value)
        else:  # integers for floats
            meant = [_of_bits(item) for item in items]
            text = ",".join(
                f"{item}.0" if float_ is None else repr(float_) for item, float_ in zip(items, meant, strict=True)
            )
            is_array = any(key == attribute.name and is_array for key, is_array, _ in self.words)
            severity = Severity.WARNING if self.target >= STRICT else None
            better, bits = f"{len(items)}," * is_array + text, f"; releases before {STRICT} read its bits"
            is_bits = any(float_ is not None for float_ in meant)
            bits = f", the bits of {text}; releases since {STRICT} convert it" if is_bits else bits
            safety: Safety = "unsafe" if is_bits else "safe"
            yield _expected(R.wrong_attribute_type, attribute, "a float", value, severity, better, safety, bits)

    def _number(self, attribute: Attribute, value: Any) -> Iterator[Fault]:
        facts, divisor = attribute.facts, attribute.facts.get("multiple_of", "")
        if attribute.values and str(value) not in attribute.values:
            words = [f"{word} ({facts['words'][word]})" for word in attribute.values]
            brief = ", ".join(words) if len(", ".join(words)) < 100 else ", ".join(attribute.values)
            allowed = f"one of {brief}" if len(words) < 8 else f"{words[0]} to {words[-1]}"
            yield _expected(R.value_not_in_enum, attribute, allowed, value)
        elif told := self._bounds(facts, value):
            yield _expected(R.value_out_of_range, attribute, told, value)
        elif divisor and (unit := evaluate(divisor, self.values)) and value % unit:
            yield _expected(R.value_out_of_range, attribute, f"a multiple of {unit} ({divisor})", value)

    def _array(self, attribute: Attribute, value: list[Any]) -> Iterator[Fault]:
        facts, given = attribute.facts, len(value)
        exact = evaluate(facts["length"], self.values) if "length" in facts else None
        least = evaluate(facts.get("min_length", "0"), self.values) or 0
        odd = next((item for item in value if self._bounds(facts.get("items", {}), item)), None)
        if exact is not None and given != exact:
            yield _expected(R.wrong_value_length, attribute, count(exact, "element"), given)
        elif not least <= given <= facts.get("max_length", given):
            told = f"at least {least}" if given < least else f"at most {facts['max_length']}"
            yield _expected(R.wrong_value_length, attribute, f"{told} elements", given)
        elif odd is not None:
            told = self._bounds(facts["items"], odd)
            yield _expected(R.value_out_of_range, attribute, f"elements of {told}", odd)

    def _bounds(self, facts: Mapping[str, Any], value: Any) -> str:
        """Return what is expected of a number, if it is outside its bounds."""
        if "min" not in facts or value in facts.get("also", ()):
            return ""
        least, most = facts["min"], facts.get("max")
        most = evaluate(most, self.values) if isinstance(most, str) else most
        if value < least or (most is not None and value > most):
            return f"at least {least}" if most is None else f"{least} to {most}"
        return ""

    def _counts(self, word: str, ports: tuple[Port, ...], given: int) -> Iterator[Fault]:
        """Report numbers of inputs or outputs that the layer crashes on, or ignores."""
        present, single = [p for p in ports if self._applies(p.facts)], self.operator.facts.get("single", False)
        counts = [evaluate(p.facts["count"], self.values) if "count" in p.facts else None for p in present]
        least = sum(
            (p.kind in ("required", "variadic")) if n is None else n for p, n in zip(present, counts, strict=True)
        )
        is_open = any(p.kind.startswith("variadic") and n is None for p, n in zip(present, counts, strict=True))
        most = given if is_open else sum(1 if n is None else n for n in counts)
        most = min((most, *(self.values[p.facts["most"]] for p in present if "most" in p.facts)))
        rule = R.wrong_input_count if word == "input" else R.wrong_output_count
        names = [p.name for p, n in zip(present, counts, strict=True) if n != 0 and p.kind != "variadic0"]
        told = f" ({', '.join(names)})" if names else ""
        number = f"{least} to {count(most, word)}" if least < most != given else count(least, word)
        expected = f"expected {'at least ' if is_open else ''}{number}{told} for {{}}, got {given}"
        strict = word == "output" or (single and self.target >= STRICT and self._applies({"when": str(single)}))
        if given < least:
            yield Fault(rule, f"{word}_count", expected)
        elif given > most and strict:
            yield Fault(rule, f"{word}:{most}", expected)
        elif given > most or given not in self.operator.facts.get("counts", (given,)):
            message = f"{expected}; ncnn {'ignores' if word == 'input' else 'does not compute'} the rest"
            yield Fault(rule, f"{word}_count", message, Severity.WARNING if word == "input" else None)


def _of_bits(item: int) -> float | None:
    """Return the float whose bits old converters wrote as an integer; None if it is likelier that the integer is meant."""
    value = float(unpack("<f", pack("<i", item))[0]) if abs(item) > 1 << 24 else 0.0
    return float(f"{value:.6g}") if 1e-6 < abs(value) < 1e6 else None


def _is_too_large(item: Any) -> bool:
    """Return whether a number does not fit in 32 bits."""
    return (isinstance(item, int) and item not in INT32) or (isinstance(item, float) and abs(item) > _LARGEST)


def _expected(
    rule: RuleRow, attribute: Attribute, told: str, got: Any, severity: Severity | None = None, better: str = "",
    safety: Safety = "unsafe", rest: str = "",
) -> Fault:  # fmt: skip
    shown = got if isinstance(got, int) else f"`{','.join(map(str, got)) if isinstance(got, list) else got}`"
    message = f"expected {told} for {_named(attribute)} of {{}}, got {shown}{rest}"
    severity = Severity.WARNING if attribute.facts.get("idle") else severity
    return Fault(rule, f"attr:{attribute.name}", message, severity, better, safety)


@lru_cache(maxsize=1)
def _common() -> dict[str, Attribute]:
    """Return the parameters that every layer has."""
    rows = table("ncnn").raw["common"]
    return {a["name"]: Attribute(a["name"], a["kind"], False, a["default"], (), a) for a in rows}


def _named(attribute: Attribute) -> str:
    return f"`{attribute.name}` ({attribute.facts['label']})"
