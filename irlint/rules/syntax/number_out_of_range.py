"""S004 number-out-of-range."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class NumberOutOfRange(Rule):
    """
    What it does
        Checks for numbers that no runtime can represent: integers beyond 64 bits, and other numbers beyond the largest
        double.

    Why is this bad
        Readers clamp them, turn them into infinity or wrap them around, usually silently; the model then computes with
        a different number than the one in the file.

    Example
        ```json
        {"value": 1e999}
        ```

    Use instead
        ```json
        {"value": 1e38}
        ```
    """

    row = R.number_out_of_range
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(("[1, 2, 3, 4, 5, 6]", "[1, 2, 1e999, 4, 5, 6]")), "lightnet", "1e999"),)
