"""Words of pnnx's operators: types of tensors, values of parameters. What is wrong with them, as pnnx reads them."""

from __future__ import annotations

import re
from functools import lru_cache

from irlint.checks.fault import NO_VALUE, Fault, asking
from irlint.codes import R, RuleRow, Severity
from irlint.graph import Dim, Type
from irlint.operators import Attribute, nearest
from irlint.text.numbers import integer
from irlint.text.words import count

DTYPES: dict[str, str | None] = {
    "f32": "float32", "f64": "float64", "f16": "float16", "bf16": "bfloat16", "i32": "int32", "i64": "int64", "i16": "int16", "i8": "int8",
    "u8": "uint8", "bool": "bool", "c64": "complex64", "c128": "complex128", "c32": "complex32", "null": None,
}  # fmt: skip
_MEANT = {
    "": "f32", "fp32": "f32", "float32": "f32", "float": "f32", "fp16": "f16", "float16": "f16", "int32": "i32", "int64": "i64",
    "int8": "i8",
}  # fmt: skip
WHOLE = re.compile(r"-?[0-9]+")
_FLOAT = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?")
_COMPLEX = re.compile(r"[-+.e0-9]+j")
LITERAL = re.compile(rf"{WHOLE.pattern}|{_FLOAT.pattern}|{_COMPLEX.pattern}|None|True|False|-?(?:inf|nan)|torch\.\w+")
NUMERIC = re.compile(r"-?[0-9]")
_INT = (1 << 31) - 1
_ZERO = re.compile(r"-?0*(?:\.0*)?(?:e.*)?")
_LARGEST, _LEAST = 3.4028235e38, 1.1754943e-38  # of float: what is beyond throws
_SOUND_TYPE = re.compile(rf"\(([0-9]{{1,9}}(?:,[0-9]{{1,9}})*)\)({'|'.join(DTYPES)})")
_TENSOR = re.compile(rf"\([0-9,]*\)(?:{'|'.join(DTYPES)})")
_CLOSING = {"(": ")", "[": "]"}


def slip(
    rule: RuleRow, message: str, element: int | None = None, meant: str | None = None, severity: Severity | None = None
) -> Fault:
    """Return what is wrong with a value: with one element of it, if `element` says so. `meant` is what to write there."""
    return Fault(rule, "attr", message, None, meant or NO_VALUE, severity, element=element)


@lru_cache(maxsize=1 << 16)
def sound_type(value: str) -> Type | None:
    """Return a type such as `(1,3,8)f32`, all of whose sizes are known; None if it is not written like this."""
    match = _SOUND_TYPE.fullmatch(value)
    return Type(DTYPES[match[2]], tuple(map(int, match[1].split(",")))) if match else None


def type_slips(key: str, value: str, symbols: bool) -> tuple[Type, list[Fault]]:
    """Return a type such as `(1,3,?)f32`, and what is wrong with it. `symbols`: sizes may be unknown."""
    inner, end, word = value.removeprefix("(").rpartition(")")
    if not value.startswith("(") or not end:
        sign = ")" if value.startswith("(") else "("
        return Type(), [slip(R.syntax_error, f"missing `{sign}` in `{key}`; expected `(SIZE,...)DTYPE`")]
    slips = [] if word in DTYPES else [_unknown_dtype(key, inner, word, symbols)]
    items = inner.split(",")
    shape = [_size(item, symbols) for item in items]
    for k, item in enumerate(items):
        if shape[k] == "":
            got = f"got `{item}`" if item else "got nothing"
            slips.append(slip(R.syntax_error, f"expected a size in `{key}`, {got}", k if "," in inner else None))
    return Type(DTYPES.get(word), None if slips else tuple(shape)), slips


def _size(item: str, symbols: bool) -> Dim:
    """Return a size, None if it is unknown, or a symbol; an empty one if it is none of these."""
    if symbols and (item == "?" or item.startswith("%")):
        return item[1:] or None
    if not WHOLE.fullmatch(item) or not -symbols <= integer(item) <= _INT:
        return ""
    return int(item) if int(item) >= 0 else None


def _unknown_dtype(key: str, inner: str, word: str, symbols: bool) -> Fault:
    close = _MEANT.get(word) or nearest(word, tuple(DTYPES))
    loss = "does not know the tensor's type" if symbols else "does not load the tensor"
    message = f"unknown dtype `{word}`: pnnx {loss}" if word else f"missing dtype in `{key}`; pnnx {loss}"
    severity = Severity.WARNING if symbols else None
    fault = slip(R.value_not_in_enum, message, None, f"({inner}){close}" if close else None, severity)
    return fault._replace(meant=close, hint=asking(close) if word else "")


