"""Dimensions of a partial shape as the reader parses them: N, ?, -1 and ranges such as 1..8 (2026.4.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.checks.fault import Fault
from irlint.findings import Severity
from irlint.formats.openvino.passes.flaws import got, is_plain, trailing_comma, wrong
from irlint.formats.openvino.rules import R
from irlint.graph import Dim
from irlint.operators import Attribute
from irlint.records import NamedTuple
from irlint.text.numbers import integer

MOST = (1 << 63) - 1  # endless, as the reader writes it
_BLANKS = " \t\n\v\f\r"
_DIGITS = re.compile(r"[0-9-]*")  # which signs may stand in a number; where is not looked at
_NUMBER = re.compile(r"-?[0-9]+")


class DimensionRange(NamedTuple):
    """The allowed dimensions, from `low` to `high`; empty if `high` is less than `low`."""

    low: int
    high: int
    lossy: bool = False  # whether it says something else than what is read

    @property
    def is_empty(self) -> bool:
        return self.high < self.low

    @property
    def dim(self) -> Dim:
        if self.is_empty or (self.low == 0 and self.high == MOST):
            return None
        return self.low if self.low == self.high else (self.low, None if self.high == MOST else self.high)


def dimension(text: str) -> DimensionRange | None:
    """Return a dimension as the reader parses it; None if it refuses the text."""
    text = text.strip(_BLANKS)
    if text in ("?", "-1"):
        return DimensionRange(0, MOST)
    first, dots, second = text.partition("..")
    if _DIGITS.fullmatch(first) is None or _DIGITS.fullmatch(second) is None or not text:
        return None
    low = _number(first, 0)
    high = _number(second, MOST) if dots else low
    lossy = any(word and (_NUMBER.fullmatch(word) is None or not _fits(word)) for word in (first, second))
    # OpenVINO 2026.4.1: '10..1' allows any length, '-2' becomes 0
    if not high >= low < MOST:
        return DimensionRange(1, 0, lossy)
    return DimensionRange(max(low, 0), max(high, 0), lossy)


def _number(word: str, otherwise: int) -> int:
    """Return the number that a text starts with; `otherwise` if there is none, or if it exceeds 64 bits."""
    found = _NUMBER.match(word)
    return integer(found[0]) if found is not None and _fits(found[0]) else otherwise


def _fits(word: str) -> bool:
    return -MOST - 1 <= integer(word) <= MOST


def shape_faults(text: str, attribute: Attribute) -> Iterator[Fault]:
    """Yield what is wrong with a partial shape: dimensions N, ?, -1 or a..b, or ... for any rank."""
    if is_plain(text):
        return
    bare, rule = text.strip(), R.wrong_attribute_type
    if attribute.facts.get("ranked") and bare.removeprefix("[").removesuffix("]").strip() == "...":
        rest = f"{got(text)}; the CPU plug-in refuses an unknown rank"
        yield wrong(R.value_out_of_range, attribute, "expected a known rank", rest)
    if bare.startswith("[") and bare.endswith("]"):
        bare = bare[1:-1].strip()
    if not bare or bare == "...":
        return
    if (better := _with_commas(bare)) is not None:
        yield wrong(rule, attribute, "expected dimensions separated by commas", got(text), better=better)
        return
    at, pieces = text.index(bare), bare.split(",")
    for k, piece in enumerate(pieces):
        inner = (at, at + len(piece)) if piece else None
        at += len(piece) + 1
        if (found := dimension(piece)) is not None:
            yield from _dim_fault(piece.strip(), found, attribute, inner)
        elif not piece.strip() and k == len(pieces) - 1:
            yield trailing_comma(text, attribute)
        else:
            what = "expected a dimension (an integer, `?`, `-1` or a range such as `1..8`)"
            yield wrong(rule, attribute, what, got(piece.strip()), inner=inner)


def _with_commas(text: str) -> str | None:
    """Return several dimensions that are separated by something else, as they should be written."""
    if "," in text or ".." in text or dimension(text) is not None:
        return None
    found = re.findall(r"-?\d+|\?", text)
    return ",".join(found) if len(found) > 1 else None


def _dim_fault(
    piece: str, found: DimensionRange, attribute: Attribute, inner: tuple[int, int] | None
) -> Iterator[Fault]:
    if found.is_empty:
        what = "expected a range that ends at or after its start" if ".." in piece else "expected less than 2^63-1"
        yield wrong(R.value_out_of_range, attribute, what, got(piece), inner=inner)
    elif found.lossy:
        from irlint.dryrun.dims import show_dim

        rest = f"{got(piece)}; OpenVINO reads it as {show_dim(found.dim)}"
        yield wrong(R.lossy_number, attribute, "expected a dimension", rest, Severity.WARNING, inner=inner)
    elif ".." not in piece and found.high == 0 and integer(piece) < 0:
        what, rest = "expected `-1` or `?` as the unknown dimension", f"{got(piece)}; OpenVINO reads it as 0"
        yield wrong(R.value_out_of_range, attribute, what, rest, Severity.WARNING, inner=inner)
