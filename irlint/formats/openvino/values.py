"""Attribute values as the reader parses them: numbers up to the first invalid character, comma-separated lists."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence

from irlint.codes import RuleRow
from irlint.findings import Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.dimensions import DimensionRange, dimension
from irlint.formats.openvino.layers import ELEMENT_TYPES
from irlint.operators import Attribute
from irlint.records import NamedTuple
from irlint.text.numbers import integer
from irlint.text.safe import brief
from irlint.text.words import count
from irlint.tools.names import abbreviated, is_sure, nearest, plain

INTEGER = re.compile(r"[ \t\n\v\f\r]*(-?\d+)", re.ASCII)  # a plus sign is refused (2026.4.1), but not before a float
# OpenVINO 2026.4.1: '+0.5', '.5' and '1.' are read, '0x1p1' is 0; '1e', 'Infinity' and 'x' are refused
FLOAT = re.compile(
    r"[ \t\n\v\f\r]*([+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|nan))",
    re.ASCII | re.IGNORECASE,
)
_YES = {"yes": "true", "y": "true", "on": "true", "t": "true", "ture": "true", "no": "false", "n": "false", "off": "false",
        "f": "false", "none": "false", "flase": "false"}  # fmt: skip
_LONGEST = 200  # characters of a value in which a number is looked for
_SHOWN = 200  # characters of a value in a message
_TYPE_NAMES = {
    "fp32": "f32", "float": "f32", "float32": "f32", "single": "f32", "fp16": "f16", "half": "f16", "float16": "f16",
    "fp64": "f64", "double": "f64", "float64": "f64", "bfloat16": "bf16", "int": "i32", "long": "i64",
    "int4": "i4", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint4": "u4", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "bin": "u1", "bool": "boolean",
    "unspecified": "dynamic",
}  # fmt: skip


class ValueProblem(NamedTuple):
    """A problem with one attribute value. `what` comes before "for `axis` of Softmax 'x'" in its message, `rest` after it.

    `inner` is the range of the part of the value that is wrong. `taken` is what the reader uses instead of a value that it
    does not refuse.
    """

    rule: RuleRow
    what: str
    rest: str = ""
    severity: Severity = Severity.ERROR
    better: str | None = None  # the whole value as it should be written
    safe: bool = False
    inner: tuple[int, int] | None = None
    taken: str | None = None


def faults(text: str, attribute: Attribute) -> Iterator[ValueProblem]:
    """Yield what is wrong with a value."""
    kind = attribute.kind
    if kind == "boolean":
        yield from _boolean(text, taken_without(attribute))
    elif kind == "enum":
        yield from _enum(text, attribute)
    elif kind == "element_type":
        yield from _element_type(text, attribute)
    elif kind in ("int", "float"):
        yield from _number(text, attribute, kind, 0)
    elif kind in ("int[]", "float[]"):
        yield from _numbers(text, attribute, kind[:-2])
    elif kind == "string[]":
        yield from _words(text, attribute)
    elif kind in ("partial_shape", "shape"):
        if attribute.facts.get("ranked") and text.strip().removeprefix("[").removesuffix("]").strip() == "...":
            yield ValueProblem(
                R.value_out_of_range, "expected a known rank", f"{_got(text)}; the CPU plug-in refuses an unknown rank"
            )
        yield from shape_faults(text)


def taken_without(attribute: Attribute) -> str | None:
    """Return what the reader uses if an attribute is missing; None if it refuses the model, or if that depends on others."""
    found: str | None = attribute.facts.get("fallback", attribute.default)
    return None if "absent" in attribute.facts or "repeated" in attribute.facts else found


def _boolean(text: str, taken: str | None) -> Iterator[ValueProblem]:
    if text in ("true", "false"):
        return
    # OpenVINO 2026.4.1: letter case is free; any other text, 'yes' and ' true' too, leaves the default, silently
    word = text.lower()
    if word in ("true", "false", "1", "0"):
        right = {"1": "true", "0": "false"}.get(word, word)
        yield ValueProblem(R.bool_string, f"expected `{right}`", _got(text), Severity.PEDANTIC, right, True)
        return
    meant = _YES.get(word.strip()) or {"true": "true", "1": "true", "false": "false", "0": "false"}.get(word.strip())
    meant = meant or nearest(word.strip(), ["true", "false"])
    rest = f"{_got(text)}; OpenVINO silently uses the default" + (f" `{taken}`" if taken else "")
    yield ValueProblem(
        R.bool_string, "expected `true` or `false`", rest, Severity.WARNING, meant, meant == taken, None, taken
    )


def _enum(text: str, attribute: Attribute) -> Iterator[ValueProblem]:
    words = attribute.values
    if text in words:
        return
    if attribute.facts.get("writer") == "upper" and text in {w.upper() for w in words}:
        return
    if text.lower() in attribute.facts.get("also", ()):
        yield ValueProblem(
            R.value_not_in_enum,
            f"non-standard value {_code(text)}",
            f"; OpenVINO accepts it, but the specification allows only {_listed(words)}",
            Severity.WARNING,
        )
        return
    # OpenVINO 2026.4.1 takes enum values in any letter case ('SAME_UPPER', 'MAX')
    same = next((w for w in words if w.lower() == text.lower()), None)
    open_ = attribute.facts.get("open", False)
    if same is not None and attribute.facts.get("exact"):
        yield ValueProblem(
            R.value_not_in_enum,
            f"expected `{same}`",
            f"{_got(text)}; this value is case-sensitive",
            Severity.ERROR,
            same,
            True,
        )
        return
    if same is not None and not open_:
        yield ValueProblem(R.value_not_in_enum, f"expected `{same}`", _got(text), Severity.WARNING, same, True)
        return
    bare = text.strip().strip("'\"").strip()
    meant = same or nearest(bare, words) or abbreviated(bare, words)
    sure = meant is not None and not open_ and is_sure(bare, meant, words)
    severity = Severity.WARNING if open_ else Severity.ERROR
    yield ValueProblem(R.value_not_in_enum, _unknown(text), _instead(meant, words), severity, meant, sure)


def _element_type(text: str, attribute: Attribute) -> Iterator[ValueProblem]:
    if text.lower() in attribute.facts.get("refused", ()):
        better = next(value for value in attribute.values if value not in attribute.facts["refused"])
        rest = f"; the CPU plug-in accepts only `{better}`"
        yield ValueProblem(R.value_not_in_enum, f"unsupported value {_code(text)}", rest, Severity.ERROR, better)
        return
    if (text in ELEMENT_TYPES and not attribute.values) or text in attribute.values:
        if ELEMENT_TYPES[text] is None and not attribute.facts.get("dynamic"):
            rest = f"{_got(text)}; no device can run a tensor of unknown type"
            yield ValueProblem(R.value_not_in_enum, "expected a known element type", rest)
        return
    # OpenVINO 2026.4.1 takes F32 for f32, but not FP32
    word = text.lower()
    if word in ELEMENT_TYPES and (not attribute.values or word in attribute.values):
        yield ValueProblem(R.value_not_in_enum, f"expected `{word}`", _got(text), Severity.WARNING, word, True)
        return
    meant = _type_meant(text)
    if meant is not None and attribute.values and meant not in attribute.values:
        meant = None
    if word in ELEMENT_TYPES:
        milder = Severity.WARNING if attribute.facts.get("open") else Severity.ERROR
        what = f"unsupported value {_code(text)}"
        yield ValueProblem(R.value_not_in_enum, what, f"; expected {_one_of(attribute.values)}", milder)
        return
    sure = meant is not None and plain(text.strip().strip("'\"")) in (meant, *_TYPE_NAMES)
    rest = _instead(meant, attribute.values) if attribute.values or meant else f"; expected one of {_USUAL_TYPES}, ..."
    yield ValueProblem(R.value_not_in_enum, _unknown(text, "element type"), rest, Severity.ERROR, meant, sure)


_USUAL_TYPES = "`f32`, `f16`, `i64`, `i32`, `i8`, `u8`, `boolean`"


def _code(text: str) -> str:
    return f"`{brief(text, _SHOWN)}`"


def _got(text: str) -> str:
    return f", got {_code(text) if text else 'an empty value'}"


def _unknown(text: str, word: str = "value") -> str:
    return f"unknown {word} {_code(text)}" if text else f"empty {word}"


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


def _number(text: str, attribute: Attribute, kind: str, offset: int) -> Iterator[ValueProblem]:
    """Check one number, which begins at `offset` in the whole value."""
    what = "expected an integer" if kind == "int" else "expected a number"
    inner = (offset, offset + len(text)) if offset or attribute.kind.endswith("[]") else None
    got = _got(text if inner is None else text.strip())
    found = (INTEGER if kind == "int" else FLOAT).match(text)
    if found is None or (kind == "float" and not _is_whole(text, found)):
        better = _in_digits(text)
        plus = kind == "int" and better is not None and better.startswith("+")
        what += " without a plus sign" if plus else ""
        better = better[1:] if plus and better else better
        sure = plus and text.strip()[1:] == better
        yield ValueProblem(R.wrong_attribute_type, what, got, better=better, safe=sure, inner=inner)
        return
    word = found[1]
    if kind == "int" and not -(1 << 63) <= integer(word) < 1 << 63:
        yield ValueProblem(R.wrong_attribute_type, "expected a 64-bit integer", got, inner=inner)
        return
    wide = float(word) if kind == "float" and not word[-1].isalpha() else 0.0
    if abs(wide if inner is None else _single(wide)) == float("inf"):  # lists hold numbers of 32 bits
        bits = 64 if inner is None else 32
        yield ValueProblem(R.wrong_attribute_type, f"expected a number that fits into {bits} bits", got, inner=inner)
        return
    # OpenVINO 2026.4.1 reads '1.7' as 1, '3x' as 3, '1e3' as 1, and the float '0,5' as 0; in lists '1 1' and '1;1' are one number
    if found.end() < len(text) and text[found.end() :].strip():
        better = None
        if kind == "float" and re.fullmatch(r"\s*[+-]?\d+,\d+\s*", text) and inner is None:
            better = text.strip().replace(",", ".")
        rest = f"{got}; OpenVINO reads it as {word}"
        yield ValueProblem(R.lossy_number, what, rest, Severity.WARNING, better, inner=inner, taken=word)
    yield from _bounds(integer(word) if kind == "int" else float(word), text, attribute, inner)


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


def _single(value: float) -> float:
    """Return a number rounded to 32 bits, which is how it is stored, even if the reader parses it with 64."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return value * float("inf")


