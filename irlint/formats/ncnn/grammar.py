"""One layer as it is written: what the release that is asked for reads of its parameters, and how a line is changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from irlint.checks.fault import Fault, Subject, asking
from irlint.checks.gate import condition
from irlint.checks.grammar import Grammar
from irlint.checks.operator_check import OperatorCheck
from irlint.checks.signature import evaluate, label_of, named
from irlint.checks.values import expected
from irlint.checks.written import WrittenOperator
from irlint.codes import RuleRow, Severity
from irlint.formats.ncnn.arguments import (
    HINTS,
    STRICT,
    as_floats,
    hint_slip,
    is_read,
    is_too_large,
    meant_by_bits,
    signature,
    values_of,
)
from irlint.formats.ncnn.rules import R
from irlint.operators import Attribute, table
from irlint.text.base import Document, Edit, Span
from irlint.text.layers.values import ARRAYS, number, parameters, words
from irlint.text.numbers import integer
from irlint.text.words import count

MOST_IDS = 32
_PYTORCH = ("nn", "F", "torch", "Tensor", "pnnx", "aten", "prim", "torchvision", "torchvision.ops")
_KINDS = {"int": "an integer", "float": "a number", "string": "text", "ints": "an array of integers"}


class NcnnGrammar(Grammar):
    word = "parameter"
    runtime = "ncnn"
    count_part = "{}_count"
    unlisted = ("variadic0",)

    @cached_property
    def common(self) -> Mapping[str, Attribute]:  # type: ignore[override]
        return {
            a["name"]: Attribute(a["name"], a["kind"], False, a["default"], (), a) for a in table("ncnn").raw["common"]
        }

    def expected(self, rule: RuleRow, attribute: Attribute, told: str, got: Any, rest: str = "", **how: Any) -> Fault:
        shown = got if isinstance(got, int) else f"`{','.join(map(str, got)) if isinstance(got, list) else got}`"
        if how.get("severity") is None and attribute.facts.get("idle"):
            how["severity"] = Severity.WARNING
        return expected(rule, attribute, told, f"{shown}{rest}", **how)

    def judged(self, written: WrittenOperator, attribute: Attribute, value: Any) -> Iterator[Fault]:
        assert isinstance(written, NcnnLayer)
        return iter(()) if attribute.name in written.meant.values() else written.judged(attribute, value)

    def meant(self, name: str, written: WrittenOperator, missing: Any) -> str | None:
        return None  # ids are numbers

    def unlike(self, written: WrittenOperator, name: str) -> Fault:
        assert isinstance(written, NcnnLayer)
        return written.unknown(name, written.attrs[name])

    def reads(self, written: WrittenOperator, attribute: Attribute) -> bool:
        assert isinstance(written, NcnnLayer)
        return bool(written.target >= attribute.facts.get("since", 0))

    def strict(self, written: WrittenOperator, side: str) -> bool:
        assert isinstance(written, NcnnLayer)
        return side == "output" or written.is_strict

    def example(self, written: WrittenOperator, attribute: Attribute) -> str:
        least = evaluate(attribute.facts.get("min_length", "0"), written.values)
        return f"; write `{ARRAYS - int(attribute.name)}={least},...`" if least else ""

    def edits(self, document: Document, subject: Subject, fault: Fault) -> Sequence[Edit]:
        at = subject.find(fault)
        span = document.span(at)
        if fault.change == "insert":
            end = document.whole(at.path).end
            return (Edit(Span(end, end), f" {fault.better}"),)
        if fault.change == "word":
            key = document.span(subject.place(fault.part.replace("attr:", "attr_key:")))
            span = Span(min(key.start, span.start), max(key.end, span.end))
        return (Edit(span, fault.better),)

    def title(self, fault: Fault) -> str:
        return f"{'Add' if fault.change == 'insert' else 'Replace with'} `{fault.better}`"


GRAMMAR = NcnnGrammar()


def unknown_type(op: str) -> Fault:
    """Return what is wrong with a layer of a type that ncnn does not have."""
    from irlint.tools.names import plain

    known, message = table("ncnn"), f"unknown layer type `{op}`"
    package, _, word = op.replace("::", ".").rpartition(".")
    if not package or package in _PYTORCH:  # what modules of others are called says nothing
        alike = (name for name in known.names if package and plain(name) == plain(word))
        if (other := known.raw["elsewhere"].get(word) or next(alike, None)) is not None:
            return Fault(R.unknown_operator, "op", f"{message}; ncnn has `{other}`", None)
    if package in _PYTORCH:
        return Fault(R.unknown_operator, "op", f"{message}: an operator that pnnx could not convert", None)
    if not package and (better := known.nearest(op)):
        return Fault(R.unknown_operator, "op", message, None, better, hint=asking(better))
    note = f"if your program registers it, set `extensions: {{ncnn: {{{op}: {{}}}}}}` in irlint.yaml"
    return Fault(R.unknown_operator, "op", message, None, related=[(note, "op")])


class NcnnLayer(OperatorCheck):
    def __init__(self, op: str, params: str, inputs: int, outputs: int, target: int) -> None:
        attrs, values, known = parameters(params), values_of(op, params), signature(op)
        self.params, self.target, self.meant = params, target, _meant(op, attrs)
        if self.meant:
            attrs = {self.meant.get(key, key): attrs[key] for key in attrs}
            values = known.values(attrs)
        super().__init__(GRAMMAR, known.operator, attrs, range(1, inputs + 1), range(1, outputs + 1), values=values)

    def faults(self) -> Iterator[Fault]:
        operator, facts = self.operator, self.operator.facts
        if self.target < facts.get("since", 0):
            since = f"requires ncnn {facts['since']}; ncnn {self.target} refuses the file"
            yield Fault(R.target_cannot_read, "op", f"layer type `{operator.name}` {since}", None)
            return
        if not facts.get("built", True):
            message = f"layer type `{operator.name}` is not part of ncnn's default builds"
            yield Fault(R.target_lacks_operator, "op", message, None)
        yield from self.words()
        if self.target >= STRICT and (wrong := hint_slip(self.attrs.get(HINTS), self.values["outputs"])):
            yield Fault(R.wrong_value_length, f"attr:{HINTS}", f"{wrong} for `{HINTS}` (shape_hints) of")
        for key, better in self.meant.items():
            better = key.replace("233", "-233", 1) if key.isdigit() else better
            yield GRAMMAR.unknown(self, key, "", better=better, hint=asking(better))
        yield from self.attributes()
        yield from self.refused_defaults()
        yield from self.demands()
        yield from self.counts("input")
        yield from self.counts("output")

    def words(self) -> Iterator[Fault]:
        """Report parameters that are repeated, and texts whose quotation marks do not match."""
        if self.params.count("=") > len(self.attrs):
            for key, times in Counter(key for key, _, _ in words(self.params)).items():
                part, message = f"attr_key:{key}", f"duplicate parameter `{key}` for"
                if times > 1:
                    yield Fault(
                        R.duplicate_attribute, part, message, "; the last one counts", severity=Severity.WARNING
                    )
        for key, _, value in words(self.params) if '"' in self.params else ():
            attribute = self.operator.attributes.get(key)
            if attribute is not None and attribute.kind == "string" and value[:1] == '"' != value[1:][-1:]:
                yield GRAMMAR.expected(R.wrong_attribute_type, attribute, '`"` at the end', value)

    @property
    def is_strict(self) -> bool:
        """Return whether the runtime refuses a second input."""
        single = self.operator.facts.get("single", False)
        return bool(single) and self.target >= STRICT and self.applies({"when": str(single)})

    def unknown(self, key: str, value: Any) -> Fault:
        """Return what is wrong with a parameter that the layer does not have."""
        if not key.isdigit() or integer(key) >= MOST_IDS:
            message = f"expected an id below {MOST_IDS} for a parameter of"
            return Fault(R.unknown_attribute, f"attr_key:{key}", message, f", got `{key}`")
        # What no release can read is refused before any layer sees it.
        kind = "floats" if isinstance(value, list) else "float" if not _is_word(value) else "string"
        read = Attribute(key, kind)
        if unread := [one for one in (*self._length(read), *self._kind(read, value)) if one.is_error]:
            return unread[0]
        free = [named(a) for a in self.operator.attributes.values() if a.name not in self.attrs and a.kind != "any"]
        part, note = f"attr_key:{key}", f"parameters without a value: {', '.join(free)}"
        related = [(note, part)] if 0 < len(free) <= 4 else []
        return GRAMMAR.unknown(self, key, "; ncnn ignores it", severity=Severity.WARNING, related=related)

    def judged(self, attribute: Attribute, value: Any) -> Iterator[Fault]:
        facts, key = attribute.facts, f"attr_key:{attribute.name}"
        if self.target > facts.get("until", self.target):
            rest = f" is ignored by releases after {facts['until']}"
            yield Fault(R.unknown_attribute, key, f"parameter {named(attribute)} of", rest, severity=Severity.WARNING)
        elif self.target < facts.get("since", 0) and attribute.name != HINTS and value != self._default(attribute):
            rest = f" requires ncnn {facts['since']}; ncnn {self.target} ignores it"
            yield Fault(R.target_cannot_read, key, f"parameter {named(attribute)} of", rest)
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
            yield GRAMMAR.expected(R.wrong_value_length, attribute, told, got, better=better, safety="safe")

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
        wanted = _KINDS.get(kind, "an array of numbers")
        if any(map(is_too_large, items)):
            yield GRAMMAR.expected(R.value_out_of_range, attribute, "a 32-bit number", value, severity=Severity.ERROR)
        elif not is_read(attribute, value):
            yield self._unread(attribute, wanted, value)
        elif kind == "ints" and not all(type(item) is int for item in items):
            yield GRAMMAR.expected(R.wrong_attribute_type, attribute, wanted, value)
        elif kind in ("float", "floats") and any(items) and int in (kinds := set(map(type, items))):
            if len(kinds) == 1 and not attribute.facts.get("exact"):
                yield self._integers(attribute, value, items)
            elif self._is_of_another_type(attribute, value, len(kinds) > 1):
                yield GRAMMAR.expected(R.wrong_attribute_type, attribute, f"{wanted} of one type", value)

    def _is_of_another_type(self, attribute: Attribute, value: list[Any], is_mixed: bool) -> bool:
        """Return whether floats and integers are not what is meant. Where no length says how many follow, the first decides the type of
        all."""
        if is_mixed and self._array_of(attribute) is None:
            return isinstance(value[0], int)
        return as_floats(value, True) is None

    def _unread(self, attribute: Attribute, wanted: str, value: Any) -> Fault:
        """Return what is wrong with a value instead of which the runtime uses the default."""
        kind, default = attribute.kind, self.values.get(label_of(attribute))
        is_refused = isinstance(value, str) and not _is_word(value)
        how: dict[str, Any] = {"severity": Severity.ERROR if is_refused else None}
        if kind in ("int", "float"):
            if isinstance(value, list):
                wanted = wanted.replace(" ", " single ", 1).replace("an ", "a ")
            if isinstance(value, float) and value == default and value.is_integer() and self.target >= STRICT:
                how["severity"] = Severity.WARNING
            how |= _as_number(attribute, value)
        elif kind in ("ints", "floats") and isinstance(value, (int, float)):
            better = f"{ARRAYS - int(attribute.name)}=1,{value}"
            wanted += f", such as `{better}`,"
            how |= {"better": better, "change": "word"}
        used = "" if is_refused else self._used_instead(default)
        if used and evaluate(condition(self.operator), self.values):
            how["taken"] = used  # the layer loads with it
        return GRAMMAR.expected(R.wrong_attribute_type, attribute, wanted, value, used and f"; {used}", **how)

    def _used_instead(self, default: Any) -> str:
        """Return what is said of the default that the runtime uses, if it does."""
        is_told = isinstance(default, (int, float)) and self.target >= STRICT
        return f"ncnn uses the default {default}" if is_told else ""

    def _integers(self, attribute: Attribute, value: Any, items: list[int]) -> Fault:
        """Return what is wrong with integers that are written for floats."""
        meant = [meant_by_bits(item) for item in items]
        text = ",".join(f"{n}.0" if float_ is None else float_ for n, float_ in zip(items, meant, strict=True))
        better = f"{len(items)}," * (self._array_of(attribute) is not None) + text
        how: dict[str, Any] = {"better": better, "safety": "safe"}
        if not any(meant):
            severity = Severity.WARNING if self.target >= STRICT else None
            rest = f"; releases before {STRICT} read its bits"
            return GRAMMAR.expected(R.wrong_attribute_type, attribute, "a float", value, rest, severity=severity, **how)
        # releases read it either as bits or as a number: what is neither is wrong for all
        is_read = self.target < STRICT and all(meant[k] or not item for k, item in enumerate(items))
        rest = f", the bits of {text}; releases since {STRICT} take it for a number"
        how |= {"severity": Severity.WARNING if is_read else Severity.ERROR, "safety": _sureness(meant)}
        return GRAMMAR.expected(R.wrong_attribute_type, attribute, "a float", value, rest, **how)


def _sureness(meant: Sequence[str | None]) -> str:
    """Return how safe it is to write floats for their bits: chance gives no numbers of so few digits."""
    return (
        "safe" if all(float_ is None or len(float_.strip("-.0").replace(".", "")) < 4 for float_ in meant) else "unsafe"
    )


def _as_number(attribute: Attribute, value: Any) -> dict[str, Any]:
    """Return how a value is written as the one number that is meant; nothing if that is not known."""
    if isinstance(value, list):
        return {"better": f"{attribute.name}={value[0]}", "change": "word"} if len(value) == 1 else {}
    if attribute.kind == "float":
        text = str(value).rstrip("f")
        return {"better": text} if isinstance(number(text), float) else {}
    return {"better": str(int(value))} if isinstance(value, float) and value.is_integer() else {}


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
