"""What a text that no reader takes was probably meant to say."""

from __future__ import annotations

import re
from math import isinf

from irlint.findings import Safety
from irlint.formats.nnvm.reading.values import INTEGERS, TUPLES, BadValue, read
from irlint.operators import Attribute
from irlint.records import NamedTuple
from irlint.text.numbers import integer
from irlint.text.patterns import later
from irlint.tools.names import abbreviated, is_sure, nearest

INTEGRAL = frozenset(("shape", "ints", "slice"))  # tuples of whole numbers
_TRUE = frozenset(("true", "t", "yes", "y", "on", "1"))
_FALSE = frozenset(("false", "f", "no", "n", "off", "0"))
_PUNCTUATED = later(r"[\s()\[\]{};,]*(?:-?[0-9]+(?:\.0*)?L?(?![0-9.])[\s()\[\]{};,]*)*", re.ASCII)
_TIDY = later(r"(?P<open>[(\[{])?\s*-?[0-9.]+L?(?:\s*[,;]\s*-?[0-9.]+L?)*\s*(?:,\s*)?(?(open)[)\]}])", re.ASCII)
_WHOLE = later(r"-?[0-9]+", re.ASCII)
_TOKEN = later(r"[+-]?0[xX][0-9a-fA-F]+|[A-Za-z]{3,}", re.ASCII)
_ONE_NUMBER = later(r"[^0-9.\-]*(-?[0-9]+)[^0-9.\-]*", re.ASCII)
_THOUSANDS = later(r"[0-9]{1,3}(?:[ ,'_][0-9]{3})+", re.ASCII)
_OTHER_MARKS = str.maketrans("xX*/|_<>", ",,,,,,()")
_NESTED = later(r"[(\[{]+([^()\[\]{}]*)[)\]}]+")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MEANS = {"mean": "avg"}  # synonyms that no likeness tells
_LONGEST = 200


class NodeRepair(NamedTuple):
    text: str
    safety: Safety


def repair(attribute: Attribute, text: str) -> NodeRepair | None:
    """A text of the kind that says what this one seems to say; unsafe where that is a guess."""
    found = _repair(attribute, text)
    return found if found is not None and takes(attribute, found.text) else None


def takes(attribute: Attribute, text: str) -> bool:
    """Whether a text is one that the loader reads and whose value is not out of bounds."""
    try:
        value = read(attribute, text)
    except BadValue:
        return False
    if attribute.facts.get("nonzero") and isinstance(value, tuple) and 0 in value:
        return False
    if "ranks" in attribute.facts and isinstance(value, tuple) and len(value) not in attribute.facts["ranks"]:
        return False
    low, high = attribute.facts.get("min"), attribute.facts.get("max")
    return not isinstance(value, (int, float)) or ((low is None or value >= low) and (high is None or value <= high))


def without_sign(attribute: Attribute, text: str) -> str | None:
    """Return a negative number without its sign, where that is in its bounds."""
    sign, _, better = text.partition("-")
    return better if attribute.kind in INTEGERS and not sign.strip() and better and takes(attribute, better) else None


def _repair(attribute: Attribute, text: str) -> NodeRepair | None:
    bare = text.strip().strip("'\"").strip()
    kind = attribute.kind
    if kind == "bool":
        return _bool(bare)
    if kind == "enum":
        return _enum(attribute, bare)
    if kind in INTEGERS:
        return _integer(bare)
    if kind in ("float", "double"):
        return _real(bare)
    return _tuple(kind, bare) if kind in TUPLES else None


def canonical_bool(value: bool) -> str:
    return "True" if value else "False"


def _bool(bare: str) -> NodeRepair | None:
    word = bare.casefold()
    if word in _TRUE or word in _FALSE:
        return NodeRepair(canonical_bool(word in _TRUE), "safe")
    number = _number(bare)
    if number in (0, 1):
        return NodeRepair(canonical_bool(bool(number)), "safe")
    words = ("True", "False")
    close = nearest(bare, words) if len(bare) > 2 else None
    return NodeRepair(close, "safe" if is_sure(bare, close, words) else "unsafe") if close else None