def _bounds(value: float, text: str, attribute: Attribute, inner: tuple[int, int] | None) -> Iterator[ValueProblem]:
    facts, got = attribute.facts, _got(text if inner is None else text.strip())
    if attribute.kind == "float" and "refused" in (facts.get("negative"), facts.get("zero")):
        value = _single(value)
    if facts.get("endless") and value in (float("inf"), float("-inf")):
        return
    if value != value or value in (float("inf"), float("-inf")):
        severity = Severity.ERROR if "refused" in (facts.get("negative"), facts.get("zero")) else Severity.WARNING
        yield ValueProblem(R.value_out_of_range, "expected a finite number", got, severity, inner=inner)
        return
    least, above, most = facts.get("least"), facts.get("above"), facts.get("most")
    if least is not None and value < least:
        limit = f"at least {least}"
    elif above is not None and value <= above:
        limit = f"more than {above}"
    elif most is not None and value > most:
        limit = f"at most {most}"
    else:
        return
    refused = facts.get("negative") if value < 0 else facts.get("zero") if value == 0 else facts.get("positive")
    severity = Severity.ERROR if refused else Severity.WARNING
    yield ValueProblem(R.value_out_of_range, f"expected {limit}", got, severity, inner=inner)


def _words(text: str, attribute: Attribute) -> Iterator[ValueProblem]:
    """Check a list of words, such as the names of activation functions."""
    words = [word.strip() for word in text.removesuffix(",").split(",")] if text else []
    length = attribute.facts.get("length")
    words = words[:length]  # the reader has no use for more
    if attribute.values:
        for word in words:
            if word not in attribute.values and word.lower() in attribute.values:
                better = ", ".join(_word_meant(w, attribute.values)[0] or w for w in words)
                sure = all(_word_meant(w, attribute.values)[1] for w in words)
                what = f"expected `{word.lower()}`"
                yield ValueProblem(R.value_not_in_enum, what, _got(word), Severity.WARNING, better, sure)
                return
            if word.lower() not in attribute.values:
                meant, _ = _word_meant(word, attribute.values)
                what, rest = _unknown(word), _instead(meant, attribute.values)
                found = [_word_meant(w, attribute.values) for w in words]
                mended = ", ".join(w for w, _ in found if w) if all(w for w, _ in found) else None
                is_sure_ = all(sure for _, sure in found)
                yield ValueProblem(R.value_not_in_enum, what, rest, Severity.ERROR, mended, is_sure_)
                return
    if length is not None and len(words) < length:
        yield ValueProblem(R.wrong_value_length, f"expected {count(length, 'value')}", f", got {len(words)}")


