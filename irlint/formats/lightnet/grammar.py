"""LightNet's parameter values: JSON types that are never converted, words, and numbers read as C ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault, asking, shown
from irlint.checks.grammar import Grammar
from irlint.checks.values import expected, of_value
from irlint.findings import Severity
from irlint.formats.lightnet.reading.c_values import CONVERSIONS, FLT_MAX, FLT_MIN, kind_of
from irlint.formats.lightnet.rules import R
from irlint.graph import Graph, Node
from irlint.operators import Attribute, nearest
from irlint.text.base import Document, Edit, Place
from irlint.text.json.document import JsonDocument

_KINDS = {
    "string": "a string",
    "number": "a number",
    "bool": "`true` or `false`",
    "numbers": "a list of numbers",
    "strings": "a list of strings",
    "bools": "a list of booleans",
}
_NUMPY = {
    "float64": "TL_DOUBLE", "double": "TL_DOUBLE", "float32": "TL_FLOAT", "float": "TL_FLOAT", "int64": "TL_INT64",
    "int32": "TL_INT32", "int": "TL_INT32", "int16": "TL_INT16", "int8": "TL_INT8", "uint64": "TL_UINT64",
    "uint32": "TL_UINT32", "uint16": "TL_UINT16", "uint8": "TL_UINT8", "bool": "TL_BOOL", "add": "TL_SUM",
    "plus": "TL_SUM", "subtract": "TL_SUB", "multiply": "TL_MUL", "divide": "TL_DIV", "maximum": "TL_MAX",
    "minimum": "TL_MIN", "power": "TL_POW", "bilinear": "TL_LINEAR",
}  # fmt: skip
_LISTS = ("numbers", "strings", "bools")
_BOOLS = {"true": True, "false": False, "0": False, "1": True, 0: False, 1: True}
_SIDES = {"attr_key": "parameter", "input_name": "input", "output_name": "output"}


def one_of(words: Sequence[str]) -> str:
    """Return words of which one is expected."""
    listed = ", ".join(f"`{word}`" for word in words)
    return f"one of {listed}" if len(words) > 1 else listed


def _described(value: Any) -> str:
    kind = kind_of(value)
    if kind == "string":
        return f'`"{value if len(value) <= 40 else value[:37] + "..."}"`'
    if kind in ("number", "bool"):
        return f"`{str(value).lower()}`"
    if kind in _KINDS:
        return _KINDS[kind]
    return "`null`" if value is None else "a list" if isinstance(value, list) else "an object"


class LightNetGrammar(Grammar):
    word = "parameter"

    def flaws(self, value: Any, attribute: Attribute) -> Iterator[Fault]:
        if kind_of(value) != attribute.kind:
            yield _wrong_kind(value, attribute)
        elif attribute.kind == "string":
            if attribute.values and value not in attribute.values:
                yield _unknown_word(value, attribute)
        elif attribute.kind == "number":
            yield from _number_faults(value, attribute, None)
        elif attribute.kind == "numbers":
            length = attribute.facts.get("length")
            if length is not None and len(value) != length:
                layout = f" {attribute.facts['layout']}" if "layout" in attribute.facts else ""
                yield expected(R.wrong_value_length, attribute, f"{length} numbers{layout}", len(value))
            elif attribute.facts["read_as"] != "double":
                for index, item in enumerate(value):
                    yield from _number_faults(item, attribute, index)

    def unreadable(self, raw: Any, attribute: Attribute) -> Fault:
        """Return what is wrong with a value that LightNet cannot hold: its first element of another kind, or all of it."""
        if not isinstance(raw, list):
            return expected(R.wrong_attribute_type, attribute, _KINDS[attribute.kind], "an object")
        if not raw:
            return expected(R.wrong_attribute_type, attribute, _KINDS[attribute.kind], "an empty list")
        kind = attribute.kind.removesuffix("s") if attribute.kind in _LISTS else kind_of(raw[0])
        for index, item in enumerate(raw):
            if kind_of(item) != kind:
                how: dict[str, Any] = {"better": _converted(item, kind), "safety": "safe", "element": index}
                told = _KINDS.get(kind, "a number")
                return expected(R.wrong_attribute_type, attribute, told, _described(item), **how)
        return expected(R.wrong_attribute_type, attribute, _KINDS[attribute.kind], "a list of lists")

    def remove(self, document: Document, at: Place) -> Sequence[Edit]:
        assert isinstance(document, JsonDocument)
        return document.remove(at.path[:-1])

    def insert(self, document: Document, graph: Graph, node: Node, values: Mapping[str, Any]) -> Sequence[Edit]:
        assert isinstance(document, JsonDocument)
        entries = [{"arg_name": name, "value": value} for name, value in values.items()]
        return document.insert_item((*node.path, "params"), len(node.attrs), ", ".join(map(document.dump, entries)))

    def title(self, fault: Fault) -> str:
        part = fault.part.partition(":")[0]
        if fault.change == "insert":
            return super().title(fault).replace("Insert", "Add", 1)
        if fault.change == "remove":
            return f"Remove {_SIDES[part]} `{fault.name}`"
        is_plain = part == "attr" or fault.rule is R.unknown_operator
        return super().title(fault) if is_plain else f"Replace with {shown(fault.better)}"


GRAMMAR = LightNetGrammar()


def _wrong_kind(value: Any, attribute: Attribute) -> Fault:
    kind = attribute.kind
    better = _converted(value, kind)
    if isinstance(better, list) and not isinstance(value, list):
        better *= attribute.facts.get("length", 1)  # one number for all axes
    rule = R.bool_string if kind == "bool" and better is not NO_VALUE else R.wrong_attribute_type
    return expected(rule, attribute, _KINDS[kind], _described(value), better=better, safety="safe")


def _converted(value: Any, kind: str) -> Any:
    """Return the only possible meaning of a value of the wrong type; NO_VALUE if there is none."""
    if kind in _LISTS:
        items = value if isinstance(value, list) else [value]
        parts = [_as_item(item, kind.removesuffix("s")) for item in items]
        return parts if parts and NO_VALUE not in parts else NO_VALUE
    if kind in _KINDS and isinstance(value, list) and len(value) == 1:
        while isinstance(value, list) and len(value) == 1:  # no recursion: a file decides how many there are
            value = value[0]
        return _as_item(value, kind)
    if kind == "bool" and kind_of(value) in ("string", "number"):
        return _BOOLS.get(value.strip().lower() if isinstance(value, str) else value, NO_VALUE)
    return _number(value) if kind == "number" and isinstance(value, str) else NO_VALUE


def _as_item(value: Any, kind: str) -> Any:
    return value if kind_of(value) == kind else _converted(value, kind)


def _number(text: str) -> Any:
    for convert in (int, float) if text.strip() == text else ():
        try:
            number = convert(text)
        except ValueError:
            continue
        return number if abs(number) < inf else NO_VALUE
    return NO_VALUE


def _unknown_word(value: str, attribute: Attribute) -> Fault:
    words = list(attribute.values)
    lenient = attribute.facts.get("enforced") is False
    what = f"unknown value `{value}`" if value else "empty value"
    rest = f"; LightNet reads it as `{words[0]}`" if lenient else ""
    how: dict[str, Any] = {"severity": Severity.WARNING if lenient else None}
    same = next((word for word in words if word.casefold() == value.casefold()), None)
    if (meant := same or _meant_word(value, attribute)) is not None:
        how |= {"better": meant, "safety": "unsafe" if same is None or lenient else "safe"}
        return of_value(R.value_not_in_enum, attribute, what, rest, hint=asking(meant), **how)
    return of_value(R.value_not_in_enum, attribute, what, f"{rest}; expected {one_of(words)}", **how)


def _meant_word(value: str, attribute: Attribute) -> str | None:
    """Return the word that is meant by NumPy's, by one without its prefix, or by one that is misspelled."""
    words, other = attribute.values, _NUMPY.get(value.lower())
    for word in words:
        if word == other or word.rpartition("_")[2].casefold() == value.casefold():
            return word
    meant = nearest(value, words)
    if meant is not None and value.startswith("TL_") and attribute.name == "dtype" and abs(len(meant) - len(value)) > 1:
        return None  # another element type
    return meant


def _number_faults(value: Any, attribute: Attribute, index: int | None) -> Iterator[Fault]:
    """Report a number that is out of range, or that LightNet reads as another one."""
    read_as = attribute.facts["read_as"]
    held = CONVERSIONS[read_as](value)
    lowest = attribute.facts.get("min")
    if read_as == "int":
        got = f"`{value}`" + (f"; LightNet reads {held}" if held != value else "")
        if lowest is not None and held < lowest:
            yield expected(R.value_out_of_range, attribute, f"at least {lowest}", got, element=index)
        elif held != value:
            yield expected(R.lossy_number, attribute, "a 32-bit integer", got, element=index, better=held)
    elif read_as == "float" and value != held and not FLT_MIN < value < FLT_MAX:
        told = f"{FLT_MIN:.4g} to {FLT_MAX:.4g}"
        yield expected(R.lossy_number, attribute, told, f"`{value}`; LightNet reads {held:.4g}", element=index)
