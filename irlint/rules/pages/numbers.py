"""Pages of rules about how numbers are written."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class NumberOutOfRange(Rule):
    """
    What it does
        Checks for numbers that no runtime can represent: integers beyond 64 bits, and other numbers beyond the largest
        double.

    Why is this bad
        Readers clamp them, turn them into infinity or wrap them around, usually silently; the model then computes with
        a different number than the one in the file.
    """

    row = R.number_out_of_range


class NonFiniteNumber(Rule):
    """
    What it does
        Checks for `NaN`, `Infinity` and similar words in place of a number.

    Why is this bad
        JSON has no such numbers. Python writes and reads them, so a script does not notice; the C++ readers of model
        files stop at them.

    References
        RFC 8259, section 6: numeric values that cannot be represented in digits are not permitted.
    """

    row = R.non_finite_number


class UnusualNumber(Rule):
    """
    What it does
        Checks for numbers in a notation that JSON does not have: `01`, `1.`, `.5`, `+1`, `0x10`.

    Why is this bad
        One format's reader accepts them, another refuses the file, and a third reads `010` as eight.

    Fix safety
        Safe: writes the number in JSON notation, with the value that the format's own reader reads.

    References
        RFC 8259, section 6.
    """

    row = R.unusual_number
    fixable = "safe"
