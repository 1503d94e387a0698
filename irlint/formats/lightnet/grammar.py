"""LightNet's parameter values: JSON types that are never converted, words, and numbers read as C ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from irlint.findings import Fix, Safety, Severity
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.numbers import FLT_MAX, FLT_MIN, INT_MAX, INT_MIN, as_double, as_float, as_int
from irlint.graph import Graph, Node
from irlint.operators import Attribute, nearest
from irlint.rules.attributes._check import NO_VALUE, Repair, ValueMismatch
from irlint.text.base import Document
from irlint.text.json import JsonDocument

CAREFULLY: Any = object()  # a reader's answer: not plainly right, look closer

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
_CONVERSIONS: dict[str, Callable[[Any], Any]] = {"int": as_int, "float": as_float, "double": as_double}


def kind_of(value: Any) -> str:
    """The loader's word for a JSON value's type; "" for what it cannot hold at all."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (int, float)):
        return "number"
    if value is None:
        return "null"
    if isinstance(value, list) and value and not isinstance(value[0], list):
        return {"bool": "bools", "string": "strings", "number": "numbers"}.get(kind_of(value[0]), "")
    return ""


def _described(value: Any) -> str:
    kind = kind_of(value)
    if kind == "string":
        shown = value if len(value) <= 40 else value[:37] + "..."
        return f'`"{shown}"`'
    if kind == "number":
        return f"`{value}`"
    if not kind:
        return "a list" if isinstance(value, list) else "an object"
    return {"bool": f"`{str(value).lower()}`", "null": "`null`"}.get(kind) or _KINDS[kind]


class LightNetGrammar:
    word = "parameter"

    def reader(self, attribute: Attribute) -> Callable[[Any], Any]:
        """Return a quick reader of one parameter: its C value if the file's value is clearly right, else CAREFULLY."""
        facts = attribute.facts
        kind = attribute.kind
        if kind == "string":
            words = frozenset(attribute.values)
            if words:
                return lambda value: value if type(value) is str and value in words else CAREFULLY
            return lambda value: value if type(value) is str else CAREFULLY
        if kind == "bool":
            return lambda value: value if value is True or value is False else CAREFULLY
        low = facts.get("min", INT_MIN)
        if kind == "number":
            if facts["read_as"] == "int":
                return lambda value: value if type(value) is int and low <= value <= INT_MAX else CAREFULLY
            if facts["read_as"] == "float":
                return lambda value: as_float(value) if type(value) in (int, float) and value > FLT_MIN else CAREFULLY
            return lambda value: value if type(value) in (int, float) and value == value else CAREFULLY
        length = facts.get("length")
        if facts["read_as"] == "int":

            def ints(value: Any) -> Any:
                if type(value) is not list or (length is not None and len(value) != length):
                    return CAREFULLY
                for item in value:
                    if type(item) is not int or not low <= item <= INT_MAX:
                        return CAREFULLY
                return value

            return ints
        if facts["read_as"] == "float":

            def floats(value: Any) -> Any:
                if type(value) is not list:
                    return CAREFULLY
                for item in value:
                    if type(item) not in (int, float) or item <= FLT_MIN:
                        return CAREFULLY
                return [as_float(item) for item in value]

            return floats

        def doubles(value: Any) -> Any:
            plain = type(value) is list and value and type(value[0]) in (int, float)
            return value if plain and (length is None or len(value) == length) else CAREFULLY

        return doubles

    def read(self, value: Any, attribute: Attribute) -> Any:
        """Return the C value of a parameter without errors."""
        if attribute.kind not in ("number", "numbers"):
            return value
        convert = _CONVERSIONS[attribute.facts["read_as"]]
        return convert(value) if attribute.kind == "number" else [convert(item) for item in value]

    def faults(self, value: Any, attribute: Attribute) -> Iterator[ValueMismatch]:
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
                yield ValueMismatch(
                    R.wrong_value_length, f"expected {length} numbers{layout}", rest=f", got {len(value)}"
                )
            elif attribute.facts["read_as"] != "double":
                for index, item in enumerate(value):
                    yield from _number_faults(item, attribute, index)

    def unreadable(self, raw: Any, attribute: Attribute) -> ValueMismatch:
        """Return what is wrong with a value that LightNet cannot hold: its first element of another kind, or all of it."""
        wanted = _KINDS[attribute.kind]
        if not isinstance(raw, list):
            return ValueMismatch(R.wrong_attribute_type, f"expected {wanted}", rest=", got an object")
        if not raw:
            return ValueMismatch(R.wrong_attribute_type, f"expected {wanted}", rest=", got an empty list")
        kind = (
            attribute.kind.removesuffix("s") if attribute.kind in ("numbers", "strings", "bools") else kind_of(raw[0])
        )
        for index, item in enumerate(raw):
            if kind_of(item) != kind:
                better = _converted(item, kind)
                message, rest = f"expected {_KINDS.get(kind, 'a number')}", f", got {_described(item)}"
                return ValueMismatch(R.wrong_attribute_type, message, better, "safe", index, rest=rest)
        return ValueMismatch(R.wrong_attribute_type, f"expected {wanted}", rest=", got a list of lists")

    def adding(self, graph: Graph, node: Node, missing: Sequence[Attribute]) -> Repair | None:
        if not all("usual" in attribute.facts for attribute in missing):
            return None
        entries = [{"arg_name": attribute.name, "value": attribute.facts["usual"]} for attribute in missing]

        def fix(document: Document) -> Fix:
            assert isinstance(document, JsonDocument)
            text = ", ".join(map(document.dump, entries))
            edits = document.insert_item((*node.path, "params"), len(node.attrs), text)
            return Fix("Add " + " and ".join(f"`{attribute.name}`" for attribute in missing), edits, "unsafe")

        return fix