def _word_meant(word: str, words: tuple[str, ...]) -> tuple[str | None, bool]:
    """Return the intended word, and whether there is no other candidate."""
    if word.lower() in words:
        return word.lower(), True
    found = nearest(word, words) or abbreviated(word, words)
    return found, found is not None and is_sure(word, found, words)


def _numbers(text: str, attribute: Attribute, kind: str) -> Iterator[ValueProblem]:
    if not text:
        if attribute.facts.get("empty"):
            yield ValueProblem(
                R.wrong_value_length, "expected at least 1 value", ", got 0; OpenVINO fails on an empty list"
            )
        elif attribute.required and kind == "int":
            taken = attribute.facts.get("fallback")
            rest = ", got 0" + (f"; OpenVINO uses `{taken}`" if taken else "")
            yield ValueProblem(R.wrong_value_length, "expected at least 1 value", rest, Severity.WARNING)
        return
    if not text.strip():
        what, rest = "expected an empty list without spaces", _got(text)
        yield ValueProblem(R.wrong_attribute_type, what, rest, Severity.ERROR, "", True)
        return
    lengths = attribute.facts.get("lengths")
    if lengths and (given := text.rstrip().rstrip(",").count(",") + 1) not in lengths:
        noun = "value" if lengths == [1] else "values"
        yield ValueProblem(R.wrong_value_length, f"expected {' or '.join(map(str, lengths))} {noun}", f", got {given}")
        return
    if not attribute.facts and _is_plain(text):
        return
    at = 0
    pieces = text.split(",")
    if len(pieces) == 1 and len(pieces[0].split()) > 1:
        better = ", ".join(text.split())
        rest, what = f"{_got(text)}; OpenVINO reads only the first number", "expected values separated by commas"
        yield ValueProblem(R.lossy_number, what, rest, Severity.WARNING, better, taken=text.split()[0])
        return
    if text.lstrip()[:1] in "[(":
        better = text.strip().strip("[]()").strip()
        what, rest = "expected a list without brackets", _got(text)
        yield ValueProblem(R.wrong_attribute_type, what, rest, Severity.ERROR, better, True)
        return
    for k, piece in enumerate(pieces):
        if not piece.strip() and 0 < k == len(pieces) - 1 and pieces[k - 1].strip():
            rule, severity = (R.wrong_attribute_type, Severity.ERROR) if piece else (R.lossy_number, Severity.WARNING)
            better = text.rstrip().rstrip(",").rstrip()
            yield ValueProblem(rule, f"trailing comma in {_code(text)}", "", severity, better, True)
        elif not piece and k == len(pieces) - 1:
            continue  # the comma before it has been reported
        else:
            for fault in _number(piece, attribute, kind, at):
                whole = None if fault.better is None else ",".join([*pieces[:k], fault.better, *pieces[k + 1 :]])
                yield fault._replace(better=whole)
        at += len(piece) + 1


