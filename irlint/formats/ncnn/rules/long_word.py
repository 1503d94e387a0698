"""S502 long-word."""

from __future__ import annotations

from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.rules._sample import example
from irlint.rules.base import Rule
from irlint.rules.samples import network


class LongWord(Rule):
    """
    What it does
        Checks for numbers of more than 15 characters, and for words that are too long for any release.

    Why is this bad
        Releases up to 20260526 read 15 characters of a number and take the rest for the next parameter; the file is refused, or a
        wrong value is used. Later releases read 127 characters of a number, and 255 of a name or text.

    Example
        ```
        ReLU relu 1 1 conv_0 relu 0=0.10000000000000001
        ```

    Use instead
        ```
        ReLU relu 1 1 conv_0 relu 0=0.1
        ```

    Fix safety
        Safe: the fix writes the shortest number with the same value in single precision. There is none for names.
    """

    row = R.long_word
    formats = ("ncnn",)
    fixable = "safe"
    valid = (example(),)
    invalid = (
        example(
            "0.10000000000000001",
            ("conv_0 relu", "conv_0 relu 0=0.10000000000000001"),
            fixed=network(("conv_0 relu", "conv_0 relu 0=0.1")),
        ),
    )