GRAMMAR = LightNetGrammar()


def _wrong_kind(value: Any, attribute: Attribute) -> ValueMismatch:
    kind = attribute.kind
    message, rest = f"expected {_KINDS[kind]}", f", got {_described(value)}"
    better = _converted(value, kind)
    if isinstance(better, list) and not isinstance(value, list):
        better *= attribute.facts.get("length", 1)  # one number for all axes
    if kind == "bool" and better is not NO_VALUE:
        return ValueMismatch(R.bool_string, message, better, "safe", rest=rest)
    return ValueMismatch(R.wrong_attribute_type, message, better, "safe", rest=rest)


def _converted(value: Any, kind: str) -> Any:
    """Return the only possible meaning of a value of the wrong type; NO_VALUE if there is none."""
    if isinstance(value, list) and len(value) == 1 and kind in ("string", "number", "bool"):
        value = value[0]
        if kind_of(value) == kind:
            return value
    if kind == "bool":
        words = {"true": True, "false": False, "0": False, "1": True}
        if isinstance(value, str):
            return words.get(value.strip().lower(), NO_VALUE)
        return bool(value) if kind_of(value) == "number" and value in (0, 1) else NO_VALUE
    if kind == "number" and isinstance(value, str):
        return _number(value)
    if kind == "string" and kind_of(value) == "number":
        return NO_VALUE
    if kind in ("numbers", "strings", "bools"):
        items = value if isinstance(value, list) else [value]
        parts = [item if kind_of(item) == kind[:-1] else _converted(item, kind[:-1]) for item in items]
        return parts if parts and NO_VALUE not in parts else NO_VALUE
    return NO_VALUE


def _number(text: str) -> Any:
    for convert in (int, float):
        try:
            number = convert(text)
        except ValueError:
            continue
        return number if text.strip() == text and abs(number) != float("inf") and number == number else NO_VALUE
    return NO_VALUE


def _unknown_word(value: str, attribute: Attribute) -> ValueMismatch:
    words = list(attribute.values)
    lenient = attribute.facts.get("enforced") is False
    severity = Severity.WARNING if lenient else None
    message = f"unknown value `{value}`" if value else "empty value"
    read_as = f"; LightNet reads it as `{words[0]}`" if lenient else ""
    by_case = next((word for word in words if word.casefold() == value.casefold()), None)
    if by_case is not None:
        safety: Safety = "unsafe" if lenient else "safe"
        rest = f"{read_as}; did you mean `{by_case}`?"
        return ValueMismatch(R.value_not_in_enum, message, by_case, safety, severity=severity, rest=rest)
    meant = _NUMPY.get(value.lower())
    meant = meant if meant in words else None
    meant = meant or next((w for w in words if w.rpartition("_")[2].casefold() == value.casefold()), None)
    meant = meant or nearest(value, words)
    if meant is not None and not (
        value.startswith("TL_") and attribute.name == "dtype" and abs(len(meant) - len(value)) > 1
    ):
        rest = f"{read_as}; did you mean `{meant}`?"
        return ValueMismatch(R.value_not_in_enum, message, meant, severity=severity, rest=rest)
    one_of = "one of " * (len(words) > 1)
    rest = f"{read_as}; expected {one_of}{', '.join(f'`{word}`' for word in words)}"
    return ValueMismatch(R.value_not_in_enum, message, severity=severity, rest=rest)


def _number_faults(value: Any, attribute: Attribute, index: int | None) -> Iterator[ValueMismatch]:
    """Report a number that is out of range, or that LightNet reads as another one."""
    read_as = attribute.facts["read_as"]
    held = _CONVERSIONS[read_as](value)
    lowest = attribute.facts.get("min")
    if read_as == "int":
        read = f", got `{value}`" + (f"; LightNet reads {held}" if held != value else "")
        if lowest is not None and held < lowest:
            yield ValueMismatch(
                R.value_out_of_range,
                f"expected at least {lowest}",
                element=index,
                rest=read,
            )
        elif held != value:
            yield ValueMismatch(R.lossy_number, "expected a 32-bit integer", held, element=index, rest=read)
    elif read_as == "float" and value != held and not FLT_MIN < value < FLT_MAX:
        message = f"expected {FLT_MIN:.4g} to {FLT_MAX:.4g}"
        yield ValueMismatch(R.lossy_number, message, element=index, rest=f", got `{value}`; LightNet reads {held:.4g}")
