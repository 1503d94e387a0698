"""What is wrong with the value of an attribute, and the words for it."""

from __future__ import annotations

import re

from irlint.checks.fault import NO_VALUE, Fault
from irlint.checks.values import of_value
from irlint.codes import RuleRow
from irlint.findings import Severity
from irlint.formats.openvino.rules import R
from irlint.operators import Attribute
from irlint.text.safe import brief

_SHOWN = 200  # characters of a value in a message
_UNUSUAL = re.compile(r"[^0-9, ]|(?<![0-9]),|,(?! ?[0-9])|(?<!,) |[0-9]{19}")


def wrong(
    rule: RuleRow, attribute: Attribute, what: str, rest: str, severity: Severity = Severity.ERROR,
    better: str | None = None, is_safe: bool = False, inner: tuple[int, int] | None = None, taken: str | None = None,
) -> Fault:  # fmt: skip
    """Return what is wrong with a value. `better` is the whole value as it should be written, `inner` the part that is wrong."""
    return of_value(
        rule, attribute, what, rest, better=NO_VALUE if better is None else better, severity=severity,
        safety="safe" if is_safe else "unsafe", inner=inner, taken=taken,
    )  # fmt: skip


def trailing_comma(
    text: str, attribute: Attribute, rule: RuleRow = R.wrong_attribute_type, severity: Severity = Severity.ERROR
) -> Fault:
    better = text.rstrip().rstrip(",").rstrip()
    return wrong(rule, attribute, f"trailing comma in {quoted(text)}", "", severity, better, True)


def taken_without(attribute: Attribute) -> str | None:
    """Return what the reader uses if an attribute is missing; None if it refuses the model, or if that depends on others."""
    found: str | None = attribute.facts.get("fallback", attribute.default)
    return None if "absent" in attribute.facts or "repeated" in attribute.facts else found


def quoted(text: str) -> str:
    return f"`{brief(text, _SHOWN)}`"


def got(text: str) -> str:
    return f", got {quoted(text) if text else 'an empty value'}"


def is_plain(text: str) -> bool:
    """Return whether a list consists of integers of up to 18 digits.

    A pattern that repeats them would keep a record of each.
    """
    return text != "" and _UNUSUAL.search(text) is None
