"""Layers against the operator table: types, numbers of inputs and outputs, parameters and what they demand of each other."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import islice
from operator import attrgetter
from typing import Any

from irlint import work
from irlint.checks.gate import condition
from irlint.checks.signature import evaluate, label_of, named
from irlint.checks.written import Fault, Written, problem_of
from irlint.codes import Severity
from irlint.findings import Problem
from irlint.formats.ncnn.arguments import INT32, as_floats, is_read, meant_by_bits, signature, values_of
from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.hints import HINTS, slip
from irlint.formats.ncnn.releases import STRICT, oldest
from irlint.operators import Attribute, table
from irlint.rules.base import Model
from irlint.text.layers import MOST_ELEMENTS, Layer, LayerDocument
from irlint.text.layers_values import ARRAYS, number, parameters, words
from irlint.text.numbers import integer
from irlint.text.words import count

_LARGEST = 3.4028235677973366e38  # what is less rounds to a float of 32 bits
MOST_IDS = 32
WRITTEN = attrgetter("op", "params", "counts")
_PYTORCH = ("nn", "F", "torch", "Tensor", "pnnx", "aten", "prim", "torchvision", "torchvision.ops")
_KINDS = {"int": "an integer", "float": "a number", "string": "text", "ints": "an array of integers"}


def parameter_problems(model: Model, document: LayerDocument) -> Iterator[Problem]:
    """Report what is wrong with layers by themselves."""
    known, target = table("ncnn"), oldest(model)
    custom: Mapping[str, Any] | None = model.options.get("extensions", {}).get("ncnn")  # empty: any type
    for k in odd_layers(model, document):
        node, row = model.graph.nodes[k], document.rows[k]
        is_custom = custom is not None and (node.op in custom or (not custom and node.op not in known))
        if id(node) not in model.silent and not is_custom:
            found = faults_of(row, target)
            if len(found) == MOST_ELEMENTS:
                work.spend(sys.maxsize, "checks of layers with many problems")
            for fault in found:
                yield problem_of(model.graph, node, fault)


def faults_of(row: Layer, target: int) -> Sequence[Fault]:
    return faults(*WRITTEN(row), target) if row.op in table("ncnn") else [_unknown_type(row.op)]


def odd_layers(model: Model, document: LayerDocument) -> list[int]:
    """Return the layers with which something is wrong. Those that are written alike are judged once."""
    known, target = table("ncnn"), oldest(model)

    def odd(rows: Sequence[Layer]) -> list[int]:
        kinds = set(map(WRITTEN, rows))
        wrong = {kind for kind in kinds if kind[0] not in known or faults(*kind, target)}
        return [k for k, row in enumerate(rows) if WRITTEN(row) in wrong] if wrong else []

    return model.memory.picked(f"odd layers of {target}", document.rows, odd)


def _unknown_type(op: str) -> Fault:
    from irlint.tools.names import plain

    known, message = table("ncnn"), f"unknown layer type `{op}`"
    package, _, word = op.replace("::", ".").rpartition(".")
    if not package or package in _PYTORCH:  # what modules of others are called says nothing
        alike = (name for name in known.names if package and plain(name) == plain(word))
        if (other := known.raw["elsewhere"].get(word) or next(alike, None)) is not None:
            return Fault(R.unknown_operator, "op", f"{message}; ncnn has `{other}`")
    if package in _PYTORCH:
        return Fault(R.unknown_operator, "op", f"{message}: an operator that pnnx could not convert")
    if not package and (better := known.nearest(op)):
        return Fault(R.unknown_operator, "op", f"{message}; did you mean `{better}`?", better=better)
    note = f"if your program registers it, set `extensions: {{ncnn: {{{op}: {{}}}}}}` in irlint.yaml"
    return Fault(R.unknown_operator, "op", message, note=note)


@lru_cache(maxsize=1 << 16)
def faults(op: str, params: str, counts: tuple[int, int], target: int) -> tuple[Fault, ...]:
    """Return what is wrong with a layer, the first of very many. Layers that are written alike have the same faults."""
    if _is_sound(op, params, counts, target):
        return ()
    return tuple(islice(_Layer(op, params, *counts, target).faults(), MOST_ELEMENTS))


def _is_sound(op: str, params: str, counts: tuple[int, int], target: int) -> bool:
    """Return whether a layer has plain numbers only, all of which it can have."""
    (types, test), attrs = _gate(op, target), parameters(params)
    if params.count("=") > len(attrs):
        return False
    for key, value in attrs.items():
        if types.get(key) is not type(value) or _is_too_large(value):
            return False
    return bool(evaluate(test, {**values_of(op, params), "inputs": counts[0], "outputs": counts[1]}))


@cache
def _gate(op: str, target: int) -> tuple[dict[str, type], str]:
    """Return which parameters a release reads as numbers, and what has to hold of them."""
    operator, types = signature(op).operator, {"int": int, "float": float}
    read: dict[str, type] = {
        key: types[one.kind]
        for key, one in operator.attributes.items()
        if one.kind in types and one.facts.get("since", 0) <= target <= one.facts.get("until", target)
    }
    is_there = operator.facts.get("since", 0) <= target and operator.facts.get("built", True)
    return read, condition(operator) if is_there else "False"


class _Layer(Written):
    runtime = "ncnn"

    def __init__(self, op: str, params: str, inputs: int, outputs: int, target: int) -> None:
        attrs, values, known = parameters(params), values_of(op, params), signature(op)
        self.params, self.target, self.meant = params, target, _meant(op, attrs)
        if self.meant:
            attrs = {self.meant.get(key, key): attrs[key] for key in attrs}
            values = known.values(attrs)
        super().__init__(known.operator, attrs, values, inputs, outputs)

    def faults(self) -> Iterator[Fault]:
        operator, facts = self.operator, self.operator.facts
        if self.target < facts.get("since", 0):
            since = f"requires ncnn {facts['since']}; ncnn {self.target} refuses the file"
            yield Fault(R.target_cannot_read, "op", f"layer type `{operator.name}` {since}")
            return
        if not facts.get("built", True):
            message = f"layer type `{operator.name}` is not part of ncnn's default builds"
            yield Fault(R.target_lacks_operator, "op", message)
        if self.params.count("=") > len(self.attrs):
            times = Counter(key for key, _, _ in words(self.params))
            for key in (key for key in times if times[key] > 1):
                message = f"duplicate parameter `{key}` for {{}}; the last one counts"
                yield Fault(R.duplicate_attribute, f"attr_key:{key}", message, Severity.WARNING)
        if self.target >= STRICT and (wrong := slip(self.attrs.get(HINTS), self.values["outputs"])):
            yield Fault(R.wrong_value_length, f"attr:{HINTS}", f"{wrong} for `{HINTS}` (shape_hints) of {{}}")
        for key, _, value in words(self.params) if '"' in self.params else ():
            attribute = operator.attributes.get(key)
            if value[:1] == '"' != value[1:][-1:] and attribute is not None and attribute.kind == "string":
                yield self.expected(R.wrong_attribute_type, attribute, '`"` at the end', value)
        for key, better in self.meant.items():
            better = key.replace("233", "-233", 1) if key.isdigit() else better
            message = f"unknown parameter `{key}` for {{}}; did you mean `{better}`?"
            yield Fault(R.unknown_attribute, f"attr_key:{key}", message, better=better)
        for key, value in self.attrs.items():
            if key not in self.meant.values():
                attribute = operator.attributes.get(key) or _common().get(key)
                yield from self._unknown(key, value) if attribute is None else self._known(attribute, value)
        yield from self.missing()
        yield from self.demands()
        yield from self.counts("input", operator.inputs, self.is_strict)
        yield from self.counts("output", operator.outputs, True)

    @property
    def is_strict(self) -> bool:
        """Return whether the runtime refuses a second input."""
        single = self.operator.facts.get("single", False)
        return bool(single) and self.target >= STRICT and self.applies({"when": str(single)})

    def reads(self, attribute: Attribute | None) -> bool:
        return attribute is None or self.target >= attribute.facts.get("since", 0)

    def spelled(self, attribute: Attribute) -> str:
        least = evaluate(attribute.facts.get("min_length", "0"), self.values)
        return f"{ARRAYS - int(attribute.name)}={least},..." if least else ""

    def _unknown(self, key: str, value: Any) -> Iterator[Fault]:
        part = f"attr_key:{key}"
        if not key.isdigit() or integer(key) >= MOST_IDS:
            message = f"expected an id below {MOST_IDS} for a parameter of {{}}, got `{key}`"
            yield Fault(R.unknown_attribute, part, message)
            return
        # What no release can read is refused before any layer sees it.
        kind = "floats" if isinstance(value, list) else "float" if not _is_word(value) else "string"
        read = Attribute(key, kind)
        if unread := [one for one in (*self._length(read), *self._kind(read, value)) if one.is_error][:1]:
            yield unread[0]
            return
        free = [named(a) for a in self.operator.attributes.values() if a.name not in self.attrs and a.kind != "any"]
        note = f"parameters without a value: {', '.join(free)}" if 0 < len(free) <= 4 else ""
        message = f"unknown parameter `{key}` for {{}}; ncnn ignores it"
        yield Fault(R.unknown_attribute, part, message, Severity.WARNING, note=note)

    def _known(self, attribute: Attribute, value: Any) -> Iterator[Fault]:
        facts, key = attribute.facts, f"attr_key:{attribute.name}"
        if self.target > facts.get("until", self.target):
            message = f"parameter {named(attribute)} of {{}} is ignored by releases after {facts['until']}"
            yield Fault(R.unknown_attribute, key, message, Severity.WARNING)
        elif self.target < facts.get("since", 0) and attribute.name != HINTS and value != self._default(attribute):
            since = f"requires ncnn {facts['since']}; ncnn {self.target} ignores it"
            yield Fault(R.target_cannot_read, key, f"parameter {named(attribute)} of {{}} {since}")
        elif attribute.kind != "any":
            found = list(self._length(attribute)) or list(self._kind(attribute, value))
            yield from found
            if all(fault.severity == Severity.WARNING for fault in found) and self.applies(facts):
                yield from self.refused(attribute, self.values.get(label_of(attribute), value))

    def _default(self, attribute: Attribute) -> Any:
        """Return the value of a parameter if it were not written."""
        others = {key: value for key, value in self.attrs.items() if key != attribute.name}
        return signature(self.operator.name).values(others).get(label_of(attribute), attribute.default)

    def _length(self, attribute: Attribute) -> Iterator[Fault]:
        """Report an array whose length is not what it says."""
        items = self._array_of(attribute)
        if items is not None and items[0].lstrip("+0") != str(len(items) - 1).lstrip("0"):
            told, rest, got = "a length first", items, ",".join(items)
            if items[0].isdecimal():
                told, rest = f"{count(integer(items[0]), 'element')}, as its length says,", items[1:]
                got = str(len(rest))
            better = ",".join([str(len(rest)), *rest])
            yield self.expected(R.wrong_value_length, attribute, told, got, better=better, safety="safe")

    def _array_of(self, attribute: Attribute) -> list[str] | None:
        """Return the length of an array, and its elements, as they are written; None if it does not begin with a length."""
        value = self._arrays.get(attribute.name) if "-233" in self.params else None
        return None if value is None else value.split(",")

    @cached_property
    def _arrays(self) -> dict[str, str]:
        """Return the arrays that begin with a length, as they are written; the first of equals counts."""
        found: dict[str, str] = {}
        for key, is_array, value in words(self.params):
            if is_array:
                found.setdefault(key, value)
        return found

    def _kind(self, attribute: Attribute, value: Any) -> Iterator[Fault]:
        """Report a value of another kind than is read."""
        kind, items = attribute.kind, value if isinstance(value, list) else [value]
        kinds = {type(item) for item in items}
        expected = _KINDS.get(kind, "an array of numbers")
        if any(_is_too_large(item) for item in items):
            yield self.expected(R.value_out_of_range, attribute, "a 32-bit number", value, Severity.ERROR)
        elif not is_read(attribute, value):
            yield self._unread(attribute, expected, value)
        elif kind == "ints" and kinds - {int}:
            yield self.expected(R.wrong_attribute_type, attribute, expected, value)
        elif kind in ("int", "ints", "string") or int not in kinds or not any(items):
            return
        elif len(kinds) > 1 or attribute.facts.get("exact"):
            # Where no length says how many follow, the first element decides the type of all.
            is_bare = self._array_of(attribute) is None
            is_wrong = isinstance(value[0], int) if is_bare and len(kinds) > 1 else as_floats(value, True) is None
            if is_wrong:
                yield self.expected(R.wrong_attribute_type, attribute, f"{expected} of one type", value)
        else:
            yield self._integers(attribute, value, items)

    def _unread(self, attribute: Attribute, expected: str, value: Any) -> Fault:
        """Return what is wrong with a value instead of which the runtime uses the default."""
        kind, default = attribute.kind, self.values.get(label_of(attribute))
        better, instead_of = "", "part"
        is_refused = isinstance(value, str) and not _is_word(value)
        severity = Severity.ERROR if is_refused else None
        if kind == "int" and isinstance(value, float) and value.is_integer():
            better = str(int(value))
            severity = Severity.WARNING if value == default and self.target >= STRICT else None
        elif kind == "float" and is_refused and isinstance(number(value.rstrip("f")), float):
            better = value.rstrip("f")
        elif kind in ("int", "float") and isinstance(value, list):
            expected, instead_of = expected.replace(" ", " single ", 1).replace("an ", "a "), "word"
            better = f"{attribute.name}={value[0]}" if len(value) == 1 else ""
        elif kind in ("ints", "floats") and isinstance(value, (int, float)):
            better, instead_of = f"{ARRAYS - int(attribute.name)}=1,{value}", "word"
            expected += f", such as `{better}`,"
        is_told = not is_refused and isinstance(default, (int, float)) and self.target >= STRICT
        rest = f"; ncnn uses the default {default}" if is_told else ""
        return self.expected(
            R.wrong_attribute_type,
            attribute,
            expected,
            value,
            severity,
            better,
            rest=rest,
            instead_of=instead_of,  # type: ignore[arg-type]
        )

    def _integers(self, attribute: Attribute, value: Any, items: list[int]) -> Fault:
        """Return what is wrong with integers that are written for floats."""
        meant = [meant_by_bits(item) for item in items]
        text = ",".join(f"{n}.0" if float_ is None else repr(float_) for n, float_ in zip(items, meant, strict=True))
        better = f"{len(items)}," * (self._array_of(attribute) is not None) + text
        is_bits = any(float_ is not None for float_ in meant)
        rest = f"; releases before {STRICT} read its bits"
        if is_bits:
            rest = f", the bits of {text}; releases since {STRICT} convert it"
        severity, safety = Severity.WARNING if self.target >= STRICT else None, "unsafe" if is_bits else "safe"
        return self.expected(R.wrong_attribute_type, attribute, "a float", value, severity, better, safety, rest)  # type: ignore[arg-type]


def _meant(op: str, attrs: Mapping[str, Any]) -> dict[str, str]:
    """Return the ids that were meant by keys that are none: labels, and arrays without their sign."""
    found: dict[str, str] = {}
    for key in attrs:
        if len(key) > 2:
            known, meant = signature(op), str(integer(key) + ARRAYS) if key.isdigit() else ""
            meant = known.by_label[key].name if key in known.by_label else meant
            if meant not in attrs and meant in known.operator.attributes:
                found[key] = meant
    return found


def _is_word(value: Any) -> bool:
    """Return whether a value is text, which begins with a letter or a quote."""
    return isinstance(value, str) and (value[:1] == '"' or (value[:1].isascii() and value[:1].isalpha()))


def _is_too_large(item: Any) -> bool:
    """Return whether a number does not fit in 32 bits."""
    return (isinstance(item, int) and item not in INT32) or (isinstance(item, float) and abs(item) > _LARGEST)


@lru_cache(maxsize=1)
def _common() -> dict[str, Attribute]:
    """Return the parameters that every layer has."""
    rows = table("ncnn").raw["common"]
    return {a["name"]: Attribute(a["name"], a["kind"], False, a["default"], (), a) for a in rows}