def _enum(attribute: Attribute, bare: str) -> NodeRepair | None:
    words = [*attribute.values, *(["None"] if attribute.facts.get("nullable") else [])]
    for word in words:
        if word.casefold() == bare.casefold():
            return NodeRepair(word, "safe")
    if synonym := next((word for word in words if _MEANS.get(bare.casefold()) == word), None):
        return NodeRepair(synonym, "unsafe")
    close = nearest(bare, words) or abbreviated(bare, words)
    return NodeRepair(close, "safe" if is_sure(bare, close, words) else "unsafe") if close else None


def _number(bare: str) -> float | None:
    try:
        return float.fromhex(bare) if bare.lower().lstrip("+-").startswith("0x") else float(bare)
    except (ValueError, OverflowError):
        return None


def _integer(bare: str) -> NodeRepair | None:
    bare = _in_digits(bare)
    if _PUNCTUATED.fullmatch(bare) and len(found := _WHOLE.findall(re.sub(r"\.0*", "", bare))) == 1:
        return NodeRepair(str(integer(found[0])), "safe")
    number = _number(bare)
    if number is None and _THOUSANDS.fullmatch(bare):
        return NodeRepair(re.sub(r"[^0-9]", "", bare), "unsafe")
    if number is None and len(bare) < _LONGEST and (only := _ONE_NUMBER.fullmatch(bare)):
        return NodeRepair(str(integer(only[1])), "unsafe")
    if number is None or abs(number) > 2**53 or number != number:
        return None
    return NodeRepair(str(int(number)), "safe" if number == int(number) and "_" not in bare else "unsafe")


def _real(bare: str) -> NodeRepair | None:
    number = _number(bare.rstrip("fF") if not bare.lower().endswith("inf") else bare)
    if number is not None and isinf(number) and "inf" not in bare.lower():
        return None  # too large for any type: infinity was not meant
    if number is not None:
        return NodeRepair(repr(number), "unsafe" if "_" in bare else "safe")
    if bare.count(",") == 1 and (number := _number(bare.replace(",", "."))) is not None:
        return NodeRepair(repr(number), "unsafe")
    return None


def _in_digits(text: str) -> str:
    """A text with its hexadecimal numbers and the words for small ones in digits."""
    if len(text) > _LONGEST:
        return text
    return re.sub(_TOKEN.pattern, lambda found: _digits(found[0]), text)


def _digits(word: str) -> str:
    if word.lower().lstrip("+-").startswith("0x"):
        return str(int(word, 16))
    return str(_WORDS.index(word.lower())) if word.lower() in _WORDS else word


def _tuple(kind: str, bare: str) -> NodeRepair | None:
    bare = _in_digits(bare)
    if kind in INTEGRAL and len(bare) < _LONGEST:
        if nested := _NESTED.fullmatch(bare):
            bare = f"({nested[1]})"
        if _PUNCTUATED.fullmatch(marked := bare.translate(_OTHER_MARKS)) and not _PUNCTUATED.fullmatch(bare):
            found = _tuple(kind, marked)
            return found and NodeRepair(found.text, "unsafe")
    if not bare or not _PUNCTUATED.fullmatch(bare) or kind in ("floats", "shapes") or bare.count("(") > 1:
        return None
    numbers = [integer(n) for n in _WHOLE.findall(re.sub(r"\.0*", "", bare))]
    return NodeRepair(tuple_text(numbers), "safe" if _TIDY.fullmatch(bare) else "unsafe") if numbers else None


def tuple_text(numbers: list[int] | tuple[int, ...]) -> str:
    """A tuple as Python and every writer of the family spell it."""
    return f"({numbers[0]},)" if len(numbers) == 1 else f"({', '.join(map(str, numbers))})"
