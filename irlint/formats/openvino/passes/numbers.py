"""Numbers as the reader parses them: up to the first invalid character; lists of them, separated by commas."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from math import isinf, isnan
from operator import gt, le, lt

from irlint.checks.fault import Fault
from irlint.findings import Severity
from irlint.formats.openvino.passes.flaws import got, is_plain, trailing_comma, wrong
from irlint.formats.openvino.rules import R
from irlint.operators import Attribute
from irlint.text.numbers import integer

INTEGER = re.compile(r"[ \t\n\v\f\r]*(-?\d+)", re.ASCII)  # a plus sign is refused (2026.4.1), but not before a float
# OpenVINO 2026.4.1: '+0.5', '.5' and '1.' are read, '0x1p1' is 0; '1e', 'Infinity' and 'x' are refused
FLOAT = re.compile(
    r"[ \t\n\v\f\r]*([+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|nan))",
    re.ASCII | re.IGNORECASE,
)
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*")
_LONGEST = 200  # characters of a value in which a number is looked for
_LIMITS = (
    ("least", "at least", lt),
    ("above", "more than", le),
    ("most", "at most", gt),
)


def number_faults(text: str, attribute: Attribute, inner: tuple[int, int] | None = None) -> Iterator[Fault]:
    """Check one number; `inner` is where it is in a list."""
    is_int = attribute.kind.startswith("int")
    what, told = f"expected {'an integer' if is_int else 'a number'}", got(text if inner is None else text.strip())
    found = (INTEGER if is_int else FLOAT).match(text)
    if found is None or not (is_int or _is_whole(text, found)):
        yield _unreadable(text, attribute, inner)
        return
    word = found[1]
    if unfit := _too_large(word, is_int, inner is not None):
        yield wrong(R.wrong_attribute_type, attribute, unfit, told, inner=inner)
        return
    # OpenVINO 2026.4.1 reads '1.7' as 1, '3x' as 3, '1e3' as 1, and the float '0,5' as 0; in lists '1 1' and '1;1' are one number
    if text[found.end() :].strip():
        is_decimal = not is_int and inner is None and _DECIMAL_COMMA.fullmatch(text)
        better = text.strip().replace(",", ".") if is_decimal else None
        rest = f"{told}; OpenVINO reads it as {word}"
        yield wrong(R.lossy_number, attribute, what, rest, Severity.WARNING, better, inner=inner, taken=word)
    if bound := _bound(integer(word) if is_int else float(word), attribute):
        limit, severity = bound
        yield wrong(R.value_out_of_range, attribute, f"expected {limit}", told, severity, inner=inner)


def _unreadable(text: str, attribute: Attribute, inner: tuple[int, int] | None) -> Fault:
    is_int, better = attribute.kind.startswith("int"), _in_digits(text)
    what = f"expected {'an integer' if is_int else 'a number'}"
    sure = False
    if is_int and better is not None and better.startswith("+"):
        what, better = f"{what} without a plus sign", better[1:]
        sure = text.strip()[1:] == better
    told = got(text if inner is None else text.strip())
    return wrong(R.wrong_attribute_type, attribute, what, told, better=better, is_safe=sure, inner=inner)


def _in_digits(text: str) -> str | None:
    """Return the only number in a text that does not start with it."""
    found = re.findall(r"[+-]?\d+(?:\.\d+)?", text, re.ASCII) if len(text) < _LONGEST else []
    return found[0] if len(found) == 1 else None


def _is_whole(text: str, found: re.Match[str]) -> bool:
    """Return whether the reader accepts a match as a float (2026.4.1).

    An exponent requires digits; nan, inf and -inf are the only accepted words.
    """
    word, rest = found[1], text[found.end() :]
    if word[-1].isalpha():
        return text.strip() in ("nan", "inf", "-inf")
    return rest[:1] not in ("e", "E") or "e" in word.lower()


def _too_large(word: str, is_int: bool, is_listed: bool) -> str:
    """Return what is expected instead of a number that the reader cannot hold: lists hold numbers of 32 bits."""
    if is_int:
        return "" if -(1 << 63) <= integer(word) < 1 << 63 else "expected a 64-bit integer"
    if word[-1].isalpha() or not isinf(_single(float(word)) if is_listed else float(word)):
        return ""
    return f"expected a number that fits into {32 if is_listed else 64} bits"


def _single(value: float) -> float:
    """Return a number rounded to 32 bits, which is how it is stored, even if the reader parses it with 64."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return value * float("inf")


