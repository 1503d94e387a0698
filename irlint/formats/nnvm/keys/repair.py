"""What the text of an attribute that no reader takes was probably meant to say."""

from __future__ import annotations

import re
from math import isinf

from irlint.findings import Safety
from irlint.formats.nnvm.reading.json_values import as_text
from irlint.formats.nnvm.reading.values import INTEGERS, BadValue, read
from irlint.operators import Attribute
from irlint.records import NamedTuple
from irlint.text.numbers import integer
from irlint.tools import later
from irlint.tools.names import abbreviated, is_sure, nearest

_INTEGRAL = frozenset(("shape", "ints", "slice"))  # tuples of whole numbers
_BOOLS = {
    **dict.fromkeys(("true", "t", "yes", "y", "on", "1"), "True"),
    **dict.fromkeys(("false", "f", "no", "n", "off", "0"), "False"),
}
_PUNCTUATED = later(r"[\s()\[\]{};,]*(?:-?[0-9]+(?:\.0*)?L?(?![0-9.])[\s()\[\]{};,]*)*", re.ASCII)
_TIDY = later(r"(?P<open>[(\[{])?\s*-?[0-9.]+L?(?:\s*[,;]\s*-?[0-9.]+L?)*\s*(?:,\s*)?(?(open)[)\]}])", re.ASCII)
_WHOLE = later(r"-?[0-9]+", re.ASCII)
_TOKEN = later(r"[+-]?0[xX][0-9a-fA-F]+|[A-Za-z]{3,}", re.ASCII)
_ONE_NUMBER = later(r"[^0-9.\-]*(-?[0-9]+)[^0-9.\-]*", re.ASCII)
_THOUSANDS = later(r"[0-9]{1,3}(?:[ ,'_][0-9]{3})+", re.ASCII)
_OTHER_MARKS = str.maketrans("xX*/|_<>", ",,,,,,()")
_NESTED = later(r"[(\[{]+([^()\[\]{}]*)[)\]}]+")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_DIGITS = {word: str(number) for number, word in enumerate(_WORDS)}
_MEANS = {"mean": "avg"}  # synonyms that no likeness tells
_LONGEST = 200


class ValueRepair(NamedTuple):
    text: str
    safety: Safety


def repair(attribute: Attribute, text: str) -> ValueRepair | None:
    """Return a text of the kind that says what this one seems to say; unsafe where that is a guess."""
    found = _repair(attribute, text.strip().strip("'\"").strip())
    return found if found is not None and takes(attribute, found.text) else None


def takes(attribute: Attribute, text: str) -> bool:
    """Return whether a text is one that the loader reads and whose value is not out of bounds."""
    try:
        value = read(attribute, text)
    except BadValue:
        return False
    facts = attribute.facts
    if isinstance(value, tuple):
        return len(value) in facts.get("ranks", (len(value),)) and not (facts.get("nonzero") and 0 in value)
    low, high = facts.get("min"), facts.get("max")
    return not isinstance(value, (int, float)) or ((low is None or value >= low) and (high is None or value <= high))


def without_sign(attribute: Attribute, text: str) -> str | None:
    """Return a negative number without its sign, where that is in its bounds."""
    sign, _, better = text.partition("-")
    return better if attribute.kind in INTEGERS and not sign.strip() and better and takes(attribute, better) else None


def _repair(attribute: Attribute, bare: str) -> ValueRepair | None:
    kind = attribute.kind
    if kind == "bool":
        return _bool(bare)
    if kind == "enum":
        return _enum(attribute, bare)
    if kind in INTEGERS:
        return _integer(bare)
    if kind in ("float", "double"):
        return _real(bare)
    return _tuple(bare) if kind in _INTEGRAL else None


def _graded(text: str, is_safe: bool) -> ValueRepair:
    return ValueRepair(text, "safe" if is_safe else "unsafe")