_UNUSUAL = re.compile(r"[^0-9, ]|(?<![0-9]),|,(?! ?[0-9])|(?<!,) |[0-9]{19}")


def _is_plain(text: str) -> bool:
    """Return whether a list consists of integers of up to 18 digits.

    A pattern that repeats them would keep a record of each.
    """
    return text != "" and _UNUSUAL.search(text) is None


def shape_faults(text: str) -> Iterator[ValueProblem]:
    """Yield what is wrong with a partial shape: dimensions N, ?, -1 or a..b, or ... for any rank."""
    if _is_plain(text):
        return
    bare = text.strip()
    if bare.startswith("[") and bare.endswith("]"):
        bare = bare[1:-1].strip()
    if not bare or bare == "...":
        return
    start = text.index(bare)
    at = start
    pieces = bare.split(",")
    if (
        len(pieces) == 1
        and dimension(bare) is None
        and len(found := re.findall(r"-?\d+|\?", bare)) > 1
        and ".." not in bare
    ):
        better = ",".join(found)
        what = "expected dimensions separated by commas"
        yield ValueProblem(R.wrong_attribute_type, what, _got(text), better=better)
        return
    for k, piece in enumerate(pieces):
        inner = (at, at + len(piece)) if piece else None
        at += len(piece) + 1
        if (found_ := dimension(piece)) is None:
            if not piece.strip() and k == len(pieces) - 1:
                better = text.rstrip().rstrip(",").rstrip()
                what = f"trailing comma in {_code(text)}"
                yield ValueProblem(R.wrong_attribute_type, what, better=better, safe=True)
                return
            what = "expected a dimension (an integer, `?`, `-1` or a range such as `1..8`)"
            yield ValueProblem(R.wrong_attribute_type, what, _got(piece.strip()), inner=inner)
            continue
        yield from _dim_fault(piece.strip(), found_, inner)


def _dim_fault(piece: str, found: DimensionRange, inner: tuple[int, int] | None) -> Iterator[ValueProblem]:
    if found.is_empty:
        what = "expected a range that ends at or after its start" if ".." in piece else "expected less than 2^63-1"
        yield ValueProblem(R.value_out_of_range, what, _got(piece), inner=inner)
    elif found.lossy:
        from irlint.dryrun.dims import show_dim

        shown = show_dim(found.dim)
        rest = f"{_got(piece)}; OpenVINO reads it as {shown}"
        yield ValueProblem(R.lossy_number, "expected a dimension", rest, Severity.WARNING, inner=inner)
    elif ".." not in piece and found.high == 0 and integer(piece) < 0:
        what, rest = "expected `-1` or `?` as the unknown dimension", f"{_got(piece)}; OpenVINO reads it as 0"
        yield ValueProblem(R.value_out_of_range, what, rest, Severity.WARNING, inner=inner)