def _bound(value: float, attribute: Attribute) -> tuple[str, Severity] | None:
    """Return what is expected of a number that is out of bounds, and how severe that is."""
    facts = attribute.facts
    is_refused = "refused" in (facts.get("negative"), facts.get("zero"))
    if attribute.kind == "float" and is_refused:
        value = _single(value)
    if isinf(value) and facts.get("endless"):
        return None
    if isnan(value) or isinf(value):
        return "a finite number", Severity.ERROR if is_refused else Severity.WARNING
    who = facts.get("negative" if value < 0 else "zero" if value == 0 else "positive")
    severity = Severity.ERROR if who else Severity.WARNING
    broken = (
        f"{words} {facts[fact]}"
        for fact, words, is_beyond in _LIMITS
        if fact in facts and is_beyond(value, facts[fact])
    )
    return next(((limit, severity) for limit in broken), None)


def list_faults(text: str, attribute: Attribute) -> Iterator[Fault]:
    facts, rule = attribute.facts, R.wrong_attribute_type
    lengths, length = facts.get("lengths"), text.rstrip().rstrip(",").count(",") + 1
    if not text:
        yield from _empty(attribute)
    elif not text.strip():
        yield wrong(rule, attribute, "expected an empty list without spaces", got(text), better="", is_safe=True)
    elif lengths and length not in lengths:
        wanted = f"{' or '.join(map(str, lengths))} {'value' if lengths == [1] else 'values'}"
        yield wrong(R.wrong_value_length, attribute, f"expected {wanted}", f", got {length}")
    elif not facts and is_plain(text):
        return
    elif "," not in text and len(text.split()) > 1:
        what, rest = "expected values separated by commas", f"{got(text)}; OpenVINO reads only the first number"
        first, better = text.split()[0], ", ".join(text.split())
        yield wrong(R.lossy_number, attribute, what, rest, Severity.WARNING, better, taken=first)
    elif text.lstrip()[:1] in "[(":
        better = text.strip().strip("[]()").strip()
        yield wrong(rule, attribute, "expected a list without brackets", got(text), better=better, is_safe=True)
    else:
        yield from _elements(text, attribute)


def _empty(attribute: Attribute) -> Iterator[Fault]:
    """Report an empty list where at least one number is needed."""
    what, rule, taken = "expected at least 1 value", R.wrong_value_length, attribute.facts.get("fallback")
    if attribute.facts.get("empty"):
        yield wrong(rule, attribute, what, ", got 0; OpenVINO fails on an empty list")
    elif attribute.required and attribute.kind == "int[]":
        yield wrong(
            rule, attribute, what, ", got 0" + (f"; OpenVINO uses `{taken}`" if taken else ""), Severity.WARNING
        )


def _elements(text: str, attribute: Attribute) -> Iterator[Fault]:
    pieces, at = text.split(","), 0
    last = pieces[-1]
    if len(pieces) > 1 and not last.strip():
        if pieces[-2].strip():
            rule, severity = (R.wrong_attribute_type, Severity.ERROR) if last else (R.lossy_number, Severity.WARNING)
            yield trailing_comma(text, attribute, rule, severity)
            pieces.pop()
        elif not last:
            pieces.pop()  # the comma before it is reported
    for k, piece in enumerate(pieces):
        inner = (at, at + len(piece))
        at += len(piece) + 1
        for fault in number_faults(piece, attribute, inner):
            others = text.split(",") if fault.has_fix else []
            yield fault._replace(better=",".join([*others[:k], fault.better, *others[k + 1 :]])) if others else fault
