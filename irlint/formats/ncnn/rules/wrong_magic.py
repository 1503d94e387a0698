"""S501 wrong-magic."""

from __future__ import annotations

from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.rules._sample import NETWORK, example
from irlint.rules.base import Rule


class WrongMagic(Rule):
    """
    What it does
        Checks for the number 7767517 at the beginning of the file.

    Why is this bad
        ncnn refuses the file ("param is too old, please regenerate"), whatever else it holds.

    Example
        ```
        7767516
        5 6
        ```

    Use instead
        ```
        7767517
        5 6
        ```

    Fix safety
        Safe: no runtime loads the file without the number.
    """

    row = R.wrong_magic
    formats = ("ncnn",)
    fixable = "safe"
    valid = (example(),)
    invalid = (
        example("7767516", ("7767517", "7767516"), fixed=NETWORK),
        example("5", ("7767517\n", ""), fixed=NETWORK),
    )