def value_slip(key: str, value: str) -> Fault | None:
    """Return what is wrong with the value of a parameter, whatever it is for."""
    if "%" in value or value in ("", "()", "[]"):
        return None
    if value[0] not in _CLOSING:
        return _number_slip(key, value) if NUMERIC.match(value) else _word_slip(key, value)
    if _TENSOR.fullmatch(value):
        message = f"`{key}` is written as a parameter, but has the type of a tensor; did you mean `@{key}`?"
        return Fault(R.unknown_attribute, "attr_key", message, None, f"@{key}")
    if value[-1] != (sign := _CLOSING[value[0]]):
        return slip(R.syntax_error, f"missing `{sign}` at the end of `{key}`; pnnx drops the last character")
    return _list_slip(key, value[1:-1].split(","))


def _list_slip(key: str, items: list[str]) -> Fault | None:
    """Return what is wrong with a list: an element, or elements of several kinds."""
    words = [k for k, item in enumerate(items) if not NUMERIC.match(item)]
    for k, item in enumerate(items):
        if not item:
            return slip(R.syntax_error, f"missing value in the list of `{key}`; pnnx reads the list as words", k)
        if NUMERIC.match(item) and (found := _number_slip(key, item)) is not None:
            return found._replace(element=k if len(items) > 1 else None)
    if words:
        mixed = len(words) < len(items) and not any(items[k][0] == "@" for k in words)
        message = f"words and numbers in the list of `{key}`; pnnx keeps those of one kind"
        return slip(R.wrong_attribute_type, message, words[0], severity=Severity.WARNING) if mixed else None
    integers = [k for k, item in enumerate(items) if not _is_float(item)]
    if len(integers) in (0, len(items)):
        return None
    k = integers[0]
    message = f"integer `{items[k]}` in the floats of `{key}`; pnnx keeps numbers of one kind"
    return slip(R.wrong_attribute_type, message, k, f"{items[k]}.0")


def kind_slip(attribute: Attribute, value: str) -> Fault | None:
    """Return what is wrong with the value of a parameter that pnnx knows: it would read the default of another kind."""
    key, length = attribute.name, attribute.facts.get("length")
    if "%" in value or value == "None":
        return None
    if length and (value[:1] in _CLOSING or WHOLE.fullmatch(value)):
        return _length_slip(key, value, length)
    if attribute.kind == "bool" and value not in ("True", "False"):
        close = nearest(value, ("True", "False"))
        return slip(R.value_not_in_enum, f"expected `True` or `False` for `{key}`, got `{value}`", None, close)
    if attribute.kind == "int" and not NUMERIC.match(value):
        return slip(R.wrong_attribute_type, f"expected an integer for `{key}`, got `{value}`; pnnx reads another kind")
    if attribute.values and value not in attribute.values:
        message = f"unknown value `{value}` for `{key}`; allowed values: {', '.join(attribute.values)}"
        return slip(R.value_not_in_enum, message, None, nearest(value, attribute.values))
    return None


def _length_slip(key: str, value: str, length: int) -> Fault | None:
    if value[0] not in _CLOSING:  # one number, as PyTorch takes it; pnnx would read behind the end of an empty list
        message = f"expected {count(length, 'number')} in `{key}`, got `{value}`"
        return slip(R.wrong_value_length, message, None, f"({','.join([value] * length)})")
    given = value.count(",") + 1
    message = f"expected {count(length, 'number')} in `{key}`, got {given}"
    return None if given == length else slip(R.wrong_value_length, message)


def _word_slip(key: str, value: str) -> Fault | None:
    known = ("None", "True", "False")
    if (
        value in known or value == "none" or (close := nearest(value, known)) is None
    ):  # approximate=none, as PyTorch has it
        return None
    message = f"unknown word `{value}` in `{key}`; did you mean `{close}`?"
    return slip(R.value_not_in_enum, message, None, close, Severity.WARNING)


def _is_float(text: str) -> bool:
    return "." in text or "e" in text


def _number_slip(key: str, text: str) -> Fault | None:
    """Return what is wrong with a value that begins as a number."""
    if WHOLE.fullmatch(text):
        is_wrong, problem = not -_INT - 1 <= integer(text) <= _INT, "is too large for an int"
    elif _FLOAT.fullmatch(text):
        is_wrong = not _ZERO.fullmatch(text) and not _LEAST <= abs(float(text)) <= _LARGEST
        problem = "is out of the range of float"
    elif _COMPLEX.fullmatch(text):
        return None
    else:
        match = (_FLOAT if _is_float(text) else WHOLE).match(text)
        assert match is not None
        return slip(R.syntax_error, f"expected a number in `{key}`, got `{text}`; pnnx reads `{match[0]}`")
    return slip(R.number_out_of_range, f"`{text}` in `{key}` {problem}; pnnx aborts") if is_wrong else None