def _bool(bare: str) -> ValueRepair | None:
    if (meant := _BOOLS.get(bare.casefold())) is not None:
        return ValueRepair(meant, "safe")
    if (number := _number(bare)) in (0, 1):
        return ValueRepair(str(bool(number)), "safe")
    words = ("True", "False")
    close = nearest(bare, words) if len(bare) > 2 else None
    return _graded(close, is_sure(bare, close, words)) if close else None


def _enum(attribute: Attribute, bare: str) -> ValueRepair | None:
    words = [*attribute.values, *["None"] * bool(attribute.facts.get("nullable"))]
    key = bare.casefold()
    for word in words:
        if word.casefold() == key:
            return ValueRepair(word, "safe")
    if (synonym := _MEANS.get(key, "")) in words:
        return ValueRepair(synonym, "unsafe")
    close = nearest(bare, words) or abbreviated(bare, words)
    return _graded(close, is_sure(bare, close, words)) if close else None


def _number(bare: str) -> float | None:
    try:
        return float.fromhex(bare) if bare.lower().lstrip("+-").startswith("0x") else float(bare)
    except (ValueError, OverflowError):
        return None


def _integer(bare: str) -> ValueRepair | None:
    bare = _in_digits(bare)
    if _PUNCTUATED.fullmatch(bare) and len(found := _whole(bare)) == 1:
        return ValueRepair(str(found[0]), "safe")
    if (number := _number(bare)) is None:
        return _among_words(bare)
    if not abs(number) <= 2**53:  # nor NaN
        return None
    return _graded(str(int(number)), number == int(number) and "_" not in bare)


def _among_words(bare: str) -> ValueRepair | None:
    """Return the only integer in a text that does not spell a number."""
    if _THOUSANDS.fullmatch(bare):
        return ValueRepair(re.sub(r"[^0-9]", "", bare), "unsafe")
    only = _ONE_NUMBER.fullmatch(bare) if len(bare) < _LONGEST else None
    return None if only is None else ValueRepair(str(integer(only[1])), "unsafe")


def _whole(bare: str) -> list[int]:
    """Return the numbers of a text, whose fractions are all zero."""
    return [integer(number) for number in _WHOLE.findall(re.sub(r"\.0*", "", bare))]


def _real(bare: str) -> ValueRepair | None:
    lowered = bare.lower()
    number, is_safe = _number(bare if lowered.endswith("inf") else bare.rstrip("fF")), "_" not in bare
    if number is None and bare.count(",") == 1:
        number, is_safe = _number(bare.replace(",", ".")), False
    if number is None or (isinf(number) and "inf" not in lowered):
        return None  # too large for any type: infinity was not meant
    return _graded(repr(number), is_safe)


def _in_digits(text: str) -> str:
    """Return a text with its hexadecimal numbers and the words for small ones in digits."""
    if len(text) > _LONGEST:
        return text
    return re.sub(_TOKEN.pattern, lambda found: _digits(found[0]), text)


def _digits(word: str) -> str:
    if word.lower().lstrip("+-").startswith("0x"):
        return str(int(word, 16))
    return _DIGITS.get(word.lower(), word)


def _tuple(bare: str) -> ValueRepair | None:
    bare, is_tidy = _in_digits(bare), True
    if len(bare) < _LONGEST:
        if not _PUNCTUATED.fullmatch(bare):
            bare, is_tidy = bare.translate(_OTHER_MARKS), False
        if nested := _NESTED.fullmatch(bare):
            bare = f"({nested[1]})"
    if not _PUNCTUATED.fullmatch(bare) or bare.count("(") > 1:
        return None
    numbers = _whole(bare)
    return _graded(tuple_text(numbers), is_tidy and _TIDY.fullmatch(bare) is not None) if numbers else None


def tuple_text(numbers: list[int] | tuple[int, ...]) -> str:
    """Return a tuple as Python and every writer of the family spell it."""
    return as_text([*numbers]) or ""
