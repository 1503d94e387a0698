"""Words of pnnx's operators: parameters, types of tensors, expressions. What is wrong with them, as pnnx reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from irlint.checks.fault import NO_VALUE, Fault
from irlint.codes import R, RuleRow, Severity
from irlint.graph import Dim, Type
from irlint.operators import Attribute, nearest, table
from irlint.records import NamedTuple
from irlint.text.numbers import integer
from irlint.text.words import count

DTYPES: dict[str, str | None] = {
    "f32": "float32", "f64": "float64", "f16": "float16", "bf16": "bfloat16", "i32": "int32", "i64": "int64", "i16": "int16", "i8": "int8",
    "u8": "uint8", "bool": "bool", "c64": "complex64", "c128": "complex128", "c32": "complex32", "null": None,
}  # fmt: skip
_WHOLE = re.compile(r"-?[0-9]+")
_FLOAT = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?")
_COMPLEX = re.compile(r"[-+.e0-9]+j")
_NUMERIC = re.compile(r"-?[0-9]")
_LARGEST, _LEAST = 3.4028235e38, 1.1754943e-38  # of float: what is beyond throws
_TENSOR = re.compile(r"\([0-9,]*\)([a-z]+[0-9]*)")
_TOKENS = re.compile(r"[^(),\[\]]+|\[|[(),\]]")


def slip(
    rule: RuleRow, message: str, element: int | None = None, meant: str | None = None, severity: Severity | None = None,
    key: str = "",
) -> Fault:  # fmt: skip
    """Return what is wrong with a word: with one element of its value, if `element` says so. `meant` is what to write there, `key` what
    the parameter should be called. Whoever has the word names the part."""
    better = key or meant or NO_VALUE
    return Fault(rule, "attr_key" if key else "attr", message, None, better, severity, element=element)


class Facts(NamedTuple):
    """What one line says: the types of operands, weights by name, and what is wrong with its words."""

    types: Mapping[str, Type]
    weights: Mapping[str, Type]
    slips: Sequence[Fault]


def type_slips(key: str, value: str, symbols: bool) -> tuple[Type, list[Fault]]:
    """Return a type such as `(1,3,?)f32`, and what is wrong with it. `symbols`: sizes may be unknown."""
    inner, end, word = value.removeprefix("(").rpartition(")")
    if not value.startswith("(") or not end:
        sign = ")" if value.startswith("(") else "("
        return Type(), [slip(R.syntax_error, f"missing `{sign}` in `{key}`; expected `(SIZE,...)DTYPE`")]
    slips = []
    if word not in DTYPES:
        close = {"": "f32", **_OTHER}.get(word) or nearest(word, tuple(DTYPES))
        hint = f"; did you mean `{close}`?" if close else ""
        loss = "does not know the tensor's type" if symbols else "does not load the tensor"
        message = f"unknown dtype `{word}`: pnnx {loss}{hint}" if word else f"missing dtype in `{key}`; pnnx {loss}"
        severity = Severity.WARNING if symbols else None
        slips.append(slip(R.value_not_in_enum, message, None, f"({inner}){close}" if close else None, severity))
    shape: list[Dim] = []
    for k, item in enumerate(inner.split(",")):
        if symbols and (item == "?" or item.startswith("%")):
            shape.append(item[1:] or None)
        elif _WHOLE.fullmatch(item) and -symbols <= integer(item) <= _INT:
            shape.append(int(item) if int(item) >= 0 else None)
        else:
            what = f"got `{item}`" if item else "got nothing"
            slips.append(slip(R.syntax_error, f"expected a size in `{key}`, {what}", k if "," in inner else None))
    return Type(DTYPES.get(word), None if slips else tuple(shape)), slips


_INT = (1 << 31) - 1
_OTHER = {
    "fp32": "f32",
    "float32": "f32",
    "float": "f32",
    "fp16": "f16",
    "float16": "f16",
    "int32": "i32",
    "int64": "i64",
    "int8": "i8",
}


def value_slip(key: str, value: str) -> Fault | None:
    """Return what is wrong with the value of a parameter."""
    if "%" in value or value in ("()", "[]"):
        return None
    if value[0] not in "([":
        return _number_slip(key, value) if _NUMERIC.match(value) else _word_slip(key, value)
    if (match := _TENSOR.fullmatch(value)) and match[1] in DTYPES:
        message = f"`{key}` is written as a parameter, but has the type of a tensor; did you mean `@{key}`?"
        return slip(R.unknown_attribute, message, key=f"@{key}")
    if value[-1] != {"(": ")", "[": "]"}[value[0]]:
        sign = ")" if value[0] == "(" else "]"
        return slip(R.syntax_error, f"missing `{sign}` at the end of `{key}`; pnnx drops the last character")
    items = value[1:-1].split(",")
    words = [k for k, item in enumerate(items) if not _NUMERIC.match(item)]
    is_word = set(words)
    for k, item in enumerate(items):
        if not item:
            return slip(R.syntax_error, f"missing value in the list of `{key}`; pnnx reads the list as words", k)
        if k not in is_word and (found := _number_slip(key, item)) is not None:
            return found._replace(element=k if len(items) > 1 else None)
    if words:
        mixed = len(words) < len(items) and not any(items[k][0] == "@" for k in words)
        message = f"words and numbers in the list of `{key}`; pnnx keeps those of one kind"
        return slip(R.wrong_attribute_type, message, words[0], severity=Severity.WARNING) if mixed else None
    floats = ["." in item or "e" in item for item in items]
    if all(floats) or not any(floats):
        return None
    k = floats.index(False)
    message = f"integer `{items[k]}` in the floats of `{key}`; pnnx keeps numbers of one kind"
    return slip(R.wrong_attribute_type, message, k, f"{items[k]}.0")


def kind_slip(attribute: Attribute, value: str) -> Fault | None:
    """Return what is wrong with the value of a parameter that pnnx knows: it would read the default of another kind."""
    key, is_list = attribute.name, value[:1] in ("(", "[")
    if "%" in value or value == "None":
        return None
    length = attribute.facts.get("length")
    if length and is_list and (found := value.count(",") + 1) != length:
        message = f"expected {count(length, 'number')} in `{key}`, got {found}"
        return slip(R.wrong_value_length, message)
    if length and _WHOLE.fullmatch(value):  # as PyTorch takes it; pnnx would read behind the end of an empty list
        message = f"expected {count(length, 'number')} in `{key}`, got `{value}`"
        return slip(R.wrong_value_length, message, None, f"({','.join([value] * length)})")
    if attribute.kind == "bool" and value not in ("True", "False"):
        close = nearest(value, ("True", "False"))
        return slip(R.value_not_in_enum, f"expected `True` or `False` for `{key}`, got `{value}`", None, close)
    if attribute.kind == "int" and not _NUMERIC.match(value):
        return slip(R.wrong_attribute_type, f"expected an integer for `{key}`, got `{value}`; pnnx reads another kind")
    if attribute.values and value not in attribute.values:
        close, allowed = nearest(value, attribute.values), ", ".join(attribute.values)
        message = f"unknown value `{value}` for `{key}`; allowed values: {allowed}"
        return slip(R.value_not_in_enum, message, None, close)
    return None


def _word_slip(key: str, value: str) -> Fault | None:
    known = ("None", "True", "False", "none")  # the last is a word of PyTorch: approximate=none
    close = nearest(value, known[:3]) if value not in known else None
    if close is None:
        return None
    message = f"unknown word `{value}` in `{key}`; did you mean `{close}`?"
    return slip(R.value_not_in_enum, message, None, close, Severity.WARNING)


def _number_slip(key: str, text: str) -> Fault | None:
    if _WHOLE.fullmatch(text):
        if -_INT - 1 <= integer(text) <= _INT:
            return None
        return slip(R.number_out_of_range, f"`{text}` in `{key}` is too large for an int; pnnx aborts")
    if _FLOAT.fullmatch(text):
        size = abs(float(text))
        if (size == 0 and not text.strip("-0.").partition("e")[0].strip("0.")) or _LEAST <= size <= _LARGEST:
            return None
        return slip(R.number_out_of_range, f"`{text}` in `{key}` is out of the range of float; pnnx aborts")
    if _COMPLEX.fullmatch(text):
        return None
    is_float = "." in text or "e" in text
    match = (_FLOAT if is_float else _WHOLE).match(text)
    assert match is not None
    return slip(R.syntax_error, f"expected a number in `{key}`, got `{text}`; pnnx reads `{match[0]}`")


def expression_slips(text: str, inputs: int) -> Iterator[Fault]:
    """Yield what is wrong with an expression. pnnx reads its words from the end, whatever the brackets are."""
    functions = table("pnnx").raw["functions"]
    arguments = {name: number for number in (1, 2) for name in functions[str(number)]} | {"size": 1}
    words = _TOKENS.findall(text)
    depth: list[str] = []
    held, is_known = 0, True
    told: set[tuple[str, bool]] = set()  # each is reported once
    for word in words:
        if word in "([":
            depth.append(word)
        elif word in ")]" and (not depth or depth.pop() + word not in ("()", "[]")):
            depth.append("?")
            break
    for k in range(len(words) - 1, -1, -1):
        word = words[k]
        if word in "(),]":
            continue
        if word.startswith("@"):
            held += 1
            if not _INPUT.fullmatch(word) or integer(word[1:]) >= inputs:
                yield slip(R.index_out_of_range, f"`{word}` in `expr`: the operator has no such input; it has {inputs}")
        elif word == "[":
            held = 1
        elif (needs := arguments.get(word)) is not None:
            if held < needs:
                yield slip(R.syntax_error, f"expected {needs} arguments of `{word}` in `expr`, got {held}; pnnx aborts")
            held = max(held - needs, 0) + 1 if word != "size" or held < 2 else held - 1
        else:
            held += 1
            is_function = words[k + 1 : k + 2] == ["("]
            is_known &= not is_function  # how many arguments another function takes is not known
            if (word, is_function) not in told and (is_function or not (_literal(word) or _CONSTANT.fullmatch(word))):
                told.add((word, is_function))
                close = nearest(word, tuple(arguments)) if is_function and len(told) <= _CORRECTED else None
                hint = f"; did you mean `{close}`?" if close else ""
                what = "number" if _NUMERIC.match(word) else "function" if is_function else "word"
                meant = text.replace(f"{word}(", f"{close}(") if close else None
                severity = Severity.WARNING if what == "word" and word.isidentifier() else None
                yield slip(R.unknown_operator, f"unknown {what} `{word}` in `expr`{hint}", None, meant, severity)
    if depth:
        message = "brackets in `expr` do not match; pnnx does not look at them"
        yield slip(R.syntax_error, message, severity=Severity.WARNING)
    if is_known and not text.startswith("[") and held != 1:
        message = f"expected one value of `expr`, got {held}; pnnx takes the first"
        yield slip(R.wrong_value_length, message)


_CORRECTED = 8  # unknown words of an expression that are corrected: each correction is the whole expression
_CONSTANT = re.compile(r"None|True|False|-?(?:inf|nan)|torch\.\w+")
_INPUT = re.compile(r"@[0-9]+")


def _literal(word: str) -> bool:
    return bool(_WHOLE.fullmatch(word) or _FLOAT.fullmatch(word) or _COMPLEX.fullmatch(word))
