"""Attribute values as the reader takes them: words, booleans and element types. Numbers are in `numbers`, shapes in `dimensions`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from irlint.checks.fault import Fault
from irlint.findings import Severity
from irlint.formats.openvino.passes.flaws import got, quoted, taken_without, wrong
from irlint.formats.openvino.passes.numbers import list_faults, number_faults
from irlint.formats.openvino.reading.dimensions import shape_faults
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES
from irlint.formats.openvino.rules import R
from irlint.operators import Attribute
from irlint.text.words import count
from irlint.tools.names import abbreviated, is_sure, nearest, plain

# what may be meant by a word that the reader does not take for a boolean
_MEANT = {"yes": "true", "y": "true", "on": "true", "t": "true", "ture": "true", "no": "false", "n": "false", "off": "false",
          "f": "false", "none": "false", "flase": "false", "true": "true", "1": "true", "false": "false", "0": "false"}  # fmt: skip
_TYPE_NAMES = {
    "fp32": "f32", "float": "f32", "float32": "f32", "single": "f32", "fp16": "f16", "half": "f16", "float16": "f16",
    "fp64": "f64", "double": "f64", "float64": "f64", "bfloat16": "bf16", "int": "i32", "long": "i64",
    "int4": "i4", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint4": "u4", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "bin": "u1", "bool": "boolean",
    "unspecified": "dynamic",
}  # fmt: skip
_USUAL_TYPES = "`f32`, `f16`, `i64`, `i32`, `i8`, `u8`, `boolean`"


def faults(text: str, attribute: Attribute) -> Iterator[Fault]:
    """Yield what is wrong with a value."""
    judge = _JUDGES.get(attribute.kind)
    return iter(()) if judge is None else judge(text, attribute)


def _boolean(text: str, attribute: Attribute) -> Iterator[Fault]:
    if text in ("true", "false"):
        return
    # OpenVINO 2026.4.1: letter case is free; any other text, 'yes' and ' true' too, leaves the default, silently
    word = text.lower()
    if word in ("true", "false", "1", "0"):
        right = _MEANT[word]
        yield wrong(R.bool_string, attribute, f"expected `{right}`", got(text), Severity.PEDANTIC, right, True)
        return
    taken = taken_without(attribute)
    meant = _MEANT.get(word.strip()) or nearest(word.strip(), ["true", "false"])
    rest = f"{got(text)}; OpenVINO silently uses the default" + (f" `{taken}`" if taken else "")
    what, is_safe = "expected `true` or `false`", meant == taken
    yield wrong(R.bool_string, attribute, what, rest, Severity.WARNING, meant, is_safe, taken=taken)


def _enum(text: str, attribute: Attribute) -> Iterator[Fault]:
    words, facts, rule = attribute.values, attribute.facts, R.value_not_in_enum
    if text in words or (facts.get("writer") == "upper" and text in {w.upper() for w in words}):
        return
    # OpenVINO 2026.4.1 takes enum values in any letter case ('SAME_UPPER', 'MAX')
    same = next((w for w in words if w.lower() == text.lower()), None)
    if text.lower() in facts.get("also", ()):
        rest = f"; OpenVINO accepts it, but the specification allows only {_listed(words)}"
        yield wrong(rule, attribute, f"non-standard value {quoted(text)}", rest, Severity.WARNING)
    elif same is not None and facts.get("exact"):
        rest = f"{got(text)}; this value is case-sensitive"
        yield wrong(rule, attribute, f"expected `{same}`", rest, better=same, is_safe=True)
    elif same is not None and not facts.get("open"):
        yield wrong(rule, attribute, f"expected `{same}`", got(text), Severity.WARNING, same, True)
    else:
        yield _unknown_value(text, attribute, same)


def _unknown_value(text: str, attribute: Attribute, same: str | None) -> Fault:
    words, is_open = attribute.values, attribute.facts.get("open", False)
    bare = text.strip().strip("'\"").strip()
    meant = same or nearest(bare, words) or abbreviated(bare, words)
    sure = meant is not None and not is_open and is_sure(bare, meant, words)
    severity = Severity.WARNING if is_open else Severity.ERROR
    return wrong(R.value_not_in_enum, attribute, _unknown(text), _instead(meant, words), severity, meant, sure)


def _element_type(text: str, attribute: Attribute) -> Iterator[Fault]:
    words, facts, rule, word = attribute.values, attribute.facts, R.value_not_in_enum, text.lower()
    allowed = words or ELEMENT_TYPES
    if word in facts.get("refused", ()):
        better = next(value for value in words if value not in facts["refused"])
        rest = f"; the CPU plug-in accepts only `{better}`"
        yield wrong(rule, attribute, f"unsupported value {quoted(text)}", rest, better=better)
    elif text in allowed:
        if ELEMENT_TYPES[text] is None and not facts.get("dynamic"):
            rest = f"{got(text)}; no device can run a tensor of unknown type"
            yield wrong(rule, attribute, "expected a known element type", rest)
    elif word in ELEMENT_TYPES and word in allowed:  # OpenVINO 2026.4.1 takes F32 for f32, but not FP32
        yield wrong(rule, attribute, f"expected `{word}`", got(text), Severity.WARNING, word, True)
    elif word in ELEMENT_TYPES:
        milder = Severity.WARNING if facts.get("open") else Severity.ERROR
        yield wrong(rule, attribute, f"unsupported value {quoted(text)}", f"; expected {_one_of(words)}", milder)
    else:
        yield _unknown_type(text, attribute)


def _unknown_type(text: str, attribute: Attribute) -> Fault:
    meant, words = _type_meant(text), attribute.values
    if words and meant not in words:
        meant = None
    sure = meant is not None and plain(text.strip().strip("'\"")) in (meant, *_TYPE_NAMES)
    rest = _instead(meant, words) if words or meant else f"; expected one of {_USUAL_TYPES}, ..."
    return wrong(R.value_not_in_enum, attribute, _unknown(text, "element type"), rest, better=meant, is_safe=sure)


def _unknown(text: str, word: str = "value") -> str:
    return f"unknown {word} {quoted(text)}" if text else f"empty {word}"


def _instead(meant: str | None, words: Sequence[str]) -> str:
    return f"; did you mean `{meant}`?" if meant else f"; expected {_one_of(words)}"


def _one_of(words: Sequence[str]) -> str:
    return f"{'' if len(words) == 1 else 'one of '}{_listed(words)}"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"`{word}`" if word else "an empty string" for word in words)


def _type_meant(text: str) -> str | None:
    """Return the intended element type: its name in other tools, or a misspelling with the same number of bits."""
    word = plain(text.strip().strip("'\""))
    if word in ELEMENT_TYPES or word in _TYPE_NAMES:
        return _TYPE_NAMES.get(word, word)
    bits = re.sub(r"\D", "", word)
    close = nearest(word, [known for known in (*ELEMENT_TYPES, *_TYPE_NAMES) if re.sub(r"\D", "", known) == bits])
    return None if close is None else _TYPE_NAMES.get(close, close)


def _words(text: str, attribute: Attribute) -> Iterator[Fault]:
    """Check a list of words, such as the names of activation functions."""
    length, known = attribute.facts.get("length"), attribute.values
    words = [word.strip() for word in text.removesuffix(",").split(",")][:length] if text else []  # it reads no more
    odd = next((word for word in words if known and word not in known), None)
    if odd is not None:
        yield _unknown_word(words, odd, attribute)
    elif length is not None and len(words) < length:
        yield wrong(R.wrong_value_length, attribute, f"expected {count(length, 'value')}", f", got {len(words)}")


def _unknown_word(words: list[str], odd: str, attribute: Attribute) -> Fault:
    known, rule = attribute.values, R.value_not_in_enum
    meant = [_word_meant(word, known) for word in words]
    is_safe = all(is_sure for _, is_sure in meant)
    if odd.lower() in known:
        better = ", ".join(one or word for (one, _), word in zip(meant, words, strict=True))
        return wrong(rule, attribute, f"expected `{odd.lower()}`", got(odd), Severity.WARNING, better, is_safe)
    found = [one for one, _ in meant if one]
    is_whole = len(found) == len(words)
    rest = _instead(_word_meant(odd, known)[0], known)
    return wrong(rule, attribute, _unknown(odd), rest, better=", ".join(found) if is_whole else None, is_safe=is_safe)


def _word_meant(word: str, words: tuple[str, ...]) -> tuple[str | None, bool]:
    """Return the intended word, and whether there is no other candidate."""
    if word.lower() in words:
        return word.lower(), True
    found = nearest(word, words) or abbreviated(word, words)
    return found, found is not None and is_sure(word, found, words)


_JUDGES = {
    "boolean": _boolean, "enum": _enum, "element_type": _element_type, "int": number_faults, "float": number_faults,
    "int[]": list_faults, "float[]": list_faults, "string[]": _words, "partial_shape": shape_faults, "shape": shape_faults,
}  # fmt: skip
